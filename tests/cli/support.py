"""Runs the program under test and makes small bundles for it."""

import json
import os
import shutil
import subprocess
import tarfile
import tempfile
import unittest
import zipfile

TFPM = os.environ.get("TFPM", "build/release/tfpm")
# Sanitizers the program was built with, as -fsanitize= takes them; empty = none.
SANITIZE = os.environ.get("TFPM_SANITIZE", "")
# Seconds after which a run counts as hung; sanitizers and a busy machine slow everything down.
TIMEOUT = 600
# What sanitizers print; a test that expects failure must not take them for it.
CRASH_WORDS = ("Sanitizer", "runtime error:", "internal error")

STEPS = 12
CRASH_STEP = 9


def step_line(task, step):
    return f"2026-03-05 14:05:{20 + step:02d},{100 + task:03d} INFO train: step {step} loss {9 / step:.4f}\n"


def worker_log(task, crash=False):
    """A training log; `crash` ends it with a KeyError, else the peer's death ends it."""
    text = (f"2026-03-05 14:05:10,0{task}0 INFO tensorflow: MultiWorkerMirroredStrategy with cluster_spec = "
            f"{{'worker': ['worker-0:2222', 'worker-1:2222']}}, task_type = 'worker', task_id = {task}, "
            "num_workers = 2, local_devices = ('/job:worker/task:0/device:CPU:0',), communication = "
            "CommunicationImplementation.RING\n")
    for step in range(1, CRASH_STEP):
        text += step_line(task, step)
    if crash:
        text += ('Traceback (most recent call last):\n  File "/srv/train.py", line 40, in <module>\n    main()\n'
                 '  File "/srv/train.py", line 31, in main\n    label = table[key]\n'
                 "            ~~~~~^^^^^\nKeyError: 'cat'\n")
    else:
        text += ("W0000 00:00:1772719530.472828    6567 local_rendezvous.cc:412] Local rendezvous is aborting with "
                 "status: UNAVAILABLE: Collective ops is aborted by: Socket closed\nAdditional GRPC error information "
                 "from remote target /job:worker/replica:0/task:1 while calling "
                 "/tensorflow.WorkerService/RecvBuf:\n")
    return text


def bundle_files():
    launcher = "".join(f"2026-03-05T14:05:0{i}Z started worker-{i} attempt 0 on worker-{i} pid 617{i}\n" for i in (0, 1))
    launcher += ("2026-03-05T14:05:31Z worker-1 attempt 0 exited with code 1\n"
                 "2026-03-05T14:05:33Z worker-0 attempt 0 exited with code 1\n")
    cluster = {"worker": ["worker-0:2222", "worker-1:2222"]}
    files = {"logs/launcher.log": launcher}
    for task in (0, 1):
        files[f"logs/worker-{task}.log"] = worker_log(task, crash=task == 1)
        files[f"tf_config/worker-{task}.json"] = json.dumps(
            {"cluster": cluster, "task": {"type": "worker", "index": task}})
    return files


def write_files(folder, files):
    for path, text in files.items():
        full = os.path.join(folder, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "wb") as out:
            out.write(text if isinstance(text, bytes) else text.encode())
    return folder


class Case(unittest.TestCase):
    """A temporary folder, in which the program runs, and checks that every run must pass."""

    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="tfpm-cli-")
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)

    def path(self, *parts):
        return os.path.join(self.dir, *parts)

    def bundle(self, name="job", extra=None):
        return write_files(self.path(name), {**bundle_files(), **(extra or {})})

    def run_tfpm(self, *arguments, code=0, env=None, **options):
        """Runs to the end; the exit code must be `code` (an int or several)."""
        options.setdefault("stdout", subprocess.PIPE)
        result = subprocess.run([os.path.abspath(TFPM), *arguments], cwd=self.dir, stderr=subprocess.PIPE, text=True,
                                env={**os.environ, **(env or {})}, timeout=TIMEOUT, errors="replace", **options)
        allowed = code if isinstance(code, tuple) else (code,)
        text = f"{arguments}: exit {result.returncode}\n{result.stderr[-2000:]}"
        self.assertIn(result.returncode, allowed, text)
        for word in CRASH_WORDS:
            self.assertNotIn(word, result.stderr, text)
        if result.returncode == 2:
            self.assertTrue(result.stderr.startswith("error: "), text)
        return result

    def analyze(self, *arguments, output="out", code=0):
        """Analyses into `output` and gives the parsed findings.json."""
        self.run_tfpm("analyze", *arguments, "-o", output, code=code)
        with open(self.path(output, "findings.json"), encoding="utf-8") as f:
            return json.load(f)

    def assert_nothing_left(self, *expected):
        self.assertEqual(sorted(os.listdir(self.dir)), sorted(expected))


def make_tar(path, folder, root="", mode="w"):
    """Packs a folder's content below `root`."""
    with tarfile.open(path, mode) as tar:
        tar.add(folder, arcname=root or ".")
    return path


def make_zip(path, folder, root=""):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for base, _, names in os.walk(folder):
            for name in sorted(names):
                full = os.path.join(base, name)
                out.write(full, os.path.join(root, os.path.relpath(full, folder)))
    return path


def main():
    unittest.main(verbosity=1)
