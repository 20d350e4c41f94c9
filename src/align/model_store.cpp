// Writes the model back: workers, attempts, states of steps, accusations and the alignment columns.
#include <cmath>

#include "align/model.h"
#include "store/database.h"
#include "store/row_writer.h"

namespace tfpm {
namespace {

Value opt(const OptInt& v) {
  return v ? Value(*v) : null_value();
}
Value text_or_null(const std::string& s) {
  return s.empty() ? null_value() : Value(s);
}
Value flag(bool b) {
  return std::int64_t{b ? 1 : 0};
}
Value worker_id(int index) {
  return index < 0 ? null_value() : Value(std::int64_t{index} + 1);
}
Value micros(const std::optional<double>& v) {
  return v ? Value(static_cast<std::int64_t>(*v + (*v < 0 ? -0.5 : 0.5))) : null_value();
}

Status put(RowWriter& writer, const Row& row) {
  return writer.write(row).status();
}

Status store_attempt(RowWriter& writer, const Model& m, std::int64_t id, const AttemptInfo& a) {
  const Value event = a.terminal_event < 0
                          ? null_value()
                          : Value(m.events[static_cast<std::size_t>(a.terminal_event)].id);
  return put(writer, {"attempt",
                      {{"worker_id", id},
                       {"n", a.n},
                       {"generation", a.generation},
                       {"pid", opt(a.pid)},
                       {"basis", a.basis},
                       {"first_seq", opt(a.first_seq)},
                       {"last_seq", opt(a.last_seq)},
                       {"first_step", opt(a.first_step)},
                       {"restored_step", opt(a.restored_step)},
                       {"lost_steps", opt(a.lost_steps)},
                       {"last_step", opt(a.last_step)},
                       {"last_us", opt(a.last_marker_us)},
                       {"terminal", text_or_null(a.terminal)},
                       {"exit_code", opt(a.exit_code)},
                       {"ending", text_value(to_string(a.ending))},
                       {"terminal_event_id", event}}});
}

Status store_clock(RowWriter& writer, std::int64_t id, const WorkerClock& clock) {
  for (std::size_t n = 0; n < clock.spans.size(); ++n) {
    const ClockSpan& s = clock.spans[n];
    TFPM_RETURN_IF_ERROR(put(writer, {"clock_span",
                                      {{"worker_id", id},
                                       {"n", static_cast<std::int64_t>(n)},
                                       {"kind", s.kind},
                                       {"from_us", opt(s.from_us)},
                                       {"jump_us", micros(s.jump_us)},
                                       {"centre_us", s.centre_us},
                                       {"offset_us", micros(s.offset_us)},
                                       {"drift_ppm", s.drift * 1e6}}}));
  }
  return ok_status();
}

Status store_worker(RowWriter& writer, const Model& m, std::int64_t id, const WorkerInfo& w) {
  const AttemptInfo last = w.attempts.empty() ? AttemptInfo{} : w.attempts.back();
  TFPM_RETURN_IF_ERROR(put(writer, {"worker",
                                    {{"name", w.name},
                                     {"type", text_or_null(w.type)},
                                     {"task_index", opt(w.index)},
                                     {"instance", std::int64_t{w.instance}},
                                     {"host", text_or_null(w.host)},
                                     {"leader", flag(w.leader)},
                                     {"has_log", flag(w.has_log)},
                                     {"in_cluster", flag(w.in_cluster)},
                                     {"name_basis", w.name_basis},
                                     {"claims", text_or_null(w.claims)},
                                     {"last_step", opt(last.last_step)},
                                     {"terminal", text_or_null(last.terminal)},
                                     {"exit_code", opt(last.exit_code)},
                                     {"ending", text_value(to_string(last.ending))},
                                     {"clock_offset_us", micros(w.clock.offset_us)},
                                     {"clock_error_us", micros(w.clock.error_us)},
                                     {"clock_class", text_or_null(w.clock.quality)},
                                     {"clock_rung", text_or_null(w.clock.rung)},
                                     {"clock_points", w.clock.points},
                                     {"clock_zone_s", opt(w.clock.zone_s)},
                                     {"clock_low_us", micros(w.clock.low_us)},
                                     {"clock_high_us", micros(w.clock.high_us)},
                                     {"clock_early_share", w.clock.early_share},
                                     {"clock_worst_worker_id", worker_id(w.clock.worst)}}}));
  TFPM_RETURN_IF_ERROR(store_clock(writer, id, w.clock));
  for (const std::int64_t source : w.sources) {
    TFPM_RETURN_IF_ERROR(
        put(writer, {"worker_source", {{"worker_id", id}, {"source_id", source}}}));
  }
  for (const std::int64_t pid : w.pids) {
    TFPM_RETURN_IF_ERROR(put(writer, {"worker_pid", {{"worker_id", id}, {"pid", pid}}}));
  }
  for (const AttemptInfo& a : w.attempts) TFPM_RETURN_IF_ERROR(store_attempt(writer, m, id, a));
  return ok_status();
}

Status update_streams(Database& db, const Model& m) {
  Result<Statement> s = db.prepare("UPDATE stream SET worker_id=?1, buffered=?3 WHERE id=?2");
  if (!s.ok()) return s.status();
  for (const StreamInfo& t : m.streams) {
    if (t.worker < 0) continue;
    s->bind(1, std::int64_t{t.worker} + 1).bind(2, t.id);
    if (t.buffered.empty()) {
      s->bind_null(3);
    } else {
      s->bind(3, std::string_view(t.buffered));
    }
    TFPM_RETURN_IF_ERROR(s->run());
  }
  return ok_status();
}

void bind_opt(Statement& s, int n, const OptInt& v) {
  if (v) {
    s.bind(n, *v);
  } else {
    s.bind_null(n);
  }
}

Status update_configs(Database& db, const Model& m) {
  Result<Statement> s = db.prepare("UPDATE tf_config SET superseded=1 WHERE id=?1");
  if (!s.ok()) return s.status();
  for (const TfConfigInfo& c : m.tf_configs) {
    if (!c.superseded) continue;
    s->reset();
    TFPM_RETURN_IF_ERROR(s->bind(1, c.id).run());
  }
  return ok_status();
}

Status update_events(Database& db, const Model& m) {
  Result<Statement> s = db.prepare(
      "UPDATE event SET worker_id=?1, attempt=?2, generation=?3, step_lo=?4, step_hi=?5, "
      "step_quality=?6, phase=?7, peer_worker_id=?8, outcome=?9, time_ref_us=?10, time_err_us=?11 "
      "WHERE id=?12");
  if (!s.ok()) return s.status();
  for (const EventInfo& e : m.events) {
    if (e.worker < 0 && e.peer < 0) continue;
    bind_opt(*s, 1, e.worker < 0 ? OptInt() : OptInt(e.worker + 1));
    bind_opt(*s, 2, e.attempt);
    bind_opt(*s, 3, e.generation);
    bind_opt(*s, 4, e.step_lo);
    bind_opt(*s, 5, e.step_hi);
    s->bind(6, std::int64_t{e.step_quality}).bind(7, std::string_view(e.phase));
    bind_opt(*s, 8, e.peer < 0 ? OptInt() : OptInt(e.peer + 1));
    if (e.outcome.empty()) {
      s->bind_null(9);
    } else {
      s->bind(9, std::string_view(e.outcome));
    }
    OptInt reference, error;
    if (e.time_us && e.worker >= 0) {
      const WorkerClock& clock = m.workers[static_cast<std::size_t>(e.worker)].clock;
      reference = clock.reference(*e.time_us, e.stream, e.seq);
      if (reference && clock.error_us) error = std::llround(*clock.error_us);
    }
    bind_opt(*s, 10, reference);
    bind_opt(*s, 11, error);
    TFPM_RETURN_IF_ERROR(s->bind(12, e.id).run());
  }
  return ok_status();
}

}  // namespace

Status store_model(Database& db, const Model& m) {
  RowWriter writer(db);
  for (std::size_t i = 0; i < m.workers.size(); ++i) {
    TFPM_RETURN_IF_ERROR(store_worker(writer, m, static_cast<std::int64_t>(i) + 1, m.workers[i]));
  }
  for (std::size_t g = 0; g < m.generations.size(); ++g) {
    const GenerationInfo& info = m.generations[g];
    TFPM_RETURN_IF_ERROR(put(writer, {"step_state",
                                      {{"generation", static_cast<std::int64_t>(g)},
                                       {"frontier", opt(info.frontier)},
                                       {"common", opt(info.common)},
                                       {"granularity", info.granularity},
                                       {"step_us", opt(info.step_us)},
                                       {"synchronous", flag(m.synchronous)},
                                       {"unit", m.unit}}}));
  }
  for (const AccusationInfo& a : m.accusations) {
    TFPM_RETURN_IF_ERROR(put(writer, {"accusation",
                                      {{"kind", a.kind},
                                       {"generation", a.generation},
                                       {"by_worker_id", worker_id(a.by)},
                                       {"accused_worker_id", worker_id(a.accused)},
                                       {"event_id", m.events[static_cast<std::size_t>(a.event)].id},
                                       {"void", text_or_null(a.void_reason)}}}));
  }
  TFPM_RETURN_IF_ERROR(update_streams(db, m));
  TFPM_RETURN_IF_ERROR(update_configs(db, m));
  return update_events(db, m);
}

}  // namespace tfpm
