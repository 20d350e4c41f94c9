// A file on disk as a stream of bytes.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "parsers/parser.h"

namespace tfpm {

// Opens for reading from front to back; fails with the system's reason.
Result<std::unique_ptr<ByteStream>> open_file_stream(const std::string& path);

}  // namespace tfpm
