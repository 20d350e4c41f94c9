// Hypotheses with the claims that carry them, and what was not evaluated.
#include <map>

#include "report/load.h"
#include "report/query.h"

namespace tfpm::report {
namespace {

// A report argues with the best few; the database has all.
constexpr std::string_view kHypothesesSql =
    "SELECT id, class, cause, workers, score_db, role, why FROM hypothesis"
    " ORDER BY role <> 'root', score_db DESC, id LIMIT 40";

constexpr std::string_view kClaimsSql =
    "SELECT h.hypothesis_id, c.rule, c.summary, h.counted_db, h.gate FROM hypothesis_claim h"
    " JOIN claim c ON c.id = h.claim_id ORDER BY h.hypothesis_id, abs(h.counted_db) DESC, c.id";

}  // namespace

Status load_reasoning(Database& db, ReportModel& model) {
  std::map<std::int64_t, std::size_t> places;  // hypothesis.id -> index in the model
  TFPM_RETURN_IF_ERROR(for_each_row(db, kHypothesesSql, [&](const Statement& row) {
    places.emplace(row.as_int(0), model.hypotheses.size());
    model.hypotheses.push_back({.failure_class = clean_text(row, 1),
                                .cause = maybe_text(row, 2),
                                .workers = text_list(row, 3),
                                .score_db = row.as_double(4),
                                .role = clean_text(row, 5),
                                .why = maybe_text(row, 6),
                                .claims = {}});
  }));
  TFPM_RETURN_IF_ERROR(for_each_row(db, kClaimsSql, [&](const Statement& row) {
    const auto place = places.find(row.as_int(0));
    if (place == places.end()) return;
    model.hypotheses[place->second].claims.push_back({.rule = clean_text(row, 1),
                                                      .summary = clean_text(row, 2),
                                                      .counted_db = row.as_double(3),
                                                      .gate = maybe_text(row, 4)});
  }));
  return for_each_row(db,
                      "SELECT rule, title, needs, why FROM rule_run"
                      " WHERE outcome = 'not-evaluated' ORDER BY rule",
                      [&](const Statement& row) {
                        model.not_evaluated.push_back({.rule = clean_text(row, 0),
                                                       .title = clean_text(row, 1),
                                                       .needs = text_list(row, 2),
                                                       .why = maybe_text(row, 3)});
                      });
}

}  // namespace tfpm::report
