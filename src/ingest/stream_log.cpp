#include "ingest/stream_log.h"

#include <algorithm>

#include "ingest/continuation.h"
#include "ingest/event_maker.h"
#include "ingest/reader_literals.h"

namespace tfpm {
namespace {

// First and last of each kind that become rows; the rest is counted (architecture.md section 3).
constexpr std::size_t kSignatureCap = 64;
constexpr std::size_t kErrorCap = 32;
constexpr std::size_t kTailCap = 48;

bool has_literal(const RecordRef& record, const Matcher& matcher, ReaderLiteral literal) {
  const std::uint32_t id = matcher.pattern_count() + static_cast<std::uint32_t>(literal);
  return std::find(record.hits.begin(), record.hits.end(), id) != record.hits.end();
}

}  // namespace

StreamLog::StreamLog(LogShared& shared)
    : shared_(shared),
      tracebacks_(kSignatureCap, kSignatureCap),
      crashes_(kSignatureCap, kSignatureCap),
      errors_(kErrorCap, kErrorCap),
      tail_(0, kTailCap) {}

bool StreamLog::add(const Fragment& fragment) {
  note_time(fragment);
  const bool continues = record_.open() && !record_.full() &&
                         fragment.header.family == HeaderFamily::kNone &&
                         continues_record(record_.ref(), fragment.header.message);
  if (!fragment.header.cpp_file) {
    learner_.add({fragment.offset, fragment.line, fragment.time_us, fragment.header.message, false,
                  continues && record_.ref().has_header});
  }
  if (continues) {
    record_.append(fragment);
  } else {
    close_record();
    note_process(fragment);
    record_.begin(fragment, fragment.time_us ? fragment.time_us : last_us_);
    if (facts_.records++ == 0) facts_.first_line = fragment.line;
  }
  facts_.last_line = fragment.line;
  if (fragment.time_us) last_us_ = fragment.time_us;
  return !continues;
}

void StreamLog::add_empty_line() {
  if (record_.open()) record_.append_empty();
}

void StreamLog::note_time(const Fragment& fragment) {
  if (!fragment.time_us) return;
  if (!facts_.first_us) facts_.first_us = fragment.time_us;
  facts_.last_us = fragment.time_us;
  ++facts_.stamps[static_cast<std::size_t>(fragment.basis)];
}

// A new thread id in a start-up line is a new process; it begins at the banner before it.
void StreamLog::note_process(const Fragment& fragment) {
  const LineHeader& header = fragment.header;
  if (!header.thread_id || !header.cpp_file || !is_startup_file(header.file)) return;
  const std::uint64_t begin = banner_offset_.value_or(fragment.offset);
  banner_offset_.reset();
  if (std::find(process_ids_.begin(), process_ids_.end(), *header.thread_id) !=
      process_ids_.end()) {
    return;
  }
  if (!process_ids_.empty()) learner_.start_attempt(begin);
  process_ids_.push_back(*header.thread_id);
  claims_.add("pid", std::to_string(*header.thread_id), fragment.line, fragment.offset);
}

void StreamLog::close_record() {
  if (!record_.open()) return;
  const bool has_hits = record_.has_hits();
  const RecordRef record = record_.close(shared_.arena);
  const bool known = has_hits && count_signatures(record);
  if (has_hits) note_literals(record);
  const bool severe = record.severity >= LogSeverity::kError;
  if (severe && !known) errors_.add(record);
  if (!shapes_.frequent(record.text)) tail_.add(record);
}

// Whether any signature explains the record.
bool StreamLog::count_signatures(const RecordRef& record) {
  const Verdict& verdict = shared_.memo.judge(record.text, record.hits);
  for (const std::uint32_t signature : verdict) {
    const auto it =
        by_signature_.try_emplace(signature, CappedEvents(kSignatureCap, kSignatureCap)).first;
    it->second.add(record);
  }
  return !verdict.empty();
}

// What the reader's own literals announce.
void StreamLog::note_literals(const RecordRef& record) {
  const auto has = [&](ReaderLiteral literal) {
    return has_literal(record, shared_.matcher, literal);
  };
  if (has(ReaderLiteral::kBanner) && !banner_offset_) banner_offset_ = record.offset;
  if (has(ReaderLiteral::kTraceback)) tracebacks_.add(record);
  if (has(ReaderLiteral::kStrategy)) {
    claims_.add("strategy", strategy_task(record.text), record.line, record.offset);
  }
  if (has(ReaderLiteral::kDevice)) {
    claims_.add("device", device_task(record.text), record.line, record.offset);
  }
  if (has(ReaderLiteral::kTarget)) {
    claims_.add("target", server_target(record.text), record.line, record.offset);
  }
}

void StreamLog::end_chunk() {
  record_.leave_chunk();
  // An open record's first lines leave the buffer: keep them in case it becomes an event.
  if (record_.open() && record_.has_hits()) {
    shared_.context.want({record_.ref().line, record_.ref().line});
  }
  const auto settle = [&](EventKind kind, std::optional<std::uint32_t> signature,
                          CappedEvents& events) {
    if (!events.pending()) return;
    events.settle(
        [&](const RecordRef& record) { return make_event(shared_, kind, signature, record); });
  };
  for (auto& [signature, events] : by_signature_) settle(EventKind::kSignature, signature, events);
  settle(EventKind::kTraceback, std::nullopt, tracebacks_);
  settle(EventKind::kCrash, std::nullopt, crashes_);
  settle(EventKind::kError, std::nullopt, errors_);
  settle(EventKind::kTail, std::nullopt, tail_);
}

void StreamLog::finish() {
  close_record();
}

template <typename Visit>
void StreamLog::for_each_group(const Visit& visit) const {
  for (const auto& [signature, events] : by_signature_) visit(events);
  visit(tracebacks_);
  visit(crashes_);
  visit(errors_);
  visit(tail_);
}

std::vector<Event> StreamLog::take_events() {
  std::vector<Event> all;
  for_each_group([&](const CappedEvents& events) {
    all.insert(all.end(), events.first().begin(), events.first().end());
    all.insert(all.end(), events.last().begin(), events.last().end());
  });
  const auto key = [](const Event& event) {
    return std::tuple(event.seq, event.cite_line, event.kind, event.signature);
  };
  std::sort(all.begin(), all.end(),
            [&](const Event& a, const Event& b) { return key(a) < key(b); });
  return all;
}

std::map<std::uint32_t, std::uint64_t> StreamLog::signature_counts() const {
  std::map<std::uint32_t, std::uint64_t> counts;
  for (const auto& [signature, events] : by_signature_) counts[signature] = events.count();
  return counts;
}

void StreamLog::add_cited(std::vector<LineRange>& out) const {
  const auto add = [&](const Event& event) { out.push_back(cited_lines(event)); };
  for_each_group([&](const CappedEvents& events) {
    std::for_each(events.first().begin(), events.first().end(), add);
    std::for_each(events.last().begin(), events.last().end(), add);
  });
}

}  // namespace tfpm
