"""A world as files: logs in their envelopes, what the platform recorded, and for every tag of the truth its lines. Everything is streamed."""

import heapq
import json
import os

import journal
import platform_text
from style import rfc3339

KINDS = (("launcher", ("logs/launcher.log",)), ("kernel", ("kernel/",)), ("scheduler", ("k8s/", "scontrol-show-job.txt")), ("gpu", ("gpu/",)),
         ("stacks", ("stacks/",)), ("checkpoints", ("ckpt/",)), ("tfevents", ("tensorboard/",)), ("tf_config", ("tf_config/",)), ("environment", ("env/",)))


def kind_of(path):
    return next((kind for kind, starts in KINDS if path.startswith(starts)), "logs")


class Writer:
    """Text files of one bundle; remembers where each tag was written."""

    def __init__(self, root):
        self.root, self.places, self.paths = root, {}, []

    def open(self, path):
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        self.paths.append(path)
        return open(full, "wb")

    def text(self, path, rows, line_form=None):
        """rows: (time, text, tag[, task]); line_form(row, line) puts the envelope around one physical line."""
        number = 1
        with self.open(path) as out:
            for row in rows:
                lines = row[1].split("\n")
                if lines[-1] == "":
                    lines.pop()
                for line in lines:
                    out.write(((line_form(row, line) if line_form else line) + "\n").encode())
                if row[2]:
                    self.places.setdefault(row[2], []).append([path, number, number + len(lines) - 1])
                number += len(lines)

    def bytes(self, path, content):
        with self.open(path) as out:
            out.write(content if isinstance(content, bytes) else content.encode())


def of_task(world, task):
    for at, text, tag in journal.records(world, task):
        yield at, text, tag, task


def merged(world, tasks, more=()):
    return heapq.merge(*[of_task(world, t) for t in tasks], more, key=lambda r: r[0])


def collected(row):
    """The node's agent stamps with the clock of the host that the process runs on."""
    return rfc3339(row[3].clock(row[0] + 0.0004), 9)


def write_logs(world, out, tasks):
    envelope = world.style.envelope
    if world.noise == "untagged":
        out.text("logs/job.log", merged(world, tasks))
    elif envelope in ("kubectl", "kubectl-time"):
        stamp = (lambda row: f"{collected(row)} ") if envelope == "kubectl-time" else (lambda row: "")
        out.text("logs/kubectl-logs.txt", merged(world, tasks), lambda row, line: f"[pod/{platform_text.pod(row[3])}/tensorflow] {stamp(row)}{line}")
    elif envelope == "compose":
        width = max((len(t.name) for t in tasks), default=0)
        out.text("logs/compose.log", merged(world, tasks), lambda row, line: f"{row[3].name:<{width}}  | {line}")
    elif envelope == "srun":
        width = len(str(len(world.tasks) - 1))
        words = [(*r, None) for r in platform_text.slurm_words(world)]
        head = [(0, f"nodes {world.host_prefix}[1-{len(world.tasks)}]\n", None, None)]
        out.text("slurm-7731.out", heapq.merge(head, merged(world, tasks, words), key=lambda r: r[0]),
                 lambda row, line: f"{row[3].number:>{width}}: {line}" if row[3] else line)
    else:
        for t in tasks:
            write_own_log(world, out, t, envelope)


def write_own_log(world, out, t, envelope):
    if envelope == "cri":
        out.text(f"pods/ml_{platform_text.pod(t)}_5f0c-{t.number:04x}/tensorflow/0.log", of_task(world, t), lambda row, line: f"{collected(row)} stderr F {line}")
    elif envelope == "docker":
        out.text(f"logs/{t.name}.json.log", of_task(world, t),
                 lambda row, line: json.dumps({"log": line + "\n", "stream": "stderr", "time": collected(row)}, ensure_ascii=False, separators=(",", ":")))
    else:
        out.text(f"logs/{t.name}.log", of_task(world, t))


def write_platform(world, out):
    if world.style.platform == "plain" and world.launcher:
        out.text("logs/launcher.log", platform_text.launcher(world))
    if world.style.platform == "slurm":
        out.bytes("scontrol-show-job.txt", platform_text.scontrol(world))
    if world.style.platform == "k8s":
        if world.cluster_log:
            out.text("k8s/events.txt", platform_text.events(world))
        for e in [e for e in world.exits if e.attempt == world.attempt][:50]:
            if f"k8s/{platform_text.pod(e.task)}.describe.txt" not in world.files:
                out.text(f"k8s/{platform_text.pod(e.task)}.describe.txt", [(0, platform_text.describe(world, e), f"exit:{e.task.name}")])
    for host in sorted(world.kernel):
        out.text(f"kernel/{host}.dmesg.txt", platform_text.kernel(world, host))


def write(world, root, hidden=()):
    """Writes all files below `root`; `hidden`: names of tasks whose log nobody collected. Gives tag -> [[path, first line, last line]]."""
    out = Writer(root)
    write_logs(world, out, [t for t in world.tasks if t.name not in hidden and t.own])
    write_platform(world, out)
    for t in world.tasks:
        if world.style.platform == "plain" and len(world.tasks) <= 128:
            out.bytes(f"tf_config/{t.name}.json", platform_text.tf_config(world, t))
        if world.style.platform != "k8s" and len(world.tasks) <= 64:
            out.bytes(f"env/{t.name}.pip-freeze.txt", platform_text.pip_freeze(world, t))
    for path, content in sorted(world.files.items()):
        if isinstance(content, list):
            out.text(path, content)
        else:
            out.bytes(path, content)
    return out
