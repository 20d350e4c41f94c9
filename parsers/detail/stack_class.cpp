#include "parsers/detail/stack_class.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

// Parts of "function (file" that tell where a frame belongs. Names of TensorFlow, Keras and NCCL
// as their sources spell them.
constexpr std::string_view kInput[] = {"script_ops.py",      "PyFuncOp",
                                       "EagerPyFunc",        "FuncRegistry",
                                       "from_generator",     "GeneratorDataset",
                                       "tensorflow::data::", "iterator_ops.py",
                                       "gen_dataset_ops",    "dataset_ops.py",
                                       "data_adapter",       "IteratorGetNext",
                                       "OwnedIterator",      "tensorflow_datasets/",
                                       "data_utils.py"};
constexpr std::string_view kIteratorWait[] = {"iterator_ops.py", "gen_dataset_ops",
                                              "IteratorGetNext", "OwnedIterator"};
constexpr std::string_view kCheckpoint[] = {
    "SaveV2",          "RestoreV2",        "MergeV2Checkpoints",      "BundleWriter",
    "BundleReader",    "checkpoint/",      "training/saver.py",       "functional_saver.py",
    "ModelCheckpoint", "BackupAndRestore", "CheckpointSaverHook",     "save_weights",
    "load_weights",    "saving/",          "checkpoint_management.py"};
constexpr std::string_view kCollective[] = {"ncclAllReduce",
                                            "ncclGroupEnd",
                                            "ncclCommInitRank",
                                            "ncclAllGather",
                                            "ncclBroadcast",
                                            "ncclReduceScatter",
                                            "cuStreamSynchronize",
                                            "cuEventSynchronize",
                                            "CollectiveReduceV2",
                                            "CollectiveGatherV2",
                                            "BaseCollectiveExecutor",
                                            "horovod_",
                                            "horovod/tensorflow/mpi_ops.py"};
constexpr std::string_view kExecute[] = {
    "quick_execute",       "TFE_Py_Execute",      "TFE_Py_FastPathExecute",
    "TFE_Execute",         "_call_tf_sessionrun", "TF_SessionRun",
    "async_wait",          "sync_executors",      "TFE_ExecutorWaitForAllPendingNodes",
    "TFE_ContextAsyncWait"};
constexpr std::string_view kRpc[] = {"CoordinationService",
                                     "wait_at_barrier",
                                     "TFE_WaitAtBarrier",
                                     "TFE_ContextSetServerDef",
                                     "TFE_EnableCollectiveOps",
                                     "enable_collective_ops",
                                     "grpc_",
                                     "grpc::",
                                     "server_lib.py"};
constexpr std::string_view kCompile[] = {
    "xla::", "llvm::", "mlir::", "XlaCompile", "func_graph_from_py_func", "trace_function"};
constexpr std::string_view kExit[] = {"Py_FinalizeEx",           "atexit",
                                      "_exit_function",          "__run_exit_handlers",
                                      "_shutdown (threading.py", "_shutdown (/usr/lib/python"};
constexpr std::string_view kWaiting[] = {"wait",
                                         "acquire",
                                         "get",
                                         "join",
                                         "futex",
                                         "syscall",
                                         "pthread_cond_wait",
                                         "pthread_cond_timedwait",
                                         "epoll_wait",
                                         "select",
                                         "poll",
                                         "sem_wait",
                                         "clock_nanosleep",
                                         "nanosleep",
                                         "accept",
                                         "sigwait",
                                         "do_wait",
                                         "__futex_abstimed_wait_common",
                                         "worker",
                                         "_recv",
                                         "absl::"};
constexpr std::string_view kBlockingIo[] = {
    "read",  "pread", "pread64", "__libc_read", "recv",   "recvmsg",   "recvfrom",
    "readv", "open",  "openat",  "__GI___read", "__read", "__pread64", "stat"};
constexpr std::string_view kLibraries[] = {"site-packages/",
                                           "dist-packages/",
                                           "/lib/python",
                                           "<frozen",
                                           "<string>",
                                           "tensorflow/",
                                           "keras/",
                                           "tf_keras/",
                                           "numpy/",
                                           "absl/",
                                           "google/",
                                           "grpc/",
                                           "h5py/",
                                           "horovod/",
                                           "tensorboard/",
                                           "tensorflow_io/",
                                           "tensorflow_datasets/",
                                           "wrapt/",
                                           "pandas/",
                                           "scipy/",
                                           "multiprocessing/",
                                           "concurrent/",
                                           "asyncio/",
                                           "importlib/",
                                           "logging/",
                                           "urllib/",
                                           "http/",
                                           "json/",
                                           "ctypes/",
                                           "encodings/",
                                           "fsspec/",
                                           "s3fs/",
                                           "gcsfs/",
                                           "botocore/",
                                           "boto3/",
                                           "urllib3/",
                                           "requests/",
                                           "PIL/",
                                           "cv2/"};
constexpr std::string_view kStandardModules[] = {
    "threading.py",    "socket.py",    "ssl.py",        "queue.py",     "selectors.py",
    "subprocess.py",   "runpy.py",     "contextlib.py", "functools.py", "signal.py",
    "weakref.py",      "traceback.py", "codecs.py",     "tempfile.py",  "shutil.py",
    "pickle.py",       "random.py",    "copy.py",       "inspect.py",   "ast.py",
    "typing.py",       "abc.py",       "os.py",         "posixpath.py", "warnings.py",
    "socketserver.py", "zipfile.py",   "gzip.py",       "tarfile.py",   "_bootstrap.py"};

template <std::size_t N>
bool any_part(const std::string& text, const std::string_view (&parts)[N]) {
  return std::any_of(std::begin(parts), std::end(parts),
                     [&](std::string_view part) { return contains(text, part); });
}

template <std::size_t N>
bool is_one_of(std::string_view text, const std::string_view (&names)[N]) {
  return std::find(std::begin(names), std::end(names), text) != std::end(names);
}

// Innermost frame that holds one of the parts.
template <std::size_t N>
std::optional<std::size_t> find_frame(const std::vector<DumpFrame>& frames,
                                      const std::string_view (&parts)[N]) {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (any_part(frames[i].text(), parts)) return i;
  }
  return std::nullopt;
}

// Innermost program frame with an index >= from and < to.
std::optional<std::size_t> program_frame(const std::vector<DumpFrame>& frames, std::size_t from,
                                         std::size_t to) {
  for (std::size_t i = from; i < std::min(to, frames.size()); ++i) {
    if (is_program_frame(frames[i])) return i;
  }
  return std::nullopt;
}

// The program's function that the input pipeline called: the outermost program frame below an
// input frame, so `gate (train.py:120)` and not the `sleep` it called.
std::optional<std::size_t> called_by_input(const std::vector<DumpFrame>& frames) {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (!any_part(frames[i].text(), kInput)) continue;
    for (std::size_t p = i; p-- > 0;) {
      if (is_program_frame(frames[p])) return p;
    }
  }
  return std::nullopt;
}

bool waits(const DumpThread& thread) {
  if (thread.state == "idle") return true;
  if (thread.frames.empty()) return true;
  const std::string& leaf = thread.frames[0].function;
  return is_one_of(leaf, kWaiting) || contains(leaf, "futex") || contains(leaf, "cond_wait") ||
         contains(leaf, "Wait");
}

// A pool thread that is inside a read of the input pipeline, with no Python to show.
std::optional<std::size_t> native_input_read(const std::vector<DumpFrame>& frames) {
  if (frames.empty() || !is_one_of(frames[0].function, kBlockingIo)) return std::nullopt;
  constexpr std::string_view kData[] = {"tensorflow::data::"};
  return find_frame(frames, kData);
}

std::optional<ThreadClass> classify_main_native(const DumpThread& thread) {
  const std::vector<DumpFrame>& frames = thread.frames;
  // Python's own iterator code, unless a step is what executes below it.
  if (const auto at = find_frame(frames, kIteratorWait)) {
    const auto execute = find_frame(frames, kExecute);
    if (!execute || *execute > *at || contains(frames[*execute].function, "FastPath")) {
      return ThreadClass{"input", at};
    }
  }
  if (const auto at = find_frame(frames, kExit)) return ThreadClass{"exit", at};
  if (find_frame(frames, kCompile) && !waits(thread)) {
    return ThreadClass{"compile", find_frame(frames, kCompile)};
  }
  if (const auto at = find_frame(frames, kExecute)) {
    const auto caller = program_frame(frames, *at, frames.size());
    return ThreadClass{"collective-wait", caller ? caller : at};
  }
  if (const auto at = find_frame(frames, kRpc)) return ThreadClass{"rpc-wait", at};
  return std::nullopt;
}

// Own code innermost: only native and standard-library frames are inside it.
std::optional<std::size_t> innermost_is_program(const std::vector<DumpFrame>& frames) {
  const auto program = program_frame(frames, 0, frames.size());
  if (!program) return std::nullopt;
  for (std::size_t i = 0; i < *program; ++i) {
    const bool library =
        contains(frames[i].file, "tensorflow") || contains(frames[i].file, "keras");
    if (library) return std::nullopt;
  }
  return program;
}

}  // namespace

bool is_program_frame(const DumpFrame& frame) {
  if (!frame.file_line || !std::string_view(frame.file).ends_with(".py")) return false;
  for (const std::string_view library : kLibraries) {
    const bool anywhere = library.starts_with("/") || library.ends_with("-packages/");
    if (anywhere ? contains(frame.file, library)
                 : std::string_view(frame.file).starts_with(library)) {
      return false;
    }
  }
  return !is_one_of(frame.file, kStandardModules);
}

ThreadClass classify_thread(const DumpThread& thread) {
  const std::vector<DumpFrame>& frames = thread.frames;
  if (const auto at = called_by_input(frames)) return {"input", at};
  if (const auto at = native_input_read(frames)) return {"input", at};
  const bool idle = waits(thread);
  if (const auto at = find_frame(frames, kCheckpoint); at && (thread.is_main || !idle)) {
    return {"checkpoint", at};
  }
  if (const auto at = find_frame(frames, kCollective)) return {"collective-wait", at};
  if (thread.is_main) {
    if (const auto found = classify_main_native(thread)) return *found;
  }
  if (const auto at = innermost_is_program(frames)) {
    const bool own_wait = *at > 0 && is_one_of(frames[0].function, kWaiting);
    if (thread.is_main || !own_wait) return {"user", at};
  }
  if (!thread.is_main && idle) return {"idle", std::nullopt};
  return {"unknown", program_frame(frames, 0, frames.size())};
}

}  // namespace tfpm
