"""Recorded jobs whose tasks' clocks were shifted by known amounts: offsets come out right. Skipped where the recordings are absent."""

import glob
import itertools
import json
import os
import unittest

import support

BUNDLES = os.path.join(os.path.abspath(os.environ.get("TFPM_SOURCE", ".")), "..", "shared", "bundles")
MOST_S = 1.0


def shifted_bundles():
    """(name, worker -> seconds its clock was ahead) of every recording that says so."""
    for path in sorted(glob.glob(os.path.join(BUNDLES, "*.truth.json"))):
        with open(path, encoding="utf-8") as f:
            truth = json.load(f)
        if truth.get("offsets"):
            yield truth["id"], truth["offsets"]


@unittest.skipUnless(os.path.isdir(BUNDLES), "no recorded bundles beside the project")
class RecordedClocks(support.Case):
    def clocks(self, name):
        bundle = glob.glob(os.path.join(BUNDLES, name + "*"))
        bundle = min(b for b in bundle if not b.endswith(".truth.json"))
        out = self.run_tfpm("analyze", bundle, "-o", name, "--json", "-q", code=(0, 3)).stdout
        return {w["name"]: w["clock"] for w in json.loads(out)["workers"]}

    def test_differences(self):
        bundles = list(shifted_bundles())
        self.assertTrue(bundles)
        for name, offsets in bundles:
            clocks = self.clocks(name)
            for a, b in itertools.combinations(sorted(offsets), 2):
                with self.subTest(bundle=name, a=a, b=b):
                    found = clocks[a]["offset_s"] - clocks[b]["offset_s"]
                    wrong = abs(found - (offsets[a] - offsets[b]))
                    self.assertLessEqual(wrong, MOST_S)
                    # Each offset may be wrong by its own error.
                    self.assertLessEqual(wrong, clocks[a]["error_s"] + clocks[b]["error_s"])


if __name__ == "__main__":
    unittest.main()
