"""tfpm analyze: outputs, options, exit codes (contract.md sections 1 and 2)."""

import json
import os
import shutil
import signal
import subprocess
import time

import support

SOURCE = os.environ.get("TFPM_SOURCE", ".")
OUTPUTS = ["findings.json", "report.html", "report.md", "tfpm.db"]


class Analyze(support.Case):
    def test_writes_all_outputs_and_names_the_culprit(self):
        self.bundle()
        result = self.run_tfpm("analyze", "job")
        self.assertEqual(sorted(os.listdir(self.path("job.tfpm"))), OUTPUTS)
        self.assertIn("worker-1", result.stdout)
        self.assertNotIn("\x1b", result.stdout)
        with open(self.path("job.tfpm", "findings.json"), encoding="utf-8") as f:
            verdict = json.load(f)["verdict"]
        self.assertEqual((verdict["class"], verdict["workers"]), ("user-exception", ["worker-1"]))

    def test_json_is_stdout_and_nothing_else(self):
        self.bundle()
        result = self.run_tfpm("analyze", "job", "-o", "out", "--json")
        with open(self.path("out", "findings.json"), encoding="utf-8") as f:
            self.assertEqual(result.stdout, f.read())
        self.assertEqual(self.run_tfpm("analyze", "job", "-o", "out2", "-q").stdout, "")

    def test_outputs_do_not_depend_on_threads(self):
        self.bundle()
        texts = set()
        for threads in ("1", "2", "7"):
            texts.add(self.run_tfpm("analyze", "job", "-o", "t" + threads, "--json", "--threads", threads).stdout)
        self.assertEqual(len(texts), 1)

    def test_refuses_to_overwrite_without_force(self):
        self.bundle()
        os.mkdir(self.path("out"))
        support.write_files(self.path("out"), {"notes.txt": "mine", "report.md": "old"})
        refused = self.run_tfpm("analyze", "job", "-o", "out", code=2)
        self.assertIn("--force", refused.stderr)
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["notes.txt", "report.md"])
        self.run_tfpm("analyze", "job", "-o", "out", "--force")
        self.assertEqual(sorted(os.listdir(self.path("out"))), sorted(OUTPUTS + ["notes.txt"]))
        support.write_files(self.dir, {"file": "x"})
        self.run_tfpm("analyze", "job", "-o", "file", "--force", code=2)

    def test_fail_on(self):
        self.bundle()
        self.run_tfpm("analyze", "job", "-o", "a", "--fail-on", "info", code=1)
        self.assertEqual(sorted(os.listdir(self.path("a"))), OUTPUTS)
        self.run_tfpm("analyze", "job", "-o", "b", "--fail-on", "nonsense", code=2)

    def test_damage_gives_three_and_complete_outputs(self):
        import gzip
        cut = gzip.compress(support.worker_log(0).encode() * 50)[:-40]
        self.bundle(extra={"logs/old.log.gz": cut})
        findings = self.analyze("job", code=3)
        self.assertEqual(sorted(os.listdir(self.path("out"))), OUTPUTS)
        self.assertIn("logs/old.log.gz", [p["source"] for p in findings["problems"]])

    def test_an_earlier_output_inside_the_bundle_is_no_evidence(self):
        self.bundle()
        first = self.analyze("job", output="a")
        self.run_tfpm("analyze", "job", "-o", "job/job.tfpm")
        second = self.analyze("job", output="b")
        self.assertEqual(first, second)

    def test_an_output_among_the_evidence_is_no_evidence_and_hides_none(self):
        self.bundle()
        first = self.analyze("job", output="a")
        for place in ("job", "job/logs"):
            with self.subTest(place):
                self.run_tfpm("analyze", "job", "-o", place, "--force")
                self.assertEqual(first, self.analyze("job", output=place.replace("/", "-") + "-again"))

    def test_an_output_that_cannot_be_put_in_place_is_refused_before_the_work(self):
        self.bundle()
        support.write_files(self.path("out"), {"report.md/x": "", "tfpm.db": "old"})
        self.assertIn("report.md", self.run_tfpm("analyze", "job", "-o", "out", "--force", code=2).stderr)
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["report.md", "tfpm.db"])
        self.assertIn("no name", self.run_tfpm("analyze", "job", "-o", "", code=2).stderr)
        self.assert_nothing_left("job", "out")

    def test_rules_of_the_user(self):
        self.bundle()
        rule = self.run_tfpm("rules", "new", "my-step", "--from", "job/logs/worker-0.log:3").stdout
        support.write_files(self.path("mine"), {"my-step.json": rule})
        self.run_tfpm("analyze", "job", "-o", "out", "--rules", "mine")
        hits = self.run_tfpm("query", "out", "SELECT sum(count) AS n FROM signature_count WHERE signature_id='my-step'",
                             "--format", "csv").stdout
        self.assertEqual(hits, f"n\n{2 * (support.CRASH_STEP - 1)}\n")
        support.write_files(self.path("mine"), {"bad.json": '{"id": "x",\n "titel": "?"}'})
        broken = self.run_tfpm("analyze", "job", "-o", "no", "--rules", "mine", code=2)
        self.assertIn("bad.json:2:2", broken.stderr)
        self.assertFalse(os.path.exists(self.path("no")))

    def test_manifest_states_versions(self):
        """Versions that only bundle.json tells are the job's, and make no difference between tasks."""
        self.bundle(extra={"bundle.json": json.dumps({"framework": {"tensorflow": "2.15.0", "horovod": "0.28.1"}})})
        self.analyze("job")
        rows = self.run_tfpm("query", "out", "--format", "csv",
                             "SELECT component, version, owner FROM environment e JOIN source s ON s.id = e.source_id"
                             " WHERE s.path = 'bundle.json' ORDER BY 1").stdout.split()
        self.assertEqual(rows[1:], ["horovod,0.28.1,", "tensorflow,2.15.0,"])

    def test_keras_steps_in_every_verbosity(self):
        """One run of five epochs of twelve batches, as Keras prints it: a line an epoch, or a bar whose first epoch has no end."""
        def summary(task):
            return "".join(f"Epoch {e}/5\n12/12 - {e}s - loss: {4 / e:.4f} - accuracy: 0.{e}1 - {e}s/epoch - {80 + task}ms/step\n" for e in range(1, 6))

        def bar(task):
            text = ""
            for e in range(1, 6):
                text += f"Epoch {e}/5\n"
                for b in range(1, 13):
                    target = "Unknown" if e == 1 else "12"
                    text += f"\r{b:>7}/{target} [======>.......] - ETA: 1s - loss: {9 / (12 * e + b):.4f}"
                text += f"\r12/12 [==============] - 1s 8{task}ms/step - loss: {9 / (12 * e + 12):.4f}\n"
            return text

        for name, print_run, steps in (("summary", summary, [12, 24, 36, 48, 60]), ("bar", bar, list(range(1, 61)))):
            with self.subTest(name):
                head = support.worker_log(0).split("\n", 1)[0] + "\n"
                files = {f"logs/worker-{t}.log": head.replace("task_id = 0", f"task_id = {t}") + print_run(t) for t in (0, 1)}
                support.write_files(self.path(name), files)
                self.run_tfpm("analyze", name, "-o", name + "-out")
                rows = self.run_tfpm("query", name + "-out", "--format", "csv",
                                     "SELECT w.name, group_concat(k.step, ' ') FROM step_marker k JOIN stream t ON t.id = k.stream"
                                     " JOIN worker w ON w.id = t.worker_id GROUP BY 1 ORDER BY 1").stdout.splitlines()
                want = " ".join(map(str, steps))
                self.assertEqual(rows[1:], [f"worker-{t},{want}" for t in (0, 1)])

    def test_a_failure_in_one_of_few_epochs_has_its_steps(self):
        """One line an epoch, and the second of three epochs fails: nothing repeats that could be learned."""
        for name, closing in (("tf-keras", "15/15 - 5s - loss: 12.1716 - 5s/epoch - 356ms/step"),
                              ("keras-3", "15/15 - 5s - 356ms/step - loss: 12.1716")):
            with self.subTest(name):
                logs = {}
                for task in (0, 1):
                    head, *rest = support.worker_log(task, crash=task == 1).split("\n")
                    end = [line for line in rest if " INFO train: step " not in line]
                    logs[f"logs/worker-{task}.log"] = "\n".join([head, "Epoch 1/3", closing, "Epoch 2/3", *end])
                self.bundle(name, logs)
                verdict = json.loads(self.run_tfpm("analyze", name, "-o", name + "-out", "--json").stdout)["verdict"]
                self.assertEqual((verdict["class"], verdict["workers"]), ("user-exception", ["worker-1"]))
                self.assertEqual(verdict["step"], {"lo": 16, "hi": 30})

    def test_manifest_names_tasks(self):
        manifest = {"job": "j", "tasks": [{"task": "worker-1", "paths": ["logs/strange.out"]}]}
        files = support.bundle_files()
        files["logs/strange.out"] = files.pop("logs/worker-1.log")
        support.write_files(self.path("job"), {**files, "bundle.json": json.dumps(manifest)})
        findings = self.analyze("job")
        sources = {w["name"]: w["sources"] for w in findings["workers"]}
        self.assertIn("logs/strange.out", sources["worker-1"])
        support.write_files(self.path("job"), {"bundle.json": '{"tasks": [\n  {"tusk": "worker-1"}]}'})
        broken = self.run_tfpm("analyze", "job", "-o", "no", code=2)
        self.assertIn("bundle.json:2:4", broken.stderr)
        self.assertIn("tusk", broken.stderr)

    def test_commands_of_the_advice_hold_the_file_unless_a_shell_would_run_it(self):
        plain = "/mnt/nfs/part-00017.tfrecord"
        for path, shown in ((plain, plain), ("/mnt/$(reboot)/part-00017.tfrecord", "FILE"), ("-part-0017", "FILE"),
                            ("/mnt/`reboot`/part-00017", "FILE"), ("gs://bucket/part-00017", "FILE")):
            with self.subTest(path):
                shutil.rmtree(self.path("job"), ignore_errors=True)
                shutil.copytree(os.path.join(SOURCE, "fixtures", "bundles", "hang-stuck-input", "bundle"), self.path("job"))
                log = self.path("job", "logs", "worker-2.log")
                with open(log, encoding="utf-8") as f:
                    text = f.read()
                self.assertIn(plain, text)
                with open(log, "w", encoding="utf-8") as f:
                    f.write(text.replace(plain, path))
                findings = json.loads(self.run_tfpm("analyze", "job", "-o", "out", "--force", "--json").stdout)
                self.assertEqual(findings["verdict"]["class"], "hang-input")
                self.assertIn(f"`timeout 30 head -c 1M {shown} | wc -c`", json.dumps(findings["findings"]))

    def test_interrupted_runs_leave_nothing(self):
        line = "2026-03-05 14:05:21,100 INFO train: step 1 loss 1.0 " + "x" * 900 + "\n"
        support.write_files(self.path("job"), {"w.log": line * 300_000})
        process = subprocess.Popen([os.path.abspath(support.TFPM), "analyze", "job"], cwd=self.dir,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while len(os.listdir(self.dir)) == 1 and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        # A machine may be fast enough to have finished.
        self.assertIn(process.wait(timeout=60), (128 + signal.SIGTERM, 0))
        if process.returncode != 0:
            self.assert_nothing_left("job")


class Failures(support.Case):
    def test_what_cannot_be_a_bundle(self):
        os.mkdir(self.path("empty"))
        support.write_files(self.dir, {"zero.log": "", "bad.zip": b"PK\x03\x04" + b"\0" * 20})
        os.mkfifo(self.path("pipe"))
        for name, words in (("missing", "No such file"), ("empty", "no files"), ("zero.log", "empty"),
                            ("bad.zip", "archive"), ("pipe", "regular file")):
            with self.subTest(name):
                self.assertIn(words, self.run_tfpm("analyze", name, code=2).stderr)
        self.assert_nothing_left("empty", "zero.log", "bad.zip", "pipe")

    def test_unwritable_output(self):
        self.bundle()
        self.assertIn("cannot create", self.run_tfpm("analyze", "job", "-o", "no/such/place", code=2).stderr)
        self.assertIn("cannot create", self.run_tfpm("analyze", "job", "-o", "/proc/out", code=2).stderr)


if __name__ == "__main__":
    support.main()
