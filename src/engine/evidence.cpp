#include "engine/evidence.h"

#include <fmt/format.h>

#include "store/database.h"
#include "store/row_writer.h"

namespace tfpm {
namespace {

// How each kind of reference finds its place: source, line, byte offset, worker, steps, time, text.
struct RefQuery {
  std::string_view table;
  std::string_view sql;  // ?1 = key
};

constexpr RefQuery kQueries[] = {
    {"event",
     "SELECT source_id, line, byte_offset, worker_id, step_lo, step_hi, coalesce(time_ref_us, "
     "time_raw_us), text FROM event WHERE id = ?1"},
    {"exit",
     "SELECT source_id, line, byte_offset, (SELECT id FROM worker WHERE name = task AND instance = "
     "0), NULL, NULL, time_raw_us, text FROM exit_record WHERE id = ?1"},
    {"kernel",
     "SELECT source_id, line, byte_offset, NULL, NULL, NULL, time_raw_us, text FROM kernel_event "
     "WHERE id = ?1"},
    {"thread",
     "SELECT source_id, coalesce(frame_line, line), byte_offset, (SELECT o.worker_id FROM "
     "stack_owner o WHERE o.stack_id = stack_thread.stack_id), NULL, NULL, NULL, "
     "coalesce(frame, name, thread) FROM stack_thread WHERE id = ?1"},
    {"stack",
     "SELECT source_id, line, byte_offset, (SELECT o.worker_id FROM stack_owner o WHERE o.stack_id "
     "= stack.id), NULL, NULL, NULL, coalesce(failed, tool) FROM stack WHERE id = ?1"},
    {"process",
     "SELECT source_id, line, byte_offset, (SELECT o.worker_id FROM process_owner o WHERE "
     "o.process_id = process_state.id), NULL, NULL, NULL, coalesce(state, '') || ' ' || "
     "coalesce(command, '') FROM process_state WHERE id = ?1"},
    {"tf_config",
     "SELECT source_id, line, byte_offset, (SELECT id FROM worker WHERE name = owner AND instance "
     "= 0), NULL, NULL, NULL, text FROM tf_config WHERE id = ?1"},
    {"environment",
     "SELECT source_id, line, NULL, (SELECT id FROM worker WHERE name = owner AND instance = 0), "
     "NULL, NULL, NULL, component || ' ' || version FROM environment WHERE source_id = CAST(?1 AS "
     "INTEGER) AND source_id || ':' || component = ?1"},
    {"marker",
     "SELECT t.source_id, m.line, m.seq, t.worker_id, m.step, m.step, m.time_raw_us, 'step ' || "
     "m.step || coalesce(' loss ' || m.loss, ' loss ' || m.loss_state, '') FROM step_marker m JOIN "
     "stream t ON t.id = m.stream WHERE m.stream = CAST(?1 AS INTEGER) AND m.seq = "
     "CAST(substr(?1, instr(?1, ':') + 1) AS INTEGER) AND m.stream || ':' || m.seq = ?1"},
    {"metric",
     "SELECT m.source_id, NULL, m.seq, e.worker_id, m.step, m.step, m.wall_us, m.tag || ' at step "
     "' "
     "|| m.step || ': ' || coalesce(m.value, m.state) FROM metric m LEFT JOIN event_file e ON "
     "e.source_id = m.source_id WHERE m.source_id = CAST(?1 AS INTEGER) AND m.source_id || ':' || "
     "m.seq || ':' || m.tag = ?1"},
    {"histogram",
     "SELECT m.source_id, NULL, m.seq, e.worker_id, m.step, m.step, m.wall_us, 'histogram of ' || "
     "m.tag || ' at step ' || m.step || ': ' || iif(m.finite, 'finite', 'not finite') FROM "
     "metric_histogram m LEFT JOIN event_file e ON e.source_id = m.source_id WHERE m.source_id = "
     "CAST(?1 AS INTEGER) AND m.source_id || ':' || m.seq || ':' || m.tag = ?1"},
    {"checkpoint",
     "SELECT source_id, NULL, 0, NULL, step, step, NULL, prefix || ': ' || coalesce(problem, "
     "completeness) FROM checkpoint WHERE id = ?1"},
    {"tensor",
     "SELECT coalesce(s.id, c.source_id), NULL, coalesce(t.first_nonfinite, t.byte_offset, 0), "
     "NULL, c.step, c.step, NULL, h.path || ': tensor ' || t.name || ' ' || t.status || "
     "coalesce(', ' || nullif(t.nonfinite, 0) || ' values not finite', '') FROM checkpoint_tensor "
     "t JOIN checkpoint c ON c.id = t.checkpoint_id LEFT JOIN checkpoint_shard h ON "
     "h.checkpoint_id = c.id AND h.shard = t.shard LEFT JOIN source s ON s.path = h.path WHERE "
     "t.checkpoint_id = CAST(?1 AS INTEGER) AND t.checkpoint_id || '#' || t.name = ?1"},
    {"state",
     "SELECT source_id, coalesce(line, 1), 0, NULL, NULL, NULL, NULL, coalesce(latest, '') FROM "
     "checkpoint_state WHERE id = ?1"},
    {"dump",
     "SELECT source_id, line, byte_offset, NULL, NULL, NULL, NULL, coalesce(allocator, '') || ': "
     "requested ' || coalesce(requested, '?') || ' of ' || coalesce(limit_bytes, '?') FROM "
     "allocator_dump WHERE id = ?1"},
    {"gpu",
     "SELECT source_id, line, byte_offset, NULL, NULL, NULL, time_raw_us, coalesce(name, 'GPU') || "
     "' ' || coalesce(mem_used_mib, '?') || ' / ' || coalesce(mem_total_mib, '?') || ' MiB' FROM "
     "gpu_sample WHERE id = ?1"},
    {"gpu_process",
     "SELECT source_id, line, byte_offset, NULL, NULL, NULL, time_raw_us, 'pid ' || coalesce(pid, "
     "'?') || ' ' || coalesce(name, '') || ' ' || coalesce(mem_used_mib, '?') || ' MiB' FROM "
     "gpu_process WHERE id = ?1"},
    {"health",
     "SELECT source_id, line, byte_offset, NULL, NULL, NULL, time_raw_us, 'GPU ' || "
     "coalesce(gpu_index, pci_bus, uuid, '?') || ': ' || ltrim(coalesce(', recovery action ' || "
     "recovery_action, '') || CASE WHEN remap_failed = 1 THEN ', row remapping failed' ELSE '' END "
     "|| CASE WHEN remap_pending = 1 THEN ', row remapping pending' ELSE '' END || CASE WHEN "
     "retired_pending = 1 THEN ', page retirement pending' ELSE '' END || coalesce(', last Xid ' "
     "|| last_xid, ''), ', ') FROM gpu_health WHERE id = ?1"},
    {"link",
     "SELECT source_id, line, byte_offset, NULL, NULL, NULL, NULL, tool || ' ' || name || ': ' || "
     "coalesce(state, CASE up WHEN 1 THEN 'up' WHEN 0 THEN 'down' ELSE '?' END) || coalesce(', ' "
     "|| speed_mbit || ' Mbit/s', '') FROM network_link WHERE id = ?1"},
    {"fabric",
     "SELECT source_id, line, byte_offset, NULL, NULL, NULL, time_raw_us, text FROM fabric_event "
     "WHERE id = ?1"},
    {"check",
     "SELECT source_id, line, byte_offset, NULL, NULL, NULL, NULL, test || ': ' || result || "
     "coalesce(', ' || detail, '') FROM gpu_check WHERE id = ?1"},
    {"debug",
     "SELECT source_id, NULL, byte_offset, (SELECT id FROM worker WHERE name = owner AND instance "
     "= "
     "0), NULL, NULL, wall_us, kind || ' ' || op || ', output ' || coalesce(slot, 0) || ': ' || "
     "coalesce(nan || ' NaN, ' || inf || ' Inf', 'not finite') FROM debug_bad_tensor WHERE id = "
     "?1"},
    {"profile",
     "SELECT source_id, NULL, 0, (SELECT worker_id FROM profile_of o WHERE o.profile_id = p.id), "
     "NULL, NULL, start_us, 'profile (' || kind || ') of ' || coalesce(owner, host, 'one host') || "
     "coalesce((SELECT ': ' || count(*) || ' steps, of their time input ' || CAST(round(100.0 * "
     "sum(input_us) / sum(period_us)) AS INTEGER) || ' %, collectives ' || CAST(round(100.0 * "
     "sum(collective_us) / sum(period_us)) AS INTEGER) || ' %, compute ' || CAST(round(100.0 * "
     "sum(compute_us) / sum(period_us)) AS INTEGER) || ' %' FROM profile_step t WHERE "
     "t.source_id = p.source_id), '') "
     "FROM profile p WHERE id = ?1"},
    {"profile_step",
     "SELECT t.source_id, NULL, 0, (SELECT worker_id FROM profile_of o WHERE o.source_id = "
     "t.source_id), t.step, t.step, NULL, 'step ' || coalesce(t.step, t.n) || ': ' || "
     "t.period_us / 1000 || ' ms, of it input ' || coalesce(t.input_us / 1000, '?') || ', "
     "collectives ' || coalesce(t.collective_all_us / 1000, '?') || ', compute ' || "
     "coalesce(t.compute_us / 1000, '?') || ' ms' FROM profile_step t WHERE id = ?1"},
    {"leftover",
     "SELECT source_id, NULL, 0, NULL, NULL, NULL, NULL, path FROM checkpoint_leftover WHERE id = "
     "?1"},
};

constexpr std::size_t kMaxText = 2000;

std::string cut_utf8(std::string text) {
  if (text.size() <= kMaxText) return text;
  std::size_t n = kMaxText;
  while (n > 0 && (static_cast<unsigned char>(text[n]) & 0xC0U) == 0x80U) --n;
  text.resize(n);
  return text;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

Value opt(const OptInt& v) {
  return v ? Value(*v) : null_value();
}

}  // namespace

Result<bool> EvidenceBook::resolve(const std::string& table, const std::string& key, Entry& e) {
  for (const RefQuery& q : kQueries) {
    if (q.table != table) continue;
    Result<Statement> s = db_.prepare(q.sql);
    if (!s.ok()) return s.status();
    s->bind(1, std::string_view(key));
    const Result<bool> row = s->step();
    if (!row.ok() || !*row) return row;
    e.source = s->maybe_int(0);
    e.line = s->maybe_int(1);
    e.byte_offset = s->maybe_int(2);
    e.worker = s->maybe_int(3);
    e.step_lo = s->maybe_int(4);
    e.step_hi = s->maybe_int(5);
    e.time_us = s->maybe_int(6);
    e.text = cut_utf8(first_line(s->text(7)));
    TFPM_RETURN_IF_ERROR(raw_line(e));
    return true;
  }
  return false;
}

// The line as it stands in the source, where it was kept.
Status EvidenceBook::raw_line(Entry& e) {
  if (!e.source || !e.line) return ok_status();
  Result<Statement> s =
      db_.prepare("SELECT text FROM context_line WHERE source_id = ?1 AND line = ?2");
  if (!s.ok()) return s.status();
  s->bind(1, *e.source).bind(2, *e.line);
  const Result<bool> row = s->step();
  if (!row.ok()) return row.status();
  if (*row) e.text = cut_utf8(s->text(0));
  return ok_status();
}

Result<std::int64_t> EvidenceBook::cite(const std::string& ref, const std::string& kind,
                                        double weight_db) {
  const auto known = by_ref_.find(ref);
  if (known != by_ref_.end()) return known->second;
  const std::size_t colon = ref.find(':');
  if (colon == std::string::npos) return std::int64_t{0};
  Entry e;
  e.kind = kind;
  e.weight_db = weight_db;
  const Result<bool> found = resolve(ref.substr(0, colon), ref.substr(colon + 1), e);
  if (!found.ok()) return found.status();
  if (!*found) return std::int64_t{0};
  entries_.push_back(std::move(e));
  const auto id = static_cast<std::int64_t>(entries_.size());
  by_ref_[ref] = id;
  return id;
}

bool EvidenceBook::same_line(std::int64_t a, std::int64_t b) const {
  const Entry& one = entries_[static_cast<std::size_t>(a) - 1];
  const Entry& other = entries_[static_cast<std::size_t>(b) - 1];
  return one.source && one.line && one.source == other.source && one.line == other.line;
}

std::int64_t EvidenceBook::cite_absence(const std::string& sentence) {
  Entry e;
  e.kind = "absence";
  e.text = sentence;
  entries_.push_back(std::move(e));
  return static_cast<std::int64_t>(entries_.size());
}

Status EvidenceBook::store() {
  RowWriter writer(db_);
  for (const Entry& e : entries_) {
    const Row row{"evidence",
                  {{"kind", e.kind},
                   {"source_id", opt(e.source)},
                   {"line", opt(e.line)},
                   {"byte_offset", opt(e.byte_offset)},
                   {"worker_id", opt(e.worker)},
                   {"step_lo", opt(e.step_lo)},
                   {"step_hi", opt(e.step_hi)},
                   {"time_us", opt(e.time_us)},
                   {"text", e.text},
                   {"weight_db", e.weight_db}}};
    TFPM_RETURN_IF_ERROR(writer.write(row).status());
  }
  return ok_status();
}

}  // namespace tfpm
