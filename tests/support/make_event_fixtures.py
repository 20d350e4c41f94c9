#!/usr/bin/env python3
"""Writes the fixtures of the tfevents and debug_events parsers: TFRecord framing with its checksums, by hand.

  make_event_fixtures.py FIXTURES_PARSERS_DIR
"""
import os
import struct
import sys

TABLE = []
for n in range(256):
    for _ in range(8):
        n = (n >> 1) ^ 0x82F63B78 if n & 1 else n >> 1
    TABLE.append(n)


def masked_crc(data):
    c = 0xFFFFFFFF
    for b in data:
        c = TABLE[(c ^ b) & 255] ^ (c >> 8)
    c ^= 0xFFFFFFFF
    return ((c >> 15 | c << 17) + 0xA282EAD8) & 0xFFFFFFFF


def record(data):
    head = struct.pack("<Q", len(data))
    return head + struct.pack("<I", masked_crc(head)) + data + struct.pack("<I", masked_crc(data))


def varint(v):
    out = b""
    while v > 127:
        out += bytes([v & 127 | 128])
        v >>= 7
    return out + bytes([v])


def field(n, value):
    if isinstance(value, int):
        return varint(n << 3) + varint(value)
    if isinstance(value, float):
        return varint(n << 3 | 1) + struct.pack("<d", value)
    if isinstance(value, str):
        value = value.encode()
    return varint(n << 3 | 2) + varint(len(value)) + value


def scalar_v2(tag, value):
    tensor = field(1, 1) + field(2, b"") + field(4, struct.pack("<f", value))
    return field(1, tag) + field(8, tensor) + field(9, field(1, field(1, "scalars")))


def scalar_v1(tag, value):
    return field(1, tag) + varint(2 << 3 | 5) + struct.pack("<f", value)


def event(wall, step, *values):
    return field(1, wall) + field(2, step) + field(5, b"".join(field(1, v) for v in values))


def trace(wall, op, slot, device, nan):
    health = struct.pack("<5d", 12.0, 64.0, 0.0, 0.0, float(nan))
    tensor = field(1, 2) + field(4, health)
    body = field(1, "g1") + field(2, op) + field(3, slot) + field(4, 3) + field(5, tensor) + field(6, device)
    return record(field(1, wall) + field(10, body))


def execution(wall, op, mode, values):
    tensor = field(1, 2) + field(4, struct.pack(f"<{len(values)}d", *values))
    return record(field(1, wall) + field(9, field(1, op) + field(2, 1) + field(6, mode) + field(7, tensor)))


def debug_places():
    """The other files of a dump: two sources, three frames, two ops."""
    sources = b"".join(record(field(1, 1700000000.0) + field(4, field(1, path) + field(2, "gpu-1") + field(3, "x = 1")))
                       for path in ("/srv/train/model.py", "/srv/train/train.py"))
    frames = b"".join(record(field(1, 1700000000.0) + field(6, field(1, name) + field(2, field(1, file) + field(2, line) + field(4, function) + field(5, code))))
                      for name, file, line, function, code in (("f0", 1, 188, "<module>", "main()"), ("f1", 1, 140, "main", "loss = step(batch)"),
                                                               ("f2", 0, 88, "loss_fn", "return -tf.math.log(p)")))
    ops = b"".join(record(field(1, 1700000000.0) + field(7, field(1, kind) + field(2, op) + field(3, "step") + field(4, "g1") + field(6, "p:0") +
                                                         field(8, field(1, "gpu-1") + b"".join(field(2, f) for f in stack))))
                   for kind, op, stack in (("MatMul", "model/MatMul", ("f0", "f1")), ("Log", "loss/Log_1", ("f0", "f1", "f2"))))
    return {"source_files": sources, "stack_frames": frames, "graphs": ops}


def modes():
    """One bad output of every mode that counts, in the types that summaries have, and a healthy one of each."""
    out = b""
    for mode, bad, good in ((2, [-1.0, 1.0], [-1.0, 0.0]), (3, [-1.0, 8.0, 1.0, 0.0, 2.0], [-1.0, 8.0, 0.0, 0.0, 0.0]),
                            (4, [-1.0, 0, 1, 2, 8, 0, 3, 0, 1, 2, 2], [-1.0, 0, 1, 2, 8, 0, 0, 0, 1, 2, 2]),
                            (5, [-1.0, 1, 2, 8, 2, 4, 0, 0, 0, 0], [-1.0, 1, 1, 8, 8, 0, 0, 0, 0, 0]),
                            (6, [-1.0] + [0.0] * 10 + [0.0, 0.0, 5.0] + [0.0] * 8, [-1.0] + [0.0] * 21),
                            (8, [0.0, float("inf"), 0.0], [0.0, 0.0, 0.0])):
        for values in (good, bad):
            out += execution(1700000004.0 + mode, f"Mode{mode}", mode, values)
    whole = field(1, 1) + field(4, struct.pack("<3f", 1.0, float("nan"), 2.0))
    half = field(1, 19) + field(4, struct.pack("<3H", 0x3C00, 0x7C00, 0x3C00))
    listed = field(1, 1) + varint(5 << 3 | 5) + struct.pack("<f", float("inf"))
    for tensor in (whole, half, listed):
        out += record(field(1, 1700000020.0) + field(9, field(1, "Mode7") + field(2, 1) + field(6, 7) + field(7, tensor)))
    return out


def histogram_v1(tag, low, high, count, total):
    return field(1, tag) + field(5, b"".join(field(i + 1, float(v)) for i, v in enumerate((low, high, count, total))))


def histogram_v2(tag, buckets):
    shape = field(2, field(2, field(1, len(buckets))) + field(2, field(1, 3)))
    tensor = field(1, 2) + shape + field(4, b"".join(struct.pack("<3d", *b) for b in buckets))
    return field(1, tag) + field(8, tensor) + field(9, field(1, field(1, "histograms")))


def text_v2(tag, text):
    return field(1, tag) + field(8, field(1, 7) + field(8, text)) + field(9, field(1, field(1, "text")))


def everything():
    """One event of every kind, and a run that starts again at step 2."""
    wall = 1700000000.0
    out = record(field(1, wall) + field(3, "brain.Event:2"))
    out += record(field(1, wall + 1) + field(4, b"graph")) + record(field(1, wall + 1) + field(9, b"meta"))
    out += record(field(1, wall + 2) + field(7, field(1, 1)))
    out += record(event(wall + 3, 1, histogram_v1("w", -1, 2, 10, 5), histogram_v2("g", [(-1, 0, 4), (0, 3, 6)]), text_v2("config", "batch 32")))
    out += record(event(wall + 4, 2, histogram_v1("w", -1, float("inf"), 10, float("nan"))))
    out += record(field(1, wall + 5) + field(2, 2) + field(6, field(1, 40) + field(2, "input is slow")))
    out += record(field(1, wall + 6) + field(2, 3) + field(7, field(1, 3) + field(2, "/out/model.ckpt-3")))
    out += record(field(1, wall + 7) + field(2, 3) + field(8, field(1, "step_3") + field(2, b"x" * 20)))
    for step in (1, 2, 3, 2, 3, 4):
        out += record(event(wall + 10 + step, step, scalar_v2("loss", 1.0 / step)))
    image = field(1, "image") + field(4, field(1, 2) + field(2, 2) + field(4, b"png"))
    return out + record(event(wall + 20, 4, image)) + record(b"\x0b\x0b\x0b")


def main(out):
    def write(parser, name, data):
        with open(os.path.join(out, parser, name + ".in"), "wb") as f:
            f.write(data)

    first = record(field(1, 1700000000.0) + field(3, "brain.Event:2"))
    steps = [record(event(1700000000.5 + s, s, scalar_v2("loss", v), scalar_v2("lr", 0.01)))
             for s, v in enumerate([2.5, 2.0, float("inf"), float("nan"), 1.5])]
    old = record(event(1700000009.0, 7, scalar_v1("cross_entropy", 0.25)))
    good = first + b"".join(steps) + old
    write("tfevents", "events.out.tfevents.1700000000.worker-0.17.0.v2", good)
    bad = bytearray(good)
    bad[len(first) + 20] ^= 1  # data of the second record
    write("tfevents", "events.out.tfevents.1700000000.worker-1-damaged.v2", bytes(bad)[: len(good) - 9])
    write("tfevents", "events.out.tfevents.1700000000.hostile.v2", first + b"\xff" * 40 + steps[0] + bytes(64))
    device = "/job:worker/replica:0/task:0/device:CPU:0"
    traces = b"".join([trace(1700000001.0, "MatMul", 0, device, 0), trace(1700000002.0, "IteratorGetNext", 0, device, 3),
                       trace(1700000002.5, "model/MatMul", 0, device, 64), trace(1700000003.0, "CollectiveReduceV2", 0, device, 64)])
    write("debug_events", "tfdbg_events.1700000000.worker-0.graph_execution_traces", traces)
    runs = b"".join([execution(1700000001.0, "ReadVariableOp", 2, [-1.0, 0.0]), execution(1700000002.0, "__inference_step_9", 2, [-1.0, 1.0]),
                     execution(1700000003.0, "Mean", 8, [float("-inf"), 0.0, float("nan")])])
    write("debug_events", "tfdbg_events.1700000000.worker-0.execution", runs)
    write("debug_events", "tfdbg_events.1700000000.worker-1.execution", b"")
    for name, content in debug_places().items():
        write("debug_events", f"tfdbg_events.1700000000.worker-0.{name}", content)
    write("debug_events", "tfdbg_events.1700000000.modes.execution", modes())
    write("tfevents", "events.out.tfevents.1700000000.worker-0.everything.v2", everything())
    write("debug_events", "tfdbg_events.1700000000.hostile.execution", runs[:40] + b"\x00" * 30 + runs[: len(runs) - 3])


if __name__ == "__main__":
    main(sys.argv[1])
