#include "parsers/detail/line_reader.h"

#include <algorithm>
#include <cstring>

namespace tfpm {
namespace {

constexpr std::size_t kReadSize = std::size_t{64} << 10;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// Takes mark and CR off a raw line.
void set_text(TextLine& line, std::string_view raw) {
  line.carriage = raw.ends_with('\r');
  if (line.carriage) raw.remove_suffix(1);
  line.marked = line.number == 1 && raw.starts_with(kByteOrderMark);
  if (line.marked) raw.remove_prefix(kByteOrderMark.size());
  line.text = raw;
}

}  // namespace

bool LineReader::fill() {
  if (eof_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    base_ += begin_;
    end_ -= begin_;
    begin_ = 0;
  }
  if (buffer_.size() < end_ + kReadSize) buffer_.resize(end_ + kReadSize);
  Result<std::size_t> got = in_.read({buffer_.data() + end_, kReadSize});
  if (!got.ok()) status_ = got.status();
  if (!got.ok() || *got == 0) {
    eof_ = true;
    return false;
  }
  end_ += std::min(*got, kReadSize);
  return true;
}

TextLine LineReader::take(std::size_t length, bool terminated) {
  TextLine line;
  line.offset = base_ + begin_;
  line.cut = length > kMaxLine;
  line.unterminated = !terminated;
  line.number = ++lines_;
  set_text(line, {buffer_.data() + begin_, std::min(length, kMaxLine)});
  begin_ += length + (terminated ? 1U : 0U);
  return line;
}

std::optional<TextLine> LineReader::next() {
  if (lines_ >= kMaxLines) return std::nullopt;
  std::size_t searched = 0;
  std::uint64_t skipped = 0;  // bytes of an overlong line that were dropped from the buffer
  while (true) {
    const char* first = buffer_.data() + begin_;
    const std::size_t available = end_ - begin_;
    const void* hit = available > searched
                          ? std::memchr(first + searched, separator_, available - searched)
                          : nullptr;
    if (hit != nullptr) {
      const auto length = static_cast<std::size_t>(static_cast<const char*>(hit) - first);
      TextLine line = take(length, true);
      line.cut = line.cut || skipped > 0;
      return line;
    }
    searched = available;
    if (available > kMaxLine + kReadSize) {
      // Keep the head of the line, drop what follows it: memory stays bounded.
      skipped += available - kMaxLine - 1;
      base_ += available - kMaxLine - 1;
      end_ = begin_ + kMaxLine + 1;
      searched = kMaxLine + 1;
    }
    if (!fill()) break;
  }
  if (begin_ == end_) return std::nullopt;
  TextLine line = take(end_ - begin_, false);
  line.cut = line.cut || skipped > 0;
  return line;
}

void append_whole_line(std::string& text, const TextLine& line) {
  if (line.marked) text.append(kByteOrderMark);
  text.append(line.text);
  if (line.carriage) text += '\r';
  text += '\n';
}

std::vector<TextLine> split_lines(std::string_view text, std::size_t max_lines) {
  std::vector<TextLine> lines;
  std::size_t at = 0;
  while (at < text.size() && lines.size() < max_lines) {
    const std::size_t end = text.find('\n', at);
    const std::size_t stop = std::min(end, text.size());
    TextLine line;
    line.number = lines.size() + 1;
    line.offset = at;
    line.unterminated = end == std::string_view::npos;
    set_text(line, text.substr(at, stop - at));
    lines.push_back(line);
    at = stop + 1;
  }
  return lines;
}

void finish_lines(const LineReader& reader, Sink& sink) {
  sink.set_lines(reader.lines());
  if (!reader.status().ok()) {
    sink.problem({"text-read-error", ProblemSeverity::kDataLoss, std::nullopt,
                  reader.status().diagnostic().to_string() + "; the lines before it were read"});
  }
  if (reader.hit_limit()) {
    sink.problem({"text-line-limit", ProblemSeverity::kDataLoss, std::nullopt,
                  "more than 10,000,000 lines; the rest was not read"});
  }
}

}  // namespace tfpm
