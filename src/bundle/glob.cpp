#include <string_view>
#include <vector>

#include "bundle/bundle.h"

namespace tfpm {
namespace {

// Positions of a pattern that a match may have reached. Following all of them at once takes time
// linear in the path for any pattern.
class Positions {
 public:
  explicit Positions(std::string_view pattern) : pattern_(pattern), set_(pattern.size() + 1, 0) {}

  bool has(std::size_t i) const { return set_[i] != 0; }
  // Adds `i` and what can be reached from it without a character. `at_start`: a component begins.
  void enter(std::size_t i, bool at_start) {
    // A loop, not a recursion: a hostile pattern may be nothing but stars.
    for (todo_.push_back({i, at_start}); !todo_.empty();) {
      const Step step = todo_.back();
      todo_.pop_back();
      if (set_[step.at] != 0) continue;
      set_[step.at] = 1;
      if (step.at >= pattern_.size() || pattern_[step.at] != '*') continue;
      const bool deep = pattern_.substr(step.at, 2) == "**";
      // '**/' also stands for no folder at all.
      if (step.at_start && pattern_.substr(step.at, 3) == "**/") {
        todo_.push_back({step.at + 3, true});
      }
      todo_.push_back({step.at + (deep ? 2 : 1), step.at_start});
    }
  }

 private:
  struct Step {
    std::size_t at = 0;
    bool at_start = false;
  };

  std::string_view pattern_;
  std::vector<char> set_;
  std::vector<Step> todo_;  // empty between calls
};

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view path) {
  Positions now(pattern);
  now.enter(0, true);
  for (const char c : path) {
    Positions next(pattern);
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      if (!now.has(i)) continue;
      const bool deep = pattern.substr(i, 2) == "**";
      if (deep || (pattern[i] == '*' && c != '/')) {
        next.enter(i, c == '/');
      } else if (pattern[i] == c || (pattern[i] == '?' && c != '/')) {
        next.enter(i + 1, c == '/');
      }
    }
    now = next;
  }
  return now.has(pattern.size());
}

}  // namespace tfpm
