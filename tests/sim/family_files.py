"""Checkpoint files that are not what was saved; versions that differ; tasks that are told to go."""

import files
from family_crash import next_step, run_up
from truth import Truth, falls, link, names, scenario

MAIN = [("/app/main.py", 212, "<module>", "run(sys.argv)")]


def first_run(world):
    """A run that ends by a stop for all, with checkpoints of the steps 10, 20, 30."""
    run_up(world, 14, 22)
    world.train(10)
    for t in world.alive():
        world.emit(t, world.now + 0.5, "sigterm_caught")
        world.stop(t, 143, world.now + 2)
    files.save_checkpoints(world)
    return world.saves[-1][0], world.saves[-2][0]


def refuse(world, step, code, error, text):
    """All tasks of the second run raise while they restore `step`."""
    world.attempt += 1
    world.now += 90
    world.boot()
    world.meet()
    at = world.now + 0.5
    for n, t in enumerate(world.workers):
        world.emit(t, world.now + 0.01, "cluster_up")
        world.emit(t, at, "restored", "restored", step=step)
        world.emit(t, at + 0.2 + 0.01 * n, "cpp", "root", severity="W", file="op_kernel.cc", line=1768, text=f"OP_REQUIRES failed at save_restore_v2_ops.cc:228 : {world.style.code(code)}: {text}")
        world.emit(t, at + 0.22 + 0.01 * n, "traceback", "root", frames=MAIN + [("/app/main.py", 158, "run", "checkpoint.restore(path).assert_consumed()")],
                   error=f"tensorflow.python.framework.errors_impl.{error}: {text} [Op:RestoreV2]")
        world.stop(t, 1, at + 1.4 + 0.02 * n)


def refused(step):
    """Saved by the first run, asked for by the second, refused."""
    return [link(None, f"saved:{step}"), link(None, "restored"), link(None, "root")]


@scenario("K1", "ckpt file", platform="plain")
def truncated_shard(world):
    last, _ = first_run(world)
    path = f"ckpt/ckpt-{last}.data-00000-of-00001"
    world.files[path] = world.files[path][:world.random.choice((128, 200, 256))]
    refuse(world, last, "OUT_OF_RANGE" if world.style.minor >= 8 else "INTERNAL", "OutOfRangeError", "Read less bytes than requested")
    return Truth("checkpoint-corrupt", workers_any=[[], names(world.workers[0])], needs={"checkpoints": ["checkpoint-corrupt"]}, chain=refused(last))


@scenario("K2", "ckpt file", platform="plain")
def flipped_bit(world):
    last, _ = first_run(world)
    path = f"ckpt/ckpt-{last}.data-00000-of-00001"
    content = bytearray(world.files[path])
    content[world.random.randrange(64, 128)] ^= 0x20
    world.files[path] = bytes(content)
    refuse(world, last, "DATA_LOSS", "DataLossError", f"TensorBundle at /mnt/run/ckpt/ckpt-{last} shard 0 (64 bytes): Checksum does not match: stored 3112842371 vs. calculated on the restored bytes 1170203316")
    return Truth("checkpoint-corrupt", workers_any=[[], names(world.workers[0])], needs={"checkpoints": ["checkpoint-corrupt"]}, chain=refused(last))


@scenario("K3", "ckpt file", sizes=(2, 3, 4), platform="plain", release=("2.13.1", "2.16.2", "2.18.0", "2.21.0"), program=("logging", "loguru", "hydra", "keyvalue"))
def two_writers(world):
    """Every task saves to the chief's prefix. One merge takes the other's part away."""
    world.start_all()
    world.save_every = 0
    world.train(world.random.choice((10, 20)) * world.style.every)
    first, loser, at = world.workers[0], world.pick(), world.now + 0.05
    for t in (first, loser):
        world.emit(t, at, "log", f"save:{t.name}", text=f"saving checkpoint /mnt/run/ckpt/ckpt-{world.step}")
    world.emit(first, at + 0.11, "saved", "winner", step=world.step)
    world.saves.append((world.step, at, False))
    files.save_checkpoints(world)
    text = f"/mnt/run/ckpt/ckpt-{world.step}_temp/part-00000-of-00001.index; No such file or directory"
    world.emit(loser, at + 0.12, "cpp", "root", severity="W", file="op_kernel.cc", line=1768, text=f"OP_REQUIRES failed at save_restore_v2_ops.cc:260 : {world.style.code('NOT_FOUND')}: {text}")
    world.emit(loser, at + 0.13, "traceback", "root", frames=MAIN + [("/app/main.py", 188, "run", "manager.save()")], error=f"tensorflow.python.framework.errors_impl.NotFoundError: {text} [Op:MergeV2Checkpoints]")
    world.stop(loser, 1, at + 1.2)
    world.lose([loser], at + 0.2)
    return Truth("checkpoint-two-writers", workers_any=[names(first, loser)], step={"lo": world.step, "hi": world.step + 1},
                 chain=[link(None, f"save:{first.name}", "winner"), *falls(world, loser)])


@scenario("K4", "ckpt file", platform="plain", program=("logging", "loguru", "keyvalue"), every=1)
def state_points_nowhere(world):
    """The newest checkpoint has no index; the restart falls back to the one before and goes on to the end."""
    last, before = first_run(world)
    del world.files[f"ckpt/ckpt-{last}.index"]
    world.save_every = 0
    world.restart(before)
    for t in world.workers:
        world.emit(t, world.now - 1.9, "log", "root", text=f"ckpt-{last} is not complete, falling back to ckpt-{before}", level="WARNING")
    world.train(25)
    world.finish()
    return Truth("checkpoint-incomplete", workers_any=[[], names(world.workers[0])], needs={"checkpoints": ["none"]}, chain=[link(None, f"saved:{last}"), link(None, "root", "restored")])


# ---- versions ----

@scenario("V1", "env", sizes=(3, 4, 8), platform="plain", release=("2.18.0", "2.21.0"), envelope=("none", "docker"))
def other_release(world):
    """One task runs another release: it connects, traces the same plan, and the first collective never ends."""
    bad = world.pick()
    bad.release = "2.13.1"
    world.start_all()
    world.hang(400)
    return Truth("version-mismatch", names(bad), cause="tensorflow", needs={"environment": ["undetermined"]})


@scenario("V2", "env", sizes=(3, 4), platform="plain", release=("2.18.0", "2.21.0"), envelope=("none", "docker"))
def other_patch_release(world):
    bad = world.pick()
    bad.release = world.style.release[:-1] + "1"
    run_up(world, 20, 50)
    world.finish()
    return Truth("none", workers=[])


# ---- told to go ----

def notice(world, bad, saves):
    """One task is told; steps go on for a while."""
    at = world.now + 0.05
    if world.style.platform == "k8s":
        world.cluster_log.append((at, f"pod/resnet-{bad.name}", "Normal", "TaintManagerEviction", f"Marking for deletion Pod ml/resnet-{bad.name}", "notice"))
    world.emit(bad, at, "sigterm_caught", "root")
    told = world.step
    if saves:
        world.emit(bad, at + 0.02, "cpp", "root", severity="I", file="preemption_sync_manager.cc", line=130, text="Notified coordination service that this task will be preempted at 2026-03-01T10:00:00+00:00. Status: OK")
    world.train(world.random.randint(3, 9))
    return told


@scenario("P1", "preempt", sizes=(2, 3, 4), release=("2.13.1", "2.16.2", "2.18.0", "2.21.0"), platform=("plain", "k8s"))
def notice_and_clean_save(world):
    run_up(world)
    bad = world.pick()
    told = notice(world, bad, True)
    at = world.now + 0.1
    for n, t in enumerate(world.workers):
        world.emit(t, at, "tensorflow", "saving", text="PreemptionCheckpointHandler: Starting saving a checkpoint.")
        world.emit(t, at + 0.4, "tensorflow", text=f"Checkpoint finished at path /mnt/run/ckpt/ckpt-{world.step}")
        world.emit(t, at + 0.5, "tensorflow", text="PreemptionCheckpointHandler: checkpoint saved. Exiting.")
        world.stop(t, 42, at + 1.2 + 0.01 * n)
    world.saves.append((world.step, at, False))
    files.save_checkpoints(world)
    return Truth("preempted", names(bad), step={"lo": told, "hi": world.step + 1}, chain=[link(bad, "root"), link(None, "saving")])


@scenario("P2", "preempt", sizes=(2, 3, 4), release=("2.13.1", "2.16.2", "2.18.0", "2.21.0"), platform=("plain", "k8s"))
def notice_and_lost_save(world):
    run_up(world, 12, 25)
    bad = world.pick()
    files.save_checkpoints(world)
    told = notice(world, bad, False)
    at = world.now + 0.1
    world.stop(bad, 137, at)
    world.lose([bad], at, "reset")
    return Truth("preempted", names(bad), step={"lo": told, "hi": world.step + 1}, chain=falls(world, bad))
