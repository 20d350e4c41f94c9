#include "parsers/detail/exposition_line.h"

#include <algorithm>
#include <cmath>

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

bool is_metric_name(std::string_view name) {
  if (name.empty() || is_digit(name[0])) return false;
  return std::all_of(name.begin(), name.end(), [](char c) { return is_word(c) || c == ':'; });
}

// Behind the closing brace of labels that begin at `text`; npos when a quote or the brace is
// missing.
std::size_t labels_end(std::string_view text) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && text[i] == '}') {
      return i;
    }
  }
  return std::string_view::npos;
}

// "79", "+Inf", "NaN"; false for anything else.
bool set_number(std::string_view word, ExpositionSample& out) {
  out.number = word;
  if (word == "NaN" || word == "+Inf" || word == "-Inf" || word == "Inf") return true;
  std::string_view digits = word;
  eat(digits, "+");
  const auto value = parse_decimal(digits);
  if (value && std::isfinite(*value)) out.value = value;
  return value.has_value();
}

}  // namespace

std::optional<ExpositionSample> parse_exposition_line(std::string_view line) {
  line = trim(line);
  ExpositionSample out;
  const std::size_t name_end = line.find_first_of("{ \t");
  if (name_end == std::string_view::npos) return std::nullopt;
  out.metric = line.substr(0, name_end);
  if (!is_metric_name(out.metric)) return std::nullopt;
  line.remove_prefix(name_end);
  if (line[0] == '{') {
    line.remove_prefix(1);
    const std::size_t end = labels_end(line);
    if (end == std::string_view::npos) return std::nullopt;
    out.labels = line.substr(0, end);
    if (!out.labels.empty() && !contains(out.labels, "=\"")) return std::nullopt;
    line.remove_prefix(end + 1);
  }
  const auto words = split_blanks(line);
  if (words.empty() || words.size() > 2 || !set_number(words[0], out)) return std::nullopt;
  if (words.size() == 2) {
    const auto ms = parse_int(words[1]);
    constexpr std::int64_t kMaxMs = 9'000'000'000'000'000;
    if (!ms || *ms < 0 || *ms > kMaxMs) return std::nullopt;
    out.time_us = *ms * 1000;
  }
  return out;
}

std::optional<std::string> exposition_label(std::string_view labels, std::string_view name) {
  while (!labels.empty()) {
    const std::size_t equals = labels.find("=\"");
    if (equals == std::string_view::npos) return std::nullopt;
    const std::string_view key = trim(labels.substr(0, equals));
    labels.remove_prefix(equals + 2);
    std::string value;
    std::size_t i = 0;
    for (; i < labels.size() && labels[i] != '"'; ++i) {
      if (labels[i] == '\\' && i + 1 < labels.size()) ++i;
      value += labels[i];
    }
    if (key == name) return value;
    labels.remove_prefix(std::min(i + 1, labels.size()));
    while (!labels.empty() && (labels[0] == ',' || labels[0] == ' ')) labels.remove_prefix(1);
  }
  return std::nullopt;
}

}  // namespace tfpm
