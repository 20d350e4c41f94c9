// Making text of unknown origin safe to show: valid, bounded, visible.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tfpm::report {

// The longest front part of at most `max_bytes` that ends at a character boundary. `text` is valid
// UTF-8.
std::string_view cut_utf8(std::string_view text, std::size_t max_bytes);
// At most `max_chars` code points; a cut is shown by a final ellipsis.
std::string shorten(std::string_view text, std::size_t max_chars);
// Code points of valid UTF-8; good enough as a width for the scripts logs are written in.
std::size_t count_chars(std::string_view text);
std::string pad_right(std::string text, std::size_t width);

// Replaces what a reader could not see or what would reorder the text: control characters by their
// picture (U+2400..), bidirectional and zero-width controls by "[U+202E]". Tabs become a space.
// Line ends stay with Lines::kKeep, else become a space.
enum class Lines { kJoin, kKeep };
std::string visible(std::string_view text, Lines lines = Lines::kJoin);

}  // namespace tfpm::report
