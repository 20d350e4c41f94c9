#!/usr/bin/env python3
"""A few generated bundles, the same every time: the generator repeats itself byte for byte, and the program is right about them."""

import filecmp
import json
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import catalogue  # noqa: E402
from claims import is_true, is_wrong, measured  # noqa: E402
from measure import compare, wilson  # noqa: E402

NOISY = (("A1", 3, "no-stamps"), ("A1", 3, "untagged"), ("N2", 5, "untagged"), ("V2", 5, "untagged"), ("J1", 2, "clock-step"), ("B1", 1, "lost-tails"))
TFPM = os.environ.get("TFPM", "tfpm")
RIGHT = (("A1", 3), ("A2", 1), ("A5", 2), ("C1", 1), ("D1", 1), ("D2", 2), ("E1", 1), ("E2", 1), ("E6", 2), ("G2", 1), ("G4", 1), ("J2", 1), ("N2", 1), ("N7", 2), ("K2", 1), ("N5", 1), ("F4", 1), ("P1", 1), ("S1", 1), ("V1", 1), ("H1", 1), ("H2", 1), ("H6", 1))


def verdict_of(path, out):
    subprocess.run([TFPM, "analyze", path, "-o", out, "-q", "--force"], check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(out, "findings.json"), encoding="utf-8") as file:
        return json.load(file)


def files_below(root):
    return sorted(os.path.relpath(os.path.join(folder, f), root) for folder, _, names in os.walk(root) for f in names)


class Generator(unittest.TestCase):
    def test_same_seed_same_bytes(self):
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
            for name in ("A1", "K1", "X4", "N1"):
                for folder in (one, two):
                    catalogue.generate(catalogue.REGISTRY[name], 5, folder)
            self.assertEqual(files_below(one), files_below(two))
            self.assertEqual(filecmp.cmpfiles(one, two, files_below(one), shallow=False)[1:], ([], []))

    def test_every_scenario_builds(self):
        self.assertEqual(len(catalogue.REGISTRY), 76)
        for scenario in catalogue.REGISTRY.values():
            for seed in (11, 12):
                _, truth = catalogue.imagine(scenario, seed)
                self.assertTrue(truth.cls, scenario.name)

    def test_tags_point_at_their_lines(self):
        with tempfile.TemporaryDirectory() as folder:
            path = catalogue.generate(catalogue.REGISTRY["X7"], 1, folder)
            with open(path + ".truth.json", encoding="utf-8") as file:
                truth = json.load(file)
            log, first, last = truth["chain"][0]["lines"][0]
            with open(os.path.join(path, log), encoding="utf-8") as file:
                self.assertIn("nan", "".join(file.readlines()[first - 1:last]).lower())

    def test_wilson(self):
        low, high = wilson(300, 300)
        self.assertAlmostEqual(low, 0.987, 3)
        self.assertAlmostEqual(high, 1.0)

    def test_weights(self):
        truth = {"class": "nan", "workers": ["worker-1"], "needs": {}, "also": [{"class": "user-exception", "workers": ["worker-0"]}]}
        for claim, true, wrong in ((("r", "nan", 20, "worker-1"), True, False), (("r", "nan", 20, None), True, False), (("r", "nan", 20, "worker-2"), False, True),
                                   (("r", None, 10, "worker-1"), True, False), (("r", "user-exception", 25, "worker-0"), False, False),
                                   (("r", "oom-gpu", 25, "worker-1"), False, True)):
            with self.subTest(claim=claim):
                self.assertEqual((is_true(claim, truth), is_wrong(claim, truth)), (true, wrong))
        self.assertAlmostEqual(measured(9, 9, 0, 100), 19.67, 2)  # (10/11) / (1/102)
        self.assertAlmostEqual(measured(0, 8, 50, 98), -7.08, 2)  # (1/10) / (51/100)
        self.assertEqual(measured(10 ** 6, 10 ** 6, 0, 10 ** 6), 40)


class Verdicts(unittest.TestCase):
    def test_noise_makes_nothing_sure_and_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, seed, axis in NOISY:
                with self.subTest(scenario=name, seed=seed, noise=axis):
                    path = catalogue.generate(catalogue.REGISTRY[name], seed, folder, axis=axis)
                    with open(path + ".truth.json", encoding="utf-8") as file:
                        truth = json.load(file)
                    row = compare(verdict_of(path, os.path.join(folder, "out")), truth)
                    self.assertTrue(row["class"])
                    self.assertFalse(row["wrong_confident"])

    def test_right(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, seed in RIGHT:
                with self.subTest(scenario=name, seed=seed):
                    path = catalogue.generate(catalogue.REGISTRY[name], seed, folder)
                    with open(path + ".truth.json", encoding="utf-8") as file:
                        truth = json.load(file)
                    row = compare(verdict_of(path, os.path.join(folder, "out")), truth)
                    wrong = [k for k in ("class", "origin", "step", "chain") if row[k] is False] + [k for k in ("wrong_confident", "false_alarm") if row[k]]
                    self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
