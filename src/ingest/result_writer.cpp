#include "ingest/result_writer.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <string_view>
#include <unordered_map>

namespace tfpm {
namespace {

Value text_or_null(std::string_view text) {
  return text.empty() ? null_value() : text_value(text);
}

// Over what identifies each member: its path and its content, or its size where it was not read.
std::string bundle_fingerprint(const std::map<std::string, MemberResult>& members) {
  std::string text;
  for (const auto& [path, member] : members) {
    if (member.status == "container") continue;
    const std::string content = member.fingerprint.empty()
                                    ? fmt::format("{} bytes", member.bytes.value_or(0))
                                    : member.fingerprint;
    text += fmt::format("{}\n{}\n", path, content);
  }
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return fmt::format("xxh3-128:{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

Status ResultWriter::write(std::map<std::string, MemberResult>& members,
                           const std::vector<BundleProblem>& problems, IngestResult& out) {
  // Problems that belong to no member come first: they have no source.
  std::unordered_map<std::string_view, std::vector<const BundleProblem*>> by_path;
  for (const BundleProblem& problem : problems) {
    if (members.contains(problem.path)) {
      by_path[problem.path].push_back(&problem);
    } else {
      TFPM_RETURN_IF_ERROR(write_bundle_problem(problem, out));
    }
  }
  for (auto& [path, member] : members) {
    TFPM_RETURN_IF_ERROR(write_member(member, out));
    const auto own = by_path.find(path);
    if (own == by_path.end()) continue;
    for (const BundleProblem* problem : own->second) {
      TFPM_RETURN_IF_ERROR(write_bundle_problem(*problem, out));
    }
  }
  out.fingerprint = bundle_fingerprint(members);
  return ok_status();
}

Status ResultWriter::write_member(MemberResult& member, IngestResult& out) {
  const auto parent = source_ids_.find(member.parent);
  const auto lines = member.rows.lines();
  const Result<std::int64_t> id = writer_.write(
      {"source",
       {{"path", text_value(member.path)},
        {"parent_id", parent == source_ids_.end() ? null_value() : Value(parent->second)},
        {"parser", text_or_null(member.parser)},
        {"runner_up", text_or_null(member.runner_up)},
        {"bytes", member.bytes ? int_value(*member.bytes) : null_value()},
        {"lines", lines ? int_value(*lines) : null_value()},
        {"fingerprint", text_or_null(member.fingerprint)},
        {"status", text_value(member.status)},
        {"reason", text_or_null(member.reason)}}});
  if (!id.ok()) return id.status();
  source_ids_.emplace(member.path, *id);
  writer_.begin_source(*id);
  std::int64_t first_stream = 0;
  TFPM_RETURN_IF_ERROR(member.rows.for_each([&](Row& row) -> Status {
    if (clusters_.takes(row)) return ok_status();
    TFPM_RETURN_IF_ERROR(clusters_.flush(writer_));
    if (clusters_.begin(row)) return ok_status();
    const Result<std::int64_t> row_id = writer_.write(row);
    if (row_id.ok() && first_stream == 0 && row.table == "stream") first_stream = *row_id;
    return row_id.status();
  }));
  TFPM_RETURN_IF_ERROR(clusters_.flush(writer_));
  for (const Problem& problem : member.rows.problems()) {
    TFPM_RETURN_IF_ERROR(write_problem(problem, out));
  }
  for (StreamSeries& series : member.series) {
    series.stream += first_stream;
    out.series.push_back(std::move(series));
  }
  member.series = {};
  member.rows = {};
  if (member.status != "container") {
    ++out.members;
    out.bytes += member.bytes.value_or(0);
  }
  return ok_status();
}

Status ResultWriter::write_problem(const Problem& problem, IngestResult& out) {
  out.evidence_lost = out.evidence_lost || problem.severity == ProblemSeverity::kDataLoss ||
                      problem.severity == ProblemSeverity::kError;
  return writer_
      .write(
          {"problem",
           {{"code", text_value(problem.code)},
            {"severity", text_value(to_string(problem.severity))},
            {"byte_offset", problem.byte_offset ? int_value(*problem.byte_offset) : null_value()},
            {"detail", text_value(problem.detail)}}})
      .status();
}

Status ResultWriter::write_bundle_problem(const BundleProblem& problem, IngestResult& out) {
  const auto severity = problem.data_loss ? ProblemSeverity::kDataLoss : ProblemSeverity::kNotice;
  std::string detail = problem.detail;
  if (!problem.path.empty() && !source_ids_.contains(problem.path)) {
    detail = problem.path + ": " + detail;
  }
  return write_problem({problem.code, severity, problem.byte_offset, std::move(detail)}, out);
}

}  // namespace tfpm
