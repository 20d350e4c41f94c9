#!/usr/bin/env python3
"""One run re-printed in the words of many training loops must give the same steps, losses and verdict.

  dialects_test.py [-k TEXT] [-r RUN] [-v]

Runs: a crash, a hang, a NaN and a healthy run, made of bundles in fixtures/. The normal suite prints each dialect in one of
them, by turns; TFPM_ALL=1 (scripts/test --all), -k and -r take all. TFPM names the program.
"""
import datetime
import json
import math
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from dialect import Facts
from loop_dialects import DIALECTS as COMMON
from rare_dialects import RARE

TFPM = os.environ.get("TFPM", "tfpm")
SOURCE = os.environ.get("TFPM_SOURCE", os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
STEP = re.compile(r"(?m)^(?:(?P<lead>20\d\d-\d\d-\d\d \d\d:\d\d:\d\d,\d+) INFO train: step |\[(?P<clock>\d\d:\d\d:\d\d)\] global_step=)"
                  r"(?P<step>\d+) loss[ =](?P<loss>\S+)[^\n]*\n")
DAY = re.compile(r"(?m)^(20\d\d-\d\d-\d\d) ")
TOTAL, PER_EPOCH = 40, 10
DIALECTS = {**COMMON, **RARE}

# name -> (bundle in fixtures/bundles, first step whose loss is not a number, by task)
RUNS = {
    "crash": ("exception-one-worker", {}),
    "hang": ("hang-sigstop", {}),
    "healthy": ("healthy-skewed-clocks", {}),
    "nan": ("healthy-skewed-clocks", {0: 18, 1: 17, 2: 18}),
}


def task_logs(root):
    for n in sorted(os.listdir(os.path.join(root, "logs"))):
        m = re.fullmatch(r"worker-(\d+)\.log", n)
        if m:
            yield int(m.group(1)), os.path.join(root, "logs", n)


def reprint(root, nan_from, dialect):
    """Rewrites the logs; returns {worker: [(step, loss)]} as printed."""
    truth = {}
    for task, path in task_logs(root):
        rows = truth.setdefault(f"worker-{task}", [])

        def render(m):
            step = int(m.group("step"))
            loss = float(m.group("loss"))
            if nan_from:
                loss += 0.01 * task  # every task prints its own
            if step >= nan_from.get(task, 1 << 30):
                loss = math.nan
            lead = m.group("lead") or f"{day} {m.group('clock')},{step * 25 % 1000:03}"
            when = datetime.datetime.strptime(lead + "000", "%Y-%m-%d %H:%M:%S,%f")
            rows.append((step, loss))
            if dialect is None:
                return f"{lead} INFO train: step {step} loss {loss:.6f} lr 0.01 examples/sec 160.0\n"
            return dialect.text(Facts(task, step, TOTAL, PER_EPOCH, loss, when))

        text = open(path, encoding="utf-8", newline="").read()
        day = DAY.search(text).group(1)
        with open(path, "w", encoding="utf-8", newline="") as out:
            out.write(STEP.sub(render, text))
    return truth


def analyse(root, out):
    run = subprocess.run([TFPM, "analyze", root, "-o", out, "--force", "-q", "--threads", "1"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if run.returncode not in (0, 3):
        raise RuntimeError(run.stderr.decode(errors="replace"))
    verdict = json.load(open(os.path.join(out, "findings.json")))["verdict"]
    db = sqlite3.connect(os.path.join(out, "tfpm.db"))
    rows = db.execute("SELECT w.name, k.step, k.loss, k.loss_state FROM step_marker k JOIN stream t ON t.id = k.stream"
                      " JOIN worker w ON w.id = t.worker_id ORDER BY w.name, k.seq").fetchall()
    db.close()
    steps = {}
    for name, step, loss, state in rows:
        steps.setdefault(name, []).append((step, math.nan if state == "nan" else loss))
    return verdict, steps


def same_loss(a, b):
    if b is None:
        return False
    return math.isnan(a) and math.isnan(b) or abs(a - b) <= 2e-6 * max(1.0, abs(a))


def compare(truth, steps, dialect):
    """What is wrong with the steps read, in a few words; "" when nothing is."""
    for worker, want in truth.items():
        got = steps.get(worker, [])
        if dialect.steps and [s for s, _ in want] != [s - dialect.base for s, _ in got]:
            return f"{worker}: steps {[s for s, _ in got][:12]}..{len(got)} want {len(want)}"
        if len(want) != len(got):
            return f"{worker}: {len(got)} markers, want {len(want)}"
        wrong = [(s, a, b) for (s, a), (_, b) in zip(want, got) if not same_loss(a, b)]
        if wrong:
            return f"{worker}: {len(wrong)} losses, first {wrong[0]}"
    return ""


def key(verdict, dialect):
    step = verdict["step"]
    if step and dialect is not None:
        step = {k: v - dialect.base if v is not None else None for k, v in step.items()}
    return verdict["status"], verdict["class"], sorted(verdict["workers"]), step


def copy_bundle(name, to):
    shutil.copytree(os.path.join(SOURCE, "fixtures", "bundles", name, "bundle"), to)
    subprocess.run(["chmod", "-R", "u+w", to], check=True)


def one(run, dialect_name):
    bundle, nan_from = RUNS[run]
    dialect = DIALECTS[dialect_name] if dialect_name else None
    with tempfile.TemporaryDirectory() as work:
        root = os.path.join(work, bundle)
        copy_bundle(bundle, root)
        truth = reprint(root, nan_from, dialect)
        verdict, steps = analyse(root, os.path.join(work, "out"))
    return truth, verdict, steps


def main(argv):
    text = argv[argv.index("-k") + 1] if "-k" in argv else ""
    runs = [argv[argv.index("-r") + 1]] if "-r" in argv else list(RUNS)
    names = [n for n in DIALECTS if text in n]
    everything = os.environ.get("TFPM_ALL") == "1" or text != "" or "-r" in argv
    bad = 0
    with ThreadPoolExecutor(2) as pool:
        plain = {r: key(one(r, "")[1], None) for r in runs}
        jobs = {(n, r): pool.submit(one, r, n) for i, n in enumerate(names) for j, r in enumerate(runs)
                if everything or (i + j) % len(runs) == 0}
        for (name, run), job in jobs.items():
            truth, verdict, steps = job.result()
            dialect = DIALECTS[name]
            wrong = compare(truth, steps, dialect)
            want, got = plain[run], key(verdict, dialect)
            if not dialect.steps:
                want, got = want[:3], got[:3]
            if want != got:
                wrong += f" verdict {got} want {want}"
            if wrong:
                bad += 1
                print(f"{name} / {run}: {wrong.strip()}")
            elif "-v" in argv:
                print(f"{name} / {run}: ok {got}")
    print(f"{len(jobs) - bad} of {len(jobs)} runs in {len(names)} dialects are read alike")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
