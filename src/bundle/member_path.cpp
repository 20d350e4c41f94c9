#include "bundle/member_path.h"

#include <algorithm>

#include "base/text.h"

namespace tfpm {
namespace {

void append_escaped(std::string& out, std::string_view component) {
  constexpr std::string_view kHex = "0123456789abcdef";
  while (!component.empty()) {
    const std::size_t n = utf8_size(component, 0);
    const auto byte = static_cast<unsigned char>(component[0]);
    if (n == 0 || byte < 0x20 || byte == 0x7f) {
      out += "\\x";
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
      component.remove_prefix(1);
    } else {
      out += component.substr(0, n);
      component.remove_prefix(n);
    }
  }
}

std::string_view first_component(std::string_view path) {
  return path.substr(0, path.find('/'));
}

}  // namespace

std::optional<std::string> clean_path(std::string_view stored) {
  if (stored.empty() || stored.front() == '/') return std::nullopt;
  // 'C:\\...' and 'C:/...' of archives made on Windows.
  if (stored.size() >= 3 && stored[1] == ':' && (stored[2] == '\\' || stored[2] == '/')) {
    return std::nullopt;
  }
  std::string out;
  while (!stored.empty()) {
    const std::string_view component = first_component(stored);
    stored.remove_prefix(std::min(stored.size(), component.size() + 1));
    if (component.empty() || (component == "." && !out.empty())) continue;
    if (component == ".." || component.starts_with("..\\")) return std::nullopt;
    if (!out.empty()) out += '/';
    append_escaped(out, component);
  }
  if (out.empty()) return std::nullopt;
  return out;
}

std::string without_root(std::string_view path, std::string_view root) {
  if (!root.empty() && path.size() > root.size() && path.starts_with(root) &&
      path[root.size()] == '/') {
    path.remove_prefix(root.size() + 1);
  }
  if (path.starts_with("./")) path.remove_prefix(2);
  return std::string(path);
}

ArchiveListing list_archive(ArchiveReader& reader, std::uint64_t max_members) {
  ArchiveListing out;
  bool several = false;
  while (!(several && out.members > 0) && out.members < max_members) {
    const Result<std::optional<ArchiveEntry>> entry = reader.next();
    if (!entry.ok()) out.failure = entry.status();
    if (!entry.ok() || !entry->has_value()) break;
    const bool folder = (*entry)->type == EntryType::kDirectory;
    if (!folder) ++out.members;
    const std::optional<std::string> path = clean_path((*entry)->path);
    // macOS puts its metadata beside the root.
    if (!path.has_value() || path->starts_with("__MACOSX")) continue;
    const std::string_view first = first_component(*path);
    if (!folder && first.size() == path->size()) several = true;
    if (!out.root.empty() && out.root != first) several = true;
    if (out.root.empty()) out.root = first;
  }
  if (several) out.root.clear();
  return out;
}

}  // namespace tfpm
