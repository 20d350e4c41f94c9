#include "bundle/manifest_tap.h"

#include <nlohmann/json.hpp>

#include "bundle/peek_source.h"

namespace tfpm {
namespace {

constexpr std::string_view kName = "bundle.json";
constexpr std::size_t kMaxBytes = std::size_t{1} << 20;

bool has_manifest_key(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  // Broken JSON is taken for a manifest: the complaint will say where it is broken.
  if (json.is_discarded()) return true;
  if (!json.is_object()) return false;
  for (const char* key : {"job", "tasks", "framework", "markers", "notes"}) {
    if (json.contains(key)) return true;
  }
  return json.empty();
}

}  // namespace

Status ManifestTap::for_each(const Visit& visit, const OnProblem& problem) {
  text_.reset();
  return inner_.for_each(
      [&](Member& member) {
        const bool wanted = member.path == kName && member.content != nullptr;
        return wanted ? keep(member, visit) : visit(member);
      },
      problem);
}

Status ManifestTap::keep(Member& member, const Visit& visit) {
  std::string text(kMaxBytes + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const Result<std::size_t> n = member.content->read(std::span(text).subspan(size));
    if (!n.ok()) return n.status();
    if (*n == 0) break;
    size += *n;
  }
  if (size > kMaxBytes) {
    return error(ErrorKind::kLimit, "the manifest is larger than 1 MiB", member.path);
  }
  text.resize(size);
  MemorySource again(text);
  member.content = &again;
  const Status status = visit(member);
  member.content = nullptr;
  if (has_manifest_key(text)) text_ = std::move(text);
  return status;
}

Result<Manifest> ManifestTap::manifest() const {
  if (!text_.has_value()) return Manifest{};
  return parse_manifest(*text_, std::string(kName));
}

}  // namespace tfpm
