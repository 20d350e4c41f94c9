#include "align/restores.h"

#include <algorithm>
#include <charconv>

#include "store/database.h"

namespace tfpm {
namespace {

struct CheckpointPlace {
  std::int64_t id = 0;
  std::string prefix;
  OptInt step;
  bool stepped = false, restored = false;
};

Result<std::vector<CheckpointPlace>> load_checkpoints(Database& db) {
  Result<Statement> s = db.prepare("SELECT id, prefix, step FROM checkpoint ORDER BY id");
  if (!s.ok()) return s.status();
  std::vector<CheckpointPlace> out;
  while (true) {
    const Result<bool> row = s->step();
    if (!row.ok()) return row.status();
    if (!*row) return out;
    out.push_back({*s->maybe_int(0), s->text(1), s->maybe_int(2), false, false});
  }
}

std::string_view last_component(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// Equal components from the end of two paths.
std::size_t common_tail(std::string_view a, std::string_view b) {
  std::size_t count = 0;
  while (!a.empty() && !b.empty() && last_component(a) == last_component(b)) {
    ++count;
    const std::size_t cut_a = a.rfind('/'), cut_b = b.rfind('/');
    a = cut_a == std::string_view::npos ? std::string_view() : a.substr(0, cut_a);
    b = cut_b == std::string_view::npos ? std::string_view() : b.substr(0, cut_b);
  }
  return count;
}

// The bundle's checkpoint that a task means by a path of its own host: most components from the end
// in common; none when two fit equally well and are not of the same step.
CheckpointPlace* find_place(std::vector<CheckpointPlace>& all, std::string_view written) {
  CheckpointPlace* best = nullptr;
  std::size_t best_tail = 0;
  bool unclear = false;
  for (CheckpointPlace& c : all) {
    const std::size_t tail = common_tail(c.prefix, written);
    if (tail == 0 || tail < best_tail) continue;
    if (tail == best_tail) {
      unclear = unclear || c.step != best->step;
      continue;
    }
    best = &c;
    best_tail = tail;
    unclear = false;
  }
  return unclear ? nullptr : best;
}

OptInt whole_number(std::string_view digits) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return {};
  return value;
}

OptInt number_behind_dash(std::string_view path) {
  const std::size_t dash = path.rfind('-');
  return dash == std::string_view::npos ? OptInt() : whole_number(path.substr(dash + 1));
}

void note_restore(const EventInfo& e, AttemptInfo& a, std::vector<CheckpointPlace>& checkpoints) {
  const std::string_view written = e.capture("prefix");
  if (CheckpointPlace* place = written.empty() ? nullptr : find_place(checkpoints, written)) {
    place->restored = true;
    if (place->step) a.restored_step = place->step;
    const bool later = a.last_step && place->step && *a.last_step > *place->step;
    place->stepped = place->stepped || later;
    return;
  }
  const std::string_view printed = e.capture("step");
  const OptInt step = printed.empty() ? number_behind_dash(written) : whole_number(printed);
  // A number in a name may count saves; where the run then begins there it counts steps.
  const bool begins =
      step && a.first_step && (*a.first_step == *step || *a.first_step == *step + 1);
  if (begins || (step && !printed.empty())) a.restored_step = step;
}

}  // namespace

Status find_restores(Database& db, Model& model) {
  Result<std::vector<CheckpointPlace>> checkpoints = load_checkpoints(db);
  if (!checkpoints.ok()) return checkpoints.status();
  for (const EventInfo& e : model.events) {
    if (e.worker < 0 || !e.attempt || !e.tells_restore()) continue;
    auto& attempts = model.workers[static_cast<std::size_t>(e.worker)].attempts;
    const auto a = std::find_if(attempts.begin(), attempts.end(),
                                [&](const AttemptInfo& x) { return x.n == *e.attempt; });
    if (a != attempts.end()) note_restore(e, *a, *checkpoints);
  }
  Result<Statement> s = db.prepare("UPDATE checkpoint SET use = ?2 WHERE id = ?1");
  if (!s.ok()) return s.status();
  for (const CheckpointPlace& c : *checkpoints) {
    if (!c.restored) continue;
    s->bind(1, c.id).bind(2, std::string_view(c.stepped ? "restored-and-stepped" : "restored"));
    TFPM_RETURN_IF_ERROR(s->run());
  }
  return ok_status();
}

}  // namespace tfpm
