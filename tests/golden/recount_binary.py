"""Binary evidence counted by other means than the program's own readers: small and slow decoders that take every file for healthy."""

import struct

TABLE_FOOTER = 48


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """(field, wire type, value) of a message; groups do not occur in these files."""
    at = 0
    while at < len(data):
        tag, at = varint(data, at)
        kind = tag & 7
        if kind == 0:
            value, at = varint(data, at)
        elif kind == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
        else:
            size = {1: 8, 5: 4}[kind]
            value, at = data[at:at + size], at + size
        yield tag >> 3, kind, value


def parts(data, number):
    return [value for field, kind, value in fields(data) if field == number]


def signed(value):
    return value - (1 << 64) if value >> 63 else value


def records(data):
    at = 0
    while at + 12 <= len(data):
        size = struct.unpack_from("<Q", data, at)[0]
        if at + 16 + size > len(data):
            return
        yield data[at + 12:at + 12 + size]
        at += 16 + size


def is_scalar(value):
    """A Summary.Value with simple_value, or a tensor without dimensions that is no text."""
    found = dict((field, v) for field, kind, v in fields(value))
    if 2 in found:
        return True
    if 8 not in found:
        return False
    tensor = found[8]
    shape = b"".join(parts(tensor, 2))
    dtype = (parts(tensor, 1) or [0])[0]
    return not parts(shape, 2) and dtype != 7


def tfevents(data):
    count = scalars = 0
    last = None
    for event in records(data):
        count += 1
        for summary in parts(event, 5):
            values = [v for v in parts(summary, 1) if is_scalar(v)]
            scalars += len(values)
            if values:
                step = signed((parts(event, 2) or [0])[0])
                last = step if last is None else max(last, step)
    return {"records": count, "scalars": scalars, "last_step": last}


def snappy(data):
    size, at = varint(data, 0)
    out = bytearray()
    while at < len(data):
        tag = data[at]
        at += 1
        kind, length = tag & 3, (tag >> 2) + 1
        if kind == 0:
            if length > 60:
                extra = length - 60
                length = int.from_bytes(data[at:at + extra], "little") + 1
                at += extra
            out += data[at:at + length]
            at += length
            continue
        if kind == 1:
            length, offset = 4 + (tag >> 2 & 7), (tag >> 5) << 8 | data[at]
            at += 1
        else:
            width = {2: 2, 3: 4}[kind]
            offset = int.from_bytes(data[at:at + width], "little")
            at += width
        for _ in range(length):
            out.append(out[-offset])
    assert len(out) == size
    return bytes(out)


def block(data, handle):
    offset, at = varint(handle, 0)
    size, at = varint(handle, at)
    content = data[offset:offset + size]
    return snappy(content) if data[offset + size] == 1 else content


def entries(content):
    restarts = struct.unpack_from("<I", content, len(content) - 4)[0]
    end = len(content) - 4 * (restarts + 1)
    at = 0
    key = b""
    while at < end:
        shared, at = varint(content, at)
        unshared, at = varint(content, at)
        size, at = varint(content, at)
        key = key[:shared] + content[at:at + unshared]
        at += unshared
        yield key, content[at:at + size]
        at += size


def table(data):
    footer = data[-TABLE_FOOTER:]
    _, at = varint(footer, 0)
    _, at = varint(footer, at)
    for _, handle in entries(block(data, footer[at:])):
        yield from entries(block(data, handle))


def checkpoint_index(data):
    shards = tensors = size = 0
    for key, value in table(data):
        if key == b"":
            shards = (parts(value, 1) or [0])[0]
        else:
            tensors += not key.startswith(b"\0")
            size += 0 if parts(value, 7) else (parts(value, 5) or [0])[0]
    return {"shards": shards, "tensors": tensors, "bytes": size}


def xplane(data):
    planes = parts(data, 1)
    lines = [line for plane in planes for line in parts(plane, 3)]
    return {"planes": len(planes), "lines": len(lines), "events": sum(len(parts(line, 4)) for line in lines)}
