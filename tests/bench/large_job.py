"""Large synchronous jobs, as bundles. Deterministic; streamed to disk.

A failed one: N task logs in which every signature of the rules is met, and every task repeats what its peers say at the end.

Samples of the signatures are the text: with R rows a log each signature has N * R / signatures rows, and no two tasks write them in the same order. One task dies of an exception,
all others of the connection it closed.

One that never started: the leader waits for tasks that opened their servers and never came.

A healthy one: nothing but steps, printed by clocks that are seconds apart.
"""

import glob
import json
import os

STEPS = 20
DEAD = 1      # the task that fails on its own
SPREAD = 37   # how far apart in the samples two neighbouring tasks begin


def samples(rules):
    """First one-line sample of every signature that is not of role root: roots of every kind on every task would be no job at all."""
    out = []
    for path in sorted(glob.glob(os.path.join(rules, "signatures", "*.json"))):
        rule = json.load(open(path, encoding="utf-8"))
        lines = [s for s in rule["samples"] if "\n" not in s]
        if lines and rule["role"] != "root":
            out.append(lines[0])
    return out


class Log:
    def __init__(self, out, task):
        self.out, self.micros = out, task * 131 % 50_000

    def line(self, text, severity="I", micros=2_000):
        self.micros += micros
        second = self.micros // 1_000_000
        self.out.write(f"2024-05-12 10:{second // 60:02}:{second % 60:02}.{self.micros % 1_000_000:06}: {severity} tensorflow/core/common_runtime/executor.cc:1197] {text}\n")

    def raw(self, text):
        self.out.write(text + "\n")


def write_task(log, task, tasks, rows, texts):
    log.line(f"Started server with target: grpc://worker-{task}:2222")
    log.raw(f"INFO:tensorflow:MultiWorkerMirroredStrategy with cluster_spec = ..., task_type = 'worker', task_id = {task}, num_workers = {tasks}")
    spoken = rows - rows // 4
    for step in range(STEPS):
        for n in range(spoken * step // STEPS, spoken * (step + 1) // STEPS):
            log.line(texts[(task * SPREAD + n) % len(texts)], "W")
        log.raw(f"step {step + 1} loss {2.5 / (step + 1):.4f}")
        log.micros = (step + 2) * 1_000_000 + task * 131 % 50_000
    if task == DEAD:
        log.raw('Traceback (most recent call last):\n  File "/app/train.py", line 120, in <module>\n    main()\n  File "/app/data.py", line 88, in parse\n'
                '    raise ValueError("unexpected label id 10 in batch")\nValueError: unexpected label id 10 in batch')
        return
    for n in range(rows // 4):
        if n % 3 == 2:
            log.line(f"/job:worker/replica:0/task:{DEAD} has been set to ERROR in coordination service: UNAVAILABLE: Task lost", "E", 500_000)
        else:
            log.line("Collective ops is aborted by: Socket closed. Additional GRPC error information from remote target "
                     f"/job:worker/replica:0/task:{DEAD} while calling /tensorflow.WorkerService/RecvBuf", "E", 500_000)


def write_failed(root, tasks, rows, rules):
    texts = samples(rules)
    os.makedirs(os.path.join(root, "logs"))
    for task in range(tasks):
        with open(os.path.join(root, "logs", f"worker-{task}.log"), "w", encoding="utf-8") as out:
            write_task(Log(out, task), task, tasks, rows, texts)


def write_waiting(root, tasks, rows, rules):
    """A job that never starts: of all tasks, whose servers are up, one in four does not reach the leader, which says so for every task that does."""
    texts = samples(rules)
    os.makedirs(os.path.join(root, "logs"))
    come = [task for task in range(tasks) if task % 4 != 3]
    for task in range(tasks):
        with open(os.path.join(root, "logs", f"worker-{task}.log"), "w", encoding="utf-8") as out:
            log = Log(out, task)
            log.line(f"Started server with target: grpc://worker-{task}:2222")
            for n in range(rows):
                log.line(texts[(task * SPREAD + n) % len(texts)], "W")
            for n, peer in enumerate(come if task == 0 else ()):
                log.line(f"/job:worker/replica:0/task:{peer} has connected to coordination service. Incarnation: {peer + 77}")
                log.line(f"Waiting for {tasks - n - 1}/{tasks} tasks to connect.")
                log.line("Example stragglers:\n" + "\n".join(f"/job:worker/replica:0/task:{(4 * n + 3 + 4 * k) % tasks}" for k in range(3)))
    with open(os.path.join(root, "logs", "launcher.log"), "w", encoding="utf-8") as out:
        for task in range(tasks):
            out.write(f"2024-05-12T10:00:00Z started worker-{task} attempt 0 on node-{task} pid {4000 + task}\n")
        out.write("2024-05-12T11:00:00Z deadline reached; still running: " + ", ".join(f"worker-{task}" for task in range(tasks)) + "\n")
        for task in range(tasks):
            out.write(f"2024-05-12T11:00:11Z worker-{task} attempt 0 exited with code 137\n")


def stamp(micros):
    second = micros // 1_000_000
    return f"2024-05-12 {10 + second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.{micros % 1_000_000:06}"


def write_steps(root, tasks, steps):
    """Steps of about 0.4 s that end together, each stamp late by up to 3 ms on a clock that is wrong by up to 3 s."""
    os.makedirs(os.path.join(root, "logs"))
    ends, now = [], 10_000_000
    for step in range(steps):
        now += 400_000 + step * 7919 % 40_000
        ends.append(now)
    for task in range(tasks):
        skew = task * 104_729 % 6_000_000 - 3_000_000
        with open(os.path.join(root, "logs", f"worker-{task}.log"), "w", encoding="utf-8") as out:
            out.write(f"{stamp(9_000_000 + skew)}: I tensorflow/core/distributed_runtime/rpc/grpc_server_lib.cc:467] Started server with target: grpc://worker-{task}:2222\n")
            for step, end in enumerate(ends, 1):
                late = (step * 31 + task * 17) * 7919 % 3_000
                out.write(f"{stamp(end + skew + late)} step {step} loss {2.5 / step + 0.01:.5f}\n")
