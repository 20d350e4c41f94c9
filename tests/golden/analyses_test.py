"""Every analysis of rules/analyses has a bundle in fixtures/bundles on which it fires and one on which it runs and stays clear,
and every weight of weights.tsv is given where the table says so.

  analyses_test.py [--update]     --update rewrites weights.tsv: rule, kind of evidence, decibans, a bundle where they are given
"""

import csv
import os
import sqlite3
import sys

import support
from cases import bundle_cases

WEIGHTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "weights.tsv")
UPDATE = "--update" in sys.argv
ANALYSES = os.path.join(os.path.abspath(os.environ.get("TFPM_SOURCE", ".")), "rules", "analyses")

# Analyses without a bundle here on which they fire, and why; an entry that has become untrue fails, too.
NEVER_FIRES = {}
NEVER_CLEAR = {
    "nan-debugger": "its table holds bad tensors only, so without one it is not evaluated",
}


def outcomes(database):
    """Pairs of rule and outcome: 'fired', 'clear' or 'not-evaluated'."""
    with sqlite3.connect(database) as db:
        return db.execute("SELECT rule, outcome FROM rule_run").fetchall()


def weights(database):
    """Triples of rule, kind and decibans before gates and caps; remarks weigh nothing."""
    with sqlite3.connect(database) as db:
        rows = db.execute("SELECT DISTINCT rule, kind, weight_db FROM claim WHERE weight_db <> 0")
        return [(rule, kind, f"{decibans:g}") for rule, kind, decibans in rows]


def read_weights():
    with open(WEIGHTS, encoding="utf-8", newline="") as f:
        return {(rule, kind, decibans): bundle for rule, kind, decibans, bundle in list(csv.reader(f, delimiter="\t"))[1:]}


def write_weights(given):
    with open(WEIGHTS, "w", encoding="utf-8", newline="") as f:
        rows = csv.writer(f, lineterminator="\n", delimiter="\t")
        rows.writerow(["rule", "kind", "weight_db", "bundle"])
        rows.writerows([*key, min(bundles)] for key, bundles in sorted(given.items()))


def written_rules():
    ids = set()
    for name in os.listdir(ANALYSES):
        if not name.endswith(".sql"):
            continue
        with open(os.path.join(ANALYSES, name), encoding="utf-8") as text:
            ids.update(line.split(":", 1)[1].strip() for line in text if line.startswith("-- id:"))
    return ids


class Analyses(support.Case):
    def test_each_fires_and_stays_clear(self):
        seen, given = set(), {}
        for case in bundle_cases():
            out = self.path(case.name)
            self.run_tfpm("analyze", case.bundle, "-o", out, code=(0, 3))
            seen.update(outcomes(os.path.join(out, "tfpm.db")))
            for key in weights(os.path.join(out, "tfpm.db")):
                given.setdefault(key, set()).add(case.name)
        if UPDATE:
            write_weights(given)
        self.assertEqual([row for row, bundle in read_weights().items() if bundle not in given.get(row, ())], [], "weights that are not given any more")
        for outcome, known in (("fired", NEVER_FIRES), ("clear", NEVER_CLEAR)):
            without = {rule for rule in written_rules() if (rule, outcome) not in seen}
            self.assertEqual(sorted(without - set(known)), [], f"no bundle where these are {outcome}")
            self.assertEqual(sorted(set(known) - without), [], f"listed as never {outcome}, and are")


if __name__ == "__main__":
    sys.argv[1:] = []
    support.main()
