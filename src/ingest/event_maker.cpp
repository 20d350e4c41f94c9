#include "ingest/event_maker.h"

#include <string>
#include <vector>

#include "base/text.h"
#include "ingest/event_captures.h"
#include "ingest/verdict_memo.h"

namespace tfpm {
namespace {

// Of the row's text; captures are made from all that was kept of the record.
constexpr std::size_t kEventTextBytes = 4000;

// Where the signature's match begins, and its captures.
std::uint32_t add_signature_captures(const Matcher& matcher, std::uint32_t signature,
                                     const RecordRef& record, Event& event) {
  std::vector<SignatureMatch> matches;
  matcher.confirm(record.text, record.hits, true, matches);
  for (const SignatureMatch& match : matches) {
    if (match.signature != signature) continue;
    for (const auto& [name, value] : match.captures) add_capture(event, name, value);
    return match.begin;
  }
  return 0;
}

// Fills kind and captures; returns the position in the text that is cited.
std::size_t describe(const Matcher& matcher, const RecordRef& record, Event& event) {
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
  const std::size_t begin = add_signature_captures(matcher, *event.signature, record, event);
  if (!record.marks.empty()) add_listed_tasks(record.text, event);
  if (record.severity >= LogSeverity::kWarning || record.kind == RecordKind::kTraceback) {
    add_status_captures(record.text, event);
  }
  return begin;
}

}  // namespace

Event make_event(const Matcher& matcher, EventKind kind, std::optional<std::uint32_t> signature,
                 const RecordRef& record) {
  Event event;
  event.kind = kind;
  event.signature = signature;
  event.record = record.place;
  event.time_us = record.time_us;
  event.own_time = record.own_time;
  event.severity = record.severity;
  event.text = clean_utf8(record.text, kEventTextBytes);
  event.cited = record.place_of(describe(matcher, record, event));
  return event;
}

}  // namespace tfpm
