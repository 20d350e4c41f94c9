"""What collecting does to true events: one axis at a time, on any scenario (algorithms.md 12.3). The mechanism stays what it was; only what is left to read changes.

  clock-step      the clock of one host is set by 37 s while the job runs
  no-stamps       no line says when it was written
  untagged        one stream of all tasks' lines, nothing says whose a line is
  block-buffered  standard output reaches the file in blocks of 4 KiB, and a killed process loses its last one
  lost-tails      of three logs in ten the last lines are missing
"""

import random
import re

AXES = ("none", "clock-step", "no-stamps", "untagged", "block-buffered", "lost-tails")
STDOUT = ("keyvalue", "bracket", "clock", "keras2", "keras3", "json")  # programs that print; the others log to standard error
BLOCK = 4096
KILLED = (132, 134, 135, 137, 139)
BARE = {"docker": "none", "cri": "kubectl", "kubectl-time": "kubectl"}
LEADING = re.compile(r"^(\x1b\[[0-9;]*m)?\[?20\d\d-\d\d-\d\d[ T][\d:.,]+Z?\]?:? ?(\| )?|^\[\d\d:\d\d:\d\d\] ")
EPOCH = re.compile(r'(?<=[ :])1[6-9]\d{8}(\.\d{3,9})(?=[ ,}\]])')


def drawn(axis, name, seed):
    """The axis itself, or one by chance for `mixed`."""
    return random.Random(f"{name} {seed} noise").choice(AXES) if axis == "mixed" else axis


def before(world, axis):
    """What must be set before anything happens."""
    world.noise = axis
    if axis == "clock-step":
        chance = random.Random(f"{world.start} clock-step")
        task = chance.choice(world.tasks)
        task.jump = (world.start + chance.uniform(8, 30), chance.choice((37.0, -37.0)))
    if axis == "no-stamps":
        world.style.envelope = BARE.get(world.style.envelope, world.style.envelope)


def unfinished(world, task):
    """The process was killed: what it had not written out is gone."""
    return any(e.task is task and e.attempt == world.attempt and e.code in KILLED for e in world.exits)


def blocks(world, task, rows):
    """Standard output as it reaches the file: a block at a time, at the moment when it was full."""
    waiting, size = [], 0
    for row in rows:
        waiting.append(row)
        size += len(row[1].encode())
        if size >= BLOCK:
            yield from [(row[0], text, tag) for _, text, tag in waiting]
            waiting, size = [], 0
    if waiting and not unfinished(world, task):
        yield from [(waiting[-1][0] + 0.3, text, tag) for _, text, tag in waiting]


def loses_tail(world, task):
    return random.Random(f"{world.start} {task.name} tail").random() < 0.3


def without_tail(world, task, rows):
    gone = random.Random(f"{world.start} {task.name} lines").randint(2, 12)
    rows = list(rows)
    return rows[:max(3, len(rows) - gone)]


def without_stamp(row):
    lines = [EPOCH.sub(r"0000000000\1", LEADING.sub("", line)) for line in row[1].split("\n")]
    return (row[0], "\n".join(lines), *row[2:])


def shape(world, task, rows):
    """One task's records as they are found."""
    if world.noise == "lost-tails" and loses_tail(world, task):
        rows = without_tail(world, task, rows)
    if world.noise == "no-stamps":
        rows = map(without_stamp, rows)
    return rows


def soften(world, truth, known):
    """What is still true, and can still be told, of a bundle with this noise: `known` is its truth as written. Lost steps are not judged."""
    origins = [t for t in world.tasks if t.name in (truth.workers or [n for names in truth.workers_any or [] for n in names])]
    unsure = world.noise == "untagged" or world.noise == "lost-tails" and any(loses_tail(world, t) for t in origins or world.tasks)
    if unsure:
        classes = truth.cls if isinstance(truth.cls, list) else [truth.cls]
        known["class"] = classes + [c for c in ("undetermined", "silent-death") if c not in classes and "none" not in classes]
        known["identifiable"] = False
        known.pop("cause", None)
    if world.noise in ("block-buffered", "lost-tails", "untagged"):
        known.pop("step", None)
        known["chain"] = []
    return known
