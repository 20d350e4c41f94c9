#!/usr/bin/env python3
"""Writes the fixtures of the parsers of profiler output.

  make_profile_fixtures.py FIXTURES_DIR
"""
import os
import sys

FIXTURES = sys.argv[1]
sys.path.insert(0, os.path.join(FIXTURES, "compose"))
from xspace import Plane, double, nested, number, space  # noqa: E402


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


def step_details(n, step, wait, compute, prepare, collective):
    fields = number(1, n) + double(2, step) + double(3, step - wait - compute - prepare - collective)
    fields += double(6, compute) + double(9, prepare) + double(11, wait) + double(13, collective)
    return nested(4, nested(1, "type.googleapis.com/tensorflow.profiler.PerGenericStepDetails") + nested(2, fields))


def input_pipeline():
    summary = nested(2, double(1, 101.5) + double(2, 0.5) + double(3, 101) + double(4, 102))
    return b"\x08\x01" + summary + step_details(7, 101, 80, 15, 2, 1) + step_details(8, 102, 81, 15, 2, 1) + nested(9, "GPU")


def overview():
    advice = nested(1, "host") + nested(2, 'Your program is <b>HIGHLY</b> input-bound: see <a href="x">the analyzer</a>.')
    return nested(2, input_pipeline()) + nested(3, double(2, 85.0)) + nested(4, advice) + nested(6, number(1, 1) + nested(4, "GPU"))


def tensorflow_stats():
    def op(where, kind, name, count, total, own):
        return nested(1, number(1, 1) + nested(2, where) + nested(3, kind) + nested(4, name) + number(5, count) + double(6, total) + double(8, own))
    ops = op("Device", "IDLE", "IDLE", 2, 9e6, 9e6) + op("Host", "PyFunc", "map/PyFunc", 20, 8e6, 8e6) + op("Device", "MatMul", "dense/MatMul", 40, 5e5, 5e5)
    return nested(4, ops) + nested(5, op("Device", "MatMul", "dense/MatMul", 40, 5e5, 5e5)) + nested(6, "GPU")


def kernel_stats():
    def kernel(name, total, longest, count):
        return nested(1, nested(1, name) + number(2, 32) + number(7, total) + number(8, 10) + number(9, longest) + nested(12, "dense/MatMul") + number(13, count))
    return kernel("volta_sgemm_128x64_nn", 7_000_000, 900_000, 9) + kernel("ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)", 3_000_000, 800_000, 4)


TRACE = """{"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":[
{"ph":"M","pid":1,"name":"process_name","args":{"name":"/device:GPU:0"}},
{"ph":"M","pid":1,"tid":20,"name":"thread_name","args":{"name":"Stream #20(Compute)"}},
{"ph":"M","pid":701,"name":"process_name","args":{"name":"/host:CPU"}},
{"ph":"M","pid":701,"tid":5,"name":"thread_name","args":{"name":"python"}},
{"ph":"X","pid":701,"tid":5,"ts":100.5,"dur":900.25,"name":"train","args":{"step_num":"3","_r":"1"}},
{"ph":"X","pid":701,"tid":5,"ts":1100.5,"dur":900,"name":"train","args":{"step_num":"4","nested":{"step_num":9}}},
{"ph":"X","pid":701,"tid":"6","ts":101,"dur":400,"name":"IteratorGetNext","args":{"x":NaN,"y":[-Infinity,Infinity]}},
{"ph":"X","pid":1,"tid":20,"ts":520,"dur":300,"name":"void gemm<float>"},
{"ph":"X","pid":1,"tid":20,"ts":830,"dur":100,"name":"ncclDevKernel_AllReduce_Sum_f32_RING_LL"},
{"ph":"B","pid":701,"tid":5,"ts":2010,"name":"save"},{"ph":"B","pid":701,"tid":5,"ts":2020,"name":"write_shard"},
{"ph":"B","pid":701,"tid":5,"ts":2030,"name":"fsync"},{"ph":"E","pid":701,"tid":5,"ts":2040},
{"ph":"i","pid":701,"tid":5,"ts":2050,"name":"MemoryAllocation"},{}]}
"""
TIMELINE = """[{"ph":"M","pid":0,"name":"process_name","args":{"name":"/job:worker/replica:0/task:1/device:CPU:0 Compute"}},
{"ph":"X","cat":"Op","pid":0,"tid":0,"ts":1700000000000000,"dur":50,"name":"MatMul","args":{"name":"dense/MatMul","op":"MatMul"}},
{"ph":"X","cat":"Op","pid":0,"tid":1,"ts":1700000000000040,"dur":20,"name":"Add","args":{}}
"""
HOSTILE_TRACE = "[" + "{\"ph\":\"X\",\"pid\":1,\"ts\":1e308,\"dur\":-1e308,\"name\":\"" + "\\\\u00e4" * 12000 + "\"}," + """
{"ph":"E","pid":{},"tid":[],"ts":5},{"ph":"X","ts":"7","pid":null,"dur":true},{"ph":"B","pid":1,"tid":2,"ts":-9e99,"name":1},
{"ph":"M","name":"thread_name","pid":[[[[]]]],"args":{"name":{"name":"x"}}},{"ph":"X","pid":1,"ts":4,"dur":2,"args":""" + "[" * 200


MEMORY = """{"memoryProfilePerAllocator":{"GPU_0_bfc":{"memoryProfileSnapshots":[
{"timeOffsetPs":"10","aggregationStats":{"stackReservedBytes":"0","heapAllocatedBytes":"4096","freeMemoryBytes":"99","fragmentation":0.25,"peakBytesInUse":"4096"},
"activityMetadata":{"memoryActivity":"ALLOCATION","requestedBytes":"4000","address":"1","tfOpName":"dense/MatMul"}},
{"timeOffsetPs":"20","aggregationStats":{"heapAllocatedBytes":"2048","fragmentation":"NaN"},"activityMetadata":{"memoryActivity":"DEALLOCATION"}}],
"profileSummary":{"peakBytesUsageLifetime":"9000","peakStats":{"heapAllocatedBytes":"4096","peakBytesInUse":"8192"},"peakStatsTimePs":"10","memoryCapacity":"16000000000"},
"activeAllocations":[{"snapshotIndex":"0","numOccurrences":"1"}]},"cpu":{"profileSummary":{"memoryCapacity":"0"}}},"numHosts":1,"memoryIds":["GPU_0_bfc","cpu"]}
"""


def node(name, label, start, begin, end, thread, extra=b""):
    return nested(2, nested(1, name) + number(2, start) + number(3, begin) + number(4, end) + number(5, end) + extra + nested(8, label) + number(10, thread))


def run_metadata():
    memory = nested(6, nested(1, "GPU_0_bfc") + number(2, 4096) + number(3, 8192) + number(5, 6000))
    gpu = nested(1, "/job:worker/replica:0/task:0/device:GPU:0")
    gpu += node("dense/MatMul", "dense/MatMul = MatMul(x, w)", 1_700_000_000_000_000, 3, 43, 0, memory) + node("add", "add = AddV2(a, b)", 1_700_000_000_000_060, 0, 5, 0)
    cpu = nested(1, "/job:worker/replica:0/task:0/device:CPU:0") + node("it/IteratorGetNext", "IteratorGetNext = IteratorGetNext(it)", 1_699_999_999_999_000, 1, 901, 7)
    return nested(1, nested(1, gpu) + nested(1, cpu)) + nested(3, "graph")


def more():
    write("profile_tools", "worker-0.input_pipeline.pb", input_pipeline())
    write("profile_tools", "localhost.overview_page.pb", overview())
    write("profile_tools", "localhost.tensorflow_stats.pb", tensorflow_stats())
    write("profile_tools", "localhost.kernel_stats.pb", kernel_stats())
    far = b"".join(nested(4, nested(2, double(f, v))) for f in (2, 3, 11) for v in (float("nan"), float("inf"), -1.0, 1e300))
    write("profile_tools", "hostile.input_pipeline.pb", far + nested(4, b"\xff\xff") + nested(4, nested(2, b"\x11\x00")) + b"\x22\xff\xff\xff\xff\x0f")
    write("profile_trace", "worker-0.trace.json", TRACE.encode())
    write("profile_trace", "timeline-1.json", TIMELINE.encode())
    write("profile_trace", "hostile.json", HOSTILE_TRACE.encode())
    write("profile_memory", "worker-1.memory_profile.json", MEMORY.encode())
    write("profile_memory", "hostile.memory_profile.json", MEMORY[:700].replace("GPU_0_bfc", "\\ud800", 1).encode() + b"[" * 100)
    write("step_stats", "worker-0-run-metadata.pb", run_metadata())
    # Found by fuzzing: a first node at time zero was taken for none, and the distance to the next did not fit.
    zero = nested(1, "/device:CPU:0") + node("a", "a = A(", 0, 0, 1, 0) + node("b", "b = B(", 1_700_000_000_000_000, 0, 1, 0)
    write("step_stats", "first-node-at-zero.pb", nested(1, nested(1, zero)))
    write("step_stats", "hostile.pb", run_metadata()[:60] + node("x", " = (", (1 << 64) - 1, 1 << 63, 1, 1 << 40) + b"\x0a\xff\xff\xff\xff\x7f")


def main():
    more()
    whole = space([host_plane(), gpu_plane()], "trainer-0", 1_700_000_000, 0.25)
    write("xplane", "worker-0.xplane.pb", whole)
    write("xplane", "trainer-1.xplane.pb", space([host_plane()], "trainer-1", 1_700_000_000, 0.25))
    write("xplane", "tpu-host.xplane.pb", space([tpu_plane()], "tpu-host"))
    write("xplane", "no-permission.xplane.pb", space([Plane("/host:CPU")], "gpu-a3", errors=["CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"]))
    write("xplane", "worker-2-cut.xplane.pb", whole[:700])
    write("xplane", "worker-3-reencoded.xplane.pb", whole.decode("utf-8", "replace").encode())
    write("xplane", "hostile.xplane.pb", hostile())


main()
