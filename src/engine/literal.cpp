// Finds the text that any match of a regular expression must contain, for the literal automaton of
// src/ingest.
#include <cctype>
#include <string>
#include <string_view>

#include "engine/rules.h"

namespace tfpm {
namespace {

// A recursive walk over RE2 syntax. It never accepts less than RE2: what it does not understand
// ends a run, which can only make the literal shorter.
class LiteralFinder {
 public:
  explicit LiteralFinder(std::string_view re) : re_(re) {}

  // Longest literal of the expression at pos_, up to the end or an unmatched ')'.
  std::string alternation() {
    std::string best = concatenation();
    while (peek() == '|') {
      ++pos_;
      concatenation();
      best.clear();  // no branch is certain
    }
    return best;
  }

  bool folds_case() const { return folds_case_; }

 private:
  char peek() const { return pos_ < re_.size() ? re_[pos_] : '\0'; }
  bool at_end() const { return pos_ >= re_.size(); }

  static void keep_longer(std::string& best, const std::string& candidate) {
    if (candidate.size() > best.size()) best = candidate;
  }

  std::string concatenation() {
    std::string best;
    std::string run;
    while (!at_end() && peek() != '|' && peek() != ')') {
      std::string inner;  // literal of a group, certain unless the group is optional
      const std::string atom = parse_atom(inner);
      const Repeat repeat = parse_repeat();
      if (repeat == Repeat::kOptional) {
        keep_longer(best, run);
        run.clear();
        continue;
      }
      if (atom.empty()) {
        if (zero_width_) continue;
        keep_longer(best, run);
        keep_longer(best, inner);
        run.clear();
        continue;
      }
      run += atom;
      if (repeat == Repeat::kRepeated) {
        keep_longer(best, run);
        run.clear();
      }
    }
    keep_longer(best, run);
    return best;
  }

  enum class Repeat { kOnce, kOptional, kRepeated };

  Repeat parse_repeat() {
    Repeat result = Repeat::kOnce;
    const char c = peek();
    if (c == '?' || c == '*') {
      ++pos_;
      result = Repeat::kOptional;
    } else if (c == '+') {
      ++pos_;
      result = Repeat::kRepeated;
    } else if (c == '{' && pos_ + 1 < re_.size() &&
               std::isdigit(static_cast<unsigned char>(re_[pos_ + 1])) != 0) {
      result = re_[pos_ + 1] == '0' ? Repeat::kOptional : Repeat::kRepeated;
      while (!at_end() && peek() != '}') ++pos_;
      if (!at_end()) ++pos_;
    }
    if (result != Repeat::kOnce && peek() == '?') ++pos_;  // non-greedy
    return result;
  }

  // One atom: returns its literal text (empty for classes, groups and assertions).
  std::string parse_atom(std::string& inner) {
    zero_width_ = false;
    const char c = re_[pos_++];
    switch (c) {
      case '\\':
        return parse_escape();
      case '[':
        return parse_class();
      case '(':
        inner = parse_group();
        return {};
      case '^':
      case '$':
        zero_width_ = true;
        return {};
      case '.':
        return {};
      default:
        return std::string(1, c);
    }
  }

  std::string parse_escape() {
    if (at_end()) return {};
    const char c = re_[pos_++];
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) return std::string(1, c);
    if (c == 'b' || c == 'A' || c == 'z') zero_width_ = true;
    if (c == 't') return "\t";
    if (c == 'p' || c == 'P' || c == 'x') skip_braced();
    return {};  // classes, and \n: continuation lines may carry an envelope in between
  }

  void skip_braced() {
    if (peek() != '{') {
      if (!at_end()) ++pos_;
      return;
    }
    while (!at_end() && peek() != '}') ++pos_;
    if (!at_end()) ++pos_;
  }

  std::string parse_class() {
    const std::size_t begin = pos_;
    if (peek() == '^') ++pos_;
    if (peek() == ']') ++pos_;
    while (!at_end() && peek() != ']') {
      if (peek() == '\\') ++pos_;
      if (!at_end()) ++pos_;
    }
    const std::size_t end = pos_;
    if (!at_end()) ++pos_;
    if (end == begin + 1 && re_[begin] != '^') return std::string(1, re_[begin]);
    return {};
  }

  std::string parse_group() {
    if (peek() == '?') {
      ++pos_;
      if (peek() == 'P' || peek() == '<') {
        while (!at_end() && peek() != '>') ++pos_;
        if (!at_end()) ++pos_;
      } else if (parse_flags()) {
        zero_width_ = true;
        return {};
      }
    }
    std::string best = alternation();
    if (peek() == ')') ++pos_;
    zero_width_ = false;
    return best;
  }

  // After "(?": true for a group of flags only, "(?m)".
  bool parse_flags() {
    bool negated = false;
    while (!at_end() && peek() != ')' && peek() != ':') {
      if (peek() == '-') negated = true;
      if (peek() == 'i' && !negated) folds_case_ = true;
      ++pos_;
    }
    const bool only_flags = peek() == ')';
    if (!at_end()) ++pos_;
    return only_flags;
  }

  std::string_view re_;
  std::size_t pos_ = 0;
  bool zero_width_ = false;
  bool folds_case_ = false;
};

}  // namespace

std::string necessary_literal(std::string_view re) {
  LiteralFinder finder(re);
  std::string literal = finder.alternation();
  return finder.folds_case() ? std::string() : literal;
}

}  // namespace tfpm
