// What must hold for every input of the line and record readers; shared by the hostile unit tests
// and the fuzz targets. Each function returns what is broken, empty when all holds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ingest/crash.h"
#include "ingest/lines.h"
#include "ingest/record.h"
#include "ingest/text_lines.h"
#include "ingest/traceback.h"

namespace tfpm::testing {

inline bool is_inside(std::string_view view, std::string_view whole) {
  if (view.empty()) return true;
  return view.data() >= whole.data() && view.data() + view.size() <= whole.data() + whole.size();
}

inline std::string check_header(std::string_view line) {
  const LineHeader header = parse_header(line);
  if (!is_inside(header.message, line)) return "message outside of the line";
  if (!is_inside(header.file, line)) return "file outside of the line";
  if (!is_inside(header.host, line)) return "host outside of the line";
  const bool none = header.family == HeaderFamily::kNone;
  if (none && header.message != line) return "no header, but the message is not the line";
  if (none && header.stamp.basis != StampBasis::kNone) return "no header, but a stamp";
  const std::size_t glued = find_glued_header(line);
  if (glued != std::string_view::npos && (glued == 0 || glued >= line.size())) {
    return "glued header outside of the line";
  }
  std::string unescaped;
  unescape_json(line, unescaped);
  if (unescaped.size() > line.size()) return "text grew when its escapes were undone";
  return {};
}

inline std::string check_envelopes(std::string_view text) {
  const EnvelopeDetector detector = EnvelopeDetector::from_head(text);
  std::string_view line;
  while (next_line(text, line)) {
    const Envelope envelope = detector.peel(line);
    if (!is_inside(envelope.inner, line)) return "inner text outside of the line";
    if (!is_inside(envelope.tag, line)) return "tag outside of the line";
    if (envelope.kind == EnvelopeKind::kNone && envelope.inner != line) {
      return "no envelope, but something was peeled";
    }
    if (rank_of(envelope).value_or(0) < 0) return "negative rank";
  }
  return {};
}

struct KeptRecord {
  RecordKind kind = RecordKind::kPlain;
  std::uint64_t line = 0;
  std::size_t lines = 0;
  std::string text;
  bool operator==(const KeptRecord&) const = default;
};

inline std::string check_record(const Record& record) {
  if (record.lines == 0 || record.lines > kMaxRecordLines + 1) return "number of lines";
  if (!record.marks.empty() && record.text.size() > kMaxRecordBytes + 64) return "too long";
  std::size_t before = 0;
  for (const Record::Mark& mark : record.marks) {
    if (mark.begin < before || mark.begin > record.text.size()) return "marks out of order";
    before = mark.begin;
  }
  if (!record.text.starts_with(record.header.message)) return "text does not begin with message";
  // Nothing is asked of their results but that they end and stay inside their input.
  const TracebackInfo traceback = parse_traceback(record.text);
  if (traceback.full_message.size() > record.text.size()) return "message longer than the record";
  const StatusInfo status = parse_status(record.text);
  if (status.inner_text.size() > record.text.size()) return "status longer than the record";
  parse_crash(record.text);
  return {};
}

// `borrow`: fragments stay where they are; otherwise each is overwritten after retain().
inline std::vector<KeptRecord> assemble(std::string_view text, bool borrow, std::string& broken) {
  std::vector<KeptRecord> out;
  RecordAssembler assembler;
  const auto keep = [&](const Record* record) {
    if (record == nullptr) return;
    if (const std::string what = check_record(*record); !what.empty()) broken = what;
    out.push_back({record->kind, record->place.line, record->lines, std::string(record->text)});
  };
  std::uint64_t number = 0;
  std::string_view line;
  while (next_line(text, line)) {
    std::string copy(line);
    Fragment fragment;
    fragment.offset = number;
    fragment.line = ++number;
    fragment.text = borrow ? line : std::string_view(copy);
    fragment.header = parse_header(fragment.text);
    keep(assembler.push(fragment));
    if (borrow) continue;
    assembler.retain();
    copy.assign(copy.size(), '#');
  }
  keep(assembler.finish());
  return out;
}

inline std::string check_records(std::string_view text) {
  std::string broken;
  const std::vector<KeptRecord> borrowed = assemble(text, true, broken);
  const std::vector<KeptRecord> retained = assemble(text, false, broken);
  if (!broken.empty()) return broken;
  if (borrowed != retained) return "records depend on how long fragments live";
  return {};
}

}  // namespace tfpm::testing
