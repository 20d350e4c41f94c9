#include "parsers/parser.h"

namespace tfpm {

std::string_view to_string(ProblemSeverity severity) {
  switch (severity) {
    case ProblemSeverity::kInfo:
      return "info";
    case ProblemSeverity::kNotice:
      return "notice";
    case ProblemSeverity::kDataLoss:
      return "data-loss";
    case ProblemSeverity::kError:
      return "error";
  }
  return "error";
}

}  // namespace tfpm
