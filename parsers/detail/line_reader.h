// Lines of a text member, one at a time and in bounded memory (formats.md 0.7: 1 MiB a line, 10 M
// lines).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "parsers/parser.h"

namespace tfpm {

struct TextLine {
  std::string_view text;      // without line end (LF, CRLF) and, on the first line, byte order mark
  std::uint64_t number = 0;   // from 1
  std::uint64_t offset = 0;   // of its first byte in the member
  bool carriage = false;      // a CR in front of the line end was taken off
  bool marked = false;        // a byte order mark was taken off
  bool cut = false;           // longer than the limit; the rest was skipped
  bool unterminated = false;  // the member ends without a line end
};

class LineReader {
 public:
  static constexpr std::size_t kMaxLine = std::size_t{1} << 20;
  static constexpr std::uint64_t kMaxLines = 10'000'000;

  // `in` must outlive the reader. `separator` is '\0' for /proc/PID/environ.
  explicit LineReader(ByteStream& in, char separator = '\n') : in_(in), separator_(separator) {}

  // The next line; nullopt at the end, at the line limit, or when the medium fails (see status()).
  // The view is valid until the next call.
  std::optional<TextLine> next();

  // Why reading stopped early; OK at a normal end.
  const Status& status() const { return status_; }
  std::uint64_t lines() const { return lines_; }
  bool hit_limit() const { return lines_ >= kMaxLines; }

 private:
  bool fill();
  TextLine take(std::size_t length, bool terminated);

  ByteStream& in_;
  char separator_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;   // first unread byte in buffer_
  std::size_t end_ = 0;     // behind the last valid byte
  std::uint64_t base_ = 0;  // member offset of buffer_[0]
  std::uint64_t lines_ = 0;
  bool eof_ = false;
  Status status_;
};

// Appends the line as it stood in the member, with mark and line end: positions in `text` are then
// offsets in the member, as long as no line was cut. For formats that are parsed as a whole.
void append_whole_line(std::string& text, const TextLine& line);

// Lines of text already in memory, with their offsets; for sniffing and for records.
std::vector<TextLine> split_lines(std::string_view text, std::size_t max_lines);

// Sets the number of lines and reports an early end as a problem. Call once, after the last next().
void finish_lines(const LineReader& reader, Sink& sink);

}  // namespace tfpm
