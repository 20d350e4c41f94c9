#include "ingest/log_reader.h"

#include <algorithm>
#include <string>

#include "ingest/log_pass.h"
#include "ingest/log_rows.h"

namespace tfpm {
namespace {

void take_series(const LogPass& pass, std::vector<StreamSeries>& out) {
  for (std::size_t i = 0; i < pass.streams().size(); ++i) {
    StreamSeries series = pass.streams()[i]->take_series();
    series.stream = static_cast<std::int64_t>(i);
    if (!series.templates.empty() || !series.attempt_starts.empty()) {
      out.push_back(std::move(series));
    }
  }
}

void finish_pass(LogPass& pass, const std::vector<Signature>& signatures, Sink& sink,
                 std::vector<StreamSeries>& series) {
  pass.finish();
  emit_log_rows(pass.streams(), pass.index(), signatures, sink);
  take_series(pass, series);
  sink.set_lines(pass.lines());
}

// NULs are a hole that a log was cut to, or what a file system lost: with text around them a log.
void report_no_text(const LogPass& pass, Sink& sink) {
  const auto& streams = pass.streams();
  const bool text = std::any_of(streams.begin(), streams.end(),
                                [](const auto& stream) { return stream->facts().records > 0; });
  if (text) return;
  sink.problem({"log-without-text", ProblemSeverity::kNotice, std::nullopt,
                "nothing but NUL bytes and line ends: never written, or lost by the file system"});
}

void report_cut_lines(const ChunkReader& reader, Sink& sink) {
  if (reader.cut_lines() == 0) return;
  sink.problem({"log-line-too-long", ProblemSeverity::kNotice, std::nullopt,
                "lines longer than 1 MiB were read in pieces (" +
                    std::to_string(reader.cut_lines()) + " cuts)"});
}

}  // namespace

bool looks_like_text(std::string_view head) {
  if (guess_utf16(head) != Utf16::kNo) return true;
  std::size_t controls = 0;
  std::size_t nuls = 0;
  std::size_t nul_runs = 0;
  char before = 'x';
  for (const char c : head) {
    const auto u = static_cast<unsigned char>(c);
    const bool layout = c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\x1b' ||
                        c == '\f' || c == '\v' || c == '\a';
    if (c == '\0') {
      ++nuls;
      if (before != '\0') ++nul_runs;
    } else if ((u < 0x20 && !layout) || u == 0x7f) {
      ++controls;
    }
    before = c;
  }
  // A log may have a hole of NULs, binary formats have many short runs.
  return nul_runs <= 2 && controls * 100 <= head.size() - nuls;
}

Status LogReader::read(const MemberInfo& member, std::string_view head, ByteStream& in, Sink& sink,
                       std::vector<StreamSeries>& series) {
  LogShared shared(matcher_, signatures_);
  std::string decoded;
  if (const Utf16 order = guess_utf16(head); order != Utf16::kNo) {
    append_utf8_of_utf16(head, order, decoded);
    head = decoded;
  }
  LogPass pass(shared, scratch_, member.path, head, sink);
  ChunkReader reader(in);
  for (Chunk chunk; reader.next(chunk);) {
    TFPM_RETURN_IF_ERROR(pass.add_chunk(chunk));
  }
  finish_pass(pass, signatures_, sink, series);
  report_cut_lines(reader, sink);
  if (reader.status().ok()) report_no_text(pass, sink);
  return reader.status();
}

LogLines::LogLines(const Matcher& matcher, const std::vector<Signature>& signatures,
                   Matcher::Scratch& scratch, std::string path, Sink& sink)
    : signatures_(signatures),
      scratch_(scratch),
      path_(std::move(path)),
      sink_(sink),
      shared_(std::make_unique<LogShared>(matcher, signatures)) {}

LogLines::~LogLines() = default;

void LogLines::add(std::string_view line) {
  if (!chunk_.empty() && chunk_.size() + line.size() >= kChunkBytes) read_chunk();
  chunk_.append(line).append("\n");
}

void LogLines::read_chunk() {
  if (!status_.ok()) return;
  if (!pass_) {
    const std::string_view head = std::string_view(chunk_).substr(0, kSniffBytes);
    pass_ = std::make_unique<LogPass>(*shared_, scratch_, path_, head, sink_);
  }
  Chunk chunk;
  chunk.text = chunk_;
  chunk.offset = offset_;
  status_ = pass_->add_chunk(chunk);
  offset_ += chunk_.size();
  chunk_.clear();
}

Status LogLines::finish(std::vector<StreamSeries>& series) {
  if (!chunk_.empty()) read_chunk();
  if (pass_) finish_pass(*pass_, signatures_, sink_, series);
  return status_;
}

}  // namespace tfpm
