// Text from evidence, made safe to keep and to show.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tfpm {

// At most `max_bytes` of `text`, never cut inside a character; invalid UTF-8 and NUL become U+FFFD
// (three bytes each, so the result may be longer than the input, never than max_bytes).
std::string clean_utf8(std::string_view text, std::size_t max_bytes);

// Appends `text` without ANSI escape sequences (CSI `ESC [ ... letter`, OSC `ESC ] ... BEL`, and
// two-byte ones).
void append_without_ansi(std::string_view text, std::string& out);

}  // namespace tfpm
