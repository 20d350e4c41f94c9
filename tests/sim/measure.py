"""The figures of the report: proportions with Wilson's interval, and how one verdict compares with its truth."""

import math
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
from judge import listed, step_fits  # noqa: E402


def wilson(good, total, z=1.96):
    """The 95 % interval of a proportion."""
    if not total:
        return 0.0, 1.0
    p, n = good / total, total
    middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return max(0.0, (middle - half) / (1 + z * z / n)), min(1.0, (middle + half) / (1 + z * z / n))


def accepted(truth, removed):
    """Classes that are right with `removed` kinds of sources gone."""
    out = list(listed(truth["class"]))
    for kind in removed:
        out += truth["needs"].get(kind, [])
    return out


def identifiable(truth, removed):
    return truth["identifiable"] and not any(kind in truth["needs"] for kind in removed) and not ("task-log" in removed and truth["log_counts"])


def right_workers(found, truth):
    if "workers_any" in truth:
        return sorted(found) in [sorted(w) for w in truth["workers_any"]]
    return "workers" not in truth or sorted(found) == sorted(truth["workers"])


def chain_grounded(findings, truth):
    """Every node of the true chain is there with its task, and cites a line that the generator tagged for it."""
    lines = {e["id"]: (e["source"], e["line"]) for e in findings["evidence"]}
    for node in truth["chain"]:
        def cites(item):
            return any(lines.get(e, (None, None))[0] == path and lines[e][1] is not None and first <= lines[e][1] <= last
                       for e in item["evidence"] for path, first, last in node["lines"])
        items = [i for i in findings["chain"] if node["worker"] is None or i["worker"] == node["worker"]]
        if not any(cites(i) for i in items):
            return False
    return True


def compare(findings, truth, removed=()):
    """One run as a row of booleans; None: does not apply."""
    verdict = findings["verdict"]
    cls, sure = verdict["class"], verdict["confidence"] == "established"
    ranked = [cls] + [f["class"] for f in findings["findings"] if f["role"] in ("root", "independent", "contributing")]
    right = cls in accepted(truth, removed)
    healthy = "none" in listed(truth["class"])
    worker = right_workers(verdict["workers"], truth)
    can_tell = identifiable(truth, removed)
    named_wrong = bool(verdict["workers"]) and not worker
    abstains = verdict["status"] == "undetermined"
    loud = [f for f in findings["findings"] if f["role"] == "root" and f["severity"] in ("critical", "error", "warning")]
    return {"class": right, "top3": right or any(c in accepted(truth, removed) for c in ranked[:3]),
            "cause": verdict["cause"] in listed(truth["cause"]) if "cause" in truth and not removed else None,
            "origin": worker if can_tell and not healthy and ("workers" in truth or "workers_any" in truth) else None,
            "step": step_fits(verdict["step"], truth["step"], truth.get("step_tol", 1)) if truth.get("step") is not None and can_tell else None,
            "wrong_confident": sure and (not right or named_wrong) and not (healthy and right),
            "false_alarm": bool(loud) if healthy else None,
            "abstained": abstains if can_tell and not healthy else None,
            "chain": chain_grounded(findings, truth) if truth["chain"] and not removed else None}
