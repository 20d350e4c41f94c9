"""Every fixtures/bundles/CASE: the verdict is the one of truth.json, and all outputs are the same for one thread and several.

A case is a folder with `bundle/` or `bundle.<archive ending>`, and `truth.json`: class, cause, workers, step, last_good, lost_steps; an absent
key is not judged, a list of classes or causes means any of them. Golden findings.json and report.md beside it are compared where they are there;
TFPM_UPDATE=1 rewrites them.
"""

import json
import os
import re
import sqlite3

import support

ROOT = os.path.join(os.path.abspath(os.environ.get("TFPM_SOURCE", ".")), "fixtures", "bundles")
OUTPUTS = ("findings.json", "report.md", "report.html")
GOLDENS = ("findings.json", "report.md")


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def stable(text):
    """Without what changes with every rule and release."""
    text = re.sub(r'("rules_hash": )"[0-9a-f]+"', r'\1"*"', text)
    text = re.sub(r'("version": )"[0-9.]+"', r'\1"*"', text)
    return re.sub(r"tfpm [0-9.]+, rules `[0-9a-f]+`", "tfpm *, rules `*`", text)


def dump(path):
    with sqlite3.connect(path) as db:
        return list(db.iterdump())


def cases():
    out = []
    for name in sorted(os.listdir(ROOT)):
        folder = os.path.join(ROOT, name)
        bundles = [f for f in sorted(os.listdir(folder)) if f == "bundle" or f.startswith("bundle.")]
        if bundles:
            out.append((name, folder, os.path.join(folder, bundles[0])))
    return out


class Bundles(support.Case):
    def judge(self, findings, truth):
        verdict, checkpoints = findings["verdict"], findings["checkpoints"]
        for key in ("class", "cause"):
            if key in truth:
                wanted = truth[key] if isinstance(truth[key], list) else [truth[key]]
                self.assertIn(verdict[key], wanted, verdict["summary"])
        if "workers" in truth:
            self.assertEqual(sorted(verdict["workers"]), sorted(truth["workers"]))
        if "step" in truth:
            self.assertLessEqual(verdict["step"]["lo"], truth["step"])
            self.assertGreaterEqual(verdict["step"]["hi"], truth["step"])
        for key in ("last_good", "lost_steps"):
            if key in truth:
                self.assertEqual(checkpoints[key], truth[key])

    def same_for_any_number_of_threads(self, bundle):
        outs = []
        for threads in ("1", "4"):
            out = self.path("t" + threads)
            self.run_tfpm("analyze", bundle, "-o", out, "--force", "--threads", threads, code=(0, 3))
            outs.append(out)
        for name in OUTPUTS:
            self.assertEqual(read(os.path.join(outs[0], name)), read(os.path.join(outs[1], name)), name)
        self.assertEqual(dump(os.path.join(outs[0], "tfpm.db")), dump(os.path.join(outs[1], "tfpm.db")))
        return outs[0]

    def compare_goldens(self, folder, out):
        for name in GOLDENS:
            golden = os.path.join(folder, name)
            if not os.path.exists(golden):
                continue
            text = stable(read(os.path.join(out, name)))
            if os.environ.get("TFPM_UPDATE") == "1":
                with open(golden, "w", encoding="utf-8") as f:
                    f.write(text)
            self.assertEqual(text, read(golden), f"{golden}: run this test with TFPM_UPDATE=1 and read the change")

    def test_cases(self):
        self.assertTrue(cases())
        for name, folder, bundle in cases():
            with self.subTest(name):
                out = self.same_for_any_number_of_threads(bundle)
                self.judge(json.loads(read(os.path.join(out, "findings.json"))),
                           json.loads(read(os.path.join(folder, "truth.json"))))
                again = self.run_tfpm("report", out, "--format", "json").stdout
                self.assertEqual(again, read(os.path.join(out, "findings.json")))
                self.compare_goldens(folder, out)


if __name__ == "__main__":
    support.main()
