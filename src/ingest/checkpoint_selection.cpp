#include "ingest/checkpoint_selection.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "parsers/checkpoint_set.h"

namespace tfpm {
namespace {

namespace fs = std::filesystem;

Status unreadable(const fs::path& path, const std::error_code& why) {
  return error(ErrorKind::kUnreadable, "cannot read the directory", path.string(), why.message());
}

// Regular files below a directory, in order of path. Folders are entered when their path begins
// with `wanted`; links to folders never are.
Result<std::vector<FoundFile>> list_files(const fs::path& directory, const std::string& wanted) {
  std::vector<FoundFile> out;
  std::error_code failure;
  fs::recursive_directory_iterator it(directory, failure);
  if (failure) return unreadable(directory, failure);
  while (it != fs::recursive_directory_iterator()) {
    std::error_code gone;  // a file may vanish while we look
    const std::string path = it->path().string();
    if (!path.starts_with(wanted)) {
      it.disable_recursion_pending();
    } else if (it->is_regular_file(gone) && !gone) {
      const std::uint64_t size = it->file_size(gone);
      if (!gone) out.push_back({path, size});
    }
    it.increment(failure);
    if (failure) return unreadable(directory, failure);
  }
  std::sort(out.begin(), out.end(),
            [](const FoundFile& a, const FoundFile& b) { return a.path < b.path; });
  return out;
}

// Directory to look in. A state file stands for the directory it describes.
fs::path directory_of(const std::string& path, bool& whole) {
  std::error_code ignored;
  whole = fs::is_directory(path, ignored);
  if (whole) return path;
  const fs::path given(path);
  whole = given.filename() == "checkpoint" && fs::is_regular_file(given, ignored);
  return given.has_parent_path() ? given.parent_path() : fs::path(".");
}

}  // namespace

Result<CheckpointSelection> select_checkpoint_files(const std::string& path) {
  CheckpointSelection out;
  bool whole = false;
  const fs::path directory = directory_of(path, whole);
  if (!whole) out.prefix = checkpoint_prefix_of(path);
  // Paths are reported as they were given: "ckpt-1" is not "./ckpt-1".
  const bool implied = !whole && !fs::path(path).has_parent_path();
  // Shards that a list of Keras names begin as the list does, up to its suffix.
  std::string wanted = out.prefix;
  constexpr std::string_view kList = ".weights.json";
  if (wanted.ends_with(kList)) wanted.resize(wanted.size() - kList.size());
  Result<std::vector<FoundFile>> files = list_files(directory, (implied ? "./" : "") + wanted);
  if (!files.ok()) return files.status();
  out.files = std::move(*files);
  for (FoundFile& file : out.files) {
    if (implied) file.path.erase(0, 2);
  }
  return out;
}

}  // namespace tfpm
