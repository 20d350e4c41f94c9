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
    if (set_[i] != 0) return;
    set_[i] = 1;
    if (i >= pattern_.size() || pattern_[i] != '*') return;
    const bool deep = pattern_.substr(i, 2) == "**";
    enter(i + (deep ? 2 : 1), at_start);
    // '**/' also stands for no folder at all.
    if (at_start && pattern_.substr(i, 3) == "**/") enter(i + 3, true);
  }

 private:
  std::string_view pattern_;
  std::vector<char> set_;
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
