#include "ingest/status_code.h"

#include <array>

#include "ingest/bytes.h"

namespace tfpm {
namespace {

struct Code {
  std::string_view name;
  std::string_view old_name;  // TF up to about 2.7
  std::string_view python;    // class without `Error`
};

// Index = number.
constexpr std::array<Code, 17> kCodes = {
    {{"OK", "OK", ""},
     {"CANCELLED", "Cancelled", "Cancelled"},
     {"UNKNOWN", "Unknown", "Unknown"},
     {"INVALID_ARGUMENT", "Invalid argument", "InvalidArgument"},
     {"DEADLINE_EXCEEDED", "Deadline exceeded", "DeadlineExceeded"},
     {"NOT_FOUND", "Not found", "NotFound"},
     {"ALREADY_EXISTS", "Already exists", "AlreadyExists"},
     {"PERMISSION_DENIED", "Permission denied", "PermissionDenied"},
     {"RESOURCE_EXHAUSTED", "Resource exhausted", "ResourceExhausted"},
     {"FAILED_PRECONDITION", "Failed precondition", "FailedPrecondition"},
     {"ABORTED", "Aborted", "Aborted"},
     {"OUT_OF_RANGE", "Out of range", "OutOfRange"},
     {"UNIMPLEMENTED", "Unimplemented", "Unimplemented"},
     {"INTERNAL", "Internal", "Internal"},
     {"UNAVAILABLE", "Unavailable", "Unavailable"},
     {"DATA_LOSS", "Data loss", "DataLoss"},
     {"UNAUTHENTICATED", "Unauthenticated", "Unauthenticated"}}};

bool is_whole_word(std::string_view text, std::string_view word) {
  return text.starts_with(word) && (text.size() == word.size() || !is_word(text[word.size()]));
}

}  // namespace

CodeMatch match_code(std::string_view text) {
  if (text.empty() || !is_upper(text[0])) return {};
  for (std::size_t i = 1; i < kCodes.size(); ++i) {
    if (is_whole_word(text, kCodes[i].name)) return {kCodes[i].name, kCodes[i].name.size()};
    if (is_whole_word(text, kCodes[i].old_name)) return {kCodes[i].name, kCodes[i].old_name.size()};
  }
  return {};
}

std::string_view code_of_number(std::int64_t number) {
  if (number < 1 || number >= static_cast<std::int64_t>(kCodes.size())) return {};
  return kCodes[static_cast<std::size_t>(number)].name;
}

std::string_view code_of_exception(std::string_view class_name) {
  constexpr std::string_view kSuffix = "Error";
  if (!class_name.ends_with(kSuffix)) return {};
  class_name.remove_suffix(kSuffix.size());
  for (std::size_t i = 1; i < kCodes.size(); ++i) {
    if (class_name == kCodes[i].python) return kCodes[i].name;
  }
  return {};
}

}  // namespace tfpm
