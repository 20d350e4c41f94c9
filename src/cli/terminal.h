// Where text goes: stdout for what was asked, stderr for the rest.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace tfpm::cli {

bool stdout_is_terminal();
bool stderr_is_terminal();
// Colour on stdout: --color, then NO_COLOR, then whether it is a terminal.
bool use_color(const std::string& color_option);
// Columns of the terminal; 100 when it does not say.
int terminal_width();

// Writes all of it to stdout. A closed pipe is no error: the reader has seen enough. Anything else,
// such as a full disk behind a redirection, is.
Status write_stdout(std::string_view text);
// The same for output without a known end: false when the reader is gone and the rest is in vain.
Result<bool> stream_to_stdout(std::string_view text);
// A line for a person on stderr; failures are ignored, there is nowhere left to tell.
void write_stderr(std::string_view text);

// Text of evidence on one line that cannot drive the terminal: control characters, line ends
// included, as \xNN, those that reorder text as \uNNNN, tabs as spaces.
std::string printable(std::string_view text);
// The same for several lines: line ends stay.
std::string printable_lines(std::string_view text);

}  // namespace tfpm::cli
