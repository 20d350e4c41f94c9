#include "bundle/arguments.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>

#include "bundle/format.h"
#include "bundle/walk.h"

namespace tfpm {
namespace {

namespace fs = std::filesystem;

// Absolute, without '.', '..' and trailing slashes; links in it stay as the user wrote them.
fs::path absolute_path(const std::string& path) {
  std::error_code failed;
  fs::path absolute = fs::absolute(path, failed).lexically_normal();
  if (failed) absolute = path;
  return absolute.has_filename() ? absolute : absolute.parent_path();
}

// The last `components` of the path, joined by '/'; shorter when there are no more.
std::string tail(const fs::path& absolute, std::size_t components, bool packed) {
  std::vector<std::string> parts;
  for (const fs::path& part : absolute.relative_path()) parts.push_back(part.string());
  if (parts.empty()) return "root";
  if (packed) parts.back() = strip_archive_suffix(parts.back());
  const std::size_t begin = parts.size() - std::min(components, parts.size());
  std::string out = parts[begin];
  for (std::size_t i = begin + 1; i < parts.size(); ++i) out += "/" + parts[i];
  return out;
}

Result<BundlePart> directory_part(const std::string& path) {
  BundlePart part;
  part.kind = PartKind::kDirectory;
  part.disk_path = path;
  Result<std::vector<DirectoryFile>> files = list_directory(path);
  if (!files.ok()) return files.status();
  part.files = std::move(*files);
  for (const DirectoryFile& file : part.files) part.stored_bytes += file.size;
  if (part.files.empty()) {
    return error(ErrorKind::kUnreadable, "nothing to analyse", path, "the directory has no files",
                 "give the directory or archive that holds the job's logs");
  }
  return part;
}

Result<BundlePart> file_part(const std::string& path, std::uint64_t size,
                             const BundleLimits& limits) {
  BundlePart part;
  part.disk_path = path;
  part.stored_bytes = size;
  Result<std::unique_ptr<FileSource>> file = FileSource::open(path);
  if (!file.ok()) return file.status();
  DecodeBudget budget(limits, size);
  const ArchiveKind archive = open_stream(path, std::move(*file), nullptr, budget).archive;
  if (archive == ArchiveKind::kNone) return part;
  part.kind = PartKind::kArchive;
  ArchiveListing listing = list_archive_file(path, limits, budget);
  part.root = std::move(listing.root);
  if (listing.members > 0) return part;
  if (listing.failure.has_value()) {
    const Diagnostic& d = listing.failure->diagnostic();
    return error(ErrorKind::kDamaged, "cannot read the archive", path,
                 d.why.empty() ? d.what : d.what + ": " + d.why, "no member could be recovered");
  }
  return error(ErrorKind::kUnreadable, "nothing to analyse", path, "the archive has no files");
}

Result<BundlePart> look_at(const std::string& path, const BundleLimits& limits, bool alone) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) {
    const bool missing = errno == ENOENT || errno == ENOTDIR;
    return error(missing ? ErrorKind::kNotFound : ErrorKind::kUnreadable, "cannot open bundle",
                 path, std::strerror(errno), missing ? "check the path" : "");
  }
  if (S_ISDIR(info.st_mode)) return directory_part(path);
  if (!S_ISREG(info.st_mode)) {
    return error(ErrorKind::kUnreadable, "cannot open bundle", path,
                 "neither a directory nor a regular file");
  }
  // An empty log among others says that its task never spoke.
  if (info.st_size == 0 && alone) {
    return error(ErrorKind::kUnreadable, "nothing to analyse", path, "the file is empty");
  }
  return file_part(path, static_cast<std::uint64_t>(info.st_size), limits);
}

void name_parts(std::vector<BundlePart>& parts) {
  const auto named = [](const BundlePart& part, std::size_t components) {
    return tail(absolute_path(part.disk_path), components, part.kind == PartKind::kArchive);
  };
  for (BundlePart& part : parts) part.name = named(part, 1);
  constexpr std::size_t kMaxComponents = 64;
  for (std::size_t components = 2; components < kMaxComponents; ++components) {
    std::map<std::string, int> uses;
    for (const BundlePart& part : parts) ++uses[part.name];
    bool again = false;
    for (BundlePart& part : parts) {
      if (uses[part.name] < 2) continue;
      part.name = named(part, components);
      again = true;
    }
    if (!again) return;
  }
  // Only 'x' beside 'x.tar' in one folder is left.
  std::map<std::string, int> uses;
  for (BundlePart& part : parts) {
    if (++uses[part.name] > 1) part.name = absolute_path(part.disk_path).relative_path().string();
  }
}

}  // namespace

Result<std::vector<BundlePart>> resolve_arguments(const std::vector<std::string>& paths,
                                                  const BundleLimits& limits) {
  if (paths.empty()) return error(ErrorKind::kUsage, "no bundle given");
  std::vector<BundlePart> parts;
  std::set<std::string> seen;
  for (const std::string& path : paths) {
    if (!seen.insert(absolute_path(path).string()).second) {
      return error(ErrorKind::kUsage, "bundle given twice", path);
    }
    Result<BundlePart> part = look_at(path, limits, paths.size() == 1);
    if (!part.ok()) return part.status();
    parts.push_back(std::move(*part));
  }
  name_parts(parts);
  std::sort(parts.begin(), parts.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return parts;
}

}  // namespace tfpm
