"""Text evidence counted by plain searches, independent of the program's own readers."""

import json
import re


def lines(data):
    return data.count(b"\n") + (len(data) > 0 and not data.endswith(b"\n"))


def count(pattern, text):
    return len(re.findall(pattern, text, re.M))


def tf_config(text):
    task = json.loads(text).get("task", {})
    return {"tf_config": 1, "task": f"{task.get('type')}-{task.get('index')}"}


def environment(text):
    found = re.findall(r"^([A-Za-z0-9][\w.\-]*)(?:==| @ )(\S+)", text, re.M)
    return {"environment": len(found), "tensorflow": next((v for n, v in found if re.match(r"tensorflow(-cpu)?$", n)), None)}


def launcher(text):
    codes = re.findall(r"exited with code (-?\d+)", text)
    return {"started": count(r" started \S+ attempt \d+ on ", text), "codes": ",".join(sorted(codes)) or None}


def jobs(text):
    return {"exit_record": count(r"^JobId=", text)}


def stacks(text):
    return {"stack": count(r"^Process \d+:", text), "stack_thread": count(r"^Thread (0x)?[0-9A-Fa-f]+ ?\(", text)}


def processes(text):
    return {"process_state": count(r"^ *\d+ [A-Z]", text)}


def kernel(text):
    found = {"xid_rows": count(r"NVRM: Xid \(", text)}
    # Outside a whole block the lines of one kill cannot be told from those of several.
    if "invoked oom-killer" in text:
        found["killed"] = count(r"[Oo]ut of memory[^\n]*: Kill(?:ed)? process \d+", text)
    return found


def state(text):
    return {"latest": re.search(r'^model_checkpoint_path: "(.*)"', text, re.M).group(1)}


def smi(text):
    if "<nvidia_smi_log>" in text:
        return {"gpu_sample": count(r"<gpu id=", text), "gpu_process": count(r"<process_info>", text)}
    if text.lstrip().startswith("=====") and "# $ nvidia-smi" not in text:
        return {"gpu_sample": count(r"^GPU [0-9A-F]{8}:", text), "gpu_process": count(r"Process ID +: \d+", text)}
    return {}


def links(text):
    return {"network_link": count(r"^\tPort \d+:", text)}


def fabric(text):
    return {"fabric_event": count(r"\] \[(?:ERROR|WARNING|CRITICAL)\]", text)}


POD_EVENTS = ("Started", "Killing", "FailedScheduling", "FailedMount", "Preempted", "Evicted")


def events(text):
    """Events that say that a pod came, went or could not start."""
    items = [(item["reason"], item["message"]) for item in json.loads(text)["items"]]
    failed = [m for reason, m in items if reason in ("Failed", "BackOff") and re.search(r"[Ii]mage|failed to start container", m)]
    return {"exit_record": len(failed) + sum(reason in POD_EVENTS for reason, _ in items)}


READERS = {"tf-config": tf_config, "environment": environment, "launcher": launcher, "slurm-jobs": jobs, "stacks": stacks, "processes": processes,
           "kernel": kernel, "checkpoint-state": state, "nvidia-smi": smi, "network-links": links, "fabric-manager": fabric, "kubernetes": events}
