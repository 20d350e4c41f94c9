#include "ingest/matcher.h"

#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "ingest/literal_automaton.h"
#include "ingest/literal_variants.h"

namespace tfpm {
namespace {

// One pattern's DFA cache. RE2's default of 8 MiB times some hundreds of patterns is no bound.
constexpr std::int64_t kRe2MaxMem = 1 << 20;

RE2::Options re2_options() {
  RE2::Options options(RE2::Latin1);  // evidence is bytes: never fail on invalid UTF-8
  options.set_max_mem(kRe2MaxMem);
  options.set_log_errors(false);
  return options;
}

// An expression, compiled when a record is held against it for the first time: a log meets the
// literals of a few dozen patterns, and compiling all thousand of them would take longer than
// reading a small bundle.
class LazyExpression {
 public:
  explicit LazyExpression(std::string text) : text_(std::move(text)) {}
  const std::string& text() const { return text_; }
  const RE2& re() {
    std::call_once(once_, [this] { compile(); });
    return *re_;
  }
  // Named groups by number.
  const std::vector<std::pair<int, std::string>>& groups() {
    re();
    return groups_;
  }

 private:
  void compile() {
    re_ = std::make_unique<RE2>(text_, re2_options());
    for (const auto& [number, name] : re_->CapturingGroupNames()) {
      groups_.emplace_back(number, name);
    }
  }

  std::string text_;
  std::once_flag once_;
  std::unique_ptr<RE2> re_;
  std::vector<std::pair<int, std::string>> groups_;
};

struct Pattern {
  std::uint32_t signature = 0;
  std::unique_ptr<LazyExpression> expression;
  bool memoisable = false;
  std::string plain;  // the text itself, when the expression is nothing but a text; else empty
};

// No character of the expression means anything but itself.
bool is_plain_text(std::string_view re) {
  return re.find_first_of("\\^$.|?*+()[]{}") == std::string_view::npos;
}

bool matches(const Pattern& pattern, std::string_view text) {
  if (!pattern.plain.empty()) return text.find(pattern.plain) != std::string_view::npos;
  return pattern.expression->re().Match(text, 0, text.size(), RE2::UNANCHORED, nullptr, 0);
}

// Patterns that share a literal, when they are many: one automaton tells which of them match. Made
// when the literal is met for the first time.
struct PatternGroup {
  explicit PatternGroup(std::vector<std::uint32_t> members) : patterns(std::move(members)) {}

  std::vector<std::uint32_t> patterns;
  std::once_flag once;
  std::unique_ptr<RE2::Set> set;  // null when it would be too large
};

void make_set(const std::vector<Pattern>& all, PatternGroup& group) {
  constexpr std::int64_t kSetMaxMem = 8 << 20;
  RE2::Options options = re2_options();
  options.set_max_mem(kSetMaxMem);
  auto set = std::make_unique<RE2::Set>(options, RE2::UNANCHORED);
  for (const std::uint32_t p : group.patterns)
    if (set->Add(all[p].expression->text(), nullptr) < 0) return;
  if (set->Compile()) group.set = std::move(set);
}

}  // namespace

struct Matcher::Impl {
  std::vector<Pattern> patterns;
  // Every distinct literal once; these are the patterns behind each.
  LiteralAutomaton automaton;
  std::vector<std::vector<std::uint32_t>> patterns_of_literal;
  std::unique_ptr<LiteralVariants> variants;
  bool spans_lines = false;
  std::vector<std::unique_ptr<PatternGroup>> groups;
  std::vector<PatternGroup*> group_of;  // by pattern; null = stands alone

  void group_patterns();
  bool add_matches(PatternGroup& group, std::string_view text,
                   std::vector<std::uint32_t>& signatures);
};

void Matcher::Impl::group_patterns() {
  constexpr std::size_t kFew = 4;  // so many are as fast one by one
  group_of.assign(patterns.size(), nullptr);
  for (const std::vector<std::uint32_t>& sharing : patterns_of_literal) {
    std::vector<std::uint32_t> members;
    for (const std::uint32_t p : sharing)
      if (p < patterns.size()) members.push_back(p);
    if (members.size() <= kFew) continue;
    groups.push_back(std::make_unique<PatternGroup>(std::move(members)));
    for (const std::uint32_t p : groups.back()->patterns) group_of[p] = groups.back().get();
  }
}

// False when the group cannot say: then its patterns have to be tried one by one.
bool Matcher::Impl::add_matches(PatternGroup& group, std::string_view text,
                                std::vector<std::uint32_t>& signatures) {
  std::call_once(group.once, [&] { make_set(patterns, group); });
  if (group.set == nullptr) return false;
  std::vector<int> found;
  RE2::Set::ErrorInfo problem{};
  group.set->Match(text, &found, &problem);
  if (problem.kind != RE2::Set::kNoError) return false;
  for (const int i : found) {
    const std::uint32_t signature = patterns[group.patterns[static_cast<std::size_t>(i)]].signature;
    if (std::find(signatures.begin(), signatures.end(), signature) == signatures.end())
      signatures.push_back(signature);
  }
  return true;
}

struct Matcher::Scratch::Impl {
  explicit Impl(const LiteralAutomaton& automaton) : literals(automaton) {}
  LiteralAutomaton::Scratch literals;
  LiteralVariants::Scratch variants;
};

namespace {

Pattern make_pattern(const SignaturePattern& source, std::uint32_t signature) {
  Pattern pattern;
  pattern.signature = signature;
  pattern.expression = std::make_unique<LazyExpression>(source.re);
  pattern.memoisable = ignores_digit_values(source.re);
  if (source.re == source.literal && is_plain_text(source.re)) pattern.plain = source.re;
  return pattern;
}

// Keeps the first value of each name.
void add_captures(const Pattern& pattern, const std::vector<re2::StringPiece>& groups,
                  SignatureMatch& match) {
  for (const auto& group : pattern.expression->groups()) {
    const auto& name = group.second;
    const re2::StringPiece& value = groups[static_cast<std::size_t>(group.first)];
    if (value.data() == nullptr) continue;
    const bool known = std::any_of(match.captures.begin(), match.captures.end(),
                                   [&](const auto& have) { return have.first == name; });
    if (!known) match.captures.emplace_back(name, value.as_string());
  }
}

}  // namespace

Matcher::Matcher() : impl_(std::make_unique<Impl>()) {}
Matcher::Matcher(Matcher&&) noexcept = default;
Matcher::~Matcher() = default;

Result<Matcher> Matcher::compile(const std::vector<Signature>& signatures,
                                 std::span<const std::string_view> extra_literals) {
  Matcher matcher;
  Impl& impl = *matcher.impl_;
  std::map<std::string, std::size_t, std::less<>> index;
  std::vector<std::string> literals;
  const auto add_literal = [&](std::string_view literal, std::size_t pattern) {
    auto it = index.find(literal);
    if (it == index.end()) {
      it = index.emplace(std::string(literal), literals.size()).first;
      literals.emplace_back(literal);
      impl.patterns_of_literal.emplace_back();
    }
    impl.patterns_of_literal[it->second].push_back(static_cast<std::uint32_t>(pattern));
  };
  for (std::size_t s = 0; s < signatures.size(); ++s) {
    for (const SignaturePattern& source : signatures[s].patterns) {
      add_literal(source.literal, impl.patterns.size());
      impl.patterns.push_back(make_pattern(source, static_cast<std::uint32_t>(s)));
    }
  }
  for (std::size_t i = 0; i < extra_literals.size(); ++i) {
    add_literal(extra_literals[i], impl.patterns.size() + i);
  }
  impl.group_patterns();
  impl.variants = std::make_unique<LiteralVariants>(literals);
  impl.spans_lines = std::any_of(literals.begin(), literals.end(), [](const std::string& literal) {
    return literal.find_first_of("\n\r\b") != std::string::npos;
  });
  Result<LiteralAutomaton> automaton = LiteralAutomaton::compile(literals);
  if (!automaton.ok()) return automaton.status();
  impl.automaton = std::move(*automaton);
  return matcher;
}

Matcher::Scratch::Scratch(const Matcher& matcher)
    : impl_(std::make_unique<Impl>(matcher.impl_->automaton)) {}
Matcher::Scratch::Scratch(Scratch&&) noexcept = default;
Matcher::Scratch::~Scratch() = default;

Status Matcher::scan(std::string_view chunk, Scratch& scratch,
                     std::vector<LiteralHit>& hits) const {
  hits.clear();
  const auto found = [&](std::uint32_t literal, std::uint32_t end) {
    for (const std::uint32_t pattern : impl_->patterns_of_literal[literal]) {
      hits.push_back({end, pattern});
    }
  };
  TFPM_RETURN_IF_ERROR(impl_->automaton.scan(chunk, scratch.impl_->literals, found));
  const auto by_end = [](const LiteralHit& a, const LiteralHit& b) { return a.end < b.end; };
  if (!std::is_sorted(hits.begin(), hits.end(), by_end)) {
    std::stable_sort(hits.begin(), hits.end(), by_end);
  }
  return ok_status();
}

bool Matcher::spans_lines() const {
  return impl_->spans_lines;
}

bool Matcher::hits_may_differ(std::string_view text, const BarRange& bar, Scratch& scratch) const {
  return impl_->variants->may_differ(text, bar, scratch.impl_->variants);
}

void Matcher::confirm(std::string_view text, std::span<const std::uint32_t> patterns, bool captures,
                      std::vector<SignatureMatch>& out) const {
  out.clear();
  std::vector<std::uint32_t> unique(patterns.begin(), patterns.end());
  std::sort(unique.begin(), unique.end());
  unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
  std::vector<re2::StringPiece> groups;
  for (const std::uint32_t p : unique) {
    if (p >= impl_->patterns.size()) break;
    const Pattern& pattern = impl_->patterns[p];
    // Patterns of one signature are neighbours; without captures the first match settles it.
    const bool again = !out.empty() && out.back().signature == pattern.signature;
    if (again && !captures) continue;
    const RE2& re = pattern.expression->re();
    const int n = captures ? re.NumberOfCapturingGroups() + 1 : 1;
    groups.assign(static_cast<std::size_t>(n), re2::StringPiece());
    if (!re.Match(text, 0, text.size(), RE2::UNANCHORED, groups.data(), n)) continue;
    const auto begin = static_cast<std::uint32_t>(groups[0].data() - text.data());
    if (!again) out.push_back({pattern.signature, begin, {}});
    out.back().begin = std::min(out.back().begin, begin);
    if (captures) add_captures(pattern, groups, out.back());
  }
}

void Matcher::judge(std::string_view text, std::span<const std::uint32_t> patterns,
                    std::vector<std::uint32_t>& out) const {
  out.clear();
  // Few as a rule; a long record may hold one literal many times.
  constexpr std::size_t kMany = 16;
  std::vector<std::uint32_t> unique;
  if (patterns.size() > kMany) {
    unique.assign(patterns.begin(), patterns.end());
    std::sort(unique.begin(), unique.end());
    unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
    patterns = unique;
  }
  const PatternGroup* judged = nullptr;  // its members stand together
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (patterns[i] >= impl_->patterns.size()) continue;
    PatternGroup* group = impl_->group_of[patterns[i]];
    if (group != nullptr && group == judged) continue;
    if (group != nullptr && impl_->add_matches(*group, text, out)) {
      judged = group;
      continue;
    }
    const auto before = patterns.first(i);
    if (std::find(before.begin(), before.end(), patterns[i]) != before.end()) continue;
    const Pattern& pattern = impl_->patterns[patterns[i]];
    const bool known = std::find(out.begin(), out.end(), pattern.signature) != out.end();
    if (!known && matches(pattern, text)) out.push_back(pattern.signature);
  }
  std::sort(out.begin(), out.end());
}

std::uint32_t Matcher::signature_of(std::uint32_t pattern) const {
  return impl_->patterns[pattern].signature;
}

std::uint32_t Matcher::pattern_count() const {
  return static_cast<std::uint32_t>(impl_->patterns.size());
}

bool Matcher::memoisable(std::uint32_t pattern) const {
  return pattern >= impl_->patterns.size() || impl_->patterns[pattern].memoisable;
}

bool ignores_digit_values(std::string_view re) {
  // Every digit of the expression must belong to a class of all digits or to a repetition count.
  for (std::size_t i = 0; i < re.size(); ++i) {
    if (re[i] == '\\' && i + 1 < re.size()) {
      ++i;
      if (re[i] >= '0' && re[i] <= '9') return false;
      if (re[i] == 'x' || re[i] == 'Q' || re[i] == 'p' || re[i] == 'P') return false;
    } else if (re.substr(i, 3) == "0-9") {
      i += 2;
    } else if (re[i] == '{') {
      const std::size_t close = re.find('}', i);
      if (close == std::string_view::npos) return false;
      i = close;
    } else {
      const bool digit = re[i] >= '0' && re[i] <= '9';
      // A range over all digits, such as [!-~].
      const bool range =
          re[i] == '-' && i > 0 && i + 1 < re.size() && re[i - 1] < '0' && re[i + 1] > '9';
      if (digit || range) return false;
    }
  }
  return true;
}

}  // namespace tfpm
