#include "bundle/bundle.h"

#include "bundle/arguments.h"
#include "bundle/format.h"
#include "bundle/member_path.h"
#include "bundle/walk.h"

namespace tfpm {
namespace {

class OpenBundle : public Bundle {
 public:
  OpenBundle(std::vector<BundlePart> parts, const BundleLimits& limits)
      : parts_(std::move(parts)), limits_(limits) {
    for (const BundlePart& part : parts_) stored_bytes_ += part.stored_bytes;
    counters_.bytes_total = stored_bytes_;
  }

  std::string name() const override {
    std::string name = parts_.front().name;
    name = name.substr(name.rfind('/') + 1);
    if (parts_.front().kind == PartKind::kFile) name = strip_archive_suffix(name);
    if (parts_.size() > 1) name += "+" + std::to_string(parts_.size() - 1);
    return name;
  }

  Status for_each(const Visit& visit, const OnProblem& problem) override {
    counters_.bytes_done = 0;
    counters_.members_done = 0;
    DecodeBudget budget(limits_, stored_bytes_);
    Walker walker(limits_, budget, counters_, visit, problem);
    for (const BundlePart& part : parts_) TFPM_RETURN_IF_ERROR(walk(walker, part));
    return ok_status();
  }

  BundleProgress progress() const override {
    return {counters_.bytes_done, counters_.bytes_total, counters_.members_done};
  }

 private:
  Status walk(Walker& walker, const BundlePart& part) const {
    const std::string prefix = parts_.size() > 1 ? part.name : "";
    switch (part.kind) {
      case PartKind::kFile:
        return walker.file(part.disk_path, part.name);
      case PartKind::kArchive:
        return walker.archive({part.disk_path, prefix, part.root});
      case PartKind::kDirectory:
        return walk_directory(walker, part, prefix.empty() ? "" : prefix + "/");
    }
    return ok_status();
  }

  static Status walk_directory(Walker& walker, const BundlePart& part, const std::string& prefix) {
    for (const DirectoryFile& file : part.files) {
      // A name that is not UTF-8 is escaped here, but opened as it is.
      const std::string path = prefix + clean_path(file.path).value_or(file.path);
      if (file.unread_reason.empty()) {
        TFPM_RETURN_IF_ERROR(walker.file(part.disk_path + "/" + file.path, path));
        continue;
      }
      Member member;
      member.path = path;
      member.inner_name = path;
      TFPM_RETURN_IF_ERROR(walker.unread(std::move(member), file.unread_reason, file.lost));
    }
    return ok_status();
  }

  std::vector<BundlePart> parts_;
  BundleLimits limits_;
  std::uint64_t stored_bytes_ = 0;
  WalkCounters counters_;
};

}  // namespace

Result<std::unique_ptr<Bundle>> Bundle::open(const std::vector<std::string>& paths,
                                             const BundleLimits& limits) {
  Result<std::vector<BundlePart>> parts = resolve_arguments(paths, limits);
  if (!parts.ok()) return parts.status();
  std::unique_ptr<Bundle> bundle = std::make_unique<OpenBundle>(std::move(*parts), limits);
  return bundle;
}

}  // namespace tfpm
