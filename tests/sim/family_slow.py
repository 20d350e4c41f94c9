"""Slow, not dead; and the healthy runs that only look ill."""

import files
from family_crash import handled, run_up
from truth import Truth, link, names, scenario

TIMED = ("logging", "keyvalue", "bracket", "loguru", "hydra")


@scenario("S1", "slow", sizes=(3, 4, 8), platform="plain", program=TIMED, timed=True, every=1)
def thermal_throttle(world):
    world.start_all()
    world.train(15)
    bad, since = world.pick(), world.step
    bad.slow = 1.9
    for _ in range(45):
        world.train(1, tag="slow")
    files.smi_all(world, lambda t, tick: {"clock": 690, "reasons": 0x48, "temperature": 92, "power": 160.0, "utilization": 100, "tag": "root"} if t is bad and tick.step > since
                  else {"power": 130.0} if tick.step > since else {}, count=60)
    world.finish()
    return Truth("straggler", names(bad), cause="thermal", needs={"gpu": ["none", "undetermined"]}, chain=[link(bad, "root"), link(None, *[f"slow:{t.name}" for t in world.workers])])


@scenario("S2", "slow", sizes=(3, 4, 8), platform="plain", program=TIMED, timed=True, every=1)
def input_straggler(world):
    """It waits for its own input before it enters the step, so its own step is short and its peers' are long."""
    world.start_all()
    bad = world.pick()
    bad.slow = 2.2
    chance = world.random
    world.train(60, own=lambda step: {bad.index: world.step_seconds * chance.uniform(0.9, 1.0)})
    for tick in world.ticks[::6]:
        world.emit(bad, tick.at - 0.05, "log", "root", text=f"input queue empty, waited {world.step_seconds * chance.uniform(1.1, 1.3):.2f} s for a batch", level="WARNING")
    world.finish()
    return Truth("straggler", names(bad), cause=["input", "unknown"])


@scenario("S3", "slow", sizes=(4, 8), platform="plain", program=TIMED, timed=True, every=1)
def slow_pair(world):
    """The link between two hosts fell back to a tenth of its speed: every step takes longer on all tasks."""
    world.start_all()
    world.train(15)
    pair = world.workers[1:3]
    for t in pair:
        world.kernel[t.host] = [(world.now + 0.1, "mlx5_core 0000:17:00.0 eth2: Link down", None), (world.now + 2.1, "mlx5_core 0000:17:00.0 eth2: Link up", None),
                                (world.now + 2.2, "bond0: link status definitely up for interface eth2, 10000 Mbps full duplex", "root")]
    for t in world.workers:
        t.slow = 2.6
    world.train(40)
    world.finish()
    return Truth(["straggler", "network-bound", "none", "undetermined"], workers_any=[names(*pair), []], identifiable=False)


@scenario("S4", "slow", sizes=(2, 3, 4), platform="plain", program=("logging", "keyvalue", "loguru"), timed=True, every=1)
def input_bound(world):
    """Every task waits for its batches; the lines say how long."""
    world.start_all()
    chance = world.random
    own = {}
    world.train(50, took=lambda step: chance.uniform(0.75, 0.85), own=lambda step: {t.index: chance.uniform(0.18, 0.22) for t in world.workers},
                more=lambda step: {t.index: f" data_wait_ms {chance.uniform(540, 610):.1f}" for t in world.workers} or own)
    world.finish()
    return Truth("input-bound", workers=[])


@scenario("S5", "slow", sizes=(3, 4), platform="plain", program=TIMED, timed=True, every=1)
def collector_pauses(world):
    """Every 20 steps one task stands still for a second; that is a tenth of nothing."""
    world.start_all()
    bad = world.pick()
    world.train(60, took=lambda step: world.step_seconds * (2.0 if step % 20 == 0 else 1.0), own=lambda step: {bad.index: world.step_seconds} if step % 20 == 0 else {})
    world.finish()
    return Truth("none", workers=[], identifiable=False)


def ends_well(world):
    if world.random.random() < 0.5:
        files.save_checkpoints(world)
    world.finish()
    return Truth("none", workers=[])


@scenario("H1", "healthy")
def plain(world):
    run_up(world, 20, 60)
    return ends_well(world)


@scenario("H2", "healthy", clock="hour")
def clocks_hours_apart(world):
    run_up(world, 20, 60)
    return ends_well(world)


@scenario("H3", "healthy", clock="zone")
def zones_mixed(world):
    run_up(world, 20, 60)
    return ends_well(world)


@scenario("H4", "healthy", sizes=(2, 3))
def chatter(world):
    """Lines that say nothing, by the thousand (a run of millions is `--workers` and the benchmarks' business)."""
    world.start_all()
    for _ in range(20):
        world.train(2)
        for t in world.workers:
            for n in range(25):
                world.emit(t, world.now + 0.001 * n, "cpp", severity="I", file="executor.cc", line=1093, text=f"Process node: {17 * n} step {5177} {{{{node cond/Identity_{n}}}}} device: {t.device}/device:GPU:0")
    return ends_well(world)


@scenario("H5", "healthy", program=("logging", "keyvalue", "loguru", "hydra", "json"))
def evaluation_pauses(world):
    world.start_all()
    for _ in range(4):
        world.train(15)
        for t in world.workers:
            world.emit(t, world.now + 0.1, "log", text="running evaluation on 40 batches")
            world.emit(t, world.now + 24, "log", text=f"evaluation done: accuracy {world.random.uniform(0.6, 0.8):.4f}")
        world.now += 25
    return ends_well(world)


@scenario("H6", "healthy", platform="plain", envelope=("none", "docker"))
def planned_restart(world):
    """The platform changes hosts: all save, leave with success and come back where they were."""
    run_up(world, 20, 28)
    world.save()
    step = world.step
    for t in world.alive():
        world.emit(t, world.now + 0.3, "log", text="asked to leave for a planned restart, state saved")
        world.stop(t, 0, world.now + 1)
    world.restart(step)
    world.train(20)
    return ends_well(world)


@scenario("H7", "healthy", sizes=(2, 3))
def allocator_retries(world):
    world.start_all()
    for t in world.workers:
        for n in range(3):
            world.emit(t, world.now + 0.1 * n, "cpp", severity="W", file="bfc_allocator.cc", line=290, text=f"Allocator (GPU_0_bfc) ran out of memory trying to allocate {2.1 + n:.2f}GiB with freed_by_count=0. "
                       "The caller indicates that this is not a failure, but this may mean that there could be performance gains if more memory were available.")
    world.train(40)
    return ends_well(world)


@scenario("H8", "healthy", program=("logging", "keyvalue", "loguru", "hydra"))
def loss_scale_steps(world):
    world.start_all()
    for scale in (16384, 8192, 16384):
        world.train(15)
        for t in world.workers:
            world.emit(t, world.now + 0.01, "log", text=f"loss scale now {scale}")
    if world.random.random() < 0.5:
        handled(world, world.pick(leader=True))
    world.train(5)
    return ends_well(world)
