// Places in a text whose structure was read by a parser that keeps no lines (JSON, YAML).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tfpm {

struct TextPlace {
  std::uint64_t line = 1;  // from 1
  std::uint64_t byte_offset = 0;
  std::string_view text;  // the whole line, trimmed
};

// Walks forward through the text as its values are visited in document order.
class TextLocator {
 public:
  // `text` must outlive the locator and its places. It begins at `byte_offset` in line `line`,
  // which itself begins at `line_offset`.
  explicit TextLocator(std::string_view text, std::uint64_t line = 1, std::uint64_t byte_offset = 0,
                       std::uint64_t line_offset = 0)
      : text_(text), line_(line), byte_offset_(byte_offset), line_offset_(line_offset) {}
  // Moves to the next line from here on that holds `key` and, behind it, `value`; stays where it is
  // when there is none.
  TextPlace find(std::string_view key, std::string_view value);
  TextPlace here() const;

 private:
  std::string_view text_;
  std::size_t line_start_ = 0;  // of the current line
  std::uint64_t line_ = 1;
  std::uint64_t byte_offset_ = 0, line_offset_ = 0;
};

}  // namespace tfpm
