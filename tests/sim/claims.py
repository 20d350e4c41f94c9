"""Is what a rule claims of a bundle true, and what are so many true and false claims worth? A claim is (rule, class, weight, task)."""

import math

from measure import accepted

CAP_DB = 40


def origins(truth):
    if "workers_any" in truth:
        return {name for names in truth["workers_any"] for name in names}
    return set(truth.get("workers") or [])


def is_true(claim, truth):
    _, cls, _, task = claim
    if cls is None:
        return task in origins(truth)
    return cls in accepted(truth, ()) and (task is None or not origins(truth) or task in origins(truth))


def is_wrong(claim, truth):
    """A second fault that happened is no mistake."""
    _, cls, _, task = claim
    also = any(cls in (None, other["class"]) and (task is None or task in other.get("workers", [task])) for other in truth.get("also", []))
    return not also and not is_true(claim, truth)


def measured(hits, positives, misses, negatives):
    ratio = ((hits + 1) / (positives + 2)) / ((misses + 1) / (negatives + 2))
    return max(-CAP_DB, min(CAP_DB, 10 * math.log10(ratio)))
