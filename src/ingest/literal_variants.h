// Whether texts that look the same but for digits and bars hold the same literals.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/literal_automaton.h"
#include "ingest/slots.h"

namespace tfpm {

// The literals that hold digits or bytes that bars are drawn with, all digits and all such bytes
// made equal. Built when it is asked for the first time; may be asked by several threads.
class LiteralVariants {
 public:
  // Literals without such bytes are left out.
  explicit LiteralVariants(const std::vector<std::string>& literals);

  class Scratch {
    friend class LiteralVariants;
    std::optional<LiteralAutomaton::Scratch> scratch_;
    std::string normal_;
  };

  // True when a text that differs from this one in the values of digits, or in what is drawn in
  // `bar` (find_bar), may hold other literals than this one. True as well when in doubt.
  bool may_differ(std::string_view text, const BarRange& bar, Scratch& scratch);

 private:
  struct Literal {
    std::size_t size = 0;
    bool digits = false;
  };
  std::vector<std::string> texts_;
  std::vector<Literal> literals_;
  std::once_flag once_;
  std::optional<LiteralAutomaton> automaton_;  // absent: it could not be built
};

}  // namespace tfpm
