#include "ingest/event_maker.h"

#include <algorithm>

#include "base/text.h"
#include "ingest/stream_log.h"

namespace tfpm {
namespace {

constexpr std::size_t kEventTextBytes = 4000;
constexpr std::size_t kTailTextBytes = 500;
constexpr std::size_t kCaptureBytes = 1000;
// Beyond this much text in one source, further events are cut short: memory stays bounded however
// many signatures, streams and long records a log has.
constexpr std::size_t kSourceTextBytes = std::size_t{16} << 20;
constexpr std::size_t kShortTextBytes = 200;
// A long record is shown from its cited line on.
constexpr std::uint64_t kCitedLines = 40;

std::size_t text_limit(EventKind kind, const LogShared& shared) {
  if (shared.event_bytes > kSourceTextBytes) return kShortTextBytes;
  return kind == EventKind::kTail ? kTailTextBytes : kEventTextBytes;
}

void add_capture(Event& event, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  const bool known = std::any_of(event.captures.begin(), event.captures.end(),
                                 [&](const auto& have) { return have.first == name; });
  if (!known) event.captures.emplace_back(name, clean_utf8(value, kCaptureBytes));
}

// Where the signature's match begins, and its captures.
std::uint32_t add_signature_captures(const LogShared& shared, std::uint32_t signature,
                                     const RecordRef& record, Event& event) {
  std::vector<SignatureMatch> matches;
  shared.matcher.confirm(record.text, record.hits, true, matches);
  for (const SignatureMatch& match : matches) {
    if (match.signature != signature) continue;
    for (const auto& [name, value] : match.captures) add_capture(event, name, value);
    return match.begin;
  }
  return 0;
}

}  // namespace

LineRange cited_lines(const Event& event) {
  const std::uint64_t first = std::min(event.record_line, event.cite_line);
  const std::uint64_t from = event.cite_line - first > kCitedLines ? event.cite_line : first;
  return {from, std::min(event.last_line, from + kCitedLines)};
}

std::string listed_tasks(std::string_view record_text) {
  std::string names;
  for (std::size_t at = record_text.find("\n/job:"); at != std::string_view::npos;
       at = record_text.find("\n/job:", at + 1)) {
    std::string_view line = record_text.substr(at + 6);
    line = line.substr(0, line.find('\n'));
    const std::string_view job = line.substr(0, line.find('/'));
    const std::size_t task = line.find("/task:");
    if (task == std::string_view::npos) continue;
    const std::string_view index = line.substr(task + 6);
    const std::size_t end = index.find_first_not_of("0123456789");
    if (end == 0 || index.empty() || (end != std::string_view::npos && index[end] != ' ')) continue;
    if (!names.empty()) names += ',';
    names.append(job).append("-").append(index.substr(0, end));
  }
  return names;
}

Event make_event(LogShared& shared, EventKind kind, std::optional<std::uint32_t> signature,
                 const RecordRef& record) {
  Event event;
  event.kind = kind;
  event.signature = signature;
  event.seq = record.place.offset;
  event.record_line = record.place.line;
  event.last_line = record.last_line();
  event.time_us = record.time_us;
  event.own_time = record.own_time;
  event.severity = record.severity;
  std::uint32_t begin = 0;
  if (signature) begin = add_signature_captures(shared, *signature, record, event);
  if (kind == EventKind::kSignature) add_capture(event, "tasks", listed_tasks(record.text));
  const RecordPlace cited = record.place_of(begin);
  event.cite_line = cited.line;
  event.cite_offset = cited.offset;
  event.text = clean_utf8(record.text, text_limit(kind, shared));
  if (kind == EventKind::kTail) {
    std::string masked;
    mask_digits(event.text, masked);
    event.captures.emplace_back("template", masked);
  }
  shared.event_bytes += event.text.size();
  shared.context.want(cited_lines(event));
  return event;
}

}  // namespace tfpm
