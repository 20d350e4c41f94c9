#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "base/text.h"
#include "engine/claim.h"
#include "store/database.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxRows = 20'000;
constexpr std::size_t kMaxEvidence = 24;
constexpr std::size_t kMaxSummary = 2000;
// Instructions of SQLite's machine, some ten seconds of work. No wall clock: what a rule may cost,
// and so whether it fires, must not depend on how busy the machine is.
constexpr std::int64_t kBudget = 1'000'000'000;
constexpr int kBudgetStep = 100'000;
// The longest text a rule may put together.
constexpr int kMaxText = 16 << 20;

// Only reading, functions and recursion: a rule file cannot change the store or attach another.
int authorize(void*, int action, const char*, const char*, const char*, const char*) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_FUNCTION:
    case SQLITE_RECURSIVE:
      return SQLITE_OK;
    default:
      return SQLITE_DENY;
  }
}

class Guard {
 public:
  explicit Guard(sqlite3* db)
      : db_(db), text_limit_(sqlite3_limit(db, SQLITE_LIMIT_LENGTH, kMaxText)) {
    sqlite3_set_authorizer(db_, authorize, nullptr);
    sqlite3_progress_handler(db_, kBudgetStep, &Guard::over_budget, this);
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard() {
    sqlite3_set_authorizer(db_, nullptr, nullptr);
    sqlite3_progress_handler(db_, 0, nullptr, nullptr);
    sqlite3_limit(db_, SQLITE_LIMIT_LENGTH, text_limit_);
  }
  bool exhausted() const { return left_ <= 0; }

 private:
  static int over_budget(void* self) {
    auto& guard = *static_cast<Guard*>(self);
    guard.left_ -= kBudgetStep;
    return guard.exhausted() ? 1 : 0;
  }
  sqlite3* db_;
  int text_limit_;
  std::int64_t left_ = kBudget;
};

// Columns by name, so that an analysis may give the optional ones in any order.
struct Columns {
  int worker = -1, generation = -1, step_lo = -1, step_hi = -1, cap = -1, weight = -1, summary = -1,
      evidence = -1, failure_class = -1, cause = -1, kind = -1, group = -1;
};

Result<Columns> find_columns(const Statement& s) {
  Columns c;
  const std::pair<std::string_view, int*> known[] = {
      {"worker_id", &c.worker},    {"generation", &c.generation},
      {"step_lo", &c.step_lo},     {"step_hi", &c.step_hi},
      {"confidence_cap", &c.cap},  {"weight_db", &c.weight},
      {"summary", &c.summary},     {"evidence_event_ids", &c.evidence},
      {"class", &c.failure_class}, {"cause", &c.cause},
      {"kind", &c.kind},           {"group_key", &c.group}};
  for (int i = 0; i < s.column_count(); ++i) {
    bool found = false;
    for (const auto& [name, slot] : known) {
      if (s.column_name(i) != name) continue;
      *slot = i;
      found = true;
    }
    if (!found) {
      return error(ErrorKind::kRule, "unknown result column", std::string(s.column_name(i)));
    }
  }
  for (const auto& [name, slot] : std::span(known).first(8)) {
    if (*slot < 0) return error(ErrorKind::kRule, "missing result column", std::string(name));
  }
  return c;
}

// A JSON array of event ids (numbers) and refs of other rows (text).
std::vector<std::string> parse_refs(std::string_view text) {
  std::vector<std::string> out;
  const auto doc = nlohmann::json::parse(text, nullptr, false);
  if (!doc.is_array()) return out;
  for (const auto& item : doc) {
    if (out.size() == kMaxEvidence) break;
    std::string ref;
    if (item.is_number_integer()) ref = fmt::format("event:{}", item.get<std::int64_t>());
    if (item.is_string()) ref = item.get<std::string>();
    if (!ref.empty() && std::find(out.begin(), out.end(), ref) == out.end()) {
      out.push_back(std::move(ref));
    }
  }
  return out;
}

Claim read_claim(const Statement& s, const Columns& c, const Analysis& a) {
  const auto text = [&](int column) { return column < 0 ? std::string() : s.text(column); };
  const auto number = [&](int column) { return column < 0 ? OptInt() : s.maybe_int(column); };
  Claim claim;
  claim.rule = a.id;
  claim.kind = text(c.kind).empty() ? a.kind : text(c.kind);
  claim.failure_class = text(c.failure_class).empty() ? a.failure_class : text(c.failure_class);
  claim.cause = text(c.cause).empty() ? a.cause : text(c.cause);
  claim.worker = number(c.worker);
  claim.generation = number(c.generation);
  claim.step_lo = number(c.step_lo);
  claim.step_hi = number(c.step_hi);
  claim.group_key = text(c.group);
  claim.confidence_cap = text(c.cap);
  claim.weight_db = s.is_null(c.weight) ? a.weight_db : s.as_double(c.weight);
  claim.summary = clean_utf8(text(c.summary), kMaxSummary);
  claim.evidence = parse_refs(s.as_text(c.evidence));
  return claim;
}

RuleOutcome failed(std::string why) {
  return {"failed", {}, std::move(why), {}, 0};
}

// Evidence kinds an analysis may need, as tables or views that must have a row.
Result<std::vector<std::string>> missing_needs(Database& db, const Analysis& a) {
  std::vector<std::string> missing;
  for (const std::string& need : a.needs) {
    const auto known = db.query_int(fmt::format(
        "SELECT count(*) FROM sqlite_schema WHERE type IN ('table','view') AND name='{}'", need));
    if (!known.ok()) return known.status();
    if (known->value_or(0) == 0) {
      return error(ErrorKind::kRule, "needs an unknown table", need);
    }
    const auto any = db.query_int(fmt::format("SELECT EXISTS(SELECT 1 FROM {})", need));
    if (!any.ok()) return any.status();
    if (any->value_or(0) == 0) missing.push_back(need);
  }
  return missing;
}

void bind_params(Statement& s, const Analysis& a) {
  for (const AnalysisParam& p : a.params) {
    const int at = sqlite3_bind_parameter_index(s.handle(), fmt::format(":{}", p.name).c_str());
    if (at > 0) s.bind(at, p.value);
  }
}

// Reads all claims of a prepared analysis.
RuleOutcome collect_claims(Statement& stmt, const Guard& guard, const Analysis& analysis) {
  const Result<Columns> columns = find_columns(stmt);
  if (!columns.ok()) return failed(columns.status().diagnostic().to_string());
  bind_params(stmt, analysis);
  RuleOutcome out;
  while (out.claims.size() < kMaxRows) {
    const Result<bool> row = stmt.step();
    if (!row.ok()) {
      return failed(guard.exhausted() ? "it takes too long" : row.status().diagnostic().why);
    }
    if (!*row) break;
    out.claims.push_back(read_claim(stmt, *columns, analysis));
  }
  out.outcome = out.claims.empty() ? "clear" : "fired";
  return out;
}

}  // namespace

RuleOutcome run_analysis(Database& db, const Analysis& analysis) {
  Result<std::vector<std::string>> missing = missing_needs(db, analysis);
  if (!missing.ok()) return failed(missing.status().diagnostic().to_string());
  if (!missing->empty()) {
    return {"not-evaluated",
            *missing,
            fmt::format("no {} data in the bundle", fmt::join(*missing, ", ")),
            {},
            0};
  }
  Guard guard(db.handle());
  Result<Statement> stmt = db.prepare(analysis.sql);
  if (!stmt.ok()) return failed(stmt.status().diagnostic().why);
  RuleOutcome out = collect_claims(*stmt, guard, analysis);
  out.work = sqlite3_stmt_status(stmt->handle(), SQLITE_STMTSTATUS_VM_STEP, 0);
  return out;
}

}  // namespace tfpm
