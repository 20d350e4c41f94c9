#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace tfpm::cli {

// Writes a new file and flushes it to disk. An error names the file and what to do about it; the
// rest of the file may be there.
Status write_file(const std::string& path, std::string_view text);
// Puts a file in the place of what may be there, in one step: whoever reads it sees the old or the
// new one. After an error the old one is still there and nothing else.
Status replace_file(const std::string& path, std::string_view text);
// The same, but what is no regular file (a device, a pipe, a link) is written to and stays.
Status write_output(const std::string& path, std::string_view text);
// Flushes what was written by others: a file or a folder.
Status flush_to_disk(const std::string& path);
// rename(): within one file system, in one step.
Status move_file(const std::string& from, const std::string& to);
// An error of kind kIo for errno `code`, with help that fits.
Status output_error(const std::string& what, const std::string& path, int code);

}  // namespace tfpm::cli
