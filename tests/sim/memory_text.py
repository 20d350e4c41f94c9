"""The device allocator's report of a failed request; all figures follow from the list of chunks."""

from tensorflow_text import step_error

MIB = 1 << 20


def human(n):
    for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if n >= size:
            return f"{n / size:.2f}{unit}" if unit != "KiB" else f"{n / size:.1f}{unit}"
    return f"{n}B"


def lines(v, chunks, requested, limit):
    """chunks: (count, bytes, in use)."""
    pool, used = sum(n * s for n, s, _ in chunks), sum(n * s for n, s, u in chunks if u)
    yield "I", 1027, "BFCAllocator dump for GPU_0_bfc"
    for k in range(21):
        low, high = 256 << k, 256 << (k + 1) if k < 20 else 1 << 60
        inside = [c for c in chunks if low <= c[1] < high]
        have, busy = sum(n * s for n, s, _ in inside), sum(n * s for n, s, u in inside if u)
        yield "I", 1040, (f"Bin ({low}): \tTotal Chunks: {sum(c[0] for c in inside)}, Chunks in use: {sum(n for n, _, u in inside if u)}. {human(have)} allocated for chunks. "
                          f"{human(busy)} in use in bin. {human(busy)} client-requested in use in bin.")
    yield "I", 1056, f"Bin for {human(requested)} was 256.00MiB, Chunk State: "
    yield "I", 1069, f"Next region of size {pool}"
    at = 0x7F5200000000
    for n, size, busy in chunks:
        for _ in range(min(n, 3)):
            yield "I", 1089, f"{'InUse' if busy else 'Free '} at {at:x} of size {size} next {at % 977}"
            at += size
    yield "I", 1094, "     Summary of in-use Chunks by size: "
    for n, size, busy in chunks:
        if busy:
            yield "I", 1097, f"{n} Chunks of size {size} totalling {human(n * size)}"
    yield "I", 1101, f"Sum Total of in-use chunks: {human(used)}"
    word = "Total bytes in pool:" if v.style.minor >= 12 else "total_region_allocated_bytes_:"
    yield "I", 1103, f"{word} {pool} memory_limit_: {limit} available bytes: {limit - pool} curr_region_allocation_bytes_: {2 * limit}"
    rows = (("Limit", limit), ("InUse", used), ("MaxInUse", used + 2 * MIB), ("NumAllocs", 88123), ("MaxAllocSize", max(s for _, s, _ in chunks)), ("Reserved", 0), ("PeakReserved", 0), ("LargestFreeBlock", 0))
    yield "I", 1109, "Stats: \n" + "".join(f"{name + ':':<18}{value:>20}\n" for name, value in rows)
    yield "W", 491, "*" * round(100 * used / pool) + "_" * (100 - round(100 * used / pool))


def report(v, requested, op, chunks, limit, device_full):
    out = ""
    if device_full:
        out += v.cpp("I", "cuda_driver.cc", 733, f"failed to allocate {requested / (1 << 30):.2f}GiB ({requested} bytes) from device: CUDA_ERROR_OUT_OF_MEMORY: out of memory")
    out += v.cpp("W", "bfc_allocator.cc", 479, f"Allocator (GPU_0_bfc) ran out of memory trying to allocate {human(requested)} (rounded to {requested})requested by op {op}\n"
                 "If the cause is memory fragmentation maybe the environment variable 'TF_GPU_ALLOCATOR=cuda_malloc_async' will improve the situation. \n"
                 "Current allocation summary follows.\nCurrent allocation summary follows.")
    return out + "".join(v.cpp(severity, "bfc_allocator.cc", line, text) for severity, line, text in lines(v, chunks, requested, limit))


def out_of_memory(v, requested, op, shape, chunks, limit, device_full=False):
    text = f"OOM when allocating tensor with shape[{shape}] and type float on {v.task.device}/device:GPU:0 by allocator GPU_0_bfc"
    out = report(v, requested, op, chunks, limit, device_full)
    out += v.cpp("W", "op_kernel.cc", 1768, f"OP_REQUIRES failed at conv_ops_gpu.cc:301 : {v.style.code('RESOURCE_EXHAUSTED')}: {text}")
    return out + step_error(v, "ResourceExhaustedError", text, op)
