// Names of status codes: TensorFlow's, old and new, gRPC's numbers, Python's classes
// (log-formats.md sections 2.3 and 2.5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tfpm {

// A code at the start of `text` (`UNAVAILABLE`, `Invalid argument`), followed by a byte that is no
// word character. `name` is the upper-case form; length 0 = none. OK is no code here.
struct CodeMatch {
  std::string_view name;
  std::size_t length = 0;
};
CodeMatch match_code(std::string_view text);

// 14 -> 'UNAVAILABLE'; empty for numbers that are no error.
std::string_view code_of_number(std::int64_t number);
// `UnavailableError` -> 'UNAVAILABLE'; empty for classes that are no TensorFlow status.
std::string_view code_of_exception(std::string_view class_name);

}  // namespace tfpm
