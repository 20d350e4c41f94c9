#include "ingest/literal_variants.h"

#include <algorithm>

#include "base/ascii.h"

namespace tfpm {
namespace {

char normal(char c) {
  if (is_digit(c)) return '0';
  return c == '>' || c == '<' || c == '.' || c == '-' ? '=' : c;
}

void normalise(std::string_view text, std::string& out) {
  out.resize(text.size());
  std::transform(text.begin(), text.end(), out.begin(), normal);
}

}  // namespace

LiteralVariants::LiteralVariants(const std::vector<std::string>& literals) {
  for (const std::string& literal : literals) {
    std::string text;
    normalise(literal, text);
    const bool digits = std::any_of(literal.begin(), literal.end(), is_digit);
    if (!digits && text.find('=') == std::string::npos) continue;
    texts_.push_back(std::move(text));
    literals_.push_back({literal.size(), digits});
  }
}

bool LiteralVariants::may_differ(std::string_view text, const BarRange& bar, Scratch& scratch) {
  std::call_once(once_, [&] {
    if (auto made = LiteralAutomaton::compile(texts_); made.ok()) automaton_ = std::move(*made);
  });
  if (!automaton_) return true;
  if (!scratch.scratch_) scratch.scratch_.emplace(*automaton_);
  normalise(text, scratch.normal_);
  bool differs = false;
  const auto found = [&](std::uint32_t id, std::uint32_t end) {
    const Literal& literal = literals_[id];
    const bool in_bar = end > bar.begin && end - literal.size < bar.end;
    differs = differs || literal.digits || in_bar;
  };
  return !automaton_->scan(scratch.normal_, *scratch.scratch_, found).ok() || differs;
}

}  // namespace tfpm
