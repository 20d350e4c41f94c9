"""The mechanism: tasks that train in step, collectives that stop when one of them does, and what a launcher sees. No text is made here.

Events have a true time. Steps are shared by all tasks and kept once, so that a job of 10,000 tasks costs what its own events cost.
"""

import dataclasses
import random

GPU_A100 = ("NVIDIA A100-SXM4-40GB", "8.0", 38385, 40960)
GPU_V100 = ("Tesla V100-SXM2-32GB", "7.0", 30132, 32510)
GPU_T4 = ("Tesla T4", "7.5", 13626, 15109)


@dataclasses.dataclass
class Event:
    at: float
    kind: str       # name of a renderer
    fields: dict
    tag: str = None  # what the truth calls it


@dataclasses.dataclass
class Tick:
    """One step that all tasks completed."""
    at: float
    step: int
    loss: float
    took: float                                    # seconds since the one before
    local: dict = dataclasses.field(default_factory=dict)  # task index -> its own loss, where it differs from chance
    own: dict = dataclasses.field(default_factory=dict)    # task index -> seconds it worked itself
    tag: str = None
    rate: float = 0.01                             # learning rate
    more: dict = dataclasses.field(default_factory=dict)   # task index (None: all) -> what else its line says


@dataclasses.dataclass
class Life:
    """One process of a task: which ticks it took part in."""
    attempt: int
    pid: int
    first: int
    last: int = None  # index behind its last tick; None: to the end


class Task:
    def __init__(self, world, kind, index, number):
        self.kind, self.index, self.number = kind, index, number
        self.name = f"{kind}-{index}"
        self.host = f"{world.host_prefix}{number + 1}"
        self.ip = f"10.4.{number // 250}.{number % 250 + 3}"
        self.address = f"{self.host}:2222"
        self.device = f"/job:{kind}/replica:0/task:{index}"
        self.gpu = GPU_A100
        self.zone = 0.0     # seconds its local time is ahead of UTC
        self.skew = 0.0     # seconds its clock is wrong
        self.jump = None    # (true time, seconds): its clock is set
        self.own, self.lives = [], []
        self.slow = 1.0
        self.config = None  # text of TF_CONFIG where it is not the right one
        self.release = None  # another TensorFlow than the others'

    @property
    def pid(self):
        return self.lives[-1].pid if self.lives else 0

    def clock(self, at):
        return at + self.skew + (self.jump[1] if self.jump and at >= self.jump[0] else 0.0)


@dataclasses.dataclass
class Exit:
    at: float
    task: Task
    code: int       # as a shell shows it
    attempt: int


class World:
    def __init__(self, seed, size, style, kinds=None, step_seconds=0.4):
        self.random = random.Random(seed)
        self.style, self.step_seconds = style, step_seconds
        self.host_prefix = self.random.choice(("gpu-a", "node-b", "tf-w", "ml-host-", "rack3-n"))
        self.start = 1770000000 + self.random.randrange(0, 20000000)
        self.kinds = kinds or {"worker": size}
        self.tasks = []
        for kind, count in self.kinds.items():
            for index in range(count):
                self.tasks.append(Task(self, kind, index, len(self.tasks)))
        self.workers = [t for t in self.tasks if t.kind == "worker"]
        self.ticks, self.exits, self.launcher, self.files = [], [], [], {}
        self.attempt, self.now, self.step = 0, self.start, 0
        self.save_every, self.saved, self.saves = 10, [], []
        self.kernel = {}     # host -> [(true time, text, tag)]
        self.cluster_log = []  # (true time, object, type, reason, message, tag): what the orchestrator reports
        self.scheduler_words = []  # (true time, text, tag): lines that no task wrote in a Slurm job's output
        self.job_state = None
        self.fallen = []     # who died of the loss of a peer, in the order of the ring
        self.set_clocks()

    def set_clocks(self):
        spread = {"none": 0.0, "small": 0.05, "hour": 3600.0, "zone": 0.0}[self.style.clock]
        for t in self.tasks:
            t.skew = self.random.uniform(-spread, spread)
            if self.style.clock == "zone":
                t.zone = 3600.0 * self.random.choice((0, 0, 1, -5, 8))

    # ---- what happens ----

    def emit(self, task, at, kind, tag=None, **fields):
        task.own.append(Event(at, kind, fields, tag))

    def begin_attempt(self):
        base = 4100 + 3000 * self.attempt
        for t in self.tasks:
            t.lives.append(Life(self.attempt, base + 37 * t.number + self.random.randrange(30), len(self.ticks)))
            self.launcher.append((self.now + 0.03 * t.number / max(1, len(self.tasks) / 40), f"started {t.name} attempt {self.attempt} on {t.host} pid {t.pid}"))

    def boot(self, tasks=None):
        """Processes start and open their servers; gives the moment when all have."""
        self.begin_attempt()
        at = self.now
        for t in tasks if tasks is not None else self.tasks:
            self.emit(t, at + self.random.uniform(0.0, 0.3), "process_start")
            self.emit(t, at + 2.2 + self.random.uniform(0.0, 0.4), "server_started")
        self.now = at + 2.8
        return self.now

    def meet(self, tasks=None):
        """The leader's view of who came. With all present the cluster is up."""
        here = tasks if tasks is not None else self.tasks
        leader, at, missing = self.workers[0], self.now, [t for t in self.tasks if t not in here] if tasks is not None else []
        order = list(here)
        for n, t in enumerate(order):
            at += min(0.05, 2.0 / len(order))
            self.emit(leader, at, "task_connected", "waiting", peer=t, left=order[n + 1:n + 4] + missing[:3], count=len(order) - n - 1 + len(missing), total=len(self.tasks))
            self.emit(t, at + 0.002, "agent_connected")
        self.now = at + 0.2

    def start_all(self):
        self.boot()
        self.meet()
        for t in self.tasks:
            self.emit(t, self.now + self.random.uniform(0.0, 0.02), "cluster_up")
        self.now += 2.0
        for t in self.workers:
            self.emit(t, self.now, "traced", count=42)
        self.now += 1.5

    def loss(self):
        return 0.35 + 4.2 / (1 + 0.11 * self.step) + self.random.uniform(-0.06, 0.06)

    def train(self, steps, loss=None, own=None, took=None, local=None, tag=None, rate=None, more=None):
        """Lock-step training. `loss`, `took`, `rate`: step -> value; `own`, `local`, `more`: step -> {task index: value}. `tag`: of the last step."""
        for n in range(steps):
            self.step += 1
            busiest = max((t.slow for t in self.workers), default=1.0)
            duration = took(self.step) if took else self.step_seconds * busiest * self.random.uniform(0.95, 1.08)
            self.now += duration
            tick = Tick(self.now, self.step, loss(self.step) if loss else self.loss(), duration, tag=tag if n == steps - 1 else None)
            tick.local = local(self.step) if local else {}
            tick.own = own(self.step) if own else {}
            tick.rate = rate(self.step) if rate else tick.rate
            tick.more = more(self.step) if more else {}
            self.ticks.append(tick)
            if self.save_every and self.step % self.save_every == 0:
                self.save()

    def save(self, nonfinite=False, note=True):
        chief = self.workers[0]
        self.now += 0.02
        self.emit(chief, self.now, "save_begin")
        self.now += 0.06
        self.emit(chief, self.now, "saved", f"saved:{self.step}", step=self.step)
        self.saves.append((self.step, self.now, nonfinite))

    # ---- how it ends ----

    def stop(self, task, code, at):
        """The process is gone: it takes part in no later tick."""
        self.exits.append(Exit(at, task, code, self.attempt))
        life = task.lives[-1]
        if life.last is None:
            life.last = len(self.ticks)

    def alive(self):
        gone = {e.task for e in self.exits if e.attempt == self.attempt}
        return [t for t in self.tasks if t not in gone]

    def lose(self, dead, at, how="closed", leader_hears=True):
        """Peers of `dead` notice, one after the other, and die of it. The ring passes the error on from the successor of the first."""
        style, first = self.style, dead[0]
        survivors = [t for t in self.alive() if t not in dead]
        ring = sorted(survivors, key=lambda t: (t.number - first.number) % len(self.tasks))
        reach = min(len(ring), self.random.randint(1, 5)) if how != "frozen" else 0
        gone = list(dead)
        for hop, t in enumerate(ring):
            if style.minor < 10:
                noticed, kind, fields = at + 31 + 0.1 * hop, "health_check_failed", {"peer": first}
            elif hop < reach and t is not self.workers[0]:
                noticed, kind, fields = at + 0.1 + 0.02 * hop, "ring_broken", {"peer": first, "hops": hop, "how": how, "path": ring[:hop]}
                gone.append(t)
            elif self.workers[0] in gone and t is not self.workers[0]:
                noticed, kind, fields = at + 0.4 + 0.05 * min(hop, 40), "leader_gone", {"leader": self.workers[0]}
            else:
                names = self.unhealthy(dead, gone)
                noticed, kind, fields = at + 10.5 + min(0.01 * hop, 2.0), "heartbeats_missed", {"peers": names, "leader": t is self.workers[0]}
            self.emit(t, noticed, kind, tag=f"victim:{t.name}", **fields)
            self.stop(t, 1, noticed + 1.2)
        self.now = max((e.at for e in self.exits), default=at)
        self.fallen = ring

    def unhealthy(self, dead, gone):
        """The leader's list: the dead, and with them tasks that died of it; not always the dead one first."""
        names = list(dead) + [t for t in gone if t not in dead][:1]
        if len(names) > 1 and self.random.random() < 0.15:
            names.reverse()
        return names

    def hang(self, after=300.0, tag=None):
        """Nobody moves; the launcher's patience ends."""
        tasks = self.alive()
        self.now += after
        self.launcher.append((self.now, "deadline reached; still running: " + ", ".join(t.name for t in tasks)))
        for t in tasks:
            if self.style.minor >= 10 and self.random.random() < 0.5:
                self.emit(t, self.now + 0.5, "sigterm_caught")
            self.stop(t, 137, self.now + 11)
        self.now += 12

    def finish(self, tasks=None):
        for t in tasks or self.alive():
            at = self.now + 0.2 + self.random.uniform(0, 0.1)
            self.emit(t, at, "finished", step=self.step)
            self.stop(t, 0, at + 1.0)
        self.now += 2

    def restart(self, step, wait=60.0):
        """All tasks start again, from the checkpoint of `step` (0: from nothing)."""
        self.attempt += 1
        self.now += wait
        self.step = step
        self.boot()
        self.meet()
        for t in self.tasks:
            self.emit(t, self.now + 0.01, "cluster_up")
            if step:
                self.emit(t, self.now + 0.4, "restored", "restored", step=step)
        self.now += 2.0
        for t in self.workers:
            self.emit(t, self.now, "traced", count=42)
        self.now += 1.5

    # ---- chance ----

    def pick(self, leader=False):
        """A worker; not the leader unless asked."""
        return self.random.choice(self.workers if leader else self.workers[1:])
