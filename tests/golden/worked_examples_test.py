"""Six recorded jobs worked out by hand: the same endings, items with their decibans, gates, order and margin, from the database alone.

Each was derived from the lines of its bundle, not from a run of the program; a number that changes here is a change of the method.
"""

import json
import os
import sqlite3

import support
from cases import bundle_cases


class Example:
    """What one database says. Remarks about the evidence are left out; items: {kind: decibans counted}, gated items apart."""

    def __init__(self, path):
        with sqlite3.connect(path) as db:
            self.endings = dict(db.execute("SELECT name, ending FROM worker"))
            self.verdict = db.execute("SELECT status, class, cause, workers, step_lo, step_hi, generation, confidence, margin_db FROM verdict").fetchone()
            self.ranking = []
            self.items, self.gates = {}, {}
            rows = db.execute("SELECT id, class, workers, score_db, role, why FROM hypothesis WHERE class NOT IN ('data-quality', 'note') ORDER BY score_db DESC, id")
            for hid, name, workers, score, role, why in rows.fetchall():
                key = (name, *json.loads(workers))
                self.ranking.append((key, score, role, why))
                counted = db.execute("SELECT c.kind, h.counted_db, h.gate FROM hypothesis_claim h JOIN claim c ON c.id = h.claim_id WHERE h.hypothesis_id = ?", (hid,)).fetchall()
                self.items[key] = {kind: db_ for kind, db_, gate in counted if gate is None}
                self.gates[key] = [(kind, gate) for kind, _, gate in counted if gate is not None]

    def role_of(self, key):
        return next(role for k, _, role, _ in self.ranking if k == key)


class WorkedExamples(support.Case):
    def example(self, name):
        case = bundle_cases([name])[0]
        out = self.path(name)
        self.run_tfpm("analyze", case.bundle, "-o", out, code=(0, 3))
        database = os.path.join(out, "tfpm.db")
        before = Example(database)
        self.run_tfpm("diagnose", database)  # without the bundle: the rows alone must give the same
        after = Example(database)
        self.assertEqual(vars(before), vars(after))
        return after

    def assert_verdict(self, e, status, name, cause, workers, step, confidence, margin):
        self.assertEqual(e.verdict[:3], (status, name, cause))
        self.assertEqual(json.loads(e.verdict[3]), workers)
        self.assertEqual(e.verdict[4:6], (step, step))
        self.assertEqual(e.verdict[7:], (confidence, margin))

    def test_w1_one_task_raises(self):
        e = self.example("exception-one-worker")
        self.assertEqual(e.endings, {"worker-0": "victim", "worker-1": "crashed", "worker-2": "victim"})
        self.assertEqual(e.items, {("user-exception", "worker-1"): {"own-words": 25, "transport-witness": 20, "first-exit": 10}})
        self.assert_verdict(e, "explained", "user-exception", "valueerror", ["worker-1"], 17, "established", 55)

    def test_w2_the_kernel_kills(self):
        e = self.example("cgroup-oom")
        self.assertEqual(e.endings["worker-1"], "silent")
        self.assertEqual(e.items[("oom-host", "worker-1")], {"kernel": 40, "exit-differs": 15, "first-exit": 10, "transport-witness": 20})
        self.assertEqual(e.items[("silent-death", "worker-1")], {"ends-early": 25, "exit-differs": 15, "first-exit": 10, "transport-witness": 20})
        self.assertEqual([(k, s, r) for k, s, r, _ in e.ranking], [(("oom-host", "worker-1"), 85, "root"), (("silent-death", "worker-1"), 70, "rejected")])
        self.assertIn("G9", e.ranking[1][3])
        self.assert_verdict(e, "explained", "oom-host", "cgroup", ["worker-1"], 25, "established", 85)

    def test_w3_nobody_writes_an_error(self):
        e = self.example("hang-stuck-input")
        self.assertEqual(set(e.endings.values()), {"cleaned-up"})
        self.assertEqual(e.items, {("hang-input", "worker-2"): {"stack-outlier": 35, "odd-line": 10}})
        self.assert_verdict(e, "explained", "hang-input", None, ["worker-2"], 16, "established", 45)

    def test_w4_accused_and_it_speaks(self):
        lost, frozen = self.example("node-lost"), self.example("hang-sigstop")
        self.assertEqual(lost.items, {("node-lost", "worker-2"): {"spoke-late": 25, "heartbeat-list": 15}})
        self.assert_verdict(lost, "explained", "node-lost", "link-down", ["worker-2"], 21, "established", 40)
        key = ("hang-frozen", "worker-1")
        self.assertEqual(frozen.items, {key: {"process-state": 40, "stack-refused": 10, "heartbeat-list": 15}})
        self.assertEqual(frozen.gates[key], [("process-state", "one vote per kind")])
        self.assert_verdict(frozen, "explained", "hang-frozen", None, ["worker-1"], 20, "established", 65)

    def test_w5_two_generations(self):
        e = self.example("restart-one-lost-disk")
        self.assertEqual(e.items[("replica-divergence", "worker-1")], {"first-step": 40, "peers-restored": 10})
        self.assertEqual(e.role_of(("user-exception", "worker-0")), "independent")  # of the generation before: G6
        self.assertEqual(e.endings, {"worker-0": "finished", "worker-1": "victim"})
        self.assertEqual(e.verdict[6], 1)
        self.assert_verdict(e, "explained", "replica-divergence", "restore", ["worker-1"], 1, "established", 50)

    def test_w6_two_roots(self):
        e = self.example("nan-then-exception")
        self.assertEqual(e.items[("nan", "worker-1")]["loss"], 35)
        self.assertEqual(e.items[("user-exception", "worker-0")], {"own-words": 25, "first-exit": 10, "transport-witness": 20})
        # Earlier by more than a step: the verdict, whatever the scores; the later fault does not lessen the margin.
        self.assertEqual(e.role_of(("nan", "worker-1")), "root")
        self.assertEqual(e.role_of(("user-exception", "worker-0")), "independent")
        self.assert_verdict(e, "explained", "nan", "bad-data", ["worker-1"], 13, "established", sum(e.items[("nan", "worker-1")].values()))


if __name__ == "__main__":
    support.main()
