"""How one job writes: its TensorFlow release, its program's step lines, its platform and what the collector wrapped around the logs."""

import dataclasses
import datetime

PROGRAMS = ("logging", "keyvalue", "json", "keras2", "keras3", "estimator", "bracket", "clock", "hydra", "loguru")
PLATFORMS = ("plain", "slurm", "k8s")
ENVELOPES = {"plain": ("none", "none", "docker", "compose"), "slurm": ("srun",), "k8s": ("kubectl", "kubectl-time", "cri")}
RELEASES = ("2.4.1", "2.10.1", "2.13.1", "2.16.2", "2.18.0", "2.21.0")
CLOCKS = ("none", "none", "small", "hour", "zone")
MIXED_ABSL = ("coordination_service.cc", "coordination_service_agent.cc", "cuda_dnn.cc", "plugin_registry.cc")
OLD_CODES = {"UNAVAILABLE": "Unavailable", "RESOURCE_EXHAUSTED": "Resource exhausted", "INVALID_ARGUMENT": "Invalid argument", "NOT_FOUND": "Not found",
             "INTERNAL": "Internal", "DEADLINE_EXCEEDED": "Deadline exceeded", "DATA_LOSS": "Data loss", "CANCELLED": "Cancelled"}
SOURCE_FOLDERS = {"grpc_server_lib.cc": "core/distributed_runtime/rpc", "grpc_channel.cc": "core/distributed_runtime/rpc",
                  "coordination_service.cc": "tsl/distributed_runtime/coordination", "coordination_service_agent.cc": "tsl/distributed_runtime/coordination",
                  "gpu_device.cc": "core/common_runtime/gpu", "op_kernel.cc": "core/framework", "local_rendezvous.cc": "core/framework",
                  "preemption_notifier.cc": "tsl/distributed_runtime/preemption", "cuda_driver.cc": "compiler/xla/stream_executor/cuda"}


@dataclasses.dataclass
class Style:
    release: str
    program: str
    platform: str
    envelope: str
    every: int      # a step line every so many steps
    clock: str      # how far the hosts' clocks differ
    decoys: bool    # handled exceptions, benign warnings
    reduced: bool   # the printed loss is the mean over all tasks
    timed: bool = False  # the step line holds the task's own step time

    @property
    def minor(self):
        return int(self.release.split(".")[1])

    def code(self, name):
        return name if self.minor >= 8 else OLD_CODES[name]


def draw(random, fixed):
    """A style by chance; `fixed` holds what the scenario needs: a value, or a tuple to choose from."""
    def pick(key, values):
        wanted = fixed.get(key, values)
        return random.choice(wanted) if isinstance(wanted, tuple) else wanted
    release = pick("release", RELEASES)
    program = pick("program", PROGRAMS)
    if program == "keras3" and int(release.split(".")[1]) < 16:
        program = "keras2"
    if program == "keras2" and int(release.split(".")[1]) >= 16:
        program = "keras3"
    if program == "estimator" and int(release.split(".")[1]) >= 16:
        program = "loguru"
    platform = pick("platform", PLATFORMS)
    return Style(release, program, platform, pick("envelope", ENVELOPES[platform]), pick("every", (1, 1, 1, 2, 5)), pick("clock", CLOCKS),
                 pick("decoys", (False, False, True)), pick("reduced", (True, True, False)), pick("timed", (False,)))


def moment(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)


def rfc3339(seconds, digits=0):
    m = moment(seconds)
    return f"{m:%Y-%m-%dT%H:%M:%S}" + (f".{m.microsecond:06d}000"[:digits + 1] if digits else "") + "Z"


def comma(seconds):
    m = moment(seconds)
    return f"{m:%Y-%m-%d %H:%M:%S},{m.microsecond // 1000:03d}"


class Voice:
    """What one task can write at one moment; the time is its own clock's."""

    def __init__(self, style, task, at):
        self.style, self.task, self.at = style, task, at
        self.epoch = task.clock(at)
        self.local = self.epoch + task.zone

    def cpp(self, severity, file, line, text, thread=0):
        tid = self.task.pid + thread
        if self.style.minor >= 21 or self.style.minor >= 16 and file in MIXED_ABSL:
            return f"{severity}0000 00:00:{self.epoch:.6f} {tid:7d} {file}:{line}] {text}\n"
        folder = SOURCE_FOLDERS.get(file, "core/common_runtime")
        return f"{moment(self.local):%Y-%m-%d %H:%M:%S.%f}: {severity} tensorflow/{folder}/{file}:{line}] {text}\n"

    def tensorflow(self, text, level="INFO"):
        if self.style.minor >= 21:
            return f"{comma(self.local)} {level} tensorflow: {text}\n"
        return f"{level}:tensorflow:{text}\n"

    def log(self, text, level="INFO"):
        """A message of the program in its own form."""
        program, stamp = self.style.program, comma(self.local)
        if program == "json":
            return f'{{"ts": {self.epoch:.6f}, "level": "{level}", "task": "{self.task.name}", "message": "{text}"}}\n'
        if program == "hydra":
            return f"[{stamp}][trainer.loop][{level}] - {text}\n"
        if program == "loguru":
            return f"{stamp.replace(',', '.')} | {level:<8} | __main__:main:42 - {text}\n"
        if program == "clock":
            return f"[{moment(self.local):%H:%M:%S}] {text}\n"
        if program in ("keras2", "keras3", "keyvalue"):
            return f"{level}:root:{text}\n" if level != "INFO" else f"{text}\n"
        return f"{stamp} {level} train: {text}\n"
