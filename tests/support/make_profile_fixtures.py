#!/usr/bin/env python3
"""Writes the fixtures of the parsers of profiler output.

  make_profile_fixtures.py FIXTURES_DIR
"""
import os
import sys

FIXTURES = sys.argv[1]
sys.path.insert(0, os.path.join(FIXTURES, "compose"))
from xspace import Plane, nested, number, space  # noqa: E402


def write(parser, name, content):
    folder = os.path.join(FIXTURES, "parsers", parser)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name + ".in"), "wb") as f:
        f.write(content)


def host_plane():
    """Two steps of 100 ms: 30 ms waiting for input, 10 ms of an op, 40 ms in a collective; evaluation marked too."""
    p = Plane("/host:CPU")
    for k in range(2):
        t = 1000 + 100_000 * k
        p.event("python", "train", t, 90_000, step_num=7 + k, _r=1)
        p.event("tf_data_iterator_get_next", "IteratorGetNextAsOptionalOp::DoCompute", t, 30_000, iter_num=k)
        p.event("tf_data_iterator_get_next", "Iterator::Root::Prefetch", t + 10, 29_900)
        p.event("tf_data_iterator_resource/1", "PrefetchProduce", t, 99_000)
        p.event("tf_data_iterator_resource/1", "Iterator::Root::Prefetch::Map", t + 100, 98_000)
        p.event("tf_Compute/1", "MatMul:MatMul", t + 30_000, 10_000)
        p.event("collective_ops/1", "CollectiveReduceV2:CollectiveReduceV2", t + 40_000, 40_000)
    p.event("python", "test", 230_000, 5_000, step_num=1, _r=1)
    pool = {"allocator_name": ("ref", "GPU_0_bfc"), "bytes_reserved": 0}
    p.event("python", "MemoryAllocation", 2_000, 0, **pool, bytes_allocated=4096, bytes_available=60_000, peak_bytes_in_use=9000,
            fragmentation=0.25, allocation_bytes=4096, addr=256)
    p.event("python", "MemoryAllocation", 2_100, 0, **pool, bytes_allocated=6144, bytes_available=57_952, peak_bytes_in_use=9000,
            fragmentation=float("nan"), allocation_bytes=2048, addr=8192)
    p.event("python", "MemoryDeallocation", 2_200, 0, **pool, bytes_allocated=2048, bytes_available=62_048, peak_bytes_in_use=9000,
            fragmentation=0.5, allocation_bytes=4096, addr=256)
    return p


def gpu_plane():
    p = Plane("/device:GPU:0")
    p.own = {"gpu_device_name": "NVIDIA A100", "core_count": 108}
    for k in range(2):
        t = 1000 + 100_000 * k
        p.event("Stream #7(Compute)", "void gemm_kernel<float>", t + 30_000, 50_000)
        p.event("Stream #8(MemcpyH2D)", "MemcpyH2D", t + 25_000, 6_000)
        p.event("Stream #9(Compute)", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", t + 70_000, 20_000)
        p.event("TensorFlow Ops", "model/gemm:MatMul", t + 30_000, 50_000)
    return p


def tpu_plane():
    p = Plane("/device:TPU:0")
    for k in range(3):
        p.event("Steps", str(40 + k), 5000 * k, 4800)
        p.event("XLA Modules", "jit_train_step(17)", 5000 * k, 4700)
        p.event("XLA Ops", "fusion.3", 5000 * k, 3000)
        p.event("XLA Ops", "all-reduce.1", 5000 * k + 3000, 1500)
    return p


def hostile():
    """Lengths beyond everything, times beyond a year, ids without names, a line inside nothing, groups."""
    far = number(1, 3) + number(2, 1 << 63) + number(3, (1 << 64) - 1)
    nameless = number(1, (1 << 64) - 5) + number(2, 10) + number(3, 10)
    counted = number(1, 9) + nested(4, number(1, 1) + number(4, 5)) + number(5, 1 << 62)
    inverted = number(1, 3) + number(2, 50) + number(3, 5)
    line = number(1, 1) + nested(2, "x" * 300) + number(3, (1 << 64) - 1)
    line += b"".join(nested(4, e) for e in (far, nameless, counted, inverted, inverted, b"\xff", b""))
    absolute = number(3, 1_700_000_000_000_000_000) + nested(4, number(1, 3) + number(2, 7) + number(3, 7))
    plane = nested(2, "/host:CPU") + nested(3, line) + nested(3, absolute) + nested(4, b"\x08\x03\x12\xff\x01") + nested(5, b"\x0b\x0c")
    cut = nested(2, "/device:GPU:0") + b"\x1a\xff\xff\xff\xff\xff\xff\xff\xff\x7f"
    return nested(1, plane) + nested(1, cut) + nested(9, b"later") + nested(1, nested(2, "/device:GPU:1")) + b"\x0a\xff\xff\xff\x7f"


def main():
    whole = space([host_plane(), gpu_plane()], "trainer-0", 1_700_000_000, 0.25)
    write("xplane", "worker-0.xplane.pb", whole)
    write("xplane", "trainer-1.xplane.pb", space([host_plane()], "trainer-1", 1_700_000_000, 0.25))
    write("xplane", "tpu-host.xplane.pb", space([tpu_plane()], "tpu-host"))
    write("xplane", "no-permission.xplane.pb", space([Plane("/host:CPU")], "gpu-a3", errors=["CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"]))
    write("xplane", "worker-2-cut.xplane.pb", whole[:700])
    write("xplane", "worker-3-reencoded.xplane.pb", whole.decode("utf-8", "replace").encode())
    write("xplane", "hostile.xplane.pb", hostile())


main()
