#include "ingest/stream_log.h"

#include <algorithm>

#include "ingest/event_maker.h"
#include "ingest/reader_literals.h"
#include "ingest/text_lines.h"

namespace tfpm {
namespace {

// First and last of each kind that become rows; the rest is counted (architecture.md section 3).
constexpr std::size_t kSignatureCap = 64;
constexpr std::size_t kErrorCap = 32;
constexpr std::size_t kTailCap = 48;
// Memory of kept records in one source: beyond the first they lose their context, beyond the second
// they are cut short, beyond the third their number stops growing. A log of thousands of streams
// stays bounded.
constexpr std::size_t kContextKeptBytes = std::size_t{8} << 20;
constexpr std::size_t kAmpleKeptBytes = std::size_t{16} << 20;
constexpr std::size_t kMaxKeptBytes = std::size_t{32} << 20;
// Distinct TF_CONFIG values of one stream.
constexpr std::size_t kMaxTfConfigs = 16;

// Bytes kept of a record's text. What a traceback or crash says stands at its end: it is the last
// to be cut, or a merged log of a hundred ranks would lose the exception that ended them all.
std::size_t text_limit(EventKind kind, std::size_t kept_bytes) {
  const bool ample = kept_bytes < kAmpleKeptBytes;
  switch (kind) {
    case EventKind::kTail:
      return ample ? 500 : 200;
    case EventKind::kTraceback:
    case EventKind::kCrash:
      return ample ? 64 * 1024 : kept_bytes < kMaxKeptBytes ? 4 * 1024 : 1024;
    default:
      return ample ? 16 * 1024 : 200;
  }
}

// Libraries in C++ count no steps: their many numbers are addresses, channels and sizes.
bool may_count(const LineHeader& header) {
  return !header.cpp_file && header.family != HeaderFamily::kNccl;
}

bool has_literal(const RecordRef& record, const Matcher& matcher, ReaderLiteral literal) {
  const std::uint32_t id = matcher.pattern_count() + static_cast<std::uint32_t>(literal);
  return std::find(record.hits.begin(), record.hits.end(), id) != record.hits.end();
}

// With absl active beside another handler each message of TensorFlow's logger comes out twice, in
// two formats of which one has no stamp (log-formats.md 3).
bool may_be_copies(const LineHeader& before, const LineHeader& after) {
  return are_twin_families(before.family, after.family) && !after.message.empty();
}

}  // namespace

bool are_twin_families(HeaderFamily before, HeaderFamily after) {
  const bool bare = before == HeaderFamily::kTfLogger;
  const HeaderFamily other = bare ? after : before;
  return bare != (after == HeaderFamily::kTfLogger) &&
         (other == HeaderFamily::kAbslPython || other == HeaderFamily::kPython);
}

StreamLog::StreamLog(LogShared& shared, RowRef row, Sink& sink)
    : shared_(shared),
      allocator_(row, sink),
      collectives_(row, sink),
      tracebacks_(kSignatureCap, kSignatureCap),
      crashes_(kSignatureCap, kSignatureCap),
      errors_(kErrorCap, kErrorCap),
      tail_(0, kTailCap) {}

bool StreamLog::add(const StreamFragment& in) {
  if (is_simple(in)) {
    add_simple(in);
    return true;
  }
  assemble_simple();
  return add_assembled(in);
}

bool StreamLog::add_assembled(const StreamFragment& in) {
  const Fragment& fragment = in.fragment;
  const Record* before = assembler_.push(fragment);
  if (before != nullptr) {
    std::string text_before;
    if (may_be_copies(before->header, fragment.header) &&
        first_line(before->text) == fragment.header.message) {
      text_before = before->text;
      // The copy with a stamp tells when.
      if (!record_own_time_ && in.time_us) {
        record_own_time_ = true;
        record_time_us_ = in.time_us;
      }
    }
    complete_record(*before);
    copied_text_ = std::move(text_before);
  }
  const bool begins = begins_record(fragment, before);
  if (begins) begin_record(in);
  if (fragment.text.empty()) return false;
  record_range_.end = in.range.end;
  record_hits_.insert(record_hits_.end(), in.hits.begin(), in.hits.end());
  note_time(in);
  learn(in, !begins);
  facts_.last_line = fragment.line;
  if (!in.in_chunk) assembler_.retain();
  return begins;
}

void StreamLog::begin_record(const StreamFragment& in) {
  const Fragment& fragment = in.fragment;
  record_hits_.clear();
  record_own_time_ = in.time_us.has_value();
  record_time_us_ = record_own_time_ ? in.time_us : last_us_;
  record_place_ = {fragment.offset, fragment.line};
  record_range_ = in.range;
  record_has_head_ = false;
  record_severe_ = fragment.header.severity >= LogSeverity::kError;
  record_memo_ = in.memo;
  note_process(fragment);
  if (facts_.records++ == 0) facts_.first_line = fragment.line;
}

void StreamLog::learn(const StreamFragment& in, bool continuation) {
  const Fragment& fragment = in.fragment;
  if (!may_count(fragment.header)) return;
  learner_.add({fragment.offset, fragment.line, in.time_us, fragment.header.message, false, in.memo,
                continuation});
}

// A blank line never begins a record, but may end one.
bool StreamLog::begins_record(const Fragment& fragment, const Record* before) {
  if (fragment.text.empty()) {
    if (before != nullptr) record_open_ = false;
    return false;
  }
  const bool begins = before != nullptr || !record_open_;
  record_open_ = true;
  return begins;
}

void StreamLog::note_time(const StreamFragment& fragment) {
  if (!fragment.time_us) return;
  if (!facts_.first_us) facts_.first_us = fragment.time_us;
  facts_.last_us = fragment.time_us;
  last_us_ = fragment.time_us;
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

RecordRef StreamLog::keep(const Record& record) {
  RecordRef ref;
  ref.text = shared_.arena.keep(record.text);
  ref.kind = record.kind;
  ref.place = record.place;
  ref.marks = shared_.arena.keep(record.marks);
  ref.hits = shared_.arena.keep(record_hits_);
  ref.time_us = record_time_us_;
  ref.own_time = record_own_time_;
  ref.severity = record.header.severity;
  ref.range = record_range_;
  if (record_has_head_) ref.head = &record_head_;
  return ref;
}

// A record that repeats the one before it word for word, by another logger, is the same event.
void StreamLog::complete_record(const Record& record) {
  const bool copy = !copied_text_.empty() && record.text == copied_text_;
  copied_text_.clear();
  if (!copy) take_record(record);
}

void StreamLog::take_record(const Record& record) {
  const bool crash =
      record.kind == RecordKind::kCrash || record.header.severity == LogSeverity::kFatal;
  const bool traceback = record.kind == RecordKind::kTraceback;
  const bool severe = record.header.severity >= LogSeverity::kError;
  if (record.header.cpp_file && (allocator_.open() || BfcReader::may_start(record.text))) {
    allocator_.add(record.text, record.place.line, record.place.offset);
  }
  RecordMemo* memo = record.lines == 1 ? record_memo_ : nullptr;
  note_collectives(record, memo);
  if (record.kind == RecordKind::kStacks) stacks_.add(record);
  const bool rare = !is_frequent(record.text, memo);
  if (!rare && !severe && !crash && !traceback && record_hits_.empty()) return;
  const RecordRef ref = keep(record);
  bool known = false;
  if (!ref.hits.empty()) {
    known = count_signatures(ref, memo);
    note_literals(ref);
  }
  if (traceback) tracebacks_.add(ref);
  if (crash) crashes_.add(ref);
  if (severe && !known) errors_.add(ref);
  if (rare) tail_.add(ref);
}

void StreamLog::note_collectives(const Record& record, RecordMemo* memo) {
  if (memo != nullptr && memo->drawn) memo = nullptr;
  if (record.header.family == HeaderFamily::kNccl) {
    if (memo != nullptr && !memo->tells_nccl) {
      memo->tells_nccl = CollectiveReader::may_be_nccl(record.text);
    }
    if (memo != nullptr && !*memo->tells_nccl) return;
    collectives_.add_nccl(record.text, record.place.line, record.place.offset);
  } else if (!record_hits_.empty()) {
    if (memo != nullptr && !memo->tells_wait) {
      memo->tells_wait = CollectiveReader::may_be_wait(record.text);
    }
    if (memo != nullptr && !*memo->tells_wait) return;
    collectives_.add_text(record.text, record.place.line, record.place.offset);
  }
}

bool StreamLog::is_frequent(std::string_view text, RecordMemo* memo) {
  if (memo == nullptr || memo->head_drawn) return shapes_.frequent(text);
  if (!memo->shape_key) memo->shape_key = ShapeFilter::key_of(text);
  return shapes_.frequent(*memo->shape_key);
}

// Whether any signature explains the record.
bool StreamLog::count_signatures(const RecordRef& record, RecordMemo* memo) {
  const SignatureSet& verdict = verdict_of(record, memo);
  for (const std::uint32_t signature : verdict) {
    by_signature_.try_emplace(signature, kSignatureCap, kSignatureCap).first->second.add(record);
  }
  return !verdict.empty();
}

const SignatureSet& StreamLog::verdict_of(const RecordRef& record, RecordMemo* memo) {
  if (memo != nullptr && memo->verdict) return *memo->verdict;
  const SignatureSet& verdict = shared_.memo.judge(record.text, record.hits);
  const bool shared = memo != nullptr && memo->fixed_hits && !memo->drawn &&
                      shared_.memo.shares(record.text, record.hits);
  if (shared) memo->verdict = verdict;
  return verdict;
}

// What the reader's own literals announce.
void StreamLog::note_literals(const RecordRef& record) {
  const auto has = [&](ReaderLiteral literal) {
    return has_literal(record, shared_.matcher, literal);
  };
  if (has(ReaderLiteral::kBanner) && !banner_offset_) banner_offset_ = record.place.offset;
  if (has(ReaderLiteral::kTfConfig) || has(ReaderLiteral::kClusterKey) ||
      has(ReaderLiteral::kStrategy) || has(ReaderLiteral::kClusterSpec)) {
    note_tf_config(record);
  }
  if (has(ReaderLiteral::kStrategy)) {
    claims_.add("strategy", strategy_task(record.text), record.place.line, record.place.offset);
  }
  if (has(ReaderLiteral::kDevice)) {
    claims_.add("device", device_task(record.text), record.place.line, record.place.offset);
  }
  if (has(ReaderLiteral::kTarget)) {
    claims_.add("target", server_target(record.text), record.place.line, record.place.offset);
  }
}

void StreamLog::note_tf_config(const RecordRef& record) {
  if (tf_configs_.size() >= kMaxTfConfigs) return;
  std::size_t where = 0;
  std::optional<TfConfig> config = find_tf_config(record.text, &where);
  if (!config) return;
  const bool known = std::any_of(tf_configs_.begin(), tf_configs_.end(), [&](const auto& have) {
    return have.first.text == config->text && have.first.task_type == config->task_type &&
           have.first.task_index == config->task_index;
  });
  if (known) return;
  if (config->task_type && config->task_index) {
    claims_.add("tf_config", *config->task_type + "-" + std::to_string(*config->task_index),
                record.place.line, record.place.offset);
  }
  TfConfigPlace place;
  const RecordPlace at = record.place_of(where);
  place.line = at.line;
  place.byte_offset = at.offset;
  tf_configs_.emplace_back(std::move(*config), std::move(place));
}

// Copies what survives of the chunk.
void StreamLog::settle(EventKind kind, CappedRecords& records) {
  if (!records.pending()) return;
  const bool grow = shared_.kept_bytes < kMaxKeptBytes;
  const std::size_t each = kind == EventKind::kTail ? kTailCap : kContextEach;
  records.settle(grow, each, [&](const RecordRef& record, KeptRecord& kept, bool outer) {
    const std::size_t before = kept.ref().text.data() == nullptr ? 0 : kept.bytes();
    kept.assign(record, text_limit(kind, shared_.kept_bytes));
    if (outer && shared_.kept_bytes < kContextKeptBytes &&
        (record.head != nullptr || record.range.end > 0)) {
      if (record.head != nullptr) kept.context = *record.head;
      shared_.context.take(kept.context, record.place.line, record.range);
    }
    shared_.kept_bytes += kept.bytes() - before;
  });
}

void StreamLog::end_chunk() {
  assemble_simple();
  for (auto& [signature, records] : by_signature_) settle(EventKind::kSignature, records);
  settle(EventKind::kTraceback, tracebacks_);
  settle(EventKind::kCrash, crashes_);
  settle(EventKind::kError, errors_);
  settle(EventKind::kTail, tail_);
  record_memo_ = nullptr;
  if (!record_open_) return;
  assembler_.retain();
  if (!record_hits_.empty() || record_severe_) keep_head();
  record_range_ = {};
}

// The open record's lines leave the buffer: keeps them in case it becomes an event. In a log that
// thousands of tasks write together nearly all of them have an open record.
void StreamLog::keep_head() {
  if (!record_has_head_ && shared_.kept_bytes >= kContextKeptBytes) return;
  const std::size_t before = record_head_.text.capacity();
  if (!record_has_head_) record_head_.clear();
  shared_.context.take_head(record_head_, record_place_.line, record_range_);
  record_has_head_ = true;
  shared_.kept_bytes += record_head_.text.capacity() - before;
}

void StreamLog::finish() {
  assemble_simple();
  const Record* last = assembler_.finish();
  if (last != nullptr) complete_record(*last);
  record_open_ = false;
  allocator_.finish();
  collectives_.finish();
}

std::vector<Event> StreamLog::events() const {
  std::vector<Event> all;
  for_each_group(
      [&](EventKind kind, std::optional<std::uint32_t> signature, const CappedRecords& records) {
        records.for_each([&](const KeptRecord& kept) {
          all.push_back(make_event(shared_.matcher, kind, signature, kept.ref()));
        });
      });
  const auto key = [](const Event& event) {
    return std::tuple(event.record.offset, event.cited.line, event.kind, event.signature);
  };
  std::sort(all.begin(), all.end(),
            [&](const Event& a, const Event& b) { return key(a) < key(b); });
  return all;
}

std::map<std::uint32_t, std::uint64_t> StreamLog::signature_counts() const {
  std::map<std::uint32_t, std::uint64_t> counts;
  for (const auto& [signature, records] : by_signature_) counts[signature] = records.count();
  return counts;
}

}  // namespace tfpm
