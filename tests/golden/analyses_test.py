"""Every analysis of rules/analyses has a bundle in fixtures/bundles on which it fires and one on which it runs and stays clear."""

import os
import sqlite3
import sys

import support
from cases import bundle_cases

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
        seen = set()
        for case in bundle_cases():
            out = self.path(case.name)
            self.run_tfpm("analyze", case.bundle, "-o", out, code=(0, 3))
            seen.update(outcomes(os.path.join(out, "tfpm.db")))
        for outcome, known in (("fired", NEVER_FIRES), ("clear", NEVER_CLEAR)):
            without = {rule for rule in written_rules() if (rule, outcome) not in seen}
            self.assertEqual(sorted(without - set(known)), [], f"no bundle where these are {outcome}")
            self.assertEqual(sorted(set(known) - without), [], f"listed as never {outcome}, and are")


if __name__ == "__main__":
    # Takes --update like its neighbours; it has no goldens of its own to renew.
    sys.argv[1:] = [a for a in sys.argv[1:] if a != "--update"]
    support.main()
