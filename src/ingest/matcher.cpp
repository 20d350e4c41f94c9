#include "ingest/matcher.h"

#include <hs.h>
#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <new>

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

struct Pattern {
  std::uint32_t signature = 0;
  std::unique_ptr<RE2> re;
  bool memoisable = false;
  std::string plain;  // the text itself, when the expression is nothing but a text; else empty
  std::vector<std::pair<int, std::string>> groups;  // named groups by number
};

// No character of the expression means anything but itself.
bool is_plain_text(std::string_view re) {
  return re.find_first_of("\\^$.|?*+()[]{}") == std::string_view::npos;
}

bool matches(const Pattern& pattern, std::string_view text) {
  if (!pattern.plain.empty()) return text.find(pattern.plain) != std::string_view::npos;
  return pattern.re->Match(text, 0, text.size(), RE2::UNANCHORED, nullptr, 0);
}

struct HsDatabaseDeleter {
  void operator()(hs_database_t* db) const { hs_free_database(db); }
};

}  // namespace

struct Matcher::Impl {
  std::vector<Pattern> patterns;
  std::unique_ptr<hs_database_t, HsDatabaseDeleter> database;
  // libhs knows every distinct literal once; these are the patterns behind each.
  std::vector<std::vector<std::uint32_t>> patterns_of_literal;
};

struct Matcher::Scratch::Impl {
  hs_scratch_t* scratch = nullptr;
  ~Impl() { hs_free_scratch(scratch); }
};

namespace {

Status compile_literals(const std::vector<std::string>& literals, hs_database_t** out) {
  std::vector<const char*> texts;
  std::vector<unsigned> flags(literals.size(), 0);
  std::vector<unsigned> ids;
  std::vector<std::size_t> lengths;
  for (const std::string& literal : literals) {
    ids.push_back(static_cast<unsigned>(ids.size()));
    texts.push_back(literal.data());
    lengths.push_back(literal.size());
  }
  hs_compile_error_t* problem = nullptr;
  const int rc = hs_compile_lit_multi(texts.data(), flags.data(), ids.data(), lengths.data(),
                                      static_cast<unsigned>(texts.size()), HS_MODE_BLOCK, nullptr,
                                      out, &problem);
  if (rc == HS_SUCCESS) return ok_status();
  std::string why = problem == nullptr ? "unknown reason" : problem->message;
  hs_free_compile_error(problem);
  return error(ErrorKind::kInternal, "cannot build the literal automaton", "", std::move(why),
               "this program needs a processor with SSSE3");
}

Result<Pattern> compile_pattern(const Signature& signature, const SignaturePattern& source,
                                std::uint32_t index) {
  Pattern pattern;
  pattern.signature = index;
  pattern.re = std::make_unique<RE2>(source.re, re2_options());
  if (!pattern.re->ok()) {
    return error(ErrorKind::kRule, "not a valid RE2 expression: " + source.re, signature.origin,
                 pattern.re->error());
  }
  pattern.memoisable = ignores_digit_values(source.re);
  if (source.re == source.literal && is_plain_text(source.re)) pattern.plain = source.re;
  for (const auto& [number, name] : pattern.re->CapturingGroupNames()) {
    pattern.groups.emplace_back(number, name);
  }
  return pattern;
}

// Keeps the first value of each name.
void add_captures(const Pattern& pattern, const std::vector<re2::StringPiece>& groups,
                  SignatureMatch& match) {
  for (const auto& group : pattern.groups) {
    const auto& name = group.second;
    const re2::StringPiece& value = groups[static_cast<std::size_t>(group.first)];
    if (value.data() == nullptr) continue;
    const bool known = std::any_of(match.captures.begin(), match.captures.end(),
                                   [&](const auto& have) { return have.first == name; });
    if (!known) match.captures.emplace_back(name, value.as_string());
  }
}

struct ScanContext {
  const std::vector<std::vector<std::uint32_t>>* patterns_of_literal;
  std::vector<LiteralHit>* hits;
};

int on_literal(unsigned id, unsigned long long, unsigned long long to, unsigned, void* context) {
  const auto* scan = static_cast<const ScanContext*>(context);
  for (const std::uint32_t pattern : (*scan->patterns_of_literal)[id]) {
    scan->hits->push_back({static_cast<std::uint32_t>(to), pattern});
  }
  return 0;
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
      Result<Pattern> pattern =
          compile_pattern(signatures[s], source, static_cast<std::uint32_t>(s));
      if (!pattern.ok()) return pattern.status();
      add_literal(source.literal, impl.patterns.size());
      impl.patterns.push_back(std::move(*pattern));
    }
  }
  for (std::size_t i = 0; i < extra_literals.size(); ++i) {
    add_literal(extra_literals[i], impl.patterns.size() + i);
  }
  if (!literals.empty()) {
    hs_database_t* database = nullptr;
    TFPM_RETURN_IF_ERROR(compile_literals(literals, &database));
    impl.database.reset(database);
  }
  return matcher;
}

Matcher::Scratch::Scratch(const Matcher& matcher) : impl_(std::make_unique<Impl>()) {
  if (matcher.impl_->database == nullptr) return;
  if (hs_alloc_scratch(matcher.impl_->database.get(), &impl_->scratch) != HS_SUCCESS) {
    throw std::bad_alloc();  // as every other allocation that fails
  }
}
Matcher::Scratch::Scratch(Scratch&&) noexcept = default;
Matcher::Scratch::~Scratch() = default;

Status Matcher::scan(std::string_view chunk, Scratch& scratch,
                     std::vector<LiteralHit>& hits) const {
  hits.clear();
  if (impl_->database == nullptr) return ok_status();
  ScanContext context{&impl_->patterns_of_literal, &hits};
  const int rc = hs_scan(impl_->database.get(), chunk.data(), static_cast<unsigned>(chunk.size()),
                         0, scratch.impl_->scratch, on_literal, &context);
  if (rc != HS_SUCCESS) {
    return error(ErrorKind::kInternal, "the literal automaton failed", "",
                 "libhs error " + std::to_string(rc));
  }
  const auto by_end = [](const LiteralHit& a, const LiteralHit& b) { return a.end < b.end; };
  if (!std::is_sorted(hits.begin(), hits.end(), by_end)) {
    std::stable_sort(hits.begin(), hits.end(), by_end);
  }
  return ok_status();
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
    const int n = captures ? pattern.re->NumberOfCapturingGroups() + 1 : 1;
    groups.assign(static_cast<std::size_t>(n), re2::StringPiece());
    if (!pattern.re->Match(text, 0, text.size(), RE2::UNANCHORED, groups.data(), n)) continue;
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
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    if (patterns[i] >= impl_->patterns.size()) continue;
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
    } else if (re[i] >= '0' && re[i] <= '9') {
      return false;
    } else if (re[i] == '-' && i > 0 && i + 1 < re.size() && re[i - 1] < '0' && re[i + 1] > '9') {
      return false;  // a range such as [!-~] is fine, [ -5] is not; both are rare
    }
  }
  return true;
}

}  // namespace tfpm
