"""Several faults, or one with a long tail: what led to what."""

import math

import files
from family_crash import next_step, raise_in, run_up
from family_memory import fail, full
from family_nan import poisoned
from truth import Truth, names, scenario
from world import GPU_V100

LINES = ("logging", "keyvalue", "loguru", "hydra")


@scenario("X1", "compound", sizes=(4, 6), platform="plain", program=LINES, every=1, envelope=("none", "docker"))
def memory_then_partial_save(world):
    """Out of memory, peers lose it, the chief dies in its last save, the restart resumes ten steps earlier and still runs when the bundle is taken."""
    for t in world.workers:
        t.gpu = GPU_V100
    run_up(world, 22, 28)
    bad, chief = world.workers[3], world.workers[0]
    at = fail(world, bad, 700, full(30132, 512, 420, 120))
    world.lose([bad], at)
    world.emit(chief, world.now - 0.4, "log", "partial", text=f"emergency save to /mnt/run/ckpt/ckpt-{world.step}")
    files.save_checkpoints(world)
    kept, step = world.saves[-1][0], next_step(world)
    world.files[f"ckpt/ckpt-{world.step}.data-00000-of-00001"] = b"\0" * 96
    world.save_every = 0
    world.restart(kept)
    world.train(4)
    peers = [t for t in world.workers if t is not bad]
    return Truth("oom-gpu", names(bad), step=step, chain=[(bad.name, ["root"]), (None, [f"victim:{t.name}" for t in peers])])


@scenario("X2", "compound", sizes=(3, 4), platform="plain", program=LINES, timed=True, every=1, release=("2.18.0", "2.21.0"))
def heat_then_barrier(world):
    world.start_all()
    world.train(20)
    bad, since = world.pick(), world.step
    bad.slow = 2.5
    world.train(40)
    files.smi_all(world, lambda t, tick: {"clock": 510, "reasons": 0x48, "temperature": 94, "power": 140.0, "utilization": 100, "tag": "root"} if t is bad and tick.step > since
                  else {"power": 120.0} if tick.step > since else {}, count=60)
    others = [t for t in world.workers if t is not bad]
    for n, t in enumerate(world.workers):
        world.emit(t, world.now + 62 + 0.02 * n, "barrier_timed_out", tag=f"victim:{t.name}", first=others[0], missing=[bad], reached=len(others))
        world.stop(t, 1, world.now + 64 + 0.02 * n)
    return Truth("straggler", names(bad), cause="thermal", chain=[(bad.name, ["root"]), (None, [f"victim:{t.name}" for t in others])], needs={"gpu": ["undetermined"]})


@scenario("X3", "compound", sizes=(3, 4), platform="plain", program=LINES, every=1, reduced=False, envelope=("none", "docker"))
def bad_data_saved(world):
    """NaN from one shard is saved, and the restart begins with it."""
    run_up(world, 12, 17)
    bad, onset = world.pick(), world.step + 2
    while world.step % 10 or world.step <= onset:
        world.train(1, local=poisoned(world, bad, onset), tag="root" if world.step + 1 == onset else None)
    world.saves[-1] = (world.step, world.now, True)
    saved = world.step
    world.train(3, local=poisoned(world, bad, onset))
    files.save_checkpoints(world)
    for t in world.alive():
        world.emit(t, world.now + 0.5, "sigterm_caught")
        world.stop(t, 143, world.now + 2)
    world.save_every = 0
    world.restart(saved)
    world.train(8, local=lambda step: {t.index: math.nan for t in world.workers}, tag="again")
    world.finish()
    return Truth("nan", cause=["bad-data", "corrupt-restore"], workers_any=[names(bad), []], chain=[(bad.name, [f"root:{bad.name}"])])


@scenario("X4", "compound", sizes=(3, 4), platform="slurm", program=LINES, every=1, release=("2.18.0", "2.21.0"))
def full_disk_then_lost_node(world):
    run_up(world, 12, 18)
    chief = world.workers[0]
    world.save_every = 0
    files.save_checkpoints(world)
    for _ in range(3):
        world.train(10)
        world.emit(chief, world.now + 0.05, "log", "disk", text=f"checkpoint of step {world.step} failed: /mnt/run/ckpt/ckpt-{world.step}_temp/part-00000-of-00001.data-00000-of-00001.tempstate5; No space left on device", level="ERROR")
    bad, at = world.pick(), world.now + 0.1
    world.scheduler_words.append((at + 40, f"srun: error: Node failure on {bad.host}\n", "root"))
    world.job_state = "NODE_FAIL Reason=NodeDown"
    world.lose([bad], at, "frozen")
    return Truth("node-lost", names(bad), step=next_step(world), chain=[(bad.name, ["root"]), (None, [f"victim:{t.name}" for t in world.workers if t is not bad])], needs={"scheduler": ["silent-death"]})


@scenario("X5", "compound", sizes=(3, 4), platform="plain", program=LINES, every=1)
def clock_step_and_death(world):
    run_up(world, 20, 30)
    odd = world.pick()
    odd.jump = (world.now, 37.0)
    world.train(20)
    bad, at = world.pick(), world.now + 0.2
    world.stop(bad, 137, at)
    world.lose([bad], at, "reset")
    return Truth("silent-death", names(bad), step=next_step(world), chain=[(bad.name, [f"exit:{bad.name}"]), (None, [f"victim:{t.name}" for t in world.workers if t is not bad])],
                 needs={"launcher": ["silent-death"]})


@scenario("X6", "compound", sizes=(3, 4), platform="plain", program=LINES, every=1)
def data_ends_then_operator(world):
    """One task has no more batches and waits in the next phase; somebody stops the job and all print a shutdown traceback."""
    run_up(world, 20, 30)
    bad, at = world.pick(), world.now + 0.05
    world.emit(bad, at, "log", "root", text="Your input ran out of data; interrupting training. Make sure that your dataset or generator can generate at least `steps_per_epoch * epochs` batches.", level="WARNING")
    end = world.now + 1800
    for n, t in enumerate(world.workers):
        world.emit(t, end + 0.01 * n, "traceback", tag=f"victim:{t.name}", frames=[("/app/main.py", 212, "<module>", "run(sys.argv)"), ("/app/main.py", 174, "run", "loss = step_fn(iterator)")], error="KeyboardInterrupt")
        world.stop(t, 130, end + 0.5)
    return Truth("uneven-data", names(bad), cause="exhausted", step=next_step(world), chain=[(bad.name, ["root"])])


@scenario("X7", "compound", sizes=(3, 4), platform="plain", program=LINES, every=1, reduced=False)
def two_faults(world):
    run_up(world, 12, 20)
    bad, onset = world.workers[1], world.step + 2
    world.train(1)
    world.train(1, local=poisoned(world, bad, onset), tag="root")
    world.train(9, local=poisoned(world, bad, onset))
    other = world.workers[2]
    at = raise_in(world, other, tag="second")
    world.lose([other], at)
    return Truth("nan", names(bad), cause="bad-data", step=onset, chain=[(bad.name, [f"root:{bad.name}"])], also=[{"class": "user-exception", "workers": names(other)}])
