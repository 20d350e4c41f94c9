"""Binary evidence as real bytes: checkpoints in TensorFlow's format V2 and event files, and tables of the vendor's GPU tool."""

import math
import os
import struct
import sys

from style import moment

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "fixtures", "compose"))
from checkpoint import field, masked_crc, state, table, varint  # noqa: E402

TENSORS = ("dense/bias", "dense/kernel", "head/bias", "head/kernel", "norm/gamma")


def tensors(random, nonfinite=False):
    out = {name: [random.gauss(0, 0.2) for _ in range(16)] for name in TENSORS}
    if nonfinite:
        for values in out.values():
            values[3] = math.nan
    return out


def checkpoint(prefix, values, shards=1):
    """Path → bytes of the index and all shards."""
    data, entries = [b""] * shards, [(b"", field(1, shards) + field(3, field(1, 1)))]
    for i, name in enumerate(sorted(values)):
        shard, content = i % shards, struct.pack(f"<{len(values[name])}f", *values[name])
        entry = field(1, 1) + field(2, field(2, field(1, len(values[name])))) + (field(3, shard) if shard else b"")
        entry += (field(4, len(data[shard])) if data[shard] else b"") + field(5, len(content)) + varint(6 << 3 | 5) + struct.pack("<I", masked_crc(content))
        entries.append((f"model/{name}/.ATTRIBUTES/VARIABLE_VALUE".encode(), entry))
        data[shard] += content
    out = {f"{prefix}.index": table(sorted(entries))}
    out.update({f"{prefix}.data-{i:05d}-of-{shards:05d}": content for i, content in enumerate(data)})
    return out


def save_checkpoints(world, keep=3):
    """The last checkpoints of the run as the chief's directory holds them."""
    kept = world.saves[-keep:]
    for step, _, nonfinite in kept:
        world.files.update(checkpoint(f"ckpt/ckpt-{step}", tensors(world.random, nonfinite)))
    if kept:
        world.files["ckpt/checkpoint"] = state(f"ckpt-{kept[-1][0]}", [f"ckpt-{s}" for s, _, _ in kept])


def record(data):
    head = struct.pack("<Q", len(data))
    return head + struct.pack("<I", masked_crc(head)) + data + struct.pack("<I", masked_crc(data))


def double(number, value):
    return varint(number << 3 | 1) + struct.pack("<d", value)


def scalar(tag, value):
    tensor = field(1, 1) + field(2, b"") + field(4, struct.pack("<f", value))
    return field(1, tag.encode()) + field(8, tensor) + field(9, field(1, field(1, b"scalars")))


def event_file(world, task, rows):
    """rows: (time, step, {tag: value}). The name carries the start second, host and pid."""
    out = record(double(1, task.clock(world.start)) + field(3, b"brain.Event:2"))
    for at, step, values in rows:
        out += record(double(1, task.clock(at)) + field(2, step) + field(5, b"".join(field(1, scalar(k, v)) for k, v in values.items())))
    world.files[f"tensorboard/{task.name}/events.out.tfevents.{int(task.clock(world.start))}.{task.host}.{task.pid}.0.v2"] = out


def loss_events(world, more=None):
    """The chief's summaries of the loss; `more`: step -> {tag: value}."""
    event_file(world, world.workers[0], [(t.at, t.step, {"loss": t.loss, **(more(t.step) if more else {})}) for t in world.ticks])


def smi(world, task, rows):
    """rows: (time, {utilization, memory, temperature, power, clock, reasons})."""
    head = ("timestamp, name, pci.bus_id, utilization.gpu [%], memory.used [MiB], memory.total [MiB], temperature.gpu, power.draw [W], "
            "clocks.current.sm [MHz], clocks_event_reasons.active\n")
    out = [(0, head, None)]
    for at, r in rows:
        m = moment(task.clock(at) + task.zone)
        out.append((at, f"{m:%Y/%m/%d %H:%M:%S}.{m.microsecond // 1000:03d}, {task.gpu[0]}, 00000000:3B:00.0, {r.get('utilization', 97)} %, {r.get('memory', 21480)} MiB, "
                    f"{task.gpu[3]} MiB, {r.get('temperature', 62)}, {r.get('power', 287.4):.2f} W, {r.get('clock', 1410)} MHz, 0x{r.get('reasons', 0):016x}\n", r.get("tag")))
    world.files[f"gpu/{task.name}.nvidia-smi.csv"] = out


def smi_all(world, special=None, count=16):
    """A sample of every task at up to `count` ticks; special(task, tick): what differs."""
    every = max(1, len(world.ticks) // count)
    for t in world.workers[:64]:
        rows = []
        for tick in world.ticks[::every]:
            base = {"utilization": world.random.randint(90, 99), "power": world.random.uniform(260, 310), "temperature": world.random.randint(58, 66)}
            rows.append((tick.at, {**base, **((special(t, tick) if special else None) or {})}))
        smi(world, t, rows)
