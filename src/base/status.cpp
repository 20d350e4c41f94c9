#include "base/status.h"

#include <cstdio>

namespace tfpm {

std::string Diagnostic::to_string() const {
  std::string out = "error: " + what;
  if (!where.empty()) out += ": " + where;
  if (!why.empty()) out += ": " + why;
  if (!snippet.empty()) out += "\n" + snippet;
  if (!help.empty()) out += "\n  help: " + help;
  return out;
}

Status error(ErrorKind kind, std::string what, std::string where, std::string why,
             std::string help) {
  return Diagnostic{kind, std::move(what), std::move(where), std::move(why), std::move(help), {}};
}

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "tfpm: internal error: %s at %s:%d\n", condition, file, line);
  std::abort();
}

}  // namespace tfpm
