#include "report/document.h"

namespace tfpm::report {

Inline prose(const std::string& text) {
  Inline out;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t open = text.find('`', at);
    const std::size_t close = open == std::string::npos ? open : text.find('`', open + 1);
    if (close == std::string::npos || close == open + 1) break;
    if (open > at) out.push_back(plain(text.substr(at, open - at)));
    out.push_back(code(text.substr(open + 1, close - open - 1)));
    at = close + 1;
  }
  if (at < text.size()) out.push_back(plain(text.substr(at)));
  return out;
}

}  // namespace tfpm::report
