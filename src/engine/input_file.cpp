#include "engine/input_file.h"

#include <algorithm>
#include <string_view>

#include "store/database.h"

namespace tfpm {
namespace {

// A traceback's `file` is source code, so captures count only where the line is about input.
constexpr std::string_view kStated =
    "SELECT c.value FROM hypothesis_claim h JOIN claim_evidence r ON r.claim_id = h.claim_id "
    "JOIN event e ON e.id = CAST(substr(r.ref, 7) AS INTEGER) "
    "JOIN event_capture c ON c.event_id = e.id AND c.name IN ('path', 'file') "
    "WHERE h.hypothesis_id = ?1 AND r.ref GLOB 'event:*' AND (e.signature_id = 'prog-input-file' "
    "OR "
    "e.signature_id IN (SELECT id FROM signature_rule WHERE class GLOB 'input-*')) "
    "ORDER BY h.counted_db DESC, h.claim_id, r.n, c.name DESC LIMIT 1";
constexpr std::string_view kOpenedLast =
    "SELECT c.value FROM event e JOIN event_capture c ON c.event_id = e.id AND c.name = 'file' "
    "WHERE e.signature_id = 'prog-input-file' AND e.worker_id = ?1 AND e.generation = ?2 "
    "ORDER BY e.attempt DESC, e.seq DESC LIMIT 1";

bool mentions_file(const ClassTexts& texts) {
  const auto mentions = [](const std::string& text) {
    return text.find("{file}") != std::string::npos;
  };
  return std::any_of(texts.now.begin(), texts.now.end(), mentions) ||
         std::any_of(texts.check.begin(), texts.check.end(), mentions);
}

bool can_be_typed(std::string_view path) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=@%+,:-";
  return !path.empty() && path[0] != '-' && path.find("://") == std::string_view::npos &&
         path.find_first_not_of(kPlain) == std::string_view::npos;
}

Result<std::string> first_text(Statement& query) {
  const Result<bool> row = query.step();
  if (!row.ok()) return row.status();
  return *row ? query.text(0) : std::string();
}

}  // namespace

Status name_input_files(Database& db, CaseFile& file) {
  Result<Statement> stated = db.prepare(kStated);
  if (!stated.ok()) return stated.status();
  Result<Statement> opened = db.prepare(kOpenedLast);
  if (!opened.ok()) return opened.status();
  for (Hypothesis& h : file.hypotheses) {
    const auto info = file.classes.find(h.failure_class);
    if (info == file.classes.end() || !mentions_file(info->second.texts_for(h.cause))) continue;
    stated->reset();
    Result<std::string> path = first_text(stated->bind(1, h.id));
    if (path.ok() && path->empty() && h.workers.size() == 1) {
      opened->reset();
      path = first_text(opened->bind(1, h.workers.front()).bind(2, h.generation));
    }
    if (!path.ok()) return path.status();
    if (can_be_typed(*path)) h.input_file = std::move(*path);
  }
  return ok_status();
}

}  // namespace tfpm
