#include "parsers/checkpoint/phrases.h"

#include <fmt/format.h>

#include <algorithm>

#include "parsers/checkpoint/member_name.h"

namespace tfpm {
namespace {

// Length of the well-formed UTF-8 sequence at `at`; 0 when there is none.
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(at);
  std::size_t length = 0;
  if (lead >= 0xc2 && lead <= 0xdf) length = 2;
  if (lead >= 0xe0 && lead <= 0xef) length = 3;
  if (lead >= 0xf0 && lead <= 0xf4) length = 4;
  if (length == 0 || text.size() - at < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xc0) != 0x80) return 0;
  }
  const unsigned second = byte(at + 1);
  const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool outside = (lead == 0xed && second > 0x9f) || (lead == 0xf4 && second > 0x8f);
  return overlong || outside ? 0 : length;
}

}  // namespace

std::string printable(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size();) {
    const auto byte = static_cast<unsigned char>(name[i]);
    const bool plain = byte >= 0x20 && byte < 0x7f;
    const std::size_t length = plain ? 1 : utf8_length(name, i);
    if (length == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(byte));
      ++i;
    } else {
      out += name.substr(i, length);
      i += length;
    }
  }
  return out;
}

std::string name_of(std::string_view path) {
  return printable(base_name(path));
}

std::string short_label(const TensorEntry& entry) {
  constexpr std::string_view kTail = "/.ATTRIBUTES/VARIABLE_VALUE";
  constexpr std::size_t kMaxLabel = 120;
  std::string label = entry.label();
  if (const std::size_t at = label.find(kTail); at != std::string::npos) {
    label.erase(at, kTail.size());
  }
  if (label.size() > kMaxLabel) label = label.substr(0, kMaxLabel) + "...";
  return printable(label);
}

std::string join_some(const std::vector<std::string>& items) {
  constexpr std::size_t kShown = 3;
  const std::size_t shown = items.size() <= kShown + 1 ? items.size() : kShown;
  std::string out = fmt::format(
      "{}", fmt::join(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < items.size()) out += fmt::format(" and {} more", items.size() - shown);
  return out;
}

std::string counted(std::uint64_t count, std::string_view singular) {
  return fmt::format("{} {}{}", count, singular, count == 1 ? "" : "s");
}

}  // namespace tfpm
