"""Runs the program on a bundle."""

import json
import os
import subprocess


def analyze(tfpm, path, out):
    run = subprocess.run([tfpm, "analyze", path, "-o", out, "--force", "-q", "--threads", "1"], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 3):
        raise RuntimeError(f"{path}: exit {run.returncode}: {run.stderr.strip()[-300:]}")
    with open(os.path.join(out, "findings.json"), encoding="utf-8") as file:
        return json.load(file)
