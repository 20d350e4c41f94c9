// Text files compiled into the binary (cmake/TfpmEmbed.cmake).
#pragma once

#include <span>
#include <string_view>

namespace tfpm {

struct EmbeddedFile {
  std::string_view name;  // file name without folder
  std::string_view text;
};

}  // namespace tfpm
