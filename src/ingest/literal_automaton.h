// All literals of a set searched in one pass over a text (libhs: hyperscan or vectorscan).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

struct hs_database;
struct hs_scratch;

namespace tfpm {

// Immutable after compile(), shared by all threads.
class LiteralAutomaton {
 public:
  // Finds nothing.
  LiteralAutomaton() = default;
  // Case-sensitive; a literal's id is its index. No literals: the automaton finds nothing.
  static Result<LiteralAutomaton> compile(const std::vector<std::string>& literals);

  // Work space of one thread for one automaton, which must outlive it. Throws std::bad_alloc.
  class Scratch {
   public:
    explicit Scratch(const LiteralAutomaton& automaton);

   private:
    friend class LiteralAutomaton;
    struct Free {
      void operator()(hs_scratch* scratch) const;
    };
    std::unique_ptr<hs_scratch, Free> scratch_;
  };

  // Calls found(id, end) for every occurrence of every literal, `end` being the offset behind it;
  // not in every order of ends. The text must be smaller than 4 GiB.
  template <typename Found>
  Status scan(std::string_view text, Scratch& scratch, Found found) const {
    return scan_raw(
        text, scratch,
        [](unsigned id, unsigned long long, unsigned long long end, unsigned, void* context) {
          (*static_cast<Found*>(context))(std::uint32_t{id}, static_cast<std::uint32_t>(end));
          return 0;
        },
        &found);
  }

 private:
  using Callback = int (*)(unsigned, unsigned long long, unsigned long long, unsigned, void*);
  struct Free {
    void operator()(hs_database* database) const;
  };
  Status scan_raw(std::string_view text, Scratch& scratch, Callback callback, void* context) const;

  std::unique_ptr<hs_database, Free> database_;  // null without literals
};

}  // namespace tfpm
