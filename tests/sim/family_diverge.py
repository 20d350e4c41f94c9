"""Tasks do different things; the fabric between them fails; the start fails."""

import json

import stacks
from family_crash import next_step, run_up
from style import rfc3339
from tensorflow_text import RESTART
from truth import Truth, falls, link, names, scenario

COORDINATED = ("2.13.1", "2.16.2", "2.18.0", "2.21.0")


@scenario("E1", "diverge")
def one_runs_out_of_data(world):
    run_up(world)
    bad, at = world.pick(), world.now + 0.1
    world.emit(bad, at, "raw", "root", text="Traceback (most recent call last):\n  File \"/usr/lib/python3.10/dist-packages/tensorflow/python/data/ops/iterator_ops.py\", line 799, in __next__\n"
               "    return self._next_internal()\ntensorflow.python.framework.errors_impl.OutOfRangeError: {{function_node __wrapped__IteratorGetNext_output_types_2_device_/job:localhost/replica:0/task:0/device:CPU:0}} "
               "End of sequence [Op:IteratorGetNext]\n\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n"
               "  File \"/app/main.py\", line 212, in <module>\n    run(sys.argv)\n  File \"/app/main.py\", line 171, in run\n    batch = next(iterator)\nStopIteration\n")
    world.stop(bad, 1, at + 0.8)
    world.lose([bad], at)
    return Truth("uneven-data", names(bad), cause="exhausted", step=next_step(world), chain=falls(world, bad))


@scenario("E2", "diverge", sizes=(3, 4, 8))
def last_batch_is_short(world):
    run_up(world)
    bad, at = world.pick(), world.now + 0.2
    size = world.random.choice((5, 7, 13, 29))
    text = (f"Shape mismatch in the collective instance 108. Op at device {bad.device}/device:GPU:0 expected shape [{size},1000] but another member in the group expected shape [64,1000]. "
            "This is likely due to different input shapes at different members of the collective op.")
    world.emit(bad, at, "cpp", "root", severity="E", file="base_collective_executor.cc", line=249, text=f"BaseCollectiveExecutor::StartAbort {world.style.code('INVALID_ARGUMENT')}: {text}")
    world.emit(bad, at + 0.01, "graph_error", "root", error="InvalidArgumentError", text=f"Collective ops is aborted by: {text}\n{RESTART}", op="CollectiveGatherV2")
    world.stop(bad, 1, at + 1.1)
    world.lose([bad], at)
    return Truth("uneven-data", names(bad), cause="short-batch", step=next_step(world), chain=falls(world, bad))


def instance_mismatch(world, culprit, words, delay=0.3):
    """A collective that only one task runs: all see other types under one number."""
    at = world.now + delay
    world.emit(culprit, at - 0.2, "log", "root", text=words)
    world.emit(culprit, at - 0.1, "tensorflow", "root", text="Using CollectiveAllReduceStrategy eagerly has significant overhead currently. We will be working on improving this in the future, "
               "but for now please wrap `call_for_each_replica` or `experimental_run` or `run` inside a tf.function to get the best performance.", level="WARNING")
    text = "Collective instance 1 expected type 1 and data_type 1 but got type 1 and data_type 9"
    for n, t in enumerate(world.workers):
        world.emit(t, at + 0.02 * n, "cpp", tag=f"victim:{t.name}", severity="E", file="base_collective_executor.cc", line=249,
                   text=f"BaseCollectiveExecutor::StartAbort {world.style.code('INTERNAL')}: {text}")
        world.emit(t, at + 0.02 * n + 0.01, "graph_error", error="InternalError", text=f"Collective ops is aborted by: {text}\n{RESTART}", op="CollectiveReduceV2")
        world.stop(t, 1, at + 1.2 + 0.02 * n)


@scenario("E3", "diverge", sizes=(3, 4, 8), release=COORDINATED)
def only_chief_evaluates(world):
    run_up(world)
    chief = world.workers[0]
    instance_mismatch(world, chief, "running evaluation on validation split")
    return Truth("diverged-control-flow", names(chief), cause="chief-only-op", step=next_step(world),
                 chain=[link(chief, "root"), link(None, *[f"victim:{t.name}" for t in world.workers[1:]])])


@scenario("E4", "diverge", sizes=(3, 4, 8), platform="plain")
def opposite_order(world):
    """Two groups of collectives in opposite order on one task; only NCCL's own counters tell."""
    run_up(world)
    bad, at = world.pick(), world.now + 0.2
    for t in world.workers:
        for n in range(3):
            kind = "AllGather" if (n == 2) != (t is bad) else "AllReduce"
            world.emit(t, at + 0.01 * n, "raw", tag=f"op:{t.name}", text=f"{t.host}:{t.pid}:{t.pid + 88} [0] NCCL INFO {kind}: opCount {0x2f0 + n:x} sendbuff 0x7f22 recvbuff 0x7f22 "
                       f"count 4096 datatype 7 op 0 root 0 comm 0x5581a0 [nranks={len(world.workers)}] stream 0x55d0\n")
    stacks.all_waiting(world)
    world.hang()
    return Truth(["diverged-control-flow", "undetermined"], workers_any=[names(bad), []], step=next_step(world), identifiable=False)


@scenario("E5", "diverge", sizes=(3, 4, 8), platform="plain")
def only_chief_saves(world):
    """Saving is a collective here; the others are in the next step already."""
    run_up(world)
    chief = world.workers[0]
    world.emit(chief, world.now + 0.02, "log", "root", text=f"saving the model after step {world.step}")
    stacks.all_waiting(world, [chief], main=stacks.WAITING[:-2] + ["batch_all_reduce (tensorflow/python/distribute/cross_device_ops.py:1274)", "_gather_saveables_for_checkpoint (main.py:140)",
                                                                   "TrackableSaver.save (tensorflow/python/checkpoint/checkpoint.py:1338)", "run (main.py:188)", "<module> (main.py:212)"])
    world.hang()
    return Truth(["diverged-control-flow", "undetermined", "hang-checkpoint"], workers_any=[names(chief), []], step=next_step(world), identifiable=False)


@scenario("E6", "diverge", sizes=(3, 4, 8))
def one_stops_early(world):
    run_up(world)
    bad, at = world.pick(), world.now + 0.05
    world.emit(bad, at, "log", "root", text=f"early stopping: no improvement for 5 checks, best step {world.step - 6}")
    world.emit(bad, at + 0.1, "finished", "root", step=world.step)
    world.stop(bad, 0, at + 1.0)
    world.lose([bad], at + 0.9)
    return Truth("diverged-control-flow", names(bad), cause="early-exit", step=next_step(world), chain=falls(world, bad))


# ---- fabric ----

def nccl_warn(t, at, where, text):
    stamp = rfc3339(t.clock(at) + t.zone)[:-1].replace("T", " ")
    return f"\n[{stamp}] {t.host}:{t.pid}:{t.pid + 311} [0] {where} NCCL WARN {text}\n"


@scenario("F1", "fabric", sizes=(4, 6, 8))
def link_down(world):
    run_up(world)
    a = world.random.randrange(0, len(world.workers) - 1)
    pair, at = world.workers[a:a + 2], world.now + 0.2
    for t, other in (pair, pair[::-1]):
        world.kernel[t.host] = [(at, f"mlx5_core 0000:17:00.0 eth2: Link down\nmlx5_core 0000:17:00.0: Port module event: module 0, Cable unplugged" if t is pair[0] else "mlx5_core 0000:17:00.0 eth2: Link down", "root")]
        world.emit(t, at + 31, "raw", "root", text=nccl_warn(t, at + 31, "transport/net_ib.cc:1297", f"NET/IB : Got completion from peer {other.ip}<41733> with error 12, opcode 0, len 0, vendor err 129"))
    for n, t in enumerate(world.workers):
        world.emit(t, at + 31.1 + 0.01 * n, "graph_error", tag=f"victim:{t.name}", error="InternalError",
                   text="NCCL: " + ("unhandled system error" if t in pair else "remote process exited or there was a network error") + ". Set NCCL_DEBUG=WARN for detail.", op="CollectiveReduceV2")
        world.stop(t, 1, at + 33 + 0.01 * n)
    return Truth("collective-fabric", cause=["link", "nccl"], chain=[link(None, "root"), link(None, *[f"victim:{t.name}" for t in world.workers if t not in pair])], workers_any=[names(*pair), [pair[0].name], []], step=next_step(world), needs={"kernel": ["collective-fabric"]})


@scenario("F2", "fabric", sizes=(3, 4, 8), platform="plain")
def none_completed(world):
    run_up(world)
    at = world.now + 0.2
    for t in world.workers:
        world.emit(t, at, "raw", tag=f"op:{t.name}", text=f"{t.host}:{t.pid}:{t.pid + 88} [0] NCCL INFO AllReduce: opCount 2f1 sendbuff 0x7f22 recvbuff 0x7f22 count 25557032 datatype 7 op 0 root 0 "
                   f"comm 0x5581a0 [nranks={len(world.workers)}] stream 0x55d0\n")
        world.emit(t, at + 200 + 0.01 * t.index, "graph_error", tag=f"stuck:{t.name}", error="DeadlineExceededError", text="Collective has timed out during execution.", op="CollectiveReduceV2")
        world.stop(t, 1, at + 202 + 0.01 * t.index)
    stacks.all_waiting(world)
    return Truth(["collective-fabric", "undetermined"], workers=[], step=next_step(world), identifiable=False)


@scenario("F3", "fabric", sizes=(2, 3, 4), platform="plain", release=("2.18.0", "2.21.0"))
def firewall_at_start(world):
    """All servers are up; no follower reaches the leader."""
    world.boot()
    leader = world.workers[0]
    world.emit(leader, world.now, "task_connected", peer=leader, left=world.workers[1:4], count=len(world.workers) - 1, total=len(world.workers))
    world.emit(leader, world.now + 0.01, "agent_connected")
    for t in world.workers[1:]:
        text = (f"failed to connect to all addresses; last error: UNKNOWN: ipv4:{leader.ip}:2222: Failed to connect to remote host: Connection timed out\n"
                f"Additional GRPC error information from remote target {leader.device} while calling /tensorflow.CoordinationService/RegisterTask:\n"
                f":UNKNOWN:Error received from peer  {{grpc_message:\"failed to connect to all addresses; last error: UNKNOWN: ipv4:{leader.ip}:2222: Failed to connect to remote host: Connection timed out\", grpc_status:14}}")
        for n in range(3):
            world.emit(t, world.now + 130 * (n + 1), "cpp", "root", severity="E", file="context_distributed_manager.cc", line=673, text=f"UNAVAILABLE: {text}")
    world.now += 400
    world.hang(3200)
    return Truth("network-unreachable", cause=["firewall", "route"], workers_any=[[], names(*world.workers[1:]), names(leader)])


@scenario("F4", "fabric", sizes=(3, 4), platform=("plain", "slurm"))
def nccl_versions(world):
    world.boot()
    world.meet()
    for t in world.tasks:
        world.emit(t, world.now + 0.01, "cluster_up")
    bad, at = world.pick(), world.now + 3
    for t in world.workers:
        version = "2.16.5" if t is bad else "2.18.3"
        world.emit(t, at, "raw", tag="root", text=f"NCCL version {version}+cuda11.8\n")
        if t is not world.workers[0]:
            continue
        world.emit(t, at + 0.4, "raw", "root", text=nccl_warn(t, at + 0.4, "bootstrap.cc:142", f"Mismatched NCCL version detected : rank 0 version 21803 rank {bad.index} version 21605"))
    for n, t in enumerate(world.workers):
        world.emit(t, at + 1 + 0.01 * n, "graph_error", tag=f"victim:{t.name}", error="InternalError", text="NCCL: internal error. Set NCCL_DEBUG=WARN for detail.", op="CollectiveReduceV2")
        world.stop(t, 1, at + 2.4)
    return Truth(["version-mismatch", "collective-fabric"], cause=["nccl", "version"], chain=[link(None, "root"), link(None, *[f"victim:{t.name}" for t in world.workers])], workers_any=[names(bad), []], identifiable=True)


# ---- start ----

def waits_for(world, missing, after=200):
    """Everybody but `missing` sits at the start until the launcher gives up."""
    here = [t for t in world.tasks if t not in missing]
    world.meet(here)
    world.hang(after)


@scenario("G1", "start", sizes=(3, 4, 8), release=("2.16.2", "2.18.0", "2.21.0"), platform="plain", envelope=("none", "docker"))
def never_started(world):
    bad = world.pick()
    world.boot([t for t in world.tasks if t is not bad])
    world.launcher = [r for r in world.launcher if f"started {bad.name} " not in r[1]]
    world.stop(bad, 0, world.now)
    world.exits.clear()
    here = [t for t in world.tasks if t is not bad]
    world.meet(here)
    world.now += 200
    world.launcher.append((world.now, "deadline reached; still running: " + ", ".join(t.name for t in here)))
    for t in here:
        world.stop(t, 137, world.now + 11)
    return Truth("worker-missing", names(bad), chain=[link(None, "waiting"), link(None, "deadline")])


@scenario("G2", "start", sizes=(3, 4), release=("2.18.0", "2.21.0"), platform="plain", envelope=("none", "docker"))
def duplicate_index(world):
    """Two hosts claim one index; the first and the leader die at the start, the other waits."""
    bad = world.pick()
    claimed = world.workers[1] if bad is not world.workers[1] else world.workers[2]
    cluster = {"worker": [t.address for t in world.workers]}
    bad.config = json.dumps({"cluster": cluster, "task": {"type": "worker", "index": claimed.index}})
    world.boot()
    leader, at = world.workers[0], world.now + 0.5
    for e in bad.own:
        if e.kind == "server_started":
            e.fields["address"] = claimed.address
    for n, t in enumerate(t for t in world.workers if t is not bad):
        world.emit(leader, at + 0.05 * n, "task_connected", peer=t, left=[bad], count=len(world.workers) - n - 1, total=len(world.workers))
        world.emit(t, at + 0.05 * n + 0.01, "agent_connected")
    text = f"{claimed.device} unexpectedly tried to connect with a different incarnation. It has likely restarted."
    world.emit(leader, at + 1, "cpp", "root", severity="E", file="coordination_service.cc", line=742, text=text)
    world.emit(leader, at + 1.01, "cpp", severity="E", file="coordination_service.cc", line=1472, text=f"Barrier(WaitForAllTasks::88123::0) has passed with status: INTERNAL: Barrier failed because: task is set to ERROR: {text}")
    for t in [t for t in world.workers if t is not bad]:
        world.emit(t, at + 1.1, "traceback", tag=f"victim:{t.name}", frames=[("/app/main.py", 212, "<module>", "run(sys.argv)"), ("/app/main.py", 150, "run", "strategy = tf.distribute.MultiWorkerMirroredStrategy()")],
                   error=f"tensorflow.python.framework.errors_impl.InternalError: Barrier failed because: task is set to ERROR: ABORTED: {text}. Barrier Id: WaitForAllTasks::88123::0, Task: {claimed.device}")
        world.stop(t, 1, at + 2.2)
    world.now = at + 3
    world.hang(180)
    return Truth("tf-config-duplicate-task", workers_any=[[claimed.name], names(bad, claimed), [bad.name]], needs={"tf_config": ["undetermined"]},
                 chain=[link(None, "root"), link(None, *[f"victim:{t.name}" for t in world.workers if t is not bad])])


@scenario("G3", "start", sizes=(2, 3, 4), release=("2.16.2", "2.18.0", "2.21.0"), platform="plain", envelope=("none", "docker"))
def localhost(world):
    """One task was given the loopback address for itself and the leader: it talks to its own host."""
    bad = world.pick()
    addresses = ["localhost:2222" if t in (world.workers[0], bad) else t.address for t in world.workers]
    bad.config = json.dumps({"cluster": {"worker": addresses}, "task": {"type": "worker", "index": bad.index}})
    world.boot()
    for e in bad.own:
        if e.kind == "server_started":
            e.fields["address"] = "localhost:2222"
    waits_for(world, [bad])
    return Truth("tf-config-invalid", names(bad), cause="loopback", needs={"tf_config": ["worker-missing", "undetermined"]},
                 chain=[link(None, "waiting"), link(None, "deadline")])


@scenario("G4", "start", sizes=(2, 3, 4), release=("2.16.2", "2.18.0", "2.21.0"), platform="plain", envelope=("none", "docker"))
def port_typo(world):
    """The list of one task has another port for the leader, or a blank within an address."""
    bad, leader = world.pick(), world.workers[0]
    wrong = world.random.choice((leader.address.replace("2222", "2223"), leader.address.replace(":", " :")))
    bad.config = json.dumps({"cluster": {"worker": [wrong if t is leader else t.address for t in world.workers]}, "task": {"type": "worker", "index": bad.index}})
    world.boot()
    waits_for(world, [bad])
    return Truth(["tf-config-invalid", "tf-config-mismatch"], names(bad), cause=["address", "port", "cluster"], needs={"tf_config": ["worker-missing", "undetermined"]},
                 chain=[link(None, "waiting"), link(None, "deadline")])


@scenario("G5", "start", sizes=(3, 4), release=("2.16.2", "2.18.0", "2.21.0"), platform="plain", program=("logging", "loguru", "keyvalue"), envelope=("none", "docker"))
def config_unset(world):
    """One task sees no TF_CONFIG and trains alone to the end; the others wait for it."""
    bad = world.pick()
    bad.config = ""
    world.boot()
    world.emit(bad, world.now + 0.1, "tensorflow", "root", text="Single-worker MultiWorkerMirroredStrategy with local_devices = ('/device:GPU:0',), communication = CommunicationImplementation.NCCL")
    bad.own = [e for e in bad.own if e.kind != "server_started"]
    here = [t for t in world.tasks if t is not bad]
    world.meet(here)
    for t in here:
        t.lives[-1].last = len(world.ticks)
    world.train(40)
    world.emit(bad, world.now + 0.3, "finished", step=40)
    world.stop(bad, 0, world.now + 1)
    for t in here:
        world.exits = [e for e in world.exits if e.task is not t]
    world.now += 200
    world.launcher.append((world.now, "deadline reached; still running: " + ", ".join(t.name for t in here)))
    for t in here:
        world.stop(t, 137, world.now + 11)
    return Truth("tf-config-missing", names(bad), needs={}, chain=[link(bad, "root"), link(None, "waiting"), link(None, "deadline")])
