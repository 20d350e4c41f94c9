// Text from evidence, made safe to keep and to show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tfpm {

// Bytes of the UTF-8 character at text[i] (RFC 3629: no overlong forms, surrogates or values above
// U+10FFFF); 0 = none begins there. `i` lies inside the text.
std::size_t utf8_size(std::string_view text, std::size_t i);
// Code point of the one valid character that `character` is.
std::uint32_t utf8_code(std::string_view character);

// At most `max_bytes` of `text`, never cut inside a character; invalid UTF-8 and NUL become U+FFFD
// (three bytes each, so the result may be longer than the input, never than max_bytes).
std::string clean_utf8(std::string_view text, std::size_t max_bytes);

// Appends `text` without ANSI escape sequences: CSI `ESC [ ... letter`, OSC `ESC ] ... BEL` or
// `ESC ] ... ESC \`, and short ones such as `ESC ( B`.
void append_without_ansi(std::string_view text, std::string& out);

}  // namespace tfpm
