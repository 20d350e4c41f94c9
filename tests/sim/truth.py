"""What is known of a generated bundle. The keys that `tests/golden/judge.py` wants, and what only the report needs."""

import dataclasses


@dataclasses.dataclass
class Truth:
    cls: object                    # class, or a list of which any is right
    workers: list = None           # names; None: not judged
    workers_any: list = None
    cause: object = None
    step: object = None            # number or {"lo", "hi"}
    step_tol: int = 1
    identifiable: bool = True      # the full bundle can tell the origin
    origin_logs: bool = True       # it can not without the logs of the origin's tasks
    needs: dict = dataclasses.field(default_factory=dict)  # kind of source -> classes that are right without it
    chain: list = dataclasses.field(default_factory=list)  # (task or None, [tags]) from root to symptom
    also: list = dataclasses.field(default_factory=list)
    never: list = dataclasses.field(default_factory=list)
    confidence_max: str = None

    def keys(self):
        out = {"class": self.cls, "cause": self.cause, "workers": self.workers, "workers_any": self.workers_any, "step": self.step,
               "step_tol": self.step_tol if self.step is not None else None, "also": self.also, "never": self.never, "confidence_max": self.confidence_max}
        return {k: v for k, v in out.items() if v not in (None, [])}


REGISTRY = {}


@dataclasses.dataclass
class Scenario:
    name: str
    family: str
    style: dict    # what its style must be
    sizes: tuple
    build: object  # world -> Truth
    kinds: object = None  # size -> {kind: count}


def scenario(name, family, sizes=(2, 3, 4, 4, 8), kinds=None, **style):
    def register(build):
        REGISTRY[name] = Scenario(name, family, style, sizes, build, kinds)
        return build
    return register


def names(*tasks):
    return sorted(t.name for t in tasks)


def link(task, *tags):
    """One link of a chain: lines with any of these tags, said of this task (None: of any)."""
    return (task.name if task else None, list(tags))


def falls(world, *roots, tags=("root",)):
    """The chain of a lost task: its own failure, the neighbour that noticed first, and the last to give up."""
    ring = world.fallen
    out = [link(t, *tags) for t in roots]
    if ring and world.style.minor < 10:  # every task's own health check found it, at one time
        return out + [link(None, *[f"victim:{t.name}" for t in ring])]
    if ring:
        out.append(link(ring[0], f"victim:{ring[0].name}"))
    if len(ring) > 1:
        out.append(link(None, *[f"victim:{t.name}" for t in ring[1:]]))
    return out
