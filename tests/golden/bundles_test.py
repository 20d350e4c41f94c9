"""Every fixtures/bundles/CASE: the verdict is the one of truth.json, the outputs are the same for one thread and several and equal the goldens.

  bundles_test.py [--update] [CASE...]     --update rewrites findings.json and report.md of the cases whose verdict is right
"""

import difflib
import json
import os
import re
import sqlite3
import sys

import support
from cases import bundle_cases, read
from judge import judge

OUTPUTS = ("findings.json", "report.md", "report.html")
GOLDENS = ("findings.json", "report.md")
# The release build compares one thread with several; sanitizers look at the run with several only, the one that shows more.
THREADS = ("4",) if support.SANITIZE else ("1", "4")
UPDATE = "--update" in sys.argv
ONLY = [a for a in sys.argv[1:] if not a.startswith("-")]


def stable(text):
    """Without what changes with every rule and release."""
    text = re.sub(r'("rules_hash": )"[0-9a-f]+"', r'\1"*"', text)
    text = re.sub(r'("version": )"[0-9.]+"', r'\1"*"', text)
    return re.sub(r"tfpm [0-9.]+, rules `[0-9a-f]+`", "tfpm *, rules `*`", text)


def dump(path):
    with sqlite3.connect(path) as db:
        return "\n".join(db.iterdump())


def difference(old, new, old_name, new_name):
    return "\n".join(difflib.unified_diff(old.splitlines(), new.splitlines(), old_name, new_name, lineterm=""))


class Bundles(support.Case):
    def assert_same(self, old, new, old_name, new_name):
        if old != new:
            self.fail(difference(old, new, old_name, new_name))

    def same_for_any_number_of_threads(self, bundle):
        outs = []
        for threads in THREADS:
            outs.append(self.path("threads-" + threads))
            self.run_tfpm("analyze", bundle, "-o", outs[-1], "--force", "--threads", threads, code=(0, 3))
        for other in outs[1:]:
            for name in OUTPUTS:
                paths = [os.path.join(out, name) for out in (outs[0], other)]
                self.assert_same(*(read(path) for path in paths), *paths)
            self.assert_same(*(dump(os.path.join(out, "tfpm.db")) for out in (outs[0], other)), outs[0], other)
        return outs[0]

    def compare_goldens(self, folder, out):
        for name in GOLDENS:
            golden, text = os.path.join(folder, name), stable(read(os.path.join(out, name)))
            if UPDATE:
                with open(golden, "w", encoding="utf-8") as f:
                    f.write(text)
            self.assertTrue(os.path.exists(golden), f"{golden} is missing: run this test with --update and read it")
            self.assert_same(read(golden), text, golden, "this run (--update takes it over)")

    def test_cases(self):
        cases = bundle_cases(ONLY)
        self.assertTrue(cases)
        for case in cases:
            with self.subTest(case.name):
                out = self.same_for_any_number_of_threads(case.bundle)
                findings = read(os.path.join(out, "findings.json"))
                self.assertEqual(judge(json.loads(findings), case.truth()), [])
                self.assert_same(findings, self.run_tfpm("report", out, "--format", "json").stdout, "analyze", "report")
                self.compare_goldens(case.folder, out)


if __name__ == "__main__":
    sys.argv[1:] = []
    support.main()
