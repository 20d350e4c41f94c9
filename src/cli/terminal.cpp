#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/text.h"

namespace tfpm::cli {

bool stdout_is_terminal() {
  return ::isatty(STDOUT_FILENO) == 1;
}

bool stderr_is_terminal() {
  return ::isatty(STDERR_FILENO) == 1;
}

bool use_color(const std::string& color_option) {
  if (color_option == "always") return true;
  if (color_option == "never") return false;
  // https://no-color.org: set and not empty, whatever its value.
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  return stdout_is_terminal();
}

int terminal_width() {
  constexpr int kDefault = 100;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kDefault;
  return size.ws_col;
}

Status write_stdout(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(STDOUT_FILENO, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EPIPE) return ok_status();
    if (n < 0) return error(ErrorKind::kIo, "cannot write to stdout", {}, std::strerror(errno));
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return ok_status();
}

void write_stderr(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(STDERR_FILENO, text.data(), text.size());
    if (n < 0 && errno != EINTR) return;
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
  }
}

std::string printable(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const std::string clean = clean_utf8(text, text.size() * 3);
  std::string out;
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const auto byte = static_cast<unsigned char>(clean[i]);
    // C1 controls are two bytes in UTF-8; some terminals obey them.
    const bool c1 =
        byte == 0xc2 && i + 1 < clean.size() && static_cast<unsigned char>(clean[i + 1]) < 0xa0;
    if (byte == '\t') {
      out += "    ";
    } else if (byte < 0x20 || byte == 0x7f || c1) {
      const auto shown = c1 ? static_cast<unsigned char>(clean[++i]) : byte;
      out += "\\x";
      out += kHex[shown >> 4];
      out += kHex[shown & 15];
    } else {
      out += clean[i];
    }
  }
  return out;
}

}  // namespace tfpm::cli
