#include "parsers/detail/event_file_name.h"

#include <charconv>

namespace tfpm {
namespace {

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < 0) {
    return {};
  }
  return value;
}

// Takes the last ".part" off.
std::string_view take_last(std::string_view& rest) {
  const std::size_t dot = rest.rfind('.');
  if (dot == std::string_view::npos) return {};
  const std::string_view last = rest.substr(dot + 1);
  rest = rest.substr(0, dot);
  return last;
}

bool take_suffix(std::string_view& rest, std::string_view suffix) {
  if (!rest.ends_with(suffix)) return false;
  rest.remove_suffix(suffix.size());
  return true;
}

}  // namespace

EventFileName parse_event_file_name(std::string_view path) {
  constexpr std::string_view kMark = ".tfevents.";
  EventFileName out;
  std::string_view rest = path.substr(path.rfind('/') + 1);
  const std::size_t mark = rest.find(kMark);
  if (mark == std::string_view::npos) return out;
  rest.remove_prefix(mark + kMark.size());
  for (const std::string_view packed : {".gz", ".zst", ".bz2", ".xz"}) take_suffix(rest, packed);
  take_suffix(rest, ".v2");
  out.profiler_marker = take_suffix(rest, ".profile-empty");
  // Host names hold dots: what is known at both ends is taken off.
  const std::size_t dot = rest.find('.');
  const auto seconds = number(rest.substr(0, dot));
  constexpr std::int64_t kMaxSeconds = 100'000'000'000;
  if (!seconds || *seconds > kMaxSeconds) return out;
  out.started_us = *seconds * 1'000'000;
  if (dot == std::string_view::npos) return out;
  rest.remove_prefix(dot + 1);
  std::string_view host = rest;
  const auto counter = number(take_last(host));
  const auto pid = number(take_last(host));
  const bool full = counter && pid && !host.empty();
  out.host = full ? host : rest;
  if (full) out.pid = pid;
  return out;
}

}  // namespace tfpm
