// Quoting layers a value may have gone through on its way into a dump or log.
#pragma once

#include <string>
#include <string_view>

namespace tfpm {

// The value of a shell or environment assignment: quotes taken off, escapes undone.
std::string unquote_shell(std::string_view value);
// The word a shell would take as the value of an assignment at the front of `text`, quotes
// included; all of `text` when it is not quoted.
std::string_view assigned_word(std::string_view text);
// JSON whose quotes are escaped ({\"cluster\": ...}), up to three times over, with the escapes
// undone.
std::string without_escapes(std::string text);

}  // namespace tfpm
