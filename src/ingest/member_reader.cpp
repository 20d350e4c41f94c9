#include "ingest/member_reader.h"

#include <algorithm>
#include <string>
#include <string_view>

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
  const Choice choice = identify(parsers_, input);
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
  const std::string_view first(head.data(), head.size());
  Status parsed;
  if (content.empty()) {
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

Status MemberReader::parse(const Choice& choice, const MemberInfo& info, std::string_view head,
                           ByteStream& in, MemberResult& result) {
  if (choice.parser != nullptr) return choice.parser->parse(info, in, result.rows);
  return log_reader_.read(info, head, in, result.rows, result.series);
}

}  // namespace tfpm
