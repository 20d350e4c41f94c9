#include "cli/terminal.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "base/text.h"

namespace tfpm::cli {
namespace {

// Whoever started the program may have made the pipe non-blocking.
void wait_for_reader() {
  pollfd out{STDOUT_FILENO, POLLOUT, 0};
  (void)::poll(&out, 1, -1);
}

constexpr char kHex[] = "0123456789abcdef";

// Controls that turn the direction of text around: what is shown is not what is there.
bool reorders(std::uint32_t c) {
  return c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

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

Result<bool> stream_to_stdout(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(STDOUT_FILENO, text.data(), text.size());
    if (n >= 0) {
      text.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      wait_for_reader();
    } else if (errno == EPIPE) {
      return false;
    } else if (errno != EINTR) {
      return error(ErrorKind::kIo, "cannot write to stdout", {}, std::strerror(errno));
    }
  }
  return true;
}

Status write_stdout(std::string_view text) {
  return stream_to_stdout(text).status();
}

void write_stderr(std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(STDERR_FILENO, text.data(), text.size());
    if (n < 0 && errno != EINTR) return;
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
  }
}

std::string printable(std::string_view text) {
  const std::string clean = clean_utf8(text, text.size() * 3);
  std::string out;
  for (std::size_t i = 0; i < clean.size();) {
    const std::string_view character = std::string_view(clean).substr(i, utf8_size(clean, i));
    const std::uint32_t c = utf8_code(character);
    if (c == '\t') {
      out += "    ";
    } else if (c < 0x20 || (c >= 0x7f && c < 0xa0)) {
      // C1 controls are two bytes in UTF-8; some terminals obey them.
      out += "\\x";
      out += kHex[c >> 4];
      out += kHex[c & 15];
    } else if (reorders(c)) {
      out += "\\u";
      for (int shift = 12; shift >= 0; shift -= 4) out += kHex[(c >> shift) & 15];
    } else {
      out += character;
    }
    i += character.size();
  }
  return out;
}

std::string printable_lines(std::string_view text) {
  std::string out;
  for (;;) {
    const std::size_t end = text.find('\n');
    out += printable(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

}  // namespace tfpm::cli
