#include "ingest/member_reader.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "parsers/detail/log_export.h"

namespace tfpm {
namespace {

// Parser that claims the files of checkpoints and leaves them to parsers/checkpoint_set.h.
constexpr std::string_view kCheckpointParser = "checkpoint";

void note_failure(const Status& status, const MemberStream& stream, MemberResult& result) {
  const Diagnostic& d = status.diagnostic();
  result.status = "partial";
  result.reason = d.why.empty() ? d.what : d.what + ": " + d.why;
  result.rows.problem({"member-unreadable", ProblemSeverity::kDataLoss, stream.bytes(),
                       result.reason + "; what stands before this place was read"});
}

// Content that is in memory already.
class TextStream : public ByteStream {
 public:
  explicit TextStream(std::string_view text) : text_(text) {}
  Result<std::size_t> read(std::span<char> out) override {
    const std::size_t n = text_.copy(out.data(), out.size());
    text_.remove_prefix(n);
    return n;
  }

 private:
  std::string_view text_;
};

// Rows of a parser; lines of a log that it found in a frame of its own go to the log reader.
class ParserSink : public Sink {
 public:
  ParserSink(LogReader& reader, const std::string& path, MemberResult& result)
      : reader_(reader), path_(path), result_(result) {}

  RowRef add(std::string_view table, std::vector<Field> fields) override {
    if (table != kLogLineTable) return result_.rows.add(table, std::move(fields));
    if (!log_) log_ = reader_.lines(path_, result_.rows);
    log_->add(std::get<std::string>(fields.front().value));
    return {table, 0};
  }
  void problem(Problem problem) override { result_.rows.problem(std::move(problem)); }
  void set_lines(std::uint64_t lines) override { result_.rows.set_lines(lines); }

  Status finish() { return log_ ? log_->finish(result_.series) : ok_status(); }

 private:
  LogReader& reader_;
  const std::string& path_;
  MemberResult& result_;
  std::unique_ptr<LogLines> log_;
};

}  // namespace

MemberResult MemberReader::read(const Member& member) {
  MemberResult result;
  result.path = member.path;
  result.parent = member.parent;
  result.bytes = member.size;
  if (member.is_container) {
    result.status = "container";
  } else if (member.content == nullptr || !member.unread_reason.empty()) {
    result.status = "unread";
    result.reason =
        member.unread_reason.empty() ? std::string("it has no content") : member.unread_reason;
  } else {
    read_content(member, result);
  }
  return result;
}

void MemberReader::read_content(const Member& member, MemberResult& result) {
  MemberStream stream(*member.content);
  SniffInput input;
  const std::vector<char> head(stream.head().begin(), stream.head().end());
  input.head = head;
  input.complete = stream.head_is_all();
  input.path = member.inner_name.empty() ? member.path : member.inner_name;
  const std::string_view first(head.data(), head.size());
  Choice choice = identify(parsers_, input);
  // Text of Windows' tools. The log reader turns it into UTF-8 itself, with offsets of the source.
  const Utf16 order = choice.parser == nullptr ? guess_utf16(first) : Utf16::kNo;
  if (order != Utf16::kNo) choice = identify_wide(input, order, choice);
  result.parser = choice.name;
  result.runner_up = choice.runner_up;
  const std::string content = checkpoints_.show(member, stream);
  if (choice.name.empty()) {
    if (!stream.status().ok()) return note_failure(stream.status(), stream, result);
    result.status = "unread";
    result.reason = choice.why_nobody;
    return;
  }
  result.status = "read";
  const MemberInfo info{std::string(input.path), member.size};
  Status parsed;
  if (order != Utf16::kNo && choice.parser != nullptr) {
    Utf16Stream text(stream, order);
    parsed = parse(choice, info, first, text, result);
    result.rows.problem({"utf-16-text", ProblemSeverity::kInfo, std::nullopt,
                         "the file is UTF-16 (saved by Windows' tools); byte offsets of its rows "
                         "are those of the text as UTF-8"});
  } else if (content.empty()) {
    parsed = parse(choice, info, first, stream, result);
    // Data shards are read in the second pass.
    if (choice.name == kCheckpointParser) return;
  } else {
    TextStream text(content);
    parsed = parse(choice, info, first, text, result);
  }
  stream.drain();
  result.bytes = stream.bytes();
  if (!stream.status().ok()) {
    note_failure(stream.status(), stream, result);
  } else if (!parsed.ok()) {
    note_failure(parsed, stream, result);
  }
  if (stream.complete()) result.fingerprint = stream.fingerprint();
}

// The contest once more, over the text itself; `narrow` is what it gave over the bytes.
Choice MemberReader::identify_wide(const SniffInput& bytes, Utf16 order,
                                   const Choice& narrow) const {
  std::string text;
  append_utf8_of_utf16({bytes.head.data(), bytes.head.size()}, order, text);
  SniffInput input = bytes;
  input.head = {text.data(), std::min(text.size(), kSniffBytes)};
  Choice wide = identify(parsers_, input);
  return wide.parser != nullptr ? wide : narrow;
}

Status MemberReader::parse(const Choice& choice, const MemberInfo& info, std::string_view head,
                           ByteStream& in, MemberResult& result) {
  if (choice.parser != nullptr) {
    ParserSink sink(log_reader_, info.path, result);
    const Status parsed = choice.parser->parse(info, in, sink);
    const Status logged = sink.finish();
    return parsed.ok() ? logged : parsed;
  }
  return log_reader_.read(info, head, in, result.rows, result.series);
}

}  // namespace tfpm
