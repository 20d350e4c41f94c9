"""Every class of failure and every cause has a bundle in fixtures/bundles whose verdict it is; docs/coverage.md is the table of them.

  coverage_test.py [--update]     --update rewrites docs/coverage.md from the goldens
"""

import json
import os
import sys

import support
from cases import bundle_cases, read

DOCS = os.path.join(os.path.abspath(os.environ.get("TFPM_SOURCE", ".")), "docs", "coverage.md")
UPDATE = "--update" in sys.argv

# Causes by class; a class without causes has None.
CAUSES = {
    "user-exception": ["assertion", "shape-mismatch", "key-error"], "native-crash": ["segfault", "abort", "check-failed"], "silent-death": [None],
    "node-lost": ["link-down", "node-down"], "oom-host": ["cgroup", "kernel", "process"],
    "oom-gpu": ["capacity", "leak", "fragmentation", "foreign-process", "smaller-gpu", "pinned"],
    "hang-input": [None], "hang-checkpoint": [None], "hang-frozen": [None], "hang-user-code": [None],
    "diverged-control-flow": ["chief-only-op", "early-exit", "order-mismatch", "graph-mismatch", "group-mismatch"],
    "uneven-data": ["exhausted", "empty-shard", "short-batch"], "collective-fabric": ["nccl", "link", "iommu", "version"], "worker-missing": [None],
    "tf-config-invalid": ["json", "missing-key", "index-range", "task-type", "address", "loopback"], "tf-config-mismatch": ["cluster", "order", "port"],
    "tf-config-duplicate-task": [None], "tf-config-missing": [None], "port-in-use": [None], "network-unreachable": ["firewall", "dns", "route"],
    "device-mismatch": [None],
    "nan": ["exploding", "bad-data", "fp16-overflow", "learning-rate", "op-domain", "corrupt-restore", "hardware", "metric-only", "unknown"],
    "checkpoint-corrupt": [None], "checkpoint-incomplete": [None], "replica-divergence": ["graph", "restore", "nondeterminism", "hardware", "unknown"],
    "checkpoint-two-writers": [None], "checkpoint-mismatch": [None],
    "checkpoint-write-failed": ["disk-full", "permission", "quota", "stale-handle", "not-shared"], "input-data-corrupt": [None],
    "sharding": ["overlap", "missing", "imbalance", "files-fewer-than-workers"],
    "straggler": ["thermal", "power", "input", "cpu", "network", "data", "hardware", "unknown"],
    "input-bound": [None], "network-bound": [None], "host-bound": [None],
    "version-mismatch": ["tensorflow", "cuda", "cudnn", "nccl", "driver", "python", "keras"], "environment": [None],
    "hardware-gpu": ["ecc", "nvlink", "off-bus"], "preempted": [None], "evicted": [None], "time-limit": [None], "cancelled": [None], "ps-lost": [None],
    "ps-overloaded": [None], "stale-gradients": [None], "disk-full": [None], "checkpoint-not-found": ["path", "empty", "deleted"],
    "input-unreadable": ["missing", "permission"], "tpu": [None],
}

# No fixture yet, and why; an entry that has become untrue fails, too.
BUSY = "needs the busy time of each task beside this cause's own samples"
MISSING = {
    ("collective-fabric", "version"): "said as `version-mismatch`/`nccl`, or `environment` when all tasks have it",
    ("nan", "hardware"): "never more than a hypothesis without a replay on another host",
    ("replica-divergence", "nondeterminism"): "no evidence in a bundle tells it from `unknown`",
    ("straggler", "cpu"): BUSY, ("straggler", "hardware"): BUSY, ("straggler", "network"): BUSY, ("straggler", "power"): BUSY,
    ("version-mismatch", "python"): "compared and reported; no recorded failure fits",
}


def goldens():
    for case in bundle_cases():
        path = os.path.join(case.folder, "findings.json")
        if os.path.exists(path):
            yield case.name, json.loads(read(path))


def place(verdict):
    causes = CAUSES.get(verdict["class"])
    if causes is None:
        return None
    return (verdict["class"], verdict["cause"] if causes != [None] else None)


def root_rule(findings):
    return next((f["rule"] for f in findings["findings"] if f["role"] == "root"), None)


def table(found, all_goldens):
    rows = ["# What can be the verdict, and the bundle that shows it", "",
            "Written by `tests/golden/coverage_test.py --update`. *Rule* is the one whose evidence weighs most; *fires* a bundle of `fixtures/bundles` with",
            "that verdict; *stays clear* one where the rule had what it needs and the class is not found.", "", "| class | cause | rule | fires | stays clear |", "|---|---|---|---|---|"]
    for name, causes in CAUSES.items():
        for cause in causes:
            case, findings = found.get((name, cause), (None, None))
            rule = root_rule(findings) if findings else None
            clear = next((n for n, g in all_goldens if rule and all(r["rule"] != rule for r in g["not_evaluated"]) and all(f["class"] != name for f in g["findings"])), None)
            cells = [f"`{name}`", f"`{cause}`" if cause else "", f"`{rule}`" if rule else "", f"`{case}`" if case else MISSING.get((name, cause), "no bundle"), f"`{clear}`" if clear else ""]
            rows.append("| " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"


class Coverage(support.Case):
    def test_each_class_and_cause_is_the_verdict_of_a_bundle(self):
        all_goldens = list(goldens())
        found = {}
        for name, findings in all_goldens:
            if findings["verdict"]["status"] == "explained":
                found.setdefault(place(findings["verdict"]), (name, findings))
        without = {(name, cause) for name, causes in CAUSES.items() for cause in causes} - set(found)
        if UPDATE:
            with open(DOCS, "w", encoding="utf-8") as f:
                f.write(table(found, all_goldens))
            print("\n".join(f"    ({name!r}, {cause!r})," for name, cause in sorted(without, key=str)))
        self.assertEqual(sorted(without - set(MISSING), key=str), [], "no bundle has this verdict")
        self.assertEqual(sorted(set(MISSING) - without, key=str), [], "listed as missing, and is there")


if __name__ == "__main__":
    sys.argv[1:] = []
    support.main()
