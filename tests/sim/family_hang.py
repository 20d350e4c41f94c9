"""Input, checkpoint, coordination: nobody dies, and all wait for one."""

import files
import stacks
from family_crash import next_step, raise_in, run_up
from truth import Truth, falls, link, names, scenario

OLD_OR_NEW = ("2.13.1", "2.16.2", "2.18.0", "2.21.0")


def waits(world, bad):
    """The chain of a hang: what holds one task, who waits for it, and who ended them."""
    others = [t for t in world.workers if t is not bad]
    return [link(bad, f"stack:{bad.name}"), link(None, *[f"stack:{t.name}" for t in others]), link(None, "deadline")]


@scenario("C1", "input", platform="plain")
def storage_read_blocks(world):
    run_up(world)
    bad = world.pick(leader=True)
    world.emit(bad, world.now + 0.1, "log", text="opening /mnt/nfs/train/part-00017.tfrecord")
    world.kernel[bad.host] = [(world.now + 65, "nfs: server filer2 not responding, still trying", "kernel")]
    stacks.all_waiting(world, [bad], extra=stacks.READING)
    world.hang()
    return Truth("hang-input", names(bad), step=next_step(world), needs={"stacks": ["undetermined", "hang-input"]}, chain=waits(world, bad))


@scenario("C2", "input", platform="plain")
def data_service_dies(world):
    run_up(world)
    for t in world.workers:
        world.emit(t, world.now + 2 + 0.1 * t.index, "cpp", tag=f"service:{t.name}", severity="W", file="grpc_util.cc", line=75,
                   text="Failed to connect to tf.data service dispatcher at data-0:5050. Will retry in 1000ms.")
    stacks.all_waiting(world, world.tasks, main=stacks.SERVICE)
    world.hang()
    return Truth(["hang-input", "undetermined"], workers=[], step=next_step(world), origin_logs=False, needs={"stacks": ["undetermined"]})


@scenario("C3", "input", platform="plain")
def locked_generator(world):
    run_up(world)
    bad = world.pick(leader=True)
    stacks.all_waiting(world, [bad], extra=stacks.LOCKED)
    world.hang()
    return Truth(["hang-input", "hang-user-code"], names(bad), step=next_step(world), needs={"stacks": ["undetermined"]}, chain=waits(world, bad))


@scenario("D1", "ckpt", platform="plain")
def chief_blocked_in_save(world):
    run_up(world, 20, 30)
    world.train(10 - world.step % 10 if world.step % 10 else 10)
    chief = world.workers[0]
    chief.own = [e for e in chief.own if not (e.kind == "saved" and e.fields["step"] == world.step)]
    world.saves.pop()
    files.save_checkpoints(world)
    world.files[f"ckpt/ckpt-{world.step}_temp/part-00000-of-00001.data-00000-of-00001.tempstate90125"] = b""
    stacks.all_waiting(world, [chief], main=stacks.SAVING)
    world.hang()
    return Truth("hang-checkpoint", names(chief), step={"lo": world.step, "hi": world.step + 1}, needs={"stacks": ["undetermined"]}, chain=waits(world, chief))


def save_path(world, part=0):
    return f"/mnt/run/ckpt/ckpt-{world.step}_temp/part-{part:05d}-of-{len(world.workers):05d}.data-00000-of-00001.tempstate77120"


@scenario("D2", "ckpt")
def disk_full_on_save(world):
    run_up(world, 12, 20)
    world.train(10 - world.step % 10 if world.step % 10 else 10)
    chief = world.workers[0]
    chief.own = [e for e in chief.own if not (e.kind == "saved" and e.fields["step"] == world.step)]
    world.saves.pop()
    files.save_checkpoints(world)
    world.files[f"ckpt/ckpt-{world.step}_temp/part-00000-of-00001.data-00000-of-00001.tempstate77120"] = b"\0" * 512
    at = world.now + 0.2
    world.emit(chief, at, "cpp", "root", severity="W", file="op_kernel.cc", line=1768,
               text=f"OP_REQUIRES failed at save_restore_v2_ops.cc:160 : {world.style.code('RESOURCE_EXHAUSTED')}: {save_path(world)}; No space left on device")
    world.emit(chief, at + 0.01, "traceback", "root", frames=[("/app/main.py", 212, "<module>", "run(sys.argv)"), ("/app/main.py", 188, "run", "manager.save()")],
               error=f"tensorflow.python.framework.errors_impl.ResourceExhaustedError: {save_path(world)}; No space left on device [Op:SaveV2]")
    world.stop(chief, 1, at + 1)
    world.lose([chief], at)
    return Truth("checkpoint-write-failed", names(chief), cause="disk-full", step={"lo": world.step, "hi": world.step + 1}, chain=falls(world, chief))


@scenario("D3", "ckpt", sizes=(2, 3, 4), platform="plain")
def disk_not_shared(world):
    run_up(world, 12, 20)
    world.train(10 - world.step % 10 if world.step % 10 else 10)
    chief = world.workers[0]
    chief.own = [e for e in chief.own if e.kind not in ("saved", "save_begin")]
    world.saves.clear()
    at, part = world.now + 0.2, f"/mnt/run/ckpt/ckpt-{world.step}_temp/part-00001-of-{len(world.workers):05d}.index"
    text = f"{part}; No such file or directory"
    world.emit(chief, at, "cpp", "root", severity="W", file="op_kernel.cc", line=1768, text=f"OP_REQUIRES failed at save_restore_v2_ops.cc:260 : {world.style.code('NOT_FOUND')}: {text}")
    world.emit(chief, at + 0.01, "traceback", "root", frames=[("/app/main.py", 212, "<module>", "run(sys.argv)"), ("/app/main.py", 188, "run", "checkpoint.write(path)")],
               error=f"tensorflow.python.framework.errors_impl.NotFoundError: {text} [Op:MergeV2Checkpoints]")
    world.stop(chief, 1, at + 1)
    world.lose([chief], at)
    for t in world.workers:
        world.files.update({f"hosts/{t.host}/ckpt/ckpt-{world.step}_temp/part-{t.index:05d}-of-{len(world.workers):05d}.{end}": b""
                            for end in ("index", "data-00000-of-00001")})
    return Truth("checkpoint-write-failed", cause="not-shared", workers_any=[names(chief), names(*world.workers), []], step={"lo": world.step, "hi": world.step + 1},
                 chain=[link(None, "root"), *falls(world)])


@scenario("J1", "coord", sizes=(3, 4, 6), platform="plain", release=OLD_OR_NEW)
def leader_stalls(world):
    """The coordinator's task is stopped for a minute; all are declared lost, and it goes on writing afterwards."""
    run_up(world)
    leader, at = world.workers[0], world.now + 0.1
    for n, t in enumerate(world.workers[1:]):
        world.emit(t, at + 40 + 0.2 * n, "deadline_to_leader", tag=f"victim:{t.name}", leader=leader)
        world.stop(t, 1, at + 41.5 + 0.2 * n)
    world.emit(leader, at + 92, "heartbeats_missed", "own", peers=world.workers[1:3], leader=True)
    world.stop(leader, 1, at + 93.5)
    stacks.all_waiting(world)
    world.files[f"stacks/{leader.name}.txt"] = [(0, f"Process {leader.pid}: python3 /app/main.py\nPython v3.10.12 (/usr/bin/python3.10)\n\nError: Failed to get stack traces\n\nCaused by:\n"
                                                 f"    0: Failed to suspend process\n    1: unexpected waitpid result PtraceEvent(Pid({leader.pid}), SIGSTOP, 128) to {leader.pid}\n", "root")]
    head = "    PID STAT WCHAN                        ELAPSED     TIME   RSS COMMAND\n"
    for t in world.workers:
        state, wchan = ("Tsl ", "do_signal_stop  ") if t is leader else ("Ssl ", "futex_wait_queue")
        world.files[f"stacks/{t.name}.ps.txt"] = [(0, f"{head}{t.pid:7d} {state} {wchan}                01:47 00:01:22 2204118 python3 /app/main.py\n", "root" if t is leader else None)]
    return Truth("hang-frozen", names(leader), step=next_step(world), needs={"stacks": ["undetermined", "hang-frozen", "node-lost", "silent-death"]},
                 chain=[link(leader, "root"), link(None, *[f"victim:{t.name}" for t in world.workers[1:]])])


@scenario("J2", "coord", sizes=(6, 8), release=("2.18.0", "2.21.0"))
def barrier_times_out(world):
    """A member dies by an exception of its own before the barrier; the text of the barrier lists some of the missing."""
    run_up(world)
    bad = world.pick()
    at = raise_in(world, bad)
    others = [t for t in world.workers if t is not bad]
    late = others[1:3]
    listed = [bad] + late
    for n, t in enumerate(others):
        world.emit(t, at + 60 + 0.02 * n, "barrier_timed_out", tag=f"victim:{t.name}", first=others[0], missing=listed, reached=len(others) - 2)
        world.stop(t, 1, at + 61.4 + 0.02 * n)
    return Truth("user-exception", names(bad), step=next_step(world), chain=[link(bad, "root"), link(None, *[f"victim:{t.name}" for t in others])])
