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
        self.run_tfpm("rules", "new", "Bad Id", "--from", "w.log:1", code=2)


if __name__ == "__main__":
    support.main()
