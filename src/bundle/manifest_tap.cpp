#include "bundle/manifest_tap.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

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
  manifest_ = {};
  return inner_.for_each(
      [&](Member& member) {
        const bool wanted = member.path == kName && member.content != nullptr;
        return wanted ? keep(member, visit) : visit(member);
      },
      problem);
}

Status ManifestTap::keep(Member& member, const Visit& visit) {
  // A damaged or huge file is no reason to stop: whoever reads the member next meets the same bytes
  // and the same error.
  PeekSource whole(std::make_unique<BorrowedSource>(*member.content));
  const std::span<const char> bytes = whole.peek(kMaxBytes + 1);
  const std::string text(bytes.begin(), bytes.end());
  if (!whole.failed() && text.size() <= kMaxBytes && has_manifest_key(text)) {
    Result<Manifest> manifest = parse_manifest(text, std::string(kName));
    if (!manifest.ok()) return manifest.status();
    manifest_ = std::move(*manifest);
  }
  ByteSource* const original = std::exchange(member.content, &whole);
  const Status status = visit(member);
  member.content = original;
  return status;
}

}  // namespace tfpm
