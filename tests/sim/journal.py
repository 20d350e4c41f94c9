"""One task's log: the shared steps and its own events in the order of time, as (time, text, tag)."""

import heapq
import random

import noise
import program_text
import tensorflow_text
from style import Voice


def ticks_of(world, task):
    """The steps this task took part in, with the small delay of its own clock and print."""
    chance = random.Random(f"{world.start} {task.name} print")
    bars = program_text.Bars() if world.style.program in ("keras2", "keras3") else None
    every = 1 if bars else world.style.every
    for life in task.lives:
        for tick in world.ticks[life.first:life.last]:
            loss = tick.local.get(task.index)
            if loss is None:
                loss = tick.loss if world.style.reduced else tick.loss * chance.uniform(0.93, 1.07)
            if tick.step % every and tick.tag is None:
                continue
            at = tick.at + chance.uniform(0.001, 0.006)
            text = bars.lines(world, tick, loss) if bars else program_text.step_line(world, task, tick, loss, at)
            yield at, text, f"{tick.tag}:{task.name}" if tick.tag else None


def own_events(world, task):
    for event in sorted(task.own, key=lambda e: e.at):
        style = world.style
        if task.release:
            style = type(style)(**{**style.__dict__, "release": task.release})
        text = getattr(tensorflow_text, event.kind)(Voice(style, task, event.at), world, **event.fields)
        if text:
            yield event.at, text, event.tag


def prints_steps(world, task):
    return task.kind == "worker" if "ps" not in world.kinds else task.kind == "chief"


def records(world, task):
    streams = [own_events(world, task)]
    if prints_steps(world, task):
        steps = ticks_of(world, task)
        streams.append(noise.blocks(world, task, steps) if world.noise == "block-buffered" and world.style.program in noise.STDOUT else steps)
    return noise.shape(world, task, heapq.merge(*streams, key=lambda r: r[0]))
