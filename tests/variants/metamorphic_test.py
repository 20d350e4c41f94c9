"""Changes of a bundle that must change nothing, or only what they touch (metamorphic tests).

Compared are findings, their ranking, the chain and the order of events; quoted text, times, paths and remarks about clocks
aside. The normal suite takes a few bundles of fixtures/; TFPM_ALL=1 (scripts/test --all) takes all of them and the recorded
bundles beside the source, if they are there.
"""

import json
import os
import random
import re
import shutil
import sqlite3
import sys
import tarfile

import support

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import cases  # noqa: E402
import variants  # noqa: E402

FEW = ("exception-one-worker", "exit-early", "hang-stuck-input", "nan-then-exception", "preempt-sigterm")
RECORDED = os.path.join(os.path.dirname(cases.ROOT), "..", "..", "shared", "bundles")


def bundles():
    """Pairs of a bundle's path and its truth."""
    everything = os.environ.get("TFPM_ALL") == "1"
    for case in cases.bundle_cases(() if everything else FEW):
        yield case.bundle, case.truth()
    if everything and os.path.isdir(RECORDED):
        for name in sorted(os.listdir(RECORDED)):
            truth = os.path.join(RECORDED, name + ".truth.json")
            if os.path.exists(truth):
                with open(truth, encoding="utf-8") as f:
                    yield os.path.join(RECORDED, name), json.load(f)


def words(text):
    """A sentence without what was quoted in it, times and paths."""
    return re.sub(r"`[^`]*`|\S*/\S*|\d+(\.\d+)? (s|ms|%)(?!\w)", "", text)


def about_clocks(finding):
    return finding["class"] == "data-quality" and "clock" in finding["title"]


class Outcome:
    """What must stay the same."""

    def __init__(self, folder):
        with open(os.path.join(folder, "findings.json"), encoding="utf-8") as f:
            found = json.load(f)
        with sqlite3.connect(os.path.join(folder, "tfpm.db")) as db:
            self.order = db.execute("SELECT worker, kind, line FROM timeline WHERE kind NOT IN ('marker', 'exit')").fetchall()
        verdict = found["verdict"]
        self.confidence = verdict["confidence"]
        self.verdict = {k: verdict[k] for k in ("status", "class", "cause", "workers", "step", "generation")}
        self.scores = (verdict["score_db"], verdict["margin_db"], verdict["confidence"])
        shown = [f for f in found["findings"] if not about_clocks(f)]
        self.findings = [(f["rule"], f["class"], f["cause"], f["severity"], f["role"], tuple(f["workers"]), str(f["step"]),
                          f["generation"], f["confidence"], words(f["title"])) for f in shown]
        self.chain = [(c["worker"], str(c["step"]), c["edge"], words(c["what"])) for c in found["chain"]]

    def renamed(self, names):
        def new(worker):
            return names.get(worker, worker)
        self.verdict["workers"] = sorted(new(w) for w in self.verdict["workers"])
        self.findings = sorted(((*f[:5], tuple(sorted(new(w) for w in f[5])), *f[6:9]) for f in self.findings), key=str)
        return self


BEFORE = {}  # outcomes of unchanged bundles


class Metamorphic(support.Case):
    maxDiff = None

    def outcome(self, source, name="out"):
        self.run_tfpm("analyze", source, "-o", self.path(name), "--force", code=(0, 3))
        return Outcome(self.path(name))

    def changed(self, bundle, truth, change):
        """The outcome of a changed copy and what the change returned; the copy has the bundle's own name."""
        folder = self.path("copy")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        root = os.path.join(folder, os.path.basename(bundle))
        variants.unpack(bundle, root)
        said = change(root, truth)
        return self.outcome(root), said

    def each(self, check):
        for bundle, truth in bundles():
            with self.subTest(os.path.basename(os.path.dirname(bundle) if "bundle" in os.path.basename(bundle) else bundle)):
                check(bundle, truth)

    def unchanged(self, bundle, truth):
        if bundle not in BEFORE:
            BEFORE[bundle] = self.changed(bundle, truth, lambda root, t: None)[0]
        return BEFORE[bundle]

    def same(self, change, parts=("verdict", "scores", "findings", "chain", "order")):
        def check(bundle, truth):
            before = self.unchanged(bundle, truth)
            after = self.changed(bundle, truth, change)[0]
            for part in parts:
                self.assertEqual(getattr(after, part), getattr(before, part), part)
        self.each(check)

    def test_1_offsets_of_clocks(self):
        self.same(variants.offsets_all)

    def test_1_offset_of_one_clock(self):
        self.same(variants.shift_one(-1, -25200))

    def test_1_drift_of_clocks(self):
        self.same(variants.drift_all)

    def test_2_names_of_folders(self):
        self.same(variants.rename_folder)

    def test_2_order_of_files(self):
        def check(bundle, truth):
            folder = self.path("copy")
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
            root = os.path.join(folder, "job")
            variants.unpack(bundle, root)
            members = [p[len(root) + 1:] for p in variants.files(root)]
            seen = set()
            for seed in (1, 2):
                random.Random(seed).shuffle(members)
                with tarfile.open(self.path("job.tar"), "w") as tar:
                    for member in members:
                        tar.add(os.path.join(root, member), arcname=member)
                self.outcome(self.path("job.tar"))
                with open(self.path("out", "findings.json"), encoding="utf-8") as f:
                    seen.add(f.read())
            self.assertEqual(len(seen), 1)
        self.each(check)

    def test_3_repeated_cascades(self):
        self.same(variants.duplicate_cascade, ("verdict", "scores", "findings"))

    def test_3_repeated_errors(self):
        self.same(variants.duplicate_errors, ("verdict", "scores", "findings"))

    def test_4_no_stamps(self):
        def check(bundle, truth):
            before = self.unchanged(bundle, truth)
            after = self.changed(bundle, truth, variants.without_stamps)[0]
            if before.confidence != "hypothesis":
                self.assertEqual((after.verdict["class"], after.verdict["workers"]),
                                 (before.verdict["class"], before.verdict["workers"]))
        self.each(check)

    def test_6_relabelled_workers(self):
        def check(bundle, truth):
            after, names = self.changed(bundle, truth, variants.relabel_workers)
            if not names:
                return
            before = self.changed(bundle, truth, lambda root, t: None)[0].renamed(names)
            after.renamed({})
            for part in ("verdict", "scores", "findings"):
                self.assertEqual(getattr(after, part), getattr(before, part), part)
        self.each(check)

    def test_8_older_run_in_the_same_logs(self):
        """Its failure is not this run's, and what is mixed up is not established."""
        old = self.path("older")
        variants.unpack(next(iter(cases.bundle_cases(("exception-one-worker",)))).bundle, old)

        def check(bundle, truth):
            after = self.changed(bundle, truth, variants.concatenate(old))[0]
            if after.confidence == "established" and after.verdict["status"] == "explained":
                self.assertNotEqual(variants.judge(after.verdict, {"class": after.verdict["class"], **truth}), "other", after.verdict)
                self.assertFalse(variants.named_wrong(after.verdict, truth), after.verdict)
        self.each(check)

    def test_8_another_run_beside(self):
        """Two runs in one bundle: what is established is true of one of them."""
        beside = next(iter(cases.bundle_cases(("stuck-input",))))

        def check(bundle, truth):
            def put_beside(root, _):
                other = self.path("other")
                shutil.rmtree(other, ignore_errors=True)
                variants.unpack(beside.bundle, other)
                os.rename(root, root + ".run")
                os.makedirs(root)
                os.rename(root + ".run", os.path.join(root, "run_a"))
                os.rename(other, os.path.join(root, "run_b"))
            after = self.changed(bundle, truth, put_beside)[0]
            if after.confidence == "established" and after.verdict["status"] == "explained":
                judged = [variants.judge(after.verdict, t) for t in (truth, beside.truth()) if "class" in t]
                self.assertIn("right", judged, after.verdict)
        self.each(check)

    def test_9_cut_tail_of_the_origin(self):
        def check(bundle, truth):
            for share in (0.5, 0.8, 0.97):
                after = self.changed(bundle, truth, variants.cut_origin_at(share))[0]
                if after.confidence == "established" and after.verdict["status"] == "explained":
                    self.assertFalse(variants.named_wrong(after.verdict, truth), (share, after.verdict))
        self.each(check)


if __name__ == "__main__":
    support.main()
