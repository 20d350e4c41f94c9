#include "ingest/member_reader.h"

#include "ingest/identify.h"
#include "ingest/member_stream.h"

namespace tfpm {
namespace {

void note_failure(const Status& status, const MemberStream& stream, MemberResult& result) {
  const Diagnostic& d = status.diagnostic();
  result.status = "partial";
  result.reason = d.why.empty() ? d.what : d.what + ": " + d.why;
  result.rows.problem({"member-unreadable", ProblemSeverity::kDataLoss, stream.bytes(),
                       result.reason + "; what stands before this place was read"});
}

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
    parse(member, *member.content, result);
  }
  return result;
}

void MemberReader::parse(const Member& member, ByteSource& content, MemberResult& result) {
  MemberStream stream(content);
  SniffInput input;
  input.head = stream.head();
  input.complete = stream.head_is_all();
  input.path = member.inner_name.empty() ? member.path : member.inner_name;
  const Choice choice = identify(parsers_, input);
  result.parser = choice.name;
  result.runner_up = choice.runner_up;
  if (choice.name.empty()) {
    result.status = "unread";
    result.reason = choice.why_nobody;
    return;
  }
  result.status = "read";
  const MemberInfo info{std::string(input.path), member.size};
  const std::string_view head(input.head.data(), input.head.size());
  const Status parsed = choice.parser != nullptr
                            ? choice.parser->parse(info, stream, result.rows)
                            : log_reader_.read(info, head, stream, result.rows, result.series);
  stream.drain();
  result.bytes = stream.bytes();
  if (!stream.status().ok()) {
    note_failure(stream.status(), stream, result);
  } else if (!parsed.ok()) {
    note_failure(parsed, stream, result);
  }
  if (stream.complete()) result.fingerprint = stream.fingerprint();
}

}  // namespace tfpm
