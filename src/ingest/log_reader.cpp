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

void report_cut_lines(const ChunkReader& reader, Sink& sink) {
  if (reader.cut_lines() == 0) return;
  sink.problem({"log-line-too-long", ProblemSeverity::kNotice, std::nullopt,
                "lines longer than 1 MiB were read in pieces (" +
                    std::to_string(reader.cut_lines()) + " cuts)"});
}

// Bytes in memory as a stream.
class HeadStream : public ByteStream {
 public:
  explicit HeadStream(std::string_view head) : head_(head) {}
  Result<std::size_t> read(std::span<char> out) override {
    const std::size_t n = head_.copy(out.data(), out.size());
    head_.remove_prefix(n);
    return n;
  }

 private:
  std::string_view head_;
};

// The head of UTF-16 text as UTF-8, for the envelopes.
std::string decoded_head(std::string_view head) {
  std::string out;
  HeadStream stream(head);
  ChunkReader reader(stream);
  for (Chunk chunk; reader.next(chunk);) out += chunk.text;
  return out;
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
  if (guess_utf16(head) != Utf16::kNo) {
    decoded = decoded_head(head);
    head = decoded;
  }
  LogPass pass(shared, scratch_, member.path, head, sink);
  ChunkReader reader(in);
  for (Chunk chunk; reader.next(chunk);) {
    TFPM_RETURN_IF_ERROR(pass.add_chunk(chunk));
  }
  pass.finish();
  emit_log_rows(pass.streams(), pass.index(), signatures_, sink);
  take_series(pass, series);
  sink.set_lines(pass.lines());
  report_cut_lines(reader, sink);
  return reader.status();
}

}  // namespace tfpm
