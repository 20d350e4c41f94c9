#include "bundle/directory.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <memory>
#include <string_view>

namespace tfpm {
namespace {

// Deeper trees are loops of bind mounts or an attack; the reason names the folder.
constexpr int kMaxDepth = 200;

struct DirCloser {
  void operator()(DIR* dir) const { ::closedir(dir); }
};

std::string link_reason(const std::string& path) {
  char target[PATH_MAX];
  const ssize_t n = ::readlink(path.c_str(), target, sizeof target);
  if (n < 0) return "symbolic link: not followed";
  return "symbolic link to " + std::string(target, static_cast<std::size_t>(n)) + ": not followed";
}

std::string special_reason(mode_t mode) {
  if (S_ISFIFO(mode)) return "named pipe: not read";
  if (S_ISSOCK(mode)) return "socket: not read";
  return "device: not read";
}

// Takes out what `tfpm analyze` left there when its output was inside the bundle. Evidence may lie
// beside it.
void drop_earlier_output(std::vector<std::string>& names) {
  constexpr std::array<std::string_view, 4> kOutputs = {"tfpm.db", "findings.json", "report.md",
                                                        "report.html"};
  const auto has = [&](std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (!has("tfpm.db") || !has("findings.json")) return;
  const auto is_output = [&](const std::string& name) {
    return std::find(kOutputs.begin(), kOutputs.end(), name) != kOutputs.end();
  };
  names.erase(std::remove_if(names.begin(), names.end(), is_output), names.end());
}

class Lister {
 public:
  explicit Lister(const std::string& root) : root_(root) {}

  // `prefix`: the folder's path relative to the root with a trailing '/', empty for the root.
  Status list(const std::string& prefix, int depth);
  std::vector<DirectoryFile> take() { return std::move(files_); }

 private:
  void add(const std::string& path, int depth);

  std::string root_;
  std::vector<DirectoryFile> files_;
};

Status Lister::list(const std::string& prefix, int depth) {
  const std::string folder = root_ + "/" + prefix;
  const std::unique_ptr<DIR, DirCloser> dir(::opendir(folder.c_str()));
  if (dir == nullptr) {
    return error(ErrorKind::kUnreadable, "cannot list folder", folder, std::strerror(errno));
  }
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(dir.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  if (errno != 0) {
    return error(ErrorKind::kUnreadable, "cannot list folder", folder, std::strerror(errno));
  }
  drop_earlier_output(names);
  for (const std::string& name : names) add(prefix + name, depth);
  return ok_status();
}

void Lister::add(const std::string& path, int depth) {
  const std::string full = root_ + "/" + path;
  struct stat info {};
  if (::lstat(full.c_str(), &info) != 0) {
    files_.push_back({path, 0, std::strerror(errno), true});
  } else if (S_ISDIR(info.st_mode)) {
    const Status status = depth < kMaxDepth
                              ? list(path + "/", depth + 1)
                              : error(ErrorKind::kLimit, "folder", full, "nested too deep");
    if (!status.ok()) {
      files_.push_back({path, 0, "folder cannot be listed: " + status.diagnostic().why, true});
    }
  } else if (S_ISREG(info.st_mode)) {
    files_.push_back({path, static_cast<std::uint64_t>(info.st_size), {}, false});
  } else {
    const bool link = S_ISLNK(info.st_mode);
    files_.push_back({path, 0, link ? link_reason(full) : special_reason(info.st_mode), false});
  }
}

}  // namespace

Result<std::vector<DirectoryFile>> list_directory(const std::string& root) {
  Lister lister(root);
  TFPM_RETURN_IF_ERROR(lister.list("", 0));
  std::vector<DirectoryFile> files = lister.take();
  std::sort(files.begin(), files.end(),
            [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

}  // namespace tfpm
