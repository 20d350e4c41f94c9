// Why nobody reads a member, as far as its first bytes tell: a sentence that helps.
#pragma once

#include <string>
#include <string_view>

namespace tfpm {

// `path`: the member's name; `text`: the head looks like text. Never empty.
std::string describe_unread(std::string_view head, std::string_view path, bool text);

// "version https://git-lfs...": stands where a file should be that was never fetched.
bool is_lfs_pointer(std::string_view head);

}  // namespace tfpm
