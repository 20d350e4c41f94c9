// What was found out about a line, for all lines that look the same but for the values of digits
// and how far a bar is drawn.
//
// A log writes the same few hundred lines over and over. Recognising one costs a comparison of its
// bytes; then its header, where a second header is glued to it, which literals it holds and what
// the collectors make of its text are known. Only what digits do decide, the time, is read again.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/lines.h"
#include "ingest/masked_text.h"
#include "ingest/record_memo.h"
#include "ingest/stamp.h"

namespace tfpm {

// A fragment of a line with its header.
struct ShapePart {
  std::uint32_t begin = 0, end = 0;                      // in the line
  LineHeader header;                                     // of the line that the shape was made of
  StampMatch (*read_stamp)(std::string_view) = nullptr;  // null = the header has no stamp
  std::uint32_t stamp_begin = 0;                         // in the line
  std::size_t stamp_length = 0;
  std::vector<std::uint32_t> patterns;  // whose literal lies in it; see LineShape::hits
  RecordMemo memo;
};

struct LineShape {
  explicit LineShape(std::string_view line);
  LineShape(const LineShape&) = delete;  // headers point into `line`
  LineShape& operator=(const LineShape&) = delete;

  const std::string line;  // as it was first seen
  const BarRange bar;
  MaskedText masked;

  // One or, with a glued header, two; 0: what the line is made of depends on its digits.
  std::size_t part_count = 0;
  std::array<ShapePart, 2> parts;

  enum class Hits : std::uint8_t {
    kUnknown,  // not looked for yet
    kFixed,    // the same for all lines of the shape: ShapePart::patterns
    kVarying,  // every line must be searched
  };
  Hits hits = Hits::kUnknown;

 private:
  void describe();
  bool describe_part(std::size_t begin, std::size_t end);
  bool describe_bar(ShapePart& part);
};

// The stamp of the same part of another line of the shape; absent when its digits make no such
// stamp, so that the line has to be read anew.
std::optional<Stamp> stamp_of(const ShapePart& part, std::string_view line);
// The header of that part, with this stamp. Numbers beside it (thread, line of the source file) are
// left out.
void header_of(const LineShape& shape, const ShapePart& part, std::string_view line,
               const Stamp& stamp, LineHeader& out);

// The shapes of one source. Addresses stay valid until the next begin_chunk().
class LineShapes {
 public:
  // Longer lines have no shape.
  static constexpr std::size_t kMaxLine = 2000;

  // Forgets all when they are too many. Lines of a log whose lines are all different are not looked
  // up for a while: see active().
  void begin_chunk();
  // Whether lines of this chunk should be looked up at all.
  bool active() const { return rest_ == 0; }
  // Whether most lines of the chunk before had a known shape.
  bool steady() const { return steady_; }
  // The shape of the line, made when it is new; null when there is no room for another one, or the
  // line is too long.
  LineShape* of(std::string_view line);

 private:
  static constexpr std::size_t kMaxShapes = 4096;

  struct Bucket {
    std::uint32_t tag = 0;  // bits of the hash
    LineShape* shape = nullptr;
  };

  std::deque<LineShape> shapes_;
  std::vector<Bucket> buckets_;          // open addressing; made with the first shape
  std::uint32_t asked_ = 0, known_ = 0;  // in this chunk
  bool steady_ = false;
  std::uint32_t rest_ = 0;  // chunks that pass without a look
};

}  // namespace tfpm
