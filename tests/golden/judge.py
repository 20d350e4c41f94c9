"""Compares the findings of a run with the known truth of its bundle.

truth.json; an absent key is not judged, a list of classes or causes means any of them:
  class, cause      of the verdict
  workers           the tasks of the verdict, exactly; [] = nobody may be named; workers_any: a list of such lists
  step              a step or {"lo", "hi"}: the verdict's interval must be closed, touch it within `step_tol` (default 1) steps and be no
                    wider than max(10, the truth's width + 2 step_tol); null = the verdict must have no step
  offsets           {task: seconds its clock is ahead}: differences between tasks right within a second
  checkpoint        ending of a prefix that must be listed with a problem
  last_good         ending of the prefix to resume from; lost_steps: the number of steps lost with it
  confidence_max    the strongest word allowed, where the bundle cannot tell more
  also              [{"class", "workers"}]: findings that must be there in any role
  never             classes that must not be a root or independent finding of severity warning or above
"""

WORDS = ("hypothesis", "supported", "established")
EDGES = ("program-order", "collective", "process", "checkpoint", "abort-text", "rpc", "coordinator", "time", "explains")
EMPTY_WORDS = ("(most recent call last):", "Graph execution error:")
LOUD = ("critical", "error", "warning")


def listed(value):
    return value if isinstance(value, list) else [value]


def interval(step):
    return step if isinstance(step, dict) else {"lo": step, "hi": step}


def step_fits(found, wanted, tolerance):
    if wanted is None:
        return found is None
    if found is None or found["lo"] is None or found["hi"] is None:
        return False
    wanted = interval(wanted)
    touches = found["lo"] <= wanted["hi"] + tolerance and found["hi"] >= wanted["lo"] - tolerance
    return touches and found["hi"] - found["lo"] <= max(10, wanted["hi"] - wanted["lo"] + 2 * tolerance)


def clocks_fit(workers, wanted):
    offsets = {w["name"]: (w["clock"] or {}).get("offset_s") for w in workers}
    if any(offsets.get(name) is None for name in wanted):
        return False
    base = min(wanted)
    return all(abs(offsets[name] - offsets[base] - (ahead - wanted[base])) <= 1.0 for name, ahead in wanted.items())


def is_grounded(findings):
    """A root finding cites a line or a byte of a source."""
    places = {e["id"] for e in findings["evidence"] if e["source"] and (e["line"] is not None or e["byte_offset"] is not None)}
    return any(places.intersection(f["evidence"]) for f in findings["findings"] if f["role"] == "root")


def judge_chain(findings):
    """Every link stands on a line, record or byte, and on one that says something."""
    evidence = {e["id"]: e for e in findings["evidence"]}
    if len(findings["chain"]) > 6:
        yield f"the chain has {len(findings['chain'])} links"
    for link in findings["chain"]:
        cited = [evidence[e] for e in link["evidence"]]
        if link["edge"] not in EDGES:
            yield f"no such edge: {link['edge']}"
        if not any(e["source"] for e in cited):
            yield f"nothing is cited for: {link['what']}"
        if cited and all(e["text"].endswith(EMPTY_WORDS) for e in cited):
            yield f"what is cited says nothing: {[e['text'] for e in cited]}"


def judge_verdict(verdict, truth):
    for key in ("class", "cause"):
        if key in truth and verdict[key] not in listed(truth[key]):
            yield f"{key} is {verdict[key]}, not {truth[key]}"
    if "workers" in truth and sorted(verdict["workers"]) != sorted(truth["workers"]):
        yield f"workers are {verdict['workers']}, not {truth['workers']}"
    if "workers_any" in truth and sorted(verdict["workers"]) not in [sorted(w) for w in truth["workers_any"]]:
        yield f"workers are {verdict['workers']}, none of {truth['workers_any']}"
    if "step" in truth and not step_fits(verdict["step"], truth["step"], truth.get("step_tol", 1)):
        yield f"step is {verdict['step']}, not {truth['step']}"
    if "confidence_max" in truth and WORDS.index(verdict["confidence"]) > WORDS.index(truth["confidence_max"]):
        yield f"confidence is {verdict['confidence']}, at most {truth['confidence_max']} is warranted"


def judge_checkpoints(checkpoints, truth):
    damaged = [i["prefix"] for i in checkpoints["items"] if i["problem"]]
    if "checkpoint" in truth and not any(p.endswith(truth["checkpoint"]) for p in damaged):
        yield f"checkpoints with a problem are {damaged}, {truth['checkpoint']} is not among them"
    if "last_good" in truth and not (checkpoints["last_good"] or "").endswith(truth["last_good"]):
        yield f"last good checkpoint is {checkpoints['last_good']}, not {truth['last_good']}"
    if "lost_steps" in truth and checkpoints["lost_steps"] != truth["lost_steps"]:
        yield f"lost steps are {checkpoints['lost_steps']}, not {truth['lost_steps']}"


def judge_findings(found, truth):
    for wanted in truth.get("also", []):
        if not any(f["class"] == wanted["class"] and sorted(f["workers"]) == sorted(wanted.get("workers", f["workers"]))
                   for f in found):
            yield f"no finding {wanted}"
    for name in truth.get("never", []):
        if any(f["class"] == name and f["role"] in ("root", "independent") and f["severity"] in LOUD for f in found):
            yield f"a finding of class {name}"


def judge(findings, truth):
    """Sentences about what is wrong; none = right. `findings` is a whole findings.json."""
    wrong = [*judge_verdict(findings["verdict"], truth), *judge_checkpoints(findings["checkpoints"], truth),
             *judge_findings(findings["findings"], truth), *judge_chain(findings)]
    if "offsets" in truth and not clocks_fit(findings["workers"], truth["offsets"]):
        wrong.append(f"clocks are {[(w['name'], w['clock']) for w in findings['workers']]}, not {truth['offsets']}")
    if findings["verdict"]["confidence"] == "established" and findings["verdict"]["status"] == "explained" and not is_grounded(findings):
        wrong.append("an established verdict cites no line or byte")
    return wrong
