// Records of one line that nothing is looked for in: they are counted, learned from and gone.
//
// A log is nearly all such lines: a header and a text seen before, or a line of progress. Each ends
// the record before it, and whatever ends it in turn leaves nothing to be done but to know how
// often its like was seen. Only what follows can make more of it: then it is given to the assembler
// as if it had been there from the start.
#include "ingest/line_start.h"
#include "ingest/stream_log.h"

namespace tfpm {
namespace {

std::string_view text_of(const Fragment& fragment) {
  const bool headed = fragment.header.family != HeaderFamily::kNone;
  return headed ? fragment.header.message : fragment.text;
}

// Without a header only a line of progress surely begins a record. Which lines are progress depends
// on no digit's value.
bool is_progress(const Fragment& fragment, RecordMemo& memo) {
  if (!memo.progress) memo.progress = classify_line(fragment.text) == LineStart::kProgress;
  return *memo.progress;
}

// What take_record() would do with it beyond counting.
bool is_of_interest(const LineHeader& header, const RecordMemo& memo, bool allocator_open) {
  if (header.severity >= LogSeverity::kError) return true;
  if (header.cpp_file && (allocator_open || BfcReader::may_start(header.message))) return true;
  return header.family == HeaderFamily::kNccl && (memo.drawn || memo.tells_nccl.value_or(true));
}

}  // namespace

bool StreamLog::is_simple(const StreamFragment& in) {
  if (in.memo == nullptr || !in.hits.empty() || !in.in_chunk) return false;
  const LineHeader& header = in.fragment.header;
  if (is_of_interest(header, *in.memo, allocator_.open())) return false;
  if (header.family == HeaderFamily::kNone && !is_progress(in.fragment, *in.memo)) return false;
  if (simple_open_) return !are_twin_families(simple_.header.family, header.family);
  return assembler_.calm() && !are_twin_families(assembler_.open_family(), header.family);
}

void StreamLog::add_simple(const StreamFragment& in) {
  if (simple_open_) {
    complete_simple();
  } else if (const Record* before = assembler_.finish(); before != nullptr) {
    complete_record(*before);
  }
  begin_record(in);
  simple_open_ = record_open_ = true;
  simple_ = in.fragment;
  record_range_.end = in.range.end;
  note_time(in);
  learn(in, false);
  facts_.last_line = in.fragment.line;
}

void StreamLog::complete_simple() {
  const std::string_view text = text_of(simple_);
  if (is_frequent(text, record_memo_)) return;
  Record record;
  record.kind =
      simple_.header.family == HeaderFamily::kNone ? RecordKind::kPlain : RecordKind::kLog;
  record.place = {simple_.offset, simple_.line};
  record.lines = 1;
  record.header.severity = simple_.header.severity;
  record.text = text;
  tail_.add(keep(record));
}

void StreamLog::assemble_simple() {
  if (!simple_open_) return;
  simple_open_ = false;
  assembler_.push(simple_);  // which has no record open
}

}  // namespace tfpm
