#include "ingest/event_maker.h"

#include <algorithm>

#include "base/text.h"
#include "ingest/event_captures.h"
#include "ingest/stream_log.h"

namespace tfpm {
namespace {

constexpr std::size_t kEventTextBytes = 4000;
constexpr std::size_t kTailTextBytes = 500;
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

// Fills kind and captures; returns the position in the text that is cited.
std::size_t describe(const LogShared& shared, const RecordRef& record, Event& event) {
  switch (event.kind) {
    case EventKind::kTraceback:
      return add_traceback_captures(record.text, event);
    case EventKind::kCrash:
      add_crash_captures(record.text, event);
      return 0;
    case EventKind::kError:
      add_status_captures(record.text, event);
      return 0;
    case EventKind::kTail: {
      std::string masked;
      mask_digits(event.text, masked);
      event.captures.emplace_back("template", std::move(masked));
      return 0;
    }
    case EventKind::kSignature:
      break;
  }
  const std::size_t begin = add_signature_captures(shared, *event.signature, record, event);
  if (!record.marks.empty()) add_listed_tasks(record.text, event);
  if (record.severity >= LogSeverity::kWarning || record.kind == RecordKind::kTraceback) {
    add_status_captures(record.text, event);
  }
  return begin;
}

}  // namespace

LineRange cited_lines(const Event& event) {
  const std::uint64_t first = std::min(event.record_line, event.cite_line);
  const std::uint64_t from = event.cite_line - first > kCitedLines ? event.cite_line : first;
  return {from, std::min(event.last_line, from + kCitedLines)};
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
  event.text = clean_utf8(record.text, text_limit(kind, shared));
  const RecordPlace cited = record.place_of(describe(shared, record, event));
  event.cite_line = cited.line;
  event.cite_offset = cited.offset;
  shared.event_bytes += event.text.size();
  shared.context.want(cited_lines(event));
  return event;
}

}  // namespace tfpm
