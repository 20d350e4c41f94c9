"""All scenarios, and how one becomes a bundle on disk with its truth beside it."""

import json
import os
import random
import shutil
import zlib

import bundle
import family_compound  # noqa: F401
import family_crash  # noqa: F401
import family_diverge  # noqa: F401
import family_files  # noqa: F401
import family_hang  # noqa: F401
import family_memory  # noqa: F401
import family_nan  # noqa: F401
import family_ps  # noqa: F401
import family_slow  # noqa: F401
import noise
from style import draw
from truth import REGISTRY
from world import World


def held_out(family):
    """No rule, weight or threshold is ever changed for such a family."""
    return zlib.crc32(family.encode()) % 4 == 0


def choose(wanted=None):
    out = [s for s in REGISTRY.values() if not wanted or s.name in wanted or s.family in wanted]
    if not out:
        raise SystemExit(f"no scenario is called {' or '.join(wanted)}")
    return out


def imagine(scenario, seed, workers=None, axis="none"):
    """The world of a scenario and what is true of it. The same seed gives the same world, whatever the noise (noise.AXES)."""
    chance = random.Random(f"{scenario.name} {seed}")
    style = draw(chance, scenario.style)
    size = workers or chance.choice(scenario.sizes)
    world = World(f"{scenario.name} {seed} world", size, style, scenario.kinds(size) if scenario.kinds else None)
    world.hidden = ()
    noise.before(world, axis)
    return world, scenario.build(world)


def generate(scenario, seed, folder, workers=None, axis="none"):
    """Writes FOLDER/NAME-SEED and FOLDER/NAME-SEED.truth.json; gives the bundle's path."""
    world, truth = imagine(scenario, seed, workers, axis)
    name = f"{scenario.name}-{seed}"
    root = os.path.join(folder, name)
    shutil.rmtree(root, ignore_errors=True)
    written = bundle.write(world, root, world.hidden)
    out = {"id": name, "scenario": scenario.name, "family": scenario.family, "style": {k: str(v) for k, v in world.style.__dict__.items()}, "tasks": len(world.tasks),
           "noise": axis, **truth.keys(), "identifiable": truth.identifiable, "log_counts": truth.origin_logs, "needs": truth.needs,
           "chain": [{"worker": worker, "lines": [p for tag in tags for p in written.places.get(tag, [])]} for worker, tags in truth.chain],
           "sources": sorted({bundle.kind_of(p) for p in written.paths})}
    out = noise.soften(world, truth, out)
    with open(root + ".truth.json", "w", encoding="utf-8") as file:
        json.dump(out, file, indent=1, ensure_ascii=False)
        file.write("\n")
    return root
