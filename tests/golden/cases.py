"""The bundles of fixtures/bundles: a folder each, with `bundle/` or `bundle.<archive ending>`, and `truth.json` (keys: judge.py)."""

import json
import os
from typing import NamedTuple

ROOT = os.path.join(os.path.abspath(os.environ.get("TFPM_SOURCE", ".")), "fixtures", "bundles")


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


class BundleCase(NamedTuple):
    name: str
    folder: str  # of the case, absolute
    bundle: str  # directory or archive, absolute

    def truth(self):
        return json.loads(read(os.path.join(self.folder, "truth.json")))


def bundle_cases(only=()):
    """All cases in the order of their names, or those named."""
    out = []
    for name in sorted(os.listdir(ROOT)):
        folder = os.path.join(ROOT, name)
        bundles = [f for f in sorted(os.listdir(folder)) if f == "bundle" or f.startswith("bundle.")] if os.path.isdir(folder) else []
        if bundles and (not only or name in only):
            out.append(BundleCase(name, folder, os.path.join(folder, bundles[0])))
    return out
