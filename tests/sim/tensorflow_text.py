"""TensorFlow's own lines: one function an event kind. Wording after the public messages of the releases, written from their templates."""

PYTHON = "/usr/lib/python3.10/dist-packages"
RESTART = "The error could be from a previous operation. Restart your program to reset."
MANY = 256  # tasks above which lines that list all of them are left out: they grow with the square
DERIVED = " [type.googleapis.com/tensorflow.DerivedStatus='']"
RPC_LOST = ("Failed to send RPC to coordination service. Either the leader task was preempted/died/restarted unexpectedly or this task is experiencing "
            "network issues. Check earlier logs from 1) this task, 2) the leader (usually slice 0 task 0), and 3) cluster scheduler to debug further.")


def process_start(v, world):
    out = ""
    if v.style.minor >= 16:
        out += "WARNING: All log messages before absl::InitializeLog() is called are written to STDERR\n"
    out += v.cpp("I", "cpu_feature_guard.cc", 210, "This TensorFlow binary is optimized to use available CPU instructions in performance-critical operations.\n"
                 "To enable the following instructions: AVX2 FMA, in other operations, rebuild TensorFlow with the appropriate compiler flags.")
    name, capability, mib, _ = v.task.gpu
    if v.task.kind == "worker":
        created = "Created TensorFlow device" if v.style.minor < 5 else "Created device"
        out += v.cpp("I", "gpu_device.cc", 1532, f"{created} {v.task.device}/device:GPU:0 with {mib} MB memory:  -> device: 0, name: {name}, "
                     f"pci bus id: 0000:3b:00.0, compute capability: {capability}")
    return out


def server_started(v, world, address=None):
    out = ""
    if v.task is world.workers[0] and v.style.minor >= 17:
        out += v.cpp("I", "coordination_service.cc", 221, "Initializing CoordinationService")
    return out + v.cpp("I", "grpc_server_lib.cc", 447, f"Started server with target: grpc://{address or v.task.address}")


def task_connected(v, world, peer, left, count, total):
    if v.style.minor < 9:
        return ""
    out = v.cpp("I", "coordination_service.cc", 553, f"{peer.device} has connected to coordination service. Incarnation: {world.random.getrandbits(63)}", thread=21)
    if v.style.minor >= 16:
        out += v.cpp("I", "coordination_service.cc", 502, f"Waiting for {count}/{total} tasks to connect.", thread=21)
        if left:
            out += v.cpp("I", "coordination_service.cc", 505, "Example stragglers:\n" + "\n".join(t.device for t in left[:3]), thread=21)
    return out


def agent_connected(v, world):
    return v.cpp("I", "coordination_service_agent.cc", 298, "Coordination agent has successfully connected.") if v.style.minor >= 9 else ""


def cluster_text(world):
    out = {}
    for t in world.tasks:
        out.setdefault(t.kind, []).append(t.address)
    return out


def cluster_up(v, world):
    if v.task.kind != "worker" or "ps" in world.kinds:
        return ""
    local = f"('/job:worker/task:{v.task.index}/device:GPU:0',)"
    if len(world.tasks) > MANY:
        return v.tensorflow(f"Using MirroredStrategy with devices {local}")
    devices = [f"{t.device}/device:GPU:0" for t in world.workers]
    out = v.tensorflow(f"Enabled multi-worker collective ops with available devices: {devices}")
    out += v.tensorflow(f"Using MirroredStrategy with devices {local}")
    if v.style.minor < 11:
        out += v.tensorflow("Waiting for the cluster, timeout = inf") + v.tensorflow("Cluster is ready.")
    else:
        out += v.tensorflow("Check health not enabled.")
    return out + v.tensorflow(f"MultiWorkerMirroredStrategy with cluster_spec = {cluster_text(world)}, task_type = '{v.task.kind}', task_id = {v.task.index}, "
                              f"num_workers = {len(world.workers)}, local_devices = {local}, communication = CommunicationImplementation.NCCL")


def traced(v, world, count):
    return v.tensorflow(f"Collective all_reduce tensors: {count} all_reduces, num_devices = 1, group_size = {len(world.workers)}, "
                        "implementation = CommunicationImplementation.NCCL, num_packs = 1")


def save_begin(v, world):
    if v.style.minor >= 18:
        return v.log("Sharding callback duration: 11 microseconds") if v.style.program == "logging" else ""
    return ""


def saved(v, world, step):
    return v.log(f"Saved checkpoint /mnt/run/ckpt/ckpt-{step}")


def restored(v, world, step):
    return v.log(f"Restoring from /mnt/run/ckpt/ckpt-{step}")


def finished(v, world, step):
    if v.style.program == "estimator":
        return v.tensorflow("Loss for final step: 0.48213.")
    return v.log("training finished")


def sigterm_caught(v, world):
    m = f"{__import__('style').moment(v.epoch):%Y-%m-%dT%H:%M:%S.%f}"
    return v.cpp("W", "preemption_notifier.cc", 89, f"SIGTERM caught at {m}+00:00")


# ---- records that scenarios word themselves ----

def cpp(v, world, severity, file, line, text, thread=0):
    return v.cpp(severity, file, line, text, thread)


def tensorflow(v, world, text, level="INFO"):
    return v.tensorflow(text, level)


def log(v, world, text, level="INFO"):
    return v.log(text, level)


def raw(v, world, text):
    return text


def traceback(v, world, frames, error):
    """frames: (file, line, function, source), outermost first."""
    return ("Traceback (most recent call last):\n" + "".join(f'  File "{f}", line {n}, in {function}\n    {source}\n' for f, n, function, source in frames)
            + error + "\n")


STEP_FRAMES = [("/app/main.py", 212, "<module>", "run(sys.argv)"), ("/app/main.py", 174, "run", "loss = step_fn(iterator)"),
               (f"{PYTHON}/tensorflow/python/util/traceback_utils.py", 153, "error_handler", "raise e.with_traceback(filtered_tb) from None"),
               (f"{PYTHON}/tensorflow/python/eager/execute.py", 54, "quick_execute", "tensors = pywrap_tfe.TFE_Py_Execute(ctx._handle, device_name, op_name,")]


def step_error(v, kind, text, op="CollectiveReduceV2"):
    """The exception a step function raises for a status."""
    body = f"tensorflow.python.framework.errors_impl.{kind}: "
    if v.style.minor >= 8:
        quoted = op if v.style.minor >= 12 else f"'{op}'"
        body += f"Graph execution error:\n\nDetected at node {quoted} defined at (most recent call last):\n<stack traces unavailable>\n"
    return traceback(v, None, STEP_FRAMES, f"{body}{text}\n\t [[{{{{node {op}}}}}]] [Op:__inference_step_fn_5177]")


def graph_error(v, world, error, text, op, status=None):
    """A status of the task's own: the timed record, then the exception."""
    out = v.cpp("W", "local_rendezvous.cc", 412, f"Local rendezvous is aborting with status: {v.style.code(status)}: {text}\n\t [[{{{{node {op}}}}}]]", 301) if status and v.style.minor >= 13 else ""
    if status and v.style.minor < 13:
        out = v.cpp("W", "op_kernel.cc", 1768, f"OP_REQUIRES failed at {op.lower()}_op.cc:301 : {v.style.code(status)}: {text}", 12)
    return out + step_error(v, error, text, op)


# ---- what the peers of a lost task write ----

def abort(v, reason, payload=""):
    """A collective that fails for `reason`: executor, ring, rendezvous, exception."""
    status = f"{v.style.code('UNAVAILABLE')}: {reason}"
    out = v.cpp("E", "base_collective_executor.cc", 252, f"BaseCollectiveExecutor::StartAbort {status}{payload}", 24)
    wrapped = f"Collective ops is aborted by: {reason}\n{RESTART}"
    if v.style.minor >= 13:
        out += v.cpp("W", "local_rendezvous.cc", 412, f"Local rendezvous is aborting with status: {v.style.code('UNAVAILABLE')}: {wrapped}\n"
                     f"\t [[{{{{node CollectiveReduceV2}}}}]]{DERIVED}", 310)
    return out + step_error(v, "UnavailableError", wrapped)


def received(v, text, quoted=0):
    escaped = text.replace("\n", "\\n").replace('"', '\\"')
    if v.style.minor < 11:
        return f':{{"created":"@{v.epoch:.9f}","description":"Error received from peer ipv4:10.4.0.9:2222","grpc_message":"{escaped}","grpc_status":14}}'
    return f':UNKNOWN:Error received from peer  {{grpc_message:"{escaped}", grpc_status:14}}'


def remote(v, target, method):
    calling = f" while calling /tensorflow.{method}" if v.style.minor >= 12 else ""
    return f"Additional GRPC error information from remote target {target.device}{calling}:"


def ring_broken(v, world, peer, hops, how, path):
    """hops: how many ring neighbours lie between this task and the lost one; each wraps the error of the one before."""
    word = {"closed": "Socket closed", "reset": "recvmsg:Connection reset by peer"}[how]
    text = f"{word}\n{remote(v, peer, 'WorkerService/RecvBuf')}\n{received(v, word)}"
    for through in path:
        inner = f"Collective ops is aborted by: {text}\n{RESTART}"
        text = f"{inner}\n{remote(v, through, 'WorkerService/RecvBuf')}\n{received(v, inner)}"
    out = v.cpp("E", "ring_alg.cc", 291, f"Aborting RingReduce with {v.style.code('UNAVAILABLE')}: {text}", 28)
    return out + abort(v, text)


def leader_gone(v, world, leader):
    target = f"{leader.device} while calling /tensorflow.CoordinationService/Heartbeat:" if v.style.minor >= 12 else f"{leader.device}:"
    return abort(v, f"{RPC_LOST}\nAdditional GRPC error information from remote target {target}\n{received(v, 'Socket closed')}")


def heartbeats_missed(v, world, peers, leader):
    first = peers[0]
    byte = f"\\x10\\x{first.index:02x}" if first.index else ""
    payload = f" [type.googleapis.com/tensorflow.CoordinationServiceError='\\\"\\n\\n\\x06worker{byte}']"
    if v.style.minor >= 18:
        text = ("The following tasks are unhealthy (stopped sending heartbeats):\n" + "\n".join(t.device for t in peers)
                + "\nThe tasks have crashed. Check the task logs for an earlier error, or scheduler events (e.g. preemption, eviction) to debug further.")
    else:
        text = f"Task {first.device} heartbeat timeout. This indicates that the remote task has failed, got preempted, or crashed unexpectedly."
        if v.style.minor >= 14:
            text += " Check the task logs for an earlier error to debug further."
    return abort(v, f"Error reported from /job:{first.kind}/task:{first.index}: {text}", payload)


def health_check_failed(v, world, peer):
    out = "".join(v.tensorflow(f"{peer.device} seems down, retrying {n}/3", "WARNING") for n in (1, 2, 3))
    detail = f"failed to connect to all addresses\n{remote(v, peer, '')}\n{received(v, 'failed to connect to all addresses')}"
    out += v.tensorflow(f"Cluster check alive failed, {peer.device} is down, aborting collectives: {detail}", "ERROR")
    return out + abort(v, f"cluster check alive failed, {peer.device} is down")


def deadline_to_leader(v, world, leader):
    return abort(v, f"Deadline Exceeded\n{remote(v, leader, 'CoordinationService/Heartbeat')}\n:UNKNOWN:Error received from peer  {{grpc_message:\"Deadline Exceeded\", grpc_status:4}}")


def barrier_timed_out(v, world, first, missing, reached):
    text = (f"Barrier timed out. Id: PREEMPTION_SYNC_BARRIER::0. This usually happens because a task triggered the barrier too early or too slowly. Please look at the task logs "
            f"(both timed out and first task) to debug further.\n# of tasks that reached the barrier: {reached}/{len(world.workers)}.\nThe first task at the barrier: {first.device}. "
            "Some timed out task names:\n" + "\n".join(t.device for t in missing))
    out = v.cpp("E", "coordination_service_agent.cc", 365, f"Coordination agent is set to ERROR: DEADLINE_EXCEEDED: {text}")
    return out + step_error(v, "DeadlineExceededError", text)


def out_of_memory(v, world, **fields):
    return __import__("memory_text").out_of_memory(v, **fields)


def memory_report(v, world, **fields):
    return __import__("memory_text").report(v, **fields)
