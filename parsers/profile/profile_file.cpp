#include "parsers/profile/profile_file.h"

#include <cstdint>

#include "parsers/detail/owner.h"
#include "parsers/detail/text.h"

namespace tfpm {
namespace {

std::string_view file_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

constexpr std::string_view kEndings[] = {
    ".xplane.pb",           ".trace.json.gz",      ".trace.json",        ".memory_profile.json.gz",
    ".memory_profile.json", ".overview_page.pb",   ".input_pipeline.pb", ".tensorflow_stats.pb",
    ".kernel_stats.pb",     ".overview_page.json", ".tf_data_stats.pb",  ".trace"};

}  // namespace

std::optional<std::string> profile_host(std::string_view path) {
  const std::string_view file = file_name(path);
  for (const std::string_view ending : kEndings) {
    if (file.size() > ending.size() && file.substr(file.size() - ending.size()) == ending) {
      return std::string(file.substr(0, file.size() - ending.size()));
    }
  }
  return std::nullopt;
}

std::optional<std::string> profile_owner(std::string_view path) {
  return task_from_name(file_name(path));
}

bool is_reencoded(std::string_view head) {
  constexpr std::string_view kReplacement = "\xef\xbf\xbd";
  constexpr std::size_t kMany = 8;
  std::size_t replaced = 0;
  for (std::size_t i = 0; i < head.size();) {
    const auto c = static_cast<unsigned char>(head[i]);
    const std::size_t length = c < 0x80 ? 1 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 0;
    if (length == 0 || c > 0xf4) return false;
    if (i + length > head.size()) break;  // cut by the end of what was read
    for (std::size_t k = 1; k < length; ++k) {
      if ((static_cast<unsigned char>(head[i + k]) & 0xc0U) != 0x80) return false;
    }
    if (head.substr(i, 3) == kReplacement) ++replaced;
    i += length;
  }
  return replaced >= kMany;
}

}  // namespace tfpm
