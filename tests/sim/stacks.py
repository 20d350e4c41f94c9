"""What a stack tool shows of each task: who waits in a collective and who sits elsewhere."""

WAITING = ["syscall (libc.so.6)", "nsync::nsync_cv_wait_with_deadline (tensorflow/libtensorflow_framework.so.2)", "tensorflow::Notification::WaitForNotification (tensorflow/libtensorflow_framework.so.2)",
           "tensorflow::ProcessFunctionLibraryRuntime::RunSync (tensorflow/libtensorflow_framework.so.2)", "TFE_Execute (tensorflow/libtensorflow_cc.so.2)",
           "quick_execute (tensorflow/python/eager/execute.py:54)", "ConcreteFunction._call_flat (tensorflow/python/eager/polymorphic_function/concrete_function.py:1323)",
           "run (main.py:174)", "<module> (main.py:212)"]
READING = ["read (libc.so.6)", "read_shard (data.py:71)", "do_not_convert.<locals>.wrapper (tensorflow/python/autograph/impl/api.py:643)",
           "EagerFunc.__call__ (tensorflow/python/ops/script_ops.py:145)", "tensorflow::PyFuncOp::Compute (tensorflow/python/lib_pywrap_tensorflow_common.so)",
           "Eigen::ThreadPoolTempl<tsl::thread::EigenEnvironment>::WorkerLoop (tensorflow/libtensorflow_framework.so.2)"]
LOCKED = ["do_futex_wait (libpthread.so.0)", "acquire (threading.py:168)", "next_item (data.py:118)", "generate (data.py:97)",
          "EagerFunc.__call__ (tensorflow/python/ops/script_ops.py:145)", "tensorflow::PyFuncOp::Compute (tensorflow/python/lib_pywrap_tensorflow_common.so)"]
SERVICE = ["epoll_wait (libc.so.6)", "grpc_core::CallContext::Finish (tensorflow/libtensorflow_framework.so.2)",
           "tensorflow::data::DataServiceClient::GetNext (tensorflow/libtensorflow_framework.so.2)", "tensorflow::data::IteratorGetNextOp::DoCompute (tensorflow/libtensorflow_cc.so.2)",
           "next (tensorflow/python/data/ops/iterator_ops.py:810)", "run (main.py:171)", "<module> (main.py:212)"]
SAVING = ["fsync (libc.so.6)", "tsl::(anonymous namespace)::PosixWritableFile::Sync (tensorflow/libtensorflow_framework.so.2)",
          "tensorflow::BundleWriter::Finish (tensorflow/libtensorflow_framework.so.2)", "tensorflow::SaveV2::Compute (tensorflow/libtensorflow_cc.so.2)",
          "save_v2 (tensorflow/python/ops/gen_io_ops.py:1817)", "TrackableSaver.save (tensorflow/python/checkpoint/checkpoint.py:1338)",
          "CheckpointManager.save (tensorflow/python/checkpoint/checkpoint_management.py:821)", "run (main.py:188)", "<module> (main.py:212)"]


def dump(task, main, extra=None):
    out = f"Process {task.pid}: python3 /app/main.py\nPython v3.10.12 (/usr/bin/python3.10)\n\nThread {task.pid} (idle): \"MainThread\"\n"
    out += "".join(f"    {f}\n" for f in main)
    if extra:
        out += f"Thread {task.pid + 391} (idle): \"Dummy-2\"\n" + "".join(f"    {f}\n" for f in extra)
    return out


def all_waiting(world, odd=None, main=None, extra=None):
    """Dumps of all tasks; `odd` (tasks) have another main stack or another thread besides."""
    for t in world.tasks[:64]:
        mine = odd is not None and t in odd
        text = dump(t, main if mine and main else WAITING, extra if mine else None)
        world.files[f"stacks/{t.name}.txt"] = [(0, text, f"stack:{t.name}")]
