#include "parsers/checkpoint/state_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace tfpm {
namespace {

// Tokens of protobuf's text format, as far as a CheckpointState needs them.
class StateLexer {
 public:
  explicit StateLexer(std::string_view text) : text_(text) {}

  // Skips white space, comments and separators.
  void skip_space() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == ';' || c == ',') {
        if (c == '\n') ++line_;
        ++at_;
      } else {
        return;
      }
    }
  }
  bool at_end() const { return at_ >= text_.size(); }
  std::size_t offset() const { return at_; }
  std::uint64_t line() const { return line_; }
  char peek() const { return at_end() ? '\0' : text_[at_]; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }

  // A run of characters of names and numbers; empty when there is none.
  std::string_view take_word() {
    const std::size_t start = at_;
    while (!at_end() && is_word(text_[at_])) ++at_;
    return text_.substr(start, at_ - start);
  }

  // Adjacent quoted strings, joined; nothing when one does not end.
  std::optional<std::string> take_strings() {
    std::string out;
    while (peek() == '"' || peek() == '\'') {
      if (!take_string(out)) return {};
      skip_space();
    }
    return out;
  }

 private:
  static bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '+' ||
           c == '-';
  }

  bool take_string(std::string& out) {
    const char quote = text_[at_++];
    while (!at_end() && text_[at_] != '\n') {
      const char c = text_[at_++];
      if (c == quote) return true;
      if (c != '\\') {
        out += c;
      } else if (!take_escape(out)) {
        return false;
      }
    }
    return false;
  }

  bool take_escape(std::string& out) {
    constexpr std::string_view kLetters = "abfnrtv\\'\"?";
    constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\'\"?";
    if (at_end()) return false;
    const char c = text_[at_];
    if (const std::size_t i = kLetters.find(c); i != std::string_view::npos) {
      out += kMeanings[i];
      ++at_;
      return true;
    }
    const bool hex = c == 'x' || c == 'X';
    if (hex) ++at_;
    return take_code(hex ? 16 : 8, hex ? 2 : 3, out);
  }

  bool take_code(int base, std::size_t max_digits, std::string& out) {
    unsigned value = 0;
    const std::string_view digits = text_.substr(at_, max_digits);
    const auto [end, failure] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (failure != std::errc()) return false;
    at_ += static_cast<std::size_t>(end - digits.data());
    out += static_cast<char>(value & 0xff);
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;
};

class StateParser {
 public:
  explicit StateParser(std::string_view text) : in_(text) {}

  StateFile run() {
    for (in_.skip_space(); !in_.at_end(); in_.skip_space()) {
      const std::size_t start = in_.offset();
      if (!take_field()) {
        out_.fault =
            Fault{start, fmt::format("line {} is no field of a checkpoint state", in_.line())};
        break;
      }
    }
    return std::move(out_);
  }

 private:
  bool take_field() {
    const std::uint64_t line = in_.line();
    const std::string_view name = in_.take_word();
    in_.skip_space();
    if (name.empty() || !in_.take(':')) return false;
    in_.skip_space();
    if (in_.peek() != '"' && in_.peek() != '\'') {
      const std::string_view word = in_.take_word();
      if (name == "all_model_checkpoint_timestamps") take_stamp(word);
      return !word.empty();
    }
    std::optional<std::string> value = in_.take_strings();
    if (!value) return false;
    if (name == "model_checkpoint_path") {
      out_.latest = std::move(*value);
      out_.latest_line = line;
    } else if (name == "all_model_checkpoint_paths") {
      if (out_.paths.size() == kMaxStatePaths) return false;
      out_.paths.push_back(std::move(*value));
    }
    return true;
  }

  void take_stamp(std::string_view word) {
    double value = 0;
    const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (failure == std::errc() && end == word.data() + word.size()) out_.saved_at.push_back(value);
  }

  StateLexer in_;
  StateFile out_;
};

}  // namespace

StateFile parse_state_file(std::string_view text) {
  return StateParser(text.substr(0, kMaxStateFile)).run();
}

bool looks_like_state_file(std::string_view head) {
  constexpr std::string_view kFirst = "model_checkpoint_path:";
  constexpr std::string_view kOther = "all_model_checkpoint_paths:";
  StateLexer lexer(head);
  lexer.skip_space();
  head.remove_prefix(lexer.offset());
  return head.starts_with(kFirst) || head.starts_with(kOther);
}

}  // namespace tfpm
