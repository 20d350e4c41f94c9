"""Crash, silent: a task dies of its own fault, or without a word."""

import platform_text
from tensorflow_text import PYTHON
from truth import Truth, falls, names, scenario

LOOP = [("/app/main.py", 212, "<module>", "run(sys.argv)"), ("/app/main.py", 171, "run", "batch = next(iterator)")]
FAULTS = (
    ([("/app/data.py", 88, "tokens", "ids = [vocab[w] for w in words]")], "KeyError: 'Zürich'"),
    ([("/app/data.py", 52, "parse", "raise ValueError(f'label {label} outside [0, {classes})')")], "ValueError: label 1003 outside [0, 1000)"),
    ([("/app/data.py", 140, "crop", "return image[top:top + size]")], "TypeError: 'NoneType' object is not subscriptable"),
    ([("/app/model.py", 31, "mask", "assert lengths.max() <= width")], "AssertionError"),
    ([("/app/data.py", 17, "fetch", "raise BadManifest(path)")], "data.BadManifest: manifest of shard 17 lists 0 samples"),
)


def raise_in(world, task, fault=None, delay=0.15, tag="root"):
    """An uncaught exception of the program on `task`, in the step after the last."""
    frames, error = fault or world.random.choice(FAULTS)
    world.emit(task, world.now + delay, "traceback", tag, frames=LOOP + frames, error=error)
    world.stop(task, 1, world.now + delay + 0.9)
    return world.now + delay


def run_up(world, low=10, high=45):
    """A healthy beginning with enough step lines to see that they are some."""
    world.start_all()
    wide = min(3, world.style.every)
    low, high = low * wide, high * wide
    if world.style.decoys:
        world.train(3)
        handled(world, world.pick(leader=True))
    world.train(world.random.randint(low, high))


def handled(world, task):
    """A decoy: an exception the program logs and survives."""
    world.emit(task, world.now + 0.01, "log", text="sample 20412 is unreadable, skipped", level="ERROR")
    world.emit(task, world.now + 0.0101, "traceback", frames=[("/app/data.py", 64, "read", "image = decode(blob)"), ("/app/data.py", 31, "decode", "raise ValueError('not a JPEG file')")],
               error="ValueError: not a JPEG file")


def next_step(world):
    """Where the failure shows: between the last printed step and the one after the last completed."""
    every = 1 if world.style.program.startswith("keras") else world.style.every
    return {"lo": world.step // every * every + 1, "hi": world.step + 1}


@scenario("A1", "crash", sizes=(4, 5, 8))
def user_exception(world):
    run_up(world)
    bad = world.workers[3]
    at = raise_in(world, bad)
    world.lose([bad], at)
    return Truth("user-exception", names(bad), step=next_step(world), chain=falls(world, bad))


@scenario("A2", "crash")
def segfault(world):
    run_up(world)
    bad, at = world.pick(), world.now + 0.2
    if world.random.random() < 0.5:
        world.emit(bad, at, "raw", "root", text="Fatal Python error: Segmentation fault\n\nCurrent thread 0x00007f2a11223700 (most recent call first):\n"
                   f"  File \"{PYTHON}/tensorflow/python/eager/execute.py\", line 54 in quick_execute\n  File \"/app/main.py\", line 174 in run\n  File \"/app/main.py\", line 212 in <module>\n")
    world.kernel[bad.host] = [(at, f"python3[{bad.pid}]: segfault at 7f79a4000010 ip 00007f79b2c41a30 sp 00007ffd3c0e1f40 error 4 in libnccl.so.2.18.5[7f79b2c00000+5e000]", "root")]
    world.stop(bad, 139, at + 0.4)
    world.lose([bad], at, "reset")
    return Truth("native-crash", names(bad), cause="segfault", step=next_step(world), chain=falls(world, bad))


@scenario("A3", "crash", program=("keras2", "keras3", "logging", "loguru", "hydra"))
def callback_on_chief(world):
    run_up(world)
    chief = world.workers[0]
    at = raise_in(world, chief, ([(f"{PYTHON}/keras/callbacks.py", 475, "on_epoch_end", "callback.on_epoch_end(epoch, logs)"),
                                  ("/app/callbacks.py", 40, "on_epoch_end", "self.client.push(logs['val_auc'])")], "KeyError: 'val_auc'"))
    world.lose([chief], at)
    return Truth("user-exception", names(chief), step=next_step(world), chain=falls(world, chief))


@scenario("A4", "crash", sizes=(3, 4, 8))
def same_data_twice(world):
    run_up(world)
    bad = sorted(world.random.sample(world.workers[1:], 2), key=lambda t: t.number)
    fault = world.random.choice(FAULTS)
    at = max(raise_in(world, t, fault, 0.15 + 0.03 * i) for i, t in enumerate(bad))
    world.lose(bad, at)
    return Truth("user-exception", names(*bad), step=next_step(world), chain=falls(world, bad[0]))


@scenario("A5", "crash", sizes=(6, 8), decoys=False)
def handled_and_real(world):
    world.start_all()
    world.train(world.random.randint(5, 15))
    handled(world, world.workers[1])
    world.train(world.random.randint(5, 15))
    bad = world.workers[5]
    at = raise_in(world, bad)
    world.lose([bad], at)
    return Truth("user-exception", names(bad), step=next_step(world), chain=falls(world, bad))


@scenario("B1", "silent", sizes=(3, 4, 8), release=("2.13.1", "2.16.2", "2.18.0", "2.21.0"))
def node_lost(world):
    run_up(world)
    bad, at = world.pick(), world.now + 0.1
    if world.style.platform == "slurm":
        world.scheduler_words.append((at + 40, f"srun: error: Node failure on {bad.host}\n", "root"))
        world.job_state = "NODE_FAIL Reason=NodeDown"
    if world.style.platform == "k8s":
        world.cluster_log.append((at + 40, f"node/{bad.host}", "Normal", "NodeNotReady", f"Node {bad.host} status is now: NodeNotReady", "root"))
    world.lose([bad], at, "frozen")
    world.emit(bad, at + 9, "raw", "own", text="") if world.style.platform != "plain" else cut_off(world, bad, at + 11.4)
    return Truth(["node-lost"], names(bad), step=next_step(world), needs={"scheduler": ["silent-death", "hang-frozen"]})


def cut_off(world, task, at):
    """The host lost its network; the process ran on and says so itself, after its peers gave up."""
    text = "Deadline Exceeded\n\nRPC: /tensorflow.CoordinationService/Heartbeat"
    world.emit(task, at, "cpp", "root", severity="E", file="base_collective_executor.cc", line=252, text=f"BaseCollectiveExecutor::StartAbort DEADLINE_EXCEEDED: {text}")
    world.emit(task, at + 0.01, "graph_error", error="DeadlineExceededError", text=f"Collective ops is aborted by: {text}\nThe error could be from a previous operation. "
               "Restart your program to reset.", op="CollectiveReduceV2")
    world.stop(task, 1, at + 1.1)


@scenario("B2", "silent", platform=("plain", "slurm"))
def host_memory(world):
    run_up(world)
    bad, at = world.pick(), world.now + 0.2
    group = f"/slurm/uid_1004/job_7731/step_0/task_{0}" if world.style.platform == "slurm" else "/user.slice/user-1004.slice"
    world.kernel[bad.host] = [(at, "grpcpp_sync_ser invoked oom-killer: gfp_mask=0x140cca(GFP_HIGHUSER_MOVABLE|__GFP_COMP), order=0, oom_score_adj=0\n"
                               f"oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0-1,global_oom,task_memcg={group},task=python3,pid={bad.pid},uid=1004\n"
                               f"Out of memory: Killed process {bad.pid} (python3) total-vm:98231232kB, anon-rss:61220112kB, file-rss:1204kB, shmem-rss:0kB, UID:1004 pgtables:150112kB oom_score_adj:0", "root")]
    world.stop(bad, 137, at + 0.3)
    world.lose([bad], at, "reset")
    return Truth("oom-host", names(bad), cause="kernel", step=next_step(world), needs={"kernel": ["silent-death"]})


@scenario("B3", "silent", platform="k8s")
def evicted(world):
    run_up(world)
    bad, at = world.pick(), world.now + 0.2
    world.stop(bad, 137, at + 0.3)
    why = "The node was low on resource: memory. Threshold quantity: 100Mi, available: 87Mi. Container tensorflow was using 61Gi, request is 32Gi, has larger consumption of memory. "
    world.files[f"k8s/{platform_text.pod(bad)}.describe.txt"] = [(0, platform_text.describe(world, world.exits[-1], "Error", [("Status", "Failed"), ("Reason", "Evicted"), ("Message", why)]), "root")]
    world.cluster_log += [(at - 1, f"node/{bad.host}", "Warning", "EvictionThresholdMet", "Attempting to reclaim memory", None),
                          (at, f"pod/{platform_text.pod(bad)}", "Warning", "Evicted", why, "root")]
    world.lose([bad], at, "reset")
    return Truth("evicted", names(bad), step=next_step(world), needs={"scheduler": ["silent-death"]})


@scenario("B4", "silent", sizes=(3, 4, 8), platform="plain", envelope=("none", "docker"))
def log_absent(world):
    run_up(world)
    bad, at = world.pick(), world.now + 0.2
    world.stop(bad, 137, at + 0.3)
    world.lose([bad], at, "reset")
    world.hidden = (bad.name,)
    return Truth(["silent-death", "undetermined"], names(bad), step=next_step(world), needs={"launcher": ["undetermined"]}, origin_logs=False)
