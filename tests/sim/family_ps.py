"""Parameter servers: one dies, one is slow, one worker is stale."""

from truth import Truth, link, names, scenario


def roles(size):
    return {"chief": 1, "worker": max(2, size - 2), "ps": 2 if size > 5 else 1}


def begin(world):
    """The coordinator connects to all and drives the steps."""
    world.boot()
    chief = world.tasks[0]
    spec = {kind: [t.address for t in world.tasks if t.kind == kind] for kind in ("chief", "worker", "ps")}
    world.emit(chief, world.now, "tensorflow", text=f"`tf.distribute.experimental.ParameterServerStrategy` is initialized with cluster_spec: ClusterSpec({spec})")
    for t in world.tasks[1:]:
        world.emit(t, world.now + 0.3, "cpp", severity="I", file="eager_service_impl.cc", line=349, text=f"Creating sync eager service context with rendezvous_id on host {t.host} {t.device}", thread=22)
    world.emit(chief, world.now + 0.4, "tensorflow", text="Number of GPUs on workers: 0")
    world.now += 2
    world.workers, world.all_workers = [chief], [t for t in world.tasks if t.kind == "worker"]
    world.save_every = 10


def servers(world):
    return [t for t in world.tasks if t.kind == "ps"]


def gone_server(world, ps, at):
    chief = world.tasks[0]
    text = (f"failed to connect to all addresses; last error: UNKNOWN: ipv4:{ps.ip}:2222: Failed to connect to remote host: Connection refused\n"
            f"Additional GRPC error information from remote target {ps.device}/device:CPU:0 while calling /tensorflow.eager.EagerService/RunComponentFunction:\n"
            ":UNKNOWN:Error received from peer  {grpc_message:\"failed to connect to all addresses\", grpc_status:14}")
    for n, w in enumerate(world.all_workers):
        world.emit(chief, at + 0.1 + 0.02 * n, "tensorflow", tag="victim", text=f" {w.device.replace('/replica:0', '')} encountered the following error when processing closure: UnavailableError():{text}", level="ERROR")
    world.emit(chief, at + 0.4, "tensorflow", text="Start cancelling closures due to error UnavailableError()", level="INFO")
    world.emit(chief, at + 0.5, "traceback", tag="victim", frames=[("/app/main.py", 212, "<module>", "run(sys.argv)"), ("/app/main.py", 160, "run", "coordinator.schedule(step_fn, args=(iterator,))")],
               error=f"tensorflow.python.framework.errors_impl.UnavailableError: {text}")
    world.stop(chief, 1, at + 1.4)
    for w in [t for t in world.tasks if t not in (chief, ps)]:
        world.stop(w, 137, at + 2)


@scenario("I1", "ps", kinds=roles, sizes=(4, 6), release=("2.13.1", "2.18.0", "2.21.0"), program=("logging", "keyvalue", "loguru"), every=1)
def server_crashes(world):
    begin(world)
    world.train(world.random.randint(15, 40))
    ps, at = world.random.choice(servers(world)), world.now + 0.2
    world.stop(ps, 137, at)
    gone_server(world, ps, at)
    return Truth("ps-lost", names(ps), chain=[link(world.tasks[0], "victim")])


@scenario("I2", "ps", kinds=roles, sizes=(4, 6), release=("2.13.1", "2.18.0", "2.21.0"), program=("logging", "keyvalue", "loguru"), every=1, platform="plain", timed=True)
def server_slow(world):
    """The steps take ever longer while workers' calls to one server time out and are repeated."""
    begin(world)
    ps = world.random.choice(servers(world))
    for n in range(30):
        world.train(1, took=lambda step: 0.2 + 0.15 * step / 3)
        if n % 3 == 2:
            w = world.random.choice(world.all_workers)
            world.emit(world.tasks[0], world.now + 0.01, "tensorflow", "root", level="ERROR",
                       text=f"Remote function on worker {w.device}/device:CPU:0 failed with DeadlineExceededError():Deadline Exceeded\nAdditional GRPC error information from remote target {ps.device} while calling "
                       "/tensorflow.eager.EagerService/RunComponentFunction:\n:UNKNOWN:Error received from peer  {grpc_message:\"Deadline Exceeded\", grpc_status:4}\nIt is treated as a transient connectivity failure for now.")
    world.finish(world.tasks)
    return Truth(["ps-overloaded"], names(ps), never=["ps-lost"])


@scenario("I3", "ps", kinds=roles, sizes=(5, 6), release=("2.13.1", "2.18.0", "2.21.0"), program="logging", every=1, platform="plain")
def stale_worker(world):
    """Each worker prints the global step when it pulls and pushes; one takes four times as long. Its late gradients harm the loss in half of the runs; where they
    do not, it costs what it does not push, and below a fifth of the throughput that is no verdict."""
    begin(world)
    harm = world.random.random() < 0.5
    bad, done, clock = world.random.choice(world.all_workers), {t: 0 for t in world.all_workers}, {t: world.now for t in world.all_workers}
    pulled, total = {t: 0 for t in world.all_workers}, 0
    for _ in range(60 * len(world.all_workers)):
        t = min(clock, key=clock.get)
        clock[t] += 0.3 * (4 if t is bad else 1) * world.random.uniform(0.95, 1.05)
        total += 1
        done[t] += 1
        loss = 0.4 + 3 / (1 + 0.01 * total) + (0.012 * max(0, total - 90) if harm else 0)
        world.emit(t, clock[t], "log", tag=f"push:{t.name}", text=f"local step {done[t]} global_step {total} pulled {pulled[t]} staleness {total - pulled[t] - 1} loss {loss:.4f}")
        pulled[t] = total
    world.now = max(clock.values())
    for t in world.all_workers:
        t.lives[-1].first = t.lives[-1].last = 0
    world.step = total
    world.finish(world.tasks)
    if not harm and 0.75 / len(world.all_workers) <= 0.2:
        return Truth("none", workers=[], also=[{"class": "straggler", "workers": names(bad)}])
    return Truth(["stale-gradients", "straggler"], names(bad))
