#!/usr/bin/env python3
"""A clock that stands wrong moves nothing: every stamp of one worker's log is shifted, and verdict, findings and order must stay.

  clock_shift_test.py [-k TEXT] [-b BUNDLES_DIR]

For every bundle, every worker's log and every shift in SHIFTS. Only what speaks of times themselves may differ: quoted text,
times, and notes about clocks. The normal suite takes every EACH-th bundle, and of each one log and one shift, by turns;
TFPM_ALL=1 (scripts/test --all), -k and -b take all. TFPM names the program; BUNDLES_DIR holds <id>/ or <id>.tar.zst beside
<id>.truth.json, default are the bundles in fixtures/.
"""
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from variants import edit, logs, shift_stamps, unpack

TFPM = os.environ.get("TFPM", "tfpm")
SOURCE = os.environ.get("TFPM_SOURCE", os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
SHIFTS = (3723, -25200)
EACH = 4


def bundles(folder):
    if folder:
        ids = sorted(n[: -len(".truth.json")] for n in os.listdir(folder) if n.endswith(".truth.json"))
        return [(i, next(p for p in (os.path.join(folder, i + e) for e in ("", ".tar.zst")) if os.path.exists(p))) for i in ids]
    root = os.path.join(SOURCE, "fixtures", "bundles")
    return [(i, next(p for p in (os.path.join(root, i, "bundle" + e) for e in ("", ".tar.zst")) if os.path.exists(p)))
            for i in sorted(os.listdir(root)) if os.path.exists(os.path.join(root, i, "truth.json"))]


def facts(path, work):
    """What must not move: the verdict, the findings in their order, the linearisation."""
    out = os.path.join(work, "out")
    run = subprocess.run([TFPM, "analyze", path, "-o", out, "--force", "-q", "--threads", "1"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if run.returncode not in (0, 3):
        raise RuntimeError(run.stderr.decode(errors="replace"))
    found = json.load(open(os.path.join(out, "findings.json")))
    v = found["verdict"]
    verdict = [v[k] for k in ("status", "class", "cause", "workers", "step", "generation", "confidence", "score_db", "margin_db")]
    findings = [[f[k] for k in ("rule", "class", "cause", "severity", "role", "workers", "step", "generation", "confidence")]
                for f in found["findings"] if f["class"] != "data-quality"]
    db = sqlite3.connect(os.path.join(out, "tfpm.db"))
    order = db.execute("SELECT o.rank, s.path, e.line FROM logical_order o JOIN event e ON e.id = o.id JOIN source s ON s.id = e.source_id"
                       " WHERE o.kind = 'event' ORDER BY o.rank, e.id").fetchall()
    steps = db.execute("SELECT w.name, a.n, a.generation, a.last_step, a.ending FROM attempt a JOIN worker w ON w.id = a.worker_id ORDER BY 1, 2").fetchall()
    db.close()
    return {"verdict": verdict, "findings": findings, "steps": steps, "order": order}


def difference(want, got):
    for key in want:
        if want[key] == got[key]:
            continue
        if key in ("verdict", "steps"):
            return f"{key} {got[key]} want {want[key]}"
        at = next((i for i, (a, b) in enumerate(zip(want[key], got[key])) if a != b), min(len(want[key]), len(got[key])))
        return f"{key} [{at}] {got[key][at:at + 1]} want {want[key][at:at + 1]}"
    return ""


def check(bundle, path, turn=None):
    """[(log, shift, what moved)] of one bundle, and how many shifts were tried; with a turn, only that one of them."""
    moved, tried = [], 0
    with tempfile.TemporaryDirectory() as work:
        root = os.path.join(work, bundle)
        unpack(path, root)
        want = facts(root, work)
        shifts = [(log, seconds) for log in logs(root) for seconds in SHIFTS]
        if turn is not None and shifts:
            shifts = [shifts[turn % len(shifts)]]
        for log, seconds in shifts:
            shutil.copy(log, os.path.join(work, "keep"))
            edit(log, lambda d: shift_stamps(d, seconds))
            tried += 1
            what = difference(want, facts(root, work))
            if what:
                moved.append((os.path.basename(log), seconds, what))
            shutil.copy(os.path.join(work, "keep"), log)
    return moved, tried


def main(argv):
    text = argv[argv.index("-k") + 1] if "-k" in argv else ""
    folder = argv[argv.index("-b") + 1] if "-b" in argv else ""
    chosen = [(i, p, None) for i, p in bundles(folder) if text in i]
    if os.environ.get("TFPM_ALL") != "1" and not text and not folder:
        chosen = [(i, p, n) for n, (i, p, _) in enumerate(chosen[::EACH])]
    bad = total = 0
    with ThreadPoolExecutor(2) as pool:
        for (bundle, _, _), (moved, tried) in zip(chosen, pool.map(lambda c: check(*c), chosen)):
            total += tried
            bad += len(moved)
            for log, seconds, what in moved:
                print(f"{bundle}: {log} {seconds:+} s: {what}")
    print(f"{total - bad} of {total} shifted logs change nothing")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
