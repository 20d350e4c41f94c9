"""tfpm rules: list, check, new, explain, test."""

import json

import support

SIGNATURE = {"id": "my-rule", "title": "a test", "role": "root", "severity": "error",
             "patterns": [{"re": "loader: gave up on (?P<shard>\\S+)"}], "captures": {"shard": "what it read"},
             "samples": ["loader: gave up on /x after 3 s"], "non_samples": ["loader: opened /x"]}


class Rules(support.Case):
    def write_rule(self, folder="mine", **changes):
        rule = {**SIGNATURE, **changes}
        support.write_files(self.path(folder), {rule["id"] + ".json": json.dumps(rule, indent=1)})
        return folder

    def test_built_in_rules_are_good(self):
        self.assertIn("all good", self.run_tfpm("rules", "check").stdout)

    def test_list_and_explain(self):
        rows = json.loads(self.run_tfpm("rules", "list", "--format", "json", "--rules", self.write_rule()).stdout)
        mine = next(r for r in rows if r["id"] == "my-rule")
        self.assertEqual((mine["kind"], mine["role"], mine["class"]), ("signature", "root", None))
        self.assertGreater(len([r for r in rows if r["kind"] == "signature"]), 120)
        self.assertIn("loader: gave up", self.run_tfpm("rules", "explain", "my-rule", "--rules", "mine").stdout)
        self.assertIn("did you mean", self.run_tfpm("rules", "explain", "oom", code=2).stderr)
        analysis = next(r["id"] for r in rows if r["kind"] == "analysis")
        self.assertIn("SELECT", self.run_tfpm("rules", "explain", analysis).stdout.upper())

    def test_broken_rules_have_a_place(self):
        for name, changes in (("unknown-key", {"roel": "root"}), ("regex", {"patterns": [{"re": "loader: ("}]}),
                              ("no-literal", {"patterns": [{"re": ".*[a-z]+"}]}), ("sample", {"samples": ["something"]}),
                              ("non-sample", {"non_samples": ["loader: gave up on /y"]}), ("role", {"role": "king"})):
            with self.subTest(name):
                folder = self.write_rule(folder=name, **changes)
                self.assertIn("my-rule.json", self.run_tfpm("rules", "check", folder, code=2).stderr)
        support.write_files(self.path("sql"), {"a.sql": "-- id: a\n-- title: t\n-- class: nan\n-- needs: event\n"
                                                        "-- weight_db: 10\n-- why: w\nSELECT nonsense FROM event"})
        self.assertIn("a.sql", self.run_tfpm("rules", "check", "sql", code=2).stderr)
        self.run_tfpm("rules", "check", "nowhere", code=2)

    def test_two_rules_of_one_id_in_a_directory(self):
        text = json.dumps(SIGNATURE)
        support.write_files(self.path("mine"), {"a.json": text, "b.json": text})
        refused = self.run_tfpm("rules", "check", "mine", code=2).stderr
        self.assertIn("a.json", refused)
        self.assertIn("b.json", refused)

    def write_analysis(self, summary):
        support.write_files(self.path("sql"), {
            "big.sql": "-- id: big\n-- title: t\n-- class: nan\n-- needs: source\n-- weight_db: 10\n-- why: w\n"
                       "SELECT NULL AS worker_id, 0 AS generation, NULL AS step_lo, NULL AS step_hi, NULL AS confidence_cap, "
                       f"NULL AS weight_db, {summary} AS summary, '[]' AS evidence_event_ids"})

    def test_analyses_that_cost_too_much(self):
        endless = "(WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c)"
        for summary, words in ((endless, "too long"), ("hex(zeroblob(50000000))", "too big")):
            with self.subTest(words):
                self.write_analysis(summary)
                self.assertIn(words, self.run_tfpm("rules", "check", "sql", code=2).stderr)
        self.bundle()
        self.write_analysis("hex(zeroblob(1000000))")
        self.run_tfpm("analyze", "job", "-o", "out", "--rules", "sql")
        longest = self.run_tfpm("query", "out", "SELECT max(length(summary)) AS n FROM claim", "--format", "csv").stdout
        self.assertEqual(longest, "n\n2000\n")

    def test_new_makes_a_rule_that_checks_and_hits(self):
        lines = ["2026-03-05 14:05:42,123 ERROR io: gave up on /mnt/nfs/part-00017 after 300 s (0xdeadbeef)\n",
                 "2026-03-05 14:05:43,123 ERROR io: gave up on /mnt/nfs/part-00018 after 7 s (0xfeed)\n",
                 "2026-03-05 14:05:43,123 INFO io: fine\n", "1234\n"]
        support.write_files(self.dir, {"w.log": "".join(lines)})
        rule = self.run_tfpm("rules", "new", "gave-up", "--from", "w.log:1").stdout
        self.assertEqual(json.loads(rule)["severity"], "error")
        support.write_files(self.path("mine"), {"gave-up.json": rule})
        self.run_tfpm("rules", "check", "mine")
        hits = self.run_tfpm("rules", "test", "w.log", "--rules", "mine", "--id", "gave-up").stdout
        self.assertIn("2 x gave-up", hits)
        for bad in ("w.log:9", "w.log", "w.log:0", "nowhere:1", "w.log:4"):
            with self.subTest(bad):
                self.run_tfpm("rules", "new", "x", "--from", bad, code=2)
        support.write_files(self.dir, {"long.log": "x" * 3_000_000 + "\n" + lines[0]})
        self.assertEqual(json.loads(self.run_tfpm("rules", "new", "gave-up", "--from", "long.log:2").stdout)["patterns"],
                         json.loads(rule)["patterns"])
        self.run_tfpm("rules", "new", "Bad Id", "--from", "w.log:1", code=2)


if __name__ == "__main__":
    support.main()
