"""The loss stops being finite: seven mechanisms."""

import math

import files
from family_crash import next_step, run_up
from truth import Truth, falls, link, names, scenario

NAN = math.nan
TEXTUAL = ("logging", "keyvalue", "json", "bracket", "clock", "hydra", "loguru")


def numbered(step):
    return {"lo": step, "hi": step}


def poisoned(world, bad, onset):
    """Local losses: the origin's own is NaN at the onset, everybody's from the next step on."""
    def local(step):
        if step < onset:
            return {}
        return {t.index: NAN for t in world.workers if step > onset or t is bad}
    return local


@scenario("N1", "NaN", program=("logging", "keyvalue"), every=1)
def learning_rate_jump(world):
    run_up(world, 25, 35)
    jump = world.step + 1
    grow = {jump + i: 1.0 * 7 ** (i + 1) for i in range(4)}
    world.train(9, loss=lambda step: grow.get(step, NAN), rate=lambda step: 0.5, local=lambda step: {t.index: grow.get(step, NAN) for t in world.workers})
    files.loss_events(world, lambda step: {"learning_rate": 0.5 if step >= jump else 0.01})
    world.finish()
    return Truth("nan", cause=["learning-rate", "exploding"], workers=[], step={"lo": jump, "hi": jump + 4})


@scenario("N2", "NaN", sizes=(3, 4, 8), program=TEXTUAL, every=1, reduced=False)
def bad_record(world):
    run_up(world, 12, 30)
    bad, onset = world.pick(leader=True), world.step + 2
    world.train(2, local=poisoned(world, bad, onset), tag="onset")
    world.train(1, local=poisoned(world, bad, onset), tag="after")
    world.train(7, local=poisoned(world, bad, onset))
    world.finish()
    return Truth("nan", names(bad), cause="bad-data", step=numbered(onset),
                 chain=[link(bad, f"onset:{bad.name}"), link(None, *[f"after:{t.name}" for t in world.workers if t is not bad])])


@scenario("N3", "NaN", program=("logging", "keyvalue", "hydra", "loguru"), every=1, reduced=True)
def half_precision_overflow(world):
    run_up(world, 12, 30)
    first = world.step + 1
    for n in range(15):
        world.train(1, loss=lambda step: NAN if n > 2 else world.loss())
        for t in world.workers:
            world.emit(t, world.now + 0.012, "log", f"scale:{t.name}", text=f"gradients not finite, loss scale lowered to {2 ** (14 - n)}", level="WARNING")
    files.loss_events(world, lambda step: {"loss_scale": 2.0 ** max(0, 15 - max(0, step - first + 1))})
    world.train(6, loss=lambda step: NAN)
    world.finish()
    return Truth("nan", workers=[], cause="fp16-overflow", step={"lo": first, "hi": first + 4}, needs={"tfevents": []})


def anatomy(op, kind, where, text):
    return (f"\n!!! Detected Infinity or NaN in output 0 of graph op \"{op}\" (# of outputs: 1) !!!\n  dtype: <dtype: 'float32'>\n  shape: (64, 1000)\n\n  Input tensor: Tensor(\"{kind}:0\", shape=(64, 1000), dtype=float32)\n"
            f"  Graph name: \"step_fn\"\n\n  Stack trace of op's creation (\"->\": inferred user code):\n    + /app/main.py (L212) <module>\n ->   |   run(sys.argv)\n    + {where}\n ->   |   {text}\n\n : Tensor had {{}} values")


def check_numerics(world, bad, op, name, where, source, kinds):
    at = world.now + 0.2
    text = anatomy(op, name, where, source).format(kinds)
    world.emit(bad, at, "graph_error", "root", error="InvalidArgumentError", text=text, op=f"{name}/CheckNumerics", status="INVALID_ARGUMENT")
    world.stop(bad, 1, at + 1.1)
    world.lose([bad], at)


@scenario("N4", "NaN", sizes=(3, 4, 8), release=("2.13.1", "2.16.2", "2.18.0", "2.21.0"))
def log_of_zero(world):
    run_up(world)
    bad = world.pick()
    check_numerics(world, bad, "Log", "loss/Log", "/app/losses.py (L27) focal", "return -tf.reduce_sum(target * tf.math.log(p))", "-Inf")
    return Truth("nan", names(bad), cause="op-domain", step=next_step(world), chain=falls(world, bad))


@scenario("N5", "NaN", program=("logging", "keyvalue", "loguru"), every=1, platform="plain", envelope=("none", "docker"))
def restored_nan(world):
    """The weights of the checkpoint are not finite, whatever made them so: the first step after the restart is NaN."""
    run_up(world, 21, 28)
    world.saves[-1] = (world.saves[-1][0], world.saves[-1][1], True)
    kept = world.saves[-1][0]
    for t in world.alive():
        world.emit(t, world.now + 0.5, "sigterm_caught")
        world.stop(t, 143, world.now + 2)
    files.save_checkpoints(world)
    world.save_every = 0
    world.restart(kept)
    world.train(1, loss=lambda step: NAN, local=lambda step: {t.index: NAN for t in world.workers}, tag="onset")
    world.train(11, loss=lambda step: NAN, local=lambda step: {t.index: NAN for t in world.workers})
    world.finish()
    return Truth("nan", workers=[], cause="corrupt-restore", step=numbered(kept + 1), step_tol=1,
                 chain=[link(None, f"saved:{kept}"), link(None, "restored"), link(None, *[f"onset:{t.name}" for t in world.workers])])


@scenario("N6", "NaN", sizes=(3, 4, 8), release=("2.13.1", "2.16.2", "2.18.0", "2.21.0"))
def silent_corruption(world):
    run_up(world)
    bad = world.pick()
    check_numerics(world, bad, "MatMul", "model/dense_3/MatMul", "/app/model.py (L88) call", "x = tf.matmul(x, self.w)", "NaN")
    return Truth("nan", names(bad), cause=["hardware", "unknown"], step=next_step(world), chain=falls(world, bad))


@scenario("N7", "NaN", program=TEXTUAL + ("keras2", "keras3"), reduced=True)
def reduced_only(world):
    run_up(world, 12, 30)
    onset = world.step + 1
    world.train(25, loss=lambda step: NAN)
    world.finish()
    every = 1 if world.style.program.startswith("keras") else world.style.every
    return Truth("nan", workers=[], cause="unknown", step={"lo": onset, "hi": onset + every - 1})
