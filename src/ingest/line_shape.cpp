#include "ingest/line_shape.h"

#include <algorithm>
#include <functional>

#include "ingest/bytes.h"
#include "ingest/identity.h"
#include "ingest/shape_filter.h"

namespace tfpm {
namespace {

constexpr std::size_t kBuckets = 16384;  // four times as many as shapes: most probes hit at once
constexpr std::uint32_t kRestChunks = 15;

// The line with every digit as '1': the most that its digits can make of it, since dates and times
// of ones are valid.
std::string with_ones(std::string_view line) {
  std::string out(line);
  std::replace_if(out.begin(), out.end(), is_digit, '1');
  return out;
}

// Length of the text of a view that lies in `line`, from the line's begin; 0 for an empty view.
std::size_t place_of(std::string_view view, std::string_view line) {
  return view.empty() ? 0 : static_cast<std::size_t>(view.data() - line.data());
}

bool same_view(std::string_view a, std::string_view line_a, std::string_view b,
               std::string_view line_b) {
  return a.size() == b.size() && place_of(a, line_a) == place_of(b, line_b);
}

bool same_header(const LineHeader& a, std::string_view line_a, const LineHeader& b,
                 std::string_view line_b) {
  return a.family == b.family && a.severity == b.severity && a.stamp.basis == b.stamp.basis &&
         a.cpp_file == b.cpp_file && a.escaped == b.escaped &&
         same_view(a.file, line_a, b.file, line_b) && same_view(a.host, line_a, b.host, line_b) &&
         same_view(a.message, line_a, b.message, line_b);
}

// `dd:dd:d` anywhere: with other digits there might be a stamp.
bool has_clock(std::string_view text) {
  for (std::size_t i = text.find(':'); i != std::string_view::npos; i = text.find(':', i + 1)) {
    if (i >= 1 && i + 4 < text.size() && is_digit(text[i - 1]) && is_digit(text[i + 1]) &&
        is_digit(text[i + 2]) && text[i + 3] == ':' && is_digit(text[i + 4])) {
      return true;
    }
  }
  return false;
}

// Families whose header is told by bytes that are no digits, stamps aside.
bool has_fixed_form(const LineHeader& header) {
  switch (header.family) {
    case HeaderFamily::kNone:
    case HeaderFamily::kTfClassic:
    case HeaderFamily::kPython:
    case HeaderFamily::kTfLogger:
    case HeaderFamily::kBracketTime:
    case HeaderFamily::kNccl:
    case HeaderFamily::kHorovod:
    case HeaderFamily::kIsoOnly:
      break;
    case HeaderFamily::kAbslPython:
      if (!header.file.ends_with(".py")) return false;  // the thread's number decided
      break;
    case HeaderFamily::kAbsl:  // the thread's number decides whether it is Python's
    case HeaderFamily::kJson:
      return false;
  }
  // Thread numbers of these files begin a process (StreamLog::note_process).
  const bool startup = header.thread_id && header.cpp_file && is_startup_file(header.file);
  return !startup && !header.escaped;
}

struct StampReader {
  std::size_t begin;
  StampMatch (*read)(std::string_view);
};
constexpr StampReader kStampReaders[] = {
    {0, parse_iso_stamp}, {1, parse_iso_stamp}, {1, parse_absl_stamp}, {1, parse_clock_stamp}};

// Finds the reader that sees the header's own stamp. False when none does.
bool find_stamp_reader(std::string_view line, ShapePart& part) {
  const Stamp& stamp = part.header.stamp;
  if (stamp.basis == StampBasis::kNone) return true;
  for (const StampReader& reader : kStampReaders) {
    const std::size_t begin = part.begin + reader.begin;
    if (begin >= part.end) continue;
    const StampMatch match = reader.read(line.substr(begin, part.end - begin));
    if (!match || match.stamp.basis != stamp.basis || match.stamp.time_us != stamp.time_us)
      continue;
    part.read_stamp = reader.read;
    part.stamp_begin = static_cast<std::uint32_t>(begin);
    part.stamp_length = match.length;
    return true;
  }
  return false;
}

std::string_view moved(std::string_view view, std::string_view from, std::string_view to) {
  return view.data() == nullptr ? view : to.substr(place_of(view, from), view.size());
}

bool lies_in(std::string_view view, std::string_view text) {
  const std::less_equal<> ordered;
  return view.data() == nullptr || (ordered(text.data(), view.data()) &&
                                    ordered(view.data() + view.size(), text.data() + text.size()));
}

}  // namespace

LineShape::LineShape(std::string_view text) : line(text), bar(find_bar(line)) {
  masked.assign(line, bar);
  describe();
}

void LineShape::describe() {
  const std::string_view text = line;
  const bool headed = parse_header(text).family != HeaderFamily::kNone;
  const std::size_t glued = headed ? std::string_view::npos : find_glued_header(text);
  const bool two = glued != std::string_view::npos;
  const std::size_t first_end = two ? glued : text.size();
  if (!headed && has_clock(text.substr(0, first_end))) return;
  if (!describe_part(0, first_end)) return;
  // The glued header is read as one from there on; the text before it has none.
  if (two &&
      (parts[0].header.family != HeaderFamily::kNone || !describe_part(glued, text.size()))) {
    part_count = 0;
  }
}

bool LineShape::describe_part(std::size_t begin, std::size_t end) {
  ShapePart& part = parts[part_count];
  part.begin = static_cast<std::uint32_t>(begin);
  part.end = static_cast<std::uint32_t>(end);
  const std::string_view text = std::string_view(line).substr(begin, end - begin);
  part.header = parse_header(text);
  const std::string ones = with_ones(text);
  if (!same_header(part.header, text, parse_header(ones), ones)) return false;
  if (!has_fixed_form(part.header) || !find_stamp_reader(line, part)) return false;
  for (const std::string_view view : {part.header.file, part.header.host, part.header.message})
    if (!lies_in(view, text)) return false;
  if (!describe_bar(part)) return false;
  ++part_count;
  return true;
}

// A bar in the message must be one as well when the message is looked at alone.
bool LineShape::describe_bar(ShapePart& part) {
  const std::string_view message = part.header.message;
  const std::size_t begin = place_of(message, line);
  part.memo.drawn = bar.begin < begin + message.size() && bar.end > begin;
  part.memo.head_drawn = part.memo.drawn && bar.begin < begin + ShapeFilter::kShapeBytes;
  if (!part.memo.drawn) return true;
  const BarRange inner = find_bar(message);
  return begin + inner.begin == bar.begin && begin + inner.end == bar.end;
}

std::optional<Stamp> stamp_of(const ShapePart& part, std::string_view line) {
  if (part.read_stamp == nullptr) return Stamp();
  const StampMatch match =
      part.read_stamp(line.substr(part.stamp_begin, part.end - part.stamp_begin));
  const bool same =
      match.length == part.stamp_length && match.stamp.basis == part.header.stamp.basis;
  return same ? std::optional(match.stamp) : std::nullopt;
}

// Field by field and in place: a header is large, and this is done for nearly every line.
void header_of(const LineShape& shape, const ShapePart& part, std::string_view line,
               const Stamp& stamp, LineHeader& out) {
  const LineHeader& known = part.header;
  out.family = known.family;
  out.stamp = stamp;
  out.severity = known.severity;
  out.thread_id.reset();
  out.file = moved(known.file, shape.line, line);
  out.file_line.reset();
  out.host = moved(known.host, shape.line, line);
  out.message = moved(known.message, shape.line, line);
  out.cpp_file = known.cpp_file;
  out.escaped = false;
}

void LineShapes::begin_chunk() {
  if (rest_ > 0) {
    --rest_;
  } else if (asked_ > 0) {
    steady_ = known_ * 4 >= asked_ * 3;
    if (known_ * 2 < asked_) rest_ = kRestChunks;
  }
  if (rest_ > 0) steady_ = false;
  asked_ = known_ = 0;
  if (shapes_.size() < kMaxShapes) return;
  shapes_.clear();
  buckets_.clear();
}

LineShape* LineShapes::of(std::string_view line) {
  if (line.size() > kMaxLine) return nullptr;
  ++asked_;
  if (buckets_.empty()) buckets_.resize(kBuckets);
  const std::uint64_t hash = masked_hash(line);
  const auto tag = static_cast<std::uint32_t>(hash >> 32U);
  std::size_t at = hash % kBuckets;
  for (; buckets_[at].shape != nullptr; at = (at + 1) % kBuckets) {
    if (buckets_[at].tag != tag || !buckets_[at].shape->masked.matches(line)) continue;
    ++known_;
    return buckets_[at].shape;
  }
  if (shapes_.size() >= kMaxShapes) return nullptr;
  buckets_[at] = {tag, &shapes_.emplace_back(line)};
  return buckets_[at].shape;
}

}  // namespace tfpm
