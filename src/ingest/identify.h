// The sniff contest: which parser reads a member.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/parser.h"

namespace tfpm {

// Name of the log reader among the parsers.
inline constexpr std::string_view kLogParser = "log";

struct Choice {
  const Parser* parser = nullptr;  // null: the log reader, or nobody
  std::string_view name;           // empty = nobody
  std::string_view runner_up;      // empty = none
  std::string why_nobody;          // a sentence for the source's row
};

// Highest score wins, then the name that sorts first. The log reader takes any text at
// kTextFallbackScore, except empty files and files whose name says that they are no log.
Choice identify(const std::vector<std::unique_ptr<Parser>>& parsers, const SniffInput& input);

}  // namespace tfpm
