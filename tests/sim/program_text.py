"""The program's step lines, in ten forms; from records of a run that all tasks share."""

import math

from style import Voice, moment, comma

EPOCH_STEPS = 20  # of the programs that count within epochs


def value(x):
    return "nan" if math.isnan(x) else "inf" if math.isinf(x) else f"{x:.4f}"


def seconds_of(tick, task):
    return tick.own.get(task.index, tick.took * 0.97)


def step_line(world, task, tick, loss, at):
    """One step in the program's form; bars are `keras_lines`."""
    v, style = Voice(world.style, task, at), world.style
    own = seconds_of(tick, task)
    forms = {
        "logging": lambda: f"{comma(v.local)} INFO train: step {tick.step} loss {value(loss)} lr {tick.rate:g}" + (f" step_time_ms {1000 * own:.1f}" if style.timed else ""),
        "keyvalue": lambda: f"step={tick.step} loss={value(loss)} lr={tick.rate:.2e}" + (f" step_ms={1000 * own:.1f}" if style.timed else ""),
        "json": lambda: f'{{"ts": {v.epoch:.6f}, "level": "INFO", "step": {tick.step}, "loss": {"NaN" if math.isnan(loss) else "Infinity" if math.isinf(loss) else f"{loss:.6f}"}'
                        + (f', "step_time_ms": {1000 * own:.1f}' if style.timed else "") + f', "task": "{task.name}"}}',
        "estimator": lambda: v.tensorflow(f"loss = {value(loss)}, step = {tick.step} ({tick.took:.3f} sec)")[:-1],
        "bracket": lambda: f"[worker {task.index}] global_step {tick.step}: loss={value(loss)}, {own:.3f} sec/step",
        "clock": lambda: f"[{moment(v.local):%H:%M:%S}] global_step={tick.step} loss={value(loss)}" + (f" step_ms={1000 * own:.1f}" if style.timed else ""),
        "hydra": lambda: f"[{comma(v.local)}][trainer.loop][INFO] - Step {tick.step}/4000 | loss {value(loss)}" + (f" | {1000 * own:.0f} ms/step" if style.timed else ""),
        "loguru": lambda: f"{comma(v.local).replace(',', '.')} | INFO     | __main__:train:88 - iter {tick.step} loss={value(loss)}" + (f" step_ms={1000 * own:.1f}" if style.timed else ""),
    }
    more = tick.more.get(task.index, tick.more.get(None, "")) if style.program != "json" else ""
    return forms[style.program]() + more + "\n"


class Bars:
    """Keras progress of one task: the loss is the mean since the epoch began, and stays NaN to the epoch's end."""

    def __init__(self):
        self.sum = 0.0

    def lines(self, world, tick, loss):
        batch = (tick.step - 1) % EPOCH_STEPS + 1
        out = ""
        if batch == 1:
            self.sum = 0.0
            out += f"Epoch {(tick.step - 1) // EPOCH_STEPS + 1}/200\n"
        self.sum += loss
        mean, done = value(self.sum / batch), batch == EPOCH_STEPS
        if world.style.program == "keras3":
            clock = f"{tick.took * batch:.0f}s {1000 * tick.took:.0f}ms/step"
            return out + f"\x1b[1m{batch:2d}/{EPOCH_STEPS}\x1b[0m \x1b[32m{'━' * batch}\x1b[0m\x1b[37m{'━' * (EPOCH_STEPS - batch)}\x1b[0m \x1b[1m{clock}\x1b[0m - loss: {mean}\n"
        bar = "=" * (30 * batch // EPOCH_STEPS)
        rest = f"{tick.took * batch:.0f}s {1000 * tick.took:.0f}ms/step" if done else f"ETA: {tick.took * (EPOCH_STEPS - batch):.0f}s"
        return out + f"{batch:2d}/{EPOCH_STEPS} [{(bar + '>' if not done else bar).ljust(30, '.')[:30]}] - {rest} - loss: {mean}\n"
