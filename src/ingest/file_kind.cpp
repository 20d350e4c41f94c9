#include "ingest/file_kind.h"

#include <algorithm>
#include <array>

namespace tfpm {
namespace {

using namespace std::string_view_literals;

struct Mark {
  std::string_view bytes;  // how the file begins
  std::string_view what;
};

// First bytes that decide, whatever the name (formats.md 9 and the formats' own definitions).
constexpr std::array<Mark, 17> kMagic = {{
    {"\x83\xaf\x70\xd1\x0d\x88\x4a\x3f"sv,
     "Riegeli container (`.xplane.riegeli`, `saved_model.cpb`): not parsed; a profile in it can be "
     "converted with the profiler that wrote it to `.xplane.pb`, which is"sv},
    {"\x89HDF\r\n\x1a\n"sv,
     "HDF5 file whose name is not that of Keras weights (`.h5`, `.hdf5`, `.keras`): not parsed"sv},
    {"\x93NUMPY"sv, "array saved by NumPy: data of the program, not parsed"sv},
    {"\x80\x02"sv, "Python pickle: never opened, loading one executes code"sv},
    {"\x80\x03"sv, "Python pickle: never opened, loading one executes code"sv},
    {"\x80\x04"sv, "Python pickle: never opened, loading one executes code"sv},
    {"\x80\x05"sv, "Python pickle: never opened, loading one executes code"sv},
    {"SQLite format 3\0"sv,
     "SQLite database: not parsed; of an Nsight Systems export, `nsys stats` prints the tables"sv},
    {"PAR1"sv, "Parquet file: data of the program, not parsed"sv},
    {"ARROW1"sv, "Arrow file: data of the program, not parsed"sv},
    {"\x89PNG\r\n\x1a\n"sv, "picture: not parsed; lines that it shows can be pasted as text"sv},
    {"\xff\xd8\xff"sv, "picture: not parsed; lines that it shows can be pasted as text"sv},
    {"GIF8"sv, "picture: not parsed; lines that it shows can be pasted as text"sv},
    {"%PDF-"sv, "PDF document: not parsed"sv},
    {"PK\x03\x04"sv, "zip file of another program (`.npz`, `.whl`, ...): not opened"sv},
    {"\xd4\xc3\xb2\xa1"sv, "captured packets: not parsed; `tcpdump -nr FILE` gives text"sv},
    {"\x0a\x0d\x0d\x0a"sv, "captured packets: not parsed; `tcpdump -nr FILE` gives text"sv},
}};

// Text that says what it is.
constexpr std::array<Mark, 8> kText = {{
    {"#!"sv, "script: what was run, not what it wrote"sv},
    {"node {"sv, "graph of the model as text: its structure, no evidence of a run"sv},
    {"HloModule"sv, "compiler's dump of a module (HLO): the program, no evidence of a run"sv},
    {"<!DOCTYPE html"sv, "web page, perhaps an error page instead of the file: not parsed"sv},
    {"<html"sv, "web page, perhaps an error page instead of the file: not parsed"sv},
    {"<svg"sv, "drawing (a flame graph perhaps): not parsed; stacks are read from `py-spy dump`"sv},
    {"{\"$schema\":\"https://www.speedscope.app"sv,
     "speedscope profile: shares of time without times; stacks are read from `py-spy dump`"sv},
    {"DROP TABLE"sv, "SQL script: not parsed"sv},
}};

// Endings of names; only where the first bytes have not decided.
constexpr std::array<Mark, 21> kNames = {{
    {".meta"sv,
     "graph of a checkpoint (MetaGraphDef): the model's structure, no evidence of a run; "
     "values are in `.index` and `.data-*`"sv},
    {"saved_model.pb"sv,
     "graph of a SavedModel: the model's structure, no evidence of a run; "
     "values are in `variables/`"sv},
    {"keras_metadata.pb"sv, "Keras' description of a model: no evidence of a run"sv},
    {"fingerprint.pb"sv, "hashes of a SavedModel: no evidence of a run"sv},
    {".pbtxt"sv, "graph or configuration as text: no evidence of a run"sv},
    {".trace"sv,
     "binary trace of a tool (an old profiler's `.trace`, Nsight): not parsed; "
     "`.xplane.pb` and `.trace.json.gz` are"sv},
    {".nsys-rep"sv, "Nsight Systems report: not parsed; `nsys stats --format csv` prints it"sv},
    {".ncu-rep"sv, "Nsight Compute report: not parsed; `ncu --import FILE --csv` prints it"sv},
    {".qdrep"sv, "Nsight Systems report: not parsed; `nsys stats --format csv` prints it"sv},
    {".pyc"sv, "compiled Python: not parsed"sv},
    {".tfrecord"sv, "records of training data: content of inputs is not judged"sv},
    {".tfrecords"sv, "records of training data: content of inputs is not judged"sv},
    {".py"sv, "program: what was run, not what it wrote"sv},
    {".sh"sv, "script: what was run, not what it wrote"sv},
    {".ipynb"sv, "notebook: what was run; save the output of its cells as text"sv},
    {".md"sv, "document: not evidence of a run"sv},
    {".rst"sv, "document: not evidence of a run"sv},
    {".html"sv, "web page: not evidence of a run"sv},
    {".toml"sv, "configuration of no known kind: not evidence of a run"sv},
    {".ini"sv, "configuration of no known kind: not evidence of a run"sv},
    {".cfg"sv, "configuration of no known kind: not evidence of a run"sv},
}};

}  // namespace

std::string_view describe_file_kind(std::string_view head, std::string_view path) {
  const auto begins = [&](const Mark& mark) { return head.starts_with(mark.bytes); };
  if (const auto it = std::find_if(kMagic.begin(), kMagic.end(), begins); it != kMagic.end()) {
    return it->what;
  }
  if (const auto it = std::find_if(kText.begin(), kText.end(), begins); it != kText.end()) {
    return it->what;
  }
  const auto ends = [&](const Mark& mark) { return path.ends_with(mark.bytes); };
  const auto it = std::find_if(kNames.begin(), kNames.end(), ends);
  return it != kNames.end() ? it->what : std::string_view{};
}

}  // namespace tfpm
