"""Device memory: six ways to run out of it. All chunks are in MiB."""

import files
from family_crash import next_step, run_up
from memory_text import MIB
from truth import Truth, names, scenario
from world import GPU_T4, GPU_V100


def fail(world, task, requested, chunks, delay=0.2, tag="root", device_full=False, op="model/block4/Conv2D"):
    at = world.now + delay
    world.emit(task, at, "out_of_memory", tag, requested=requested * MIB, op=op, shape="64,256,112,112", limit=task.gpu[2] * MIB, device_full=device_full,
               chunks=[(n, size * MIB, used) for n, size, used in chunks])
    world.stop(task, 1, at + 1.2)
    return at


def full(limit, piece, odd, free):
    """Chunks that fill a pool of `limit` MiB but for `free`."""
    n = (limit - free - odd) // piece
    return [(1, odd, True), (n, piece, True), (1, limit - odd - n * piece, False)]


@scenario("M1", "OOM")
def batch_too_large(world):
    world.start_all()
    for n, t in enumerate(world.workers):
        fail(world, t, 9216, full(t.gpu[2], 2048, 310, 4000), delay=0.4 + 0.1 * n)
    return Truth("oom-gpu", names(*world.workers), cause="capacity")


@scenario("M2", "OOM", sizes=(3, 4, 6), platform="plain")
def leak(world):
    for t in world.workers:
        t.gpu = GPU_V100
    world.start_all()
    world.train(36)
    bad = world.pick()
    files.smi_all(world, lambda t, tick: {"memory": 9000 + 610 * tick.step if t is bad else 11230}, count=36)
    at = fail(world, bad, 700, full(30132, 512, 420, 120))
    world.lose([bad], at)
    return Truth("oom-gpu", names(bad), cause="leak", step=next_step(world), needs={"gpu": ["oom-gpu"]})


@scenario("M3", "OOM", sizes=(3, 4, 6))
def fragmentation(world):
    run_up(world)
    bad = world.pick()
    at = fail(world, bad, 2700, [(200, 1, True), (17, 1100, True), (15, 1150, False), (1, 900, False)])
    world.lose([bad], at)
    return Truth("oom-gpu", names(bad), cause="fragmentation", step=next_step(world))


@scenario("M4", "OOM", sizes=(2, 3, 4), platform="plain")
def foreign_process(world):
    for t in world.workers:
        t.gpu = GPU_V100
    run_up(world)
    bad = world.pick()
    at = fail(world, bad, 2048, full(14000, 512, 300, 500), device_full=True)
    files.smi_all(world, lambda t, tick: {"memory": 32400 if t is bad else 24610})
    head = "timestamp, gpu_name, gpu_bus_id, gpu_uuid, pid, process_name, used_gpu_memory [MiB]\n"
    for t in world.workers:
        m = f"{__import__('style').moment(t.clock(at) + t.zone):%Y/%m/%d %H:%M:%S}.511"
        row = f"{m}, {t.gpu[0]}, 00000000:3B:00.0, GPU-0b1c000{t.index}-0000-0000-0000-00000000000{t.index}, "
        rows = [(0, head, None), (1, f"{row}{t.pid}, python3, {14472 if t is bad else 24310} MiB\n", None)]
        if t is bad:
            rows.append((2, f"{row}90211, jupyter-lab, 17500 MiB\n", "root"))
        world.files[f"gpu/{t.name}.compute-apps.csv"] = rows
    world.lose([bad], at)
    return Truth("oom-gpu", names(bad), cause="foreign-process", step=next_step(world), needs={"gpu": ["oom-gpu"]})


@scenario("M5", "OOM", sizes=(3, 4, 6))
def smaller_gpu(world):
    bad = world.pick()
    for t in world.workers:
        t.gpu = GPU_T4 if t is bad else GPU_V100
    world.start_all()
    at = fail(world, bad, 1536, full(13626, 512, 260, 700))
    world.lose([bad], at)
    return Truth("oom-gpu", names(bad), cause="smaller-gpu")


@scenario("M6", "OOM", sizes=(2, 3, 4))
def pinned_pool(world):
    run_up(world)
    bad, at = world.pick(), world.now + 0.2
    world.emit(bad, at, "cpp", "root", severity="W", file="gpu_host_allocator.h", line=46, text="could not allocate pinned host memory of size: 17179869184")
    world.emit(bad, at + 0.05, "graph_error", "root", error="ResourceExhaustedError", text=f"OOM when allocating tensor with shape[4294967296] and type float on {bad.device}/device:CPU:0 by allocator gpu_host_bfc",
               op="model/stage/Identity", status="RESOURCE_EXHAUSTED")
    world.stop(bad, 1, at + 1.1)
    world.lose([bad], at)
    return Truth("oom-gpu", names(bad), cause="pinned", step=next_step(world))
