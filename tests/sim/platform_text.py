"""What surrounds the job: launcher, Slurm, Kubernetes, kernel logs; as (time, text, tag) of each file."""

import json

from style import moment, rfc3339

JOB = "resnet"


def launcher(world):
    rows = [(at, f"{rfc3339(at)} {text}\n", "deadline" if text.startswith("deadline") else None) for at, text in world.launcher]
    rows += [(e.at, f"{rfc3339(e.at)} {e.task.name} attempt {e.attempt} exited with code {e.code}\n", f"exit:{e.task.name}") for e in world.exits]
    return sorted(rows, key=lambda r: r[0])


def srun_word(e):
    kinds = {137: "Killed", 139: "Segmentation fault (core dumped)", 134: "Aborted (core dumped)", 135: "Bus error (core dumped)", 143: "Terminated"}
    return kinds.get(e.code, f"Exited with exit code {e.code}")


def slurm_words(world):
    """Lines of srun and slurmstepd between the tasks' lines."""
    rows = [(e.at, f"srun: error: {e.task.host}: task {e.task.number}: {srun_word(e)}\n", f"exit:{e.task.name}") for e in world.exits if e.code]
    return sorted(rows + list(world.scheduler_words), key=lambda r: r[0])


def scontrol(world):
    end = max([e.at for e in world.exits] + [world.now])
    bad = [e.code for e in sorted(world.exits, key=lambda e: e.at) if e.code]
    state = world.job_state or ("FAILED Reason=NonZeroExitCode" if bad else "COMPLETED Reason=None")
    nodes = f"{world.host_prefix}[1-{len(world.tasks)}]"
    return (f"JobId=7731 JobName={JOB}\n   UserId=ml(1004) GroupId=ml(1004) MCS_label=N/A\n   JobState={state} Dependency=(null)\n"
            f"   Requeue=0 Restarts=0 BatchFlag=1 Reboot=0 ExitCode={bad[0] if bad and bad[0] < 128 else 0}:{bad[0] - 128 if bad and bad[0] > 128 else 0}\n"
            f"   RunTime=00:{int(end - world.start) // 60 % 60:02d}:{int(end - world.start) % 60:02d} TimeLimit=08:00:00 TimeMin=N/A\n"
            f"   StartTime={moment(world.start):%Y-%m-%dT%H:%M:%S} EndTime={moment(end):%Y-%m-%dT%H:%M:%S} Deadline=N/A\n   NodeList={nodes}\n"
            f"   BatchHost={world.tasks[0].host}\n   NumNodes={len(world.tasks)} NumCPUs={8 * len(world.tasks)} NumTasks={len(world.tasks)}\n")


def pod(task):
    return f"{JOB}-{task.name}"


def describe(world, e, reason="Error", status=()):
    """`kubectl describe pod` of a pod whose container ended."""
    def row(indent, key, text):
        return f"{' ' * indent}{key + ':':<{18 - indent}}{text}\n"
    stamp = "%a, %d %b %Y %H:%M:%S +0000"
    head = [("Name", pod(e.task)), ("Namespace", "ml"), ("Node", f"{e.task.host}/{e.task.ip}"), ("Start Time", f"{moment(world.start):{stamp}}"),
            ("Labels", f"training.kubeflow.org/job-name={JOB}")] + list(status or [("Status", "Failed" if e.code else "Succeeded")])
    out = "".join(row(0, k, t) for k, t in head) + f"Containers:\n  tensorflow:\n    Container ID:  containerd://7d3f{e.task.number:04x}\n    State:          Terminated\n"
    for k, t in (("Reason", reason if e.code else "Completed"), ("Exit Code", e.code), ("Started", f"{moment(world.start):{stamp}}"), ("Finished", f"{moment(e.at):{stamp}}")):
        out += row(6, k, t)
    return out + "    Ready:          False\n    Restart Count:  0\n"


def events(world):
    end = max([at for at, *_ in world.cluster_log] + [world.now])
    yield 0, f"{'LAST SEEN':<12}{'TYPE':<10}{'REASON':<23}{'OBJECT':<30}MESSAGE\n", None
    for at, what, kind, reason, message, tag in sorted(world.cluster_log, key=lambda r: r[0]):
        age = int(end - at) + 60
        yield at, f"{f'{age // 60}m{age % 60}s':<12}{kind:<10}{reason:<23}{what:<30}{message}\n", tag


def kernel(world, host):
    """`dmesg` of one host: seconds since its boot."""
    boot = world.start - 400000 - 1000 * len(host)
    calm = [(world.start - 9000 + 700 * i, text, None) for i, text in enumerate((
        "systemd-journald[612]: Data hash table of /run/log/journal/system.journal has a fill level at 75.0, suggesting rotation.",
        "NVRM: loading NVIDIA UNIX x86_64 Kernel Module  535.129.03  Thu Oct 19 18:56:32 UTC 2023", "nvidia-uvm: Loaded the UVM driver, major device number 508."))]
    for at, text, tag in sorted(calm + world.kernel[host], key=lambda r: r[0]):
        yield at, "".join(f"[{at - boot + 1e-6 * i:12.6f}] {line}\n" for i, line in enumerate(text.splitlines())), tag


def tf_config(world, task):
    if task.config is not None:
        return task.config
    cluster = {}
    for t in world.tasks:
        cluster.setdefault(t.kind, []).append(t.address)
    return json.dumps({"cluster": cluster, "task": {"type": task.kind, "index": task.index}})


def pip_freeze(world, task):
    return f"absl-py==1.4.0\ngrpcio==1.59.0\nnumpy==1.24.3\ntensorflow=={task.release or world.style.release}\n"
