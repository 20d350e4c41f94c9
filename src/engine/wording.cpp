#include "engine/wording.h"

#include <fmt/format.h>

namespace tfpm {

std::string join_names(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 4;
  if (names.empty()) return {};
  if (names.size() == 1) return names[0];
  if (names.size() > kShown) {
    return fmt::format("{}, {} and {} more", names[0], names[1], names.size() - 2);
  }
  std::string out = names[0];
  for (std::size_t i = 1; i < names.size(); ++i) {
    out += (i + 1 == names.size() ? " and " : ", ") + names[i];
  }
  return out;
}

std::vector<std::string> worker_names(const Hypothesis& h, const JobFacts& facts) {
  std::vector<std::string> out;
  for (const std::int64_t w : h.workers) {
    const auto it = facts.names.find(w);
    if (it != facts.names.end()) out.push_back(it->second);
  }
  return out;
}

std::string as_sentence(std::string text) {
  if (text.empty()) return text;
  const std::string_view word = std::string_view(text).substr(0, text.find(' '));
  const bool is_name =
      word.find('-') != std::string_view::npos || word.find('/') != std::string_view::npos;
  if (!is_name && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  const char last = text.back();
  if (last != '.' && last != '!' && last != '?') text += '.';
  return text;
}

std::string step_phrase(const Hypothesis& h, const JobFacts& facts) {
  if (h.step_lo && h.step_hi && *h.step_lo != *h.step_hi) {
    return fmt::format("steps {}-{}", *h.step_lo, *h.step_hi);
  }
  if (h.step_lo) return fmt::format("step {}", *h.step_lo);
  const auto steps = facts.steps.find(h.generation);
  const bool stepped = steps != facts.steps.end() && steps->second.stepped;
  return stepped ? "an unknown step" : "start-up";
}

std::string fill(std::string text, const Phrases& p) {
  const std::pair<std::string_view, const std::string*> values[] = {
      {"{workers}", &p.workers}, {"{worker}", &p.workers}, {"{step}", &p.step},
      {"{last}", &p.last},       {"{what}", &p.what},      {"{checkpoint}", &p.checkpoint},
      {"{host}", &p.host},       {"{cause}", &p.cause},    {"{file}", &p.file}};
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    bool replaced = false;
    for (const auto& [name, value] : values) {
      if (text.compare(i, name.size(), name) != 0) continue;
      out += *value;
      i += name.size();
      replaced = true;
      break;
    }
    if (!replaced) out += text[i++];
  }
  return out;
}

}  // namespace tfpm
