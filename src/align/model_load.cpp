// Reads the rows that ingest wrote into the model.
#include <utility>

#include "align/model.h"
#include "store/database.h"

namespace tfpm {
namespace {

// Calls `row` for every row of a query.
template <typename F>
Status for_rows(Database& db, std::string_view sql, F row) {
  Result<Statement> stmt = db.prepare(sql);
  if (!stmt.ok()) return stmt.status();
  while (true) {
    const Result<bool> more = stmt->step();
    if (!more.ok()) return more.status();
    if (!*more) return ok_status();
    row(*stmt);
  }
}

// Room for all rows of a table: of millions, growing by doubling needs half as much again.
template <typename Row>
Status make_room(Database& db, std::string_view count, std::vector<Row>& rows) {
  const auto expected = db.query_int(count);
  if (!expected.ok()) return expected.status();
  rows.reserve(static_cast<std::size_t>(expected->value_or(0)));
  return ok_status();
}

Status load_streams(Database& db, Model& m) {
  TFPM_RETURN_IF_ERROR(
      for_rows(db,
               "SELECT t.id, t.source_id, s.path, t.tag, t.tag_kind, t.first_us, "
               "t.last_us, t.records, t.ends_torn, s.bytes FROM stream t JOIN source s ON "
               "s.id = t.source_id ORDER BY t.id",
               [&](const Statement& s) {
                 StreamInfo t;
                 t.id = s.as_int(0);
                 t.source_id = s.as_int(1);
                 t.path = s.text(2);
                 t.tag = s.text(3);
                 t.tag_kind = s.text(4);
                 t.first_us = s.maybe_int(5);
                 t.last_us = s.maybe_int(6);
                 t.records = s.as_int(7);
                 t.ends_torn = s.as_int(8) != 0;
                 t.source_bytes = s.maybe_int(9);
                 m.streams.push_back(std::move(t));
               }));
  return for_rows(db,
                  "SELECT stream, kind, value, line, byte_offset FROM claim_identity ORDER BY "
                  "stream, coalesce(byte_offset, -1), id",
                  [&](const Statement& s) {
                    const int at = m.stream_index(s.as_int(0));
                    if (at < 0) return;
                    m.streams[static_cast<std::size_t>(at)].claims.push_back(
                        {s.text(1), s.text(2), s.maybe_int(3), s.maybe_int(4)});
                  });
}

Status load_events(Database& db, Model& m) {
  TFPM_RETURN_IF_ERROR(make_room(db, "SELECT count(*) FROM event", m.events));
  TFPM_RETURN_IF_ERROR(
      for_rows(db,
               "SELECT id, source_id, line, stream, seq, record_line, time_raw_us, severity, kind, "
               "signature_id, role FROM event ORDER BY id",
               [&](const Statement& s) {
                 EventInfo e;
                 e.id = s.as_int(0);
                 e.source_id = s.as_int(1);
                 e.line = s.as_int(2);
                 e.stream = s.is_null(3) ? -1 : m.stream_index(s.as_int(3));
                 e.seq = s.as_int(4);
                 e.record_line = s.as_int(5);
                 e.time_us = s.maybe_int(6);
                 e.severity = s.text(7);
                 e.kind = s.text(8);
                 e.signature = s.text(9);
                 e.role = s.text(10);
                 m.events.push_back(std::move(e));
               }));
  std::size_t at = 0;
  return for_rows(db, "SELECT event_id, name, value FROM event_capture ORDER BY event_id, name",
                  [&](const Statement& s) {
                    const std::int64_t id = s.as_int(0);
                    while (at < m.events.size() && m.events[at].id < id) ++at;
                    if (at < m.events.size() && m.events[at].id == id) {
                      m.events[at].captures.emplace(s.text(1), s.text(2));
                    }
                  });
}

Status load_exits(Database& db, Model& m) {
  return for_rows(db,
                  "SELECT id, what, task, host, reason, rank, attempt, pid, exit_code, signal, "
                  "time_raw_us, source_id, line FROM exit_record ORDER BY id",
                  [&](const Statement& s) {
                    ExitInfo e;
                    e.id = s.as_int(0);
                    e.what = s.text(1);
                    e.task = s.text(2);
                    e.host = s.text(3);
                    e.reason = s.text(4);
                    e.rank = s.maybe_int(5);
                    e.attempt = s.maybe_int(6);
                    e.pid = s.maybe_int(7);
                    e.exit_code = s.maybe_int(8);
                    e.signal = s.maybe_int(9);
                    e.time_us = s.maybe_int(10);
                    e.source_id = s.as_int(11);
                    e.line = s.as_int(12);
                    m.exits.push_back(std::move(e));
                  });
}

Status load_tf_configs(Database& db, Model& m) {
  return for_rows(db,
                  "SELECT id, stream, owner, task_type, task_index, cluster_id, form, valid_json, "
                  "source_id, coalesce(byte_offset, 0) FROM tf_config ORDER BY id",
                  [&](const Statement& s) {
                    TfConfigInfo c;
                    c.id = s.as_int(0);
                    c.stream = s.is_null(1) ? -1 : m.stream_index(s.as_int(1));
                    c.owner = s.text(2);
                    c.task_type = s.text(3);
                    c.task_index = s.maybe_int(4);
                    c.cluster_id = s.maybe_int(5).value_or(0);
                    c.form = s.text(6);
                    c.valid_json = s.as_int(7) != 0;
                    c.source_id = s.as_int(8);
                    c.seq = s.as_int(9);
                    m.tf_configs.push_back(std::move(c));
                  });
}

}  // namespace

Result<Model> load_model(Database& db) {
  Model m;
  TFPM_RETURN_IF_ERROR(load_streams(db, m));
  TFPM_RETURN_IF_ERROR(load_events(db, m));
  TFPM_RETURN_IF_ERROR(load_exits(db, m));
  TFPM_RETURN_IF_ERROR(load_tf_configs(db, m));
  TFPM_RETURN_IF_ERROR(for_rows(db, "SELECT id, text FROM cluster_spec",
                                [&](const Statement& s) { m.clusters[s.as_int(0)] = s.text(1); }));
  TFPM_RETURN_IF_ERROR(for_rows(db, "SELECT id, path FROM source", [&](const Statement& s) {
    m.source_paths[s.as_int(0)] = s.text(1);
  }));
  return m;
}

Status load_marker_edges(Database& db, Model& m) {
  return for_rows(db, "SELECT stream, edge, unit FROM marker_template WHERE chosen = 1 ORDER BY id",
                  [&](const Statement& s) {
                    m.marker_edges[s.as_int(0)] = s.text(1);
                    if (s.as_text(2) != "step") m.unit = s.text(2);
                  });
}

}  // namespace tfpm
