"""The commands that work on a finished database, and the command line itself."""

import csv
import glob
import io
import json
import os
import pty
import re
import shutil
import sqlite3
import subprocess

import support

SOURCE = os.environ.get("TFPM_SOURCE", ".")


class Commands(support.Case):
    def setUp(self):
        super().setUp()
        self.bundle()
        self.findings = self.analyze("job")

    def query(self, sql, form="csv", code=0):
        return self.run_tfpm("query", "out/tfpm.db", sql, "--format", form, code=code)

    def test_query_formats(self):
        sql = "SELECT 'a|b\"<i>' AS text, 1 AS n, NULL AS none, 2.5 AS x"
        rows = list(csv.reader(io.StringIO(self.query(sql).stdout)))
        self.assertEqual(rows, [["text", "n", "none", "x"], ['a|b"<i>', "1", "", "2.5"]])
        self.assertEqual(json.loads(self.query(sql, "json").stdout),
                         [{"text": 'a|b"<i>', "n": 1, "none": None, "x": 2.5}])
        self.assertIn("a\\|b\"&lt;i>", self.query(sql, "md").stdout)
        self.assertIn("NULL", self.query(sql, "table").stdout)
        self.assertNotIn("\x1b", self.query("SELECT char(27) || '[31m' AS x", "table").stdout)

    def test_query_cannot_change_anything(self):
        for sql in ("DELETE FROM source", "ATTACH 'x.db' AS x", "PRAGMA journal_mode=WAL", "CREATE TABLE t(a)",
                    "SELECT 1; DROP TABLE source", "SELECT load_extension('x')", "VACUUM INTO 'x.db'", "nonsense", ""):
            with self.subTest(sql):
                self.query(sql, code=2)
        self.assertFalse(os.path.exists(self.path("x.db")))

    def test_a_database_cut_in_its_last_page_is_not_used(self):
        with open(self.path("out", "tfpm.db"), "rb") as f:
            whole = f.read()
        for lost in (1, 4096, 16384, len(whole) // 2):
            with self.subTest(lost):
                support.write_files(self.dir, {"cut.db": whole[:-lost]})
                for arguments in (("report", "cut.db"), ("diagnose", "cut.db"), ("query", "cut.db", "SELECT 1")):
                    self.run_tfpm(*arguments, code=2)

    def test_the_database_is_plain_sqlite(self):
        with sqlite3.connect(self.path("out", "tfpm.db")) as db:
            self.assertEqual(db.execute("PRAGMA application_id").fetchone()[0], 0x7466706D)
            self.assertEqual(db.execute("PRAGMA integrity_check").fetchone()[0], "ok")
            for view in ("timeline", "worker_summary", "finding_evidence", "step_matrix", "checkpoint_summary",
                         "gpu_timeline", "problem_summary"):
                db.execute(f"SELECT * FROM {view}").fetchall()

    def test_report_and_diagnose_repeat_what_analyze_said(self):
        shutil.rmtree(self.path("job"))
        for form, name in (("md", "report.md"), ("html", "report.html"), ("json", "findings.json")):
            with open(self.path("out", name), encoding="utf-8") as f:
                self.assertEqual(self.run_tfpm("report", "out", "--format", form).stdout, f.read())
        again = self.run_tfpm("diagnose", "out", "--json").stdout
        self.assertEqual(json.loads(again), self.findings)

    def test_diagnose_says_that_signatures_need_analyze(self):
        rule = self.run_tfpm("rules", "new", "my-step", "--from", "job/logs/worker-0.log:3").stdout
        support.write_files(self.path("mine"), {"my-step.json": rule})
        self.assertIn("my-step", self.run_tfpm("diagnose", "out", "--rules", "mine").stderr)

    def test_show(self):
        evidence = next(e for e in self.findings["evidence"] if e["line"] is not None)
        text = self.run_tfpm("show", "out", evidence["id"], "-C", "1").stdout
        self.assertIn(f"{evidence['source']}:{evidence['line']}", text)
        self.assertIn(f"> {evidence['line']:>2} | ", text)
        # Lines far from every event come from the bundle, as long as it is there.
        self.assertIn("step 1 loss", self.run_tfpm("show", "out", "logs/worker-0.log:2", "-C", "0").stdout)
        self.run_tfpm("show", "out", "F1")
        for bad in ("E999", "F999", "x", "logs/worker-0.log:0", "no.log:1"):
            self.run_tfpm("show", "out", bad, code=2)
        os.rename(self.path("job"), self.path("moved"))
        self.run_tfpm("show", "out", evidence["id"])

    def test_show_masks_secrets(self):
        self.bundle("secret", {"logs/worker-0.log": "export HF_TOKEN=hf_aaaaBBBBccccDDDDeeee\nstep 1 loss 0.5\n"})
        self.analyze("secret", output="secret-out")
        text = self.run_tfpm("show", "secret-out", "logs/worker-0.log:1").stdout
        self.assertIn("HF_TOKEN=***", text)
        raw = self.run_tfpm("show", "secret-out", "logs/worker-0.log:1", "--raw").stdout
        self.assertIn("HF_TOKEN=hf_aaaaBBBBccccDDDDeeee", raw)

    def test_timeline(self):
        text = self.run_tfpm("timeline", "out", "--worker", "worker-0", "--step", "2..3").stdout
        self.assertIn("step 2", text)
        self.assertIn("step 3", text)
        self.assertNotIn("step 4", text)
        self.assertNotIn("worker-1.log", text)
        self.assertRegex(text, r"# clock of worker-0.*: (aligned to|coarsely aligned)")
        self.assertIn("worker-0", self.run_tfpm("timeline", "out", "--worker", "nobody", code=2).stderr)
        for bad in ("x", "1..y", "1...2", "3..2"):
            self.run_tfpm("timeline", "out", "--step", bad, code=2)

    def test_a_query_without_end_stops_with_its_reader(self):
        read_end, write_end = os.pipe()
        os.close(read_end)
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
        for form in ("csv", "table"):
            self.run_tfpm("query", "out", endless, "--format", form, stdout=write_end)
        os.close(write_end)

    def test_diagnose_says_who_is_in_the_way(self):
        with sqlite3.connect(self.path("out", "tfpm.db"), isolation_level=None) as db:
            db.execute("BEGIN IMMEDIATE")
            refused = self.run_tfpm("diagnose", "out", code=2).stderr
            db.execute("ROLLBACK")
        self.assertIn("another program works on the database", refused)
        self.assertIn("tfpm analyze", self.run_tfpm("diagnose", "nowhere", code=2).stderr)

    def test_names_of_a_bundle_do_not_drive_the_terminal(self):
        manifest = {"tasks": [{"task": "\x1b[31mworker-1", "paths": ["logs/worker-1.log"]}]}
        self.bundle("named", {"bundle.json": json.dumps(manifest)})
        self.analyze("named", output="named.out")
        for command in (["timeline", "named.out"], ["show", "named.out", "F1"], ["report", "named.out", "--format", "text"]):
            self.assertNotIn("\x1b", self.run_tfpm(*command).stdout)
        self.assertNotIn("\x1b", self.run_tfpm("timeline", "named.out", "--worker", "x", code=2).stderr)
        support.write_files(self.path("named"), {"bundle.json": json.dumps({"tasks": [], "\x1b[31m": 1})})
        self.assertNotIn("\x1b", self.run_tfpm("analyze", "named", "-o", "no", code=2).stderr)

    def test_timeline_filters(self):
        def rows(*filters):
            return json.loads(self.run_tfpm("timeline", "out", "--format", "json", *filters).stdout)
        self.assertEqual({r["kind"] for r in rows("--kind", "marker", "--kind", "exit")}, {"marker", "exit"})
        self.assertEqual({r["worker"] for r in rows("--worker", "worker-0", "--worker", "worker-1", "--kind", "marker")},
                         {"worker-0", "worker-1"})
        self.assertTrue(all("keyerror" in r["text"].lower() for r in rows("--match", "keyERROR")))
        self.assertEqual(len(rows("--limit", "3")), 3)
        self.assertEqual(rows("--generation", "7"), [])
        self.assertNotIn("info", {r["severity"] for r in rows("--severity", "warning")})
        self.run_tfpm("timeline", "out", "--severity", "loud", code=2)
        self.assertIn("--limit: -1 is negative\n", self.run_tfpm("timeline", "out", "--limit", "-1", code=2).stderr)

    def test_timeline_tells_what_is_concurrent(self):
        rows = json.loads(self.run_tfpm("timeline", "out", "--format", "json").stdout)
        markers = [r for r in rows if r["kind"] == "marker" and r["step_lo"] == 3]
        self.assertEqual([r["concurrent"] for r in markers], [1, 1])
        origin = next(i for i, r in enumerate(rows) if "KeyError" in r["text"])
        victim = next(i for i, r in enumerate(rows) if "Socket closed" in r["text"])
        self.assertLess(origin, victim)
        self.assertEqual(rows[origin]["concurrent"], 0)

    def test_what_is_no_database(self):
        support.write_files(self.dir, {"x.db": "not a database, but longer than a header of one" * 50})
        for command in (["report", "x.db"], ["query", "x.db", "SELECT 1"], ["show", "x.db", "E1"],
                        ["timeline", "nowhere"], ["diagnose", "x.db"], ["diagnose", "nowhere"], ["report", "job"]):
            with self.subTest(command):
                self.run_tfpm(*command, code=2)


class CommandLine(support.Case):
    def test_help_and_version(self):
        text = self.run_tfpm("--help").stdout
        for command in ("analyze", "report", "diagnose", "timeline", "query", "show", "diff", "export", "verify-checkpoint", "rules", "schema"):
            self.assertIn(command, text)
            self.assertIn("Usage", self.run_tfpm(command, "--help").stdout)
        for later in ("merge", "ingest", "redact", "collect"):
            self.assertNotIn(f"  {later} ", text)
        self.assertRegex(self.run_tfpm("--version").stdout, r"^\d+\.\d+\.\d+\n$")

    def test_wrong_usage(self):
        for arguments in ([], ["nonsense"], ["analyze"], ["analyze", "--nonsense", "x"], ["--threads", "0", "schema"],
                          ["query", "x"], ["--color", "blue", "schema"]):
            with self.subTest(arguments):
                self.assertIn("help:", self.run_tfpm(*arguments, code=2).stderr)

    def test_an_unknown_command_of_a_group_is_named(self):
        self.assertIn("no such command: frob", self.run_tfpm("rules", "frob", code=2).stderr)

    def test_texts_name_only_commands_that_exist(self):
        listed = re.findall(r"^  ([a-z-]+) ", self.run_tfpm("--help").stdout, re.M)
        self.assertIn("analyze", listed)
        paths = glob.glob(os.path.join(SOURCE, "*.md"))
        for folder in ("docs", "rules", "parsers", "src", "schema"):
            paths += glob.glob(os.path.join(SOURCE, folder, "**", "*.*"), recursive=True)
        for path in filter(os.path.isfile, paths):
            with open(path, encoding="utf-8", errors="replace") as f:
                for command in re.findall(r"`tfpm ([a-z-]+)", f.read()):
                    self.assertIn(command, listed, path)

    def test_a_closed_pipe_is_no_error(self):
        read_end, write_end = os.pipe()
        os.close(read_end)
        self.run_tfpm("schema", stdout=write_end)
        os.close(write_end)

    def test_a_full_device_is_an_error(self):
        with open("/dev/full", "w") as full:
            self.assertIn("stdout", self.run_tfpm("schema", stdout=full, code=2).stderr)

    def test_schema_makes_a_database(self):
        with sqlite3.connect(":memory:") as db:
            db.executescript(self.run_tfpm("schema").stdout)
            db.execute("SELECT * FROM timeline").fetchall()

    def colored(self, *arguments, env=None):
        """Whether stdout on a terminal has colour."""
        master, slave = pty.openpty()
        self.run_tfpm(*arguments, stdout=slave, env={"NO_COLOR": "", **(env or {})})
        os.close(slave)
        text = b""
        while True:
            try:
                part = os.read(master, 65536)
            except OSError:
                break
            if not part:
                break
            text += part
        os.close(master)
        return b"\x1b[" in text

    def test_color(self):
        self.bundle()
        self.analyze("job")
        report = ("report", "out", "--format", "text")
        self.assertTrue(self.colored(*report))
        self.assertFalse(self.colored(*report, env={"NO_COLOR": "1"}))
        self.assertFalse(self.colored("--color", "never", *report))
        self.assertIn("\x1b[", self.run_tfpm(*report, "--color", "always").stdout)


if __name__ == "__main__":
    support.main()
