"""`tfpm diff`: what two runs differ in, and nothing else."""

import json

import support


class Diff(support.Case):
    def rows(self, *arguments):
        text = self.run_tfpm("diff", *arguments, "--format", "json").stdout
        return {(r["what"], r["key"]): list(r.values())[2:] for r in json.loads(text)}

    def setUp(self):
        super().setUp()
        self.bundle("bad", {"env/worker-0.env": "TF_CPP_MIN_LOG_LEVEL=2\nAPI_TOKEN=abcdef123456\n"})
        self.analyze("bad", output="bad.out")

    def test_a_run_does_not_differ_from_itself(self):
        self.assertEqual(self.rows("bad.out", "bad.out/tfpm.db"), {})

    def test_a_failed_and_a_good_run(self):
        good = "".join(support.step_line(0, n) for n in range(1, support.STEPS + 1)) + "training finished\n"
        self.bundle("good", {"logs/worker-1.log": good, "logs/worker-0.log": good, "logs/launcher.log":
                             "2026-03-05T14:05:31Z worker-1 attempt 0 exited with code 0\n"
                             "2026-03-05T14:05:33Z worker-0 attempt 0 exited with code 0\n"})
        self.analyze("good", output="good.out")
        rows = self.rows("bad.out", "good.out")
        self.assertEqual(rows["verdict", "class"], ["user-exception", "none"])
        self.assertEqual(rows["steps", "last step"], [str(support.CRASH_STEP - 1), str(support.STEPS)])
        self.assertIn("finding", {what for what, _ in rows})
        self.assertNotIn("abcdef123456", str(self.rows("bad.out", "good.out", "--all")))

    def test_what_is_no_database(self):
        self.run_tfpm("diff", "bad.out", "nowhere", code=2)
        self.run_tfpm("diff", "bad.out", code=2)


if __name__ == "__main__":
    support.main()
