// tfpm show: the raw lines around a piece of evidence.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "cli/command_line.h"
#include "cli/database_path.h"
#include "cli/evidence_lines.h"
#include "cli/terminal.h"
#include "report/secrets.h"

namespace tfpm::cli {
namespace {

constexpr int kDefaultContext = 3;

struct ShowOptions {
  std::string database;
  std::string evidence;
  std::int64_t context = kDefaultContext;
  bool raw = false;  // secrets as they stand in the bundle
};

// A place to show, with what is known of it.
struct Place {
  std::string label;  // 'E7'; empty for source:line
  std::optional<std::int64_t> source_id;
  std::string source;
  std::optional<std::int64_t> line;
  std::optional<std::int64_t> byte_offset;
  std::string text;   // the evidence's own; empty for source:line
  std::string facts;  // 'cause, worker-2, step 15, 35 dB'
};

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string step_text(std::optional<std::int64_t> lo, std::optional<std::int64_t> hi) {
  if (!lo.has_value() && !hi.has_value()) return {};
  if (lo == hi) return fmt::format(", step {}", *lo);
  return fmt::format(", step {}..{}", lo ? std::to_string(*lo) : "", hi ? std::to_string(*hi) : "");
}

Place evidence_place(const Statement& row) {
  Place place;
  place.label = "E" + row.text(0);
  place.source_id = row.maybe_int(1);
  place.source = row.text(2);
  place.line = row.maybe_int(3);
  place.byte_offset = row.maybe_int(4);
  place.text = row.text(5);
  place.facts = row.text(6);
  if (!row.is_null(7)) place.facts += ", " + row.text(7);
  place.facts += step_text(row.maybe_int(8), row.maybe_int(9));
  if (!row.is_null(10)) place.facts += fmt::format(", {:g} dB", row.as_double(10));
  return place;
}

// Evidence E7, or all of finding F1.
Result<std::vector<Place>> cited_places(Database& db, char kind, std::int64_t id) {
  const std::string which =
      kind == 'E' ? "e.id = ?1 ORDER BY e.id"
                  : "e.id IN (SELECT evidence_id FROM finding_evidence_link WHERE finding_id = ?1)"
                    " ORDER BY e.id";
  Result<Statement> rows = db.prepare(
      "SELECT e.id, e.source_id, s.path, e.line, e.byte_offset, e.text, e.kind, w.name, e.step_lo,"
      " e.step_hi, e.weight_db FROM evidence e LEFT JOIN source s ON s.id = e.source_id"
      " LEFT JOIN worker w ON w.id = e.worker_id WHERE " +
      which);
  if (!rows.ok()) return rows.status();
  rows->bind(1, id);
  std::vector<Place> out;
  for (;;) {
    const Result<bool> more = rows->step();
    if (!more.ok()) return more.status();
    if (!*more) return out;
    out.push_back(evidence_place(*rows));
  }
}

// 'logs/worker-3.log:8123'.
Result<std::vector<Place>> named_place(Database& db, const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return std::vector<Place>{};
  Place place;
  place.source = text.substr(0, colon);
  place.line = number(std::string_view(text).substr(colon + 1));
  if (!place.line.has_value() || *place.line < 1) return std::vector<Place>{};
  Result<Statement> rows = db.prepare("SELECT id FROM source WHERE path = ?1");
  if (!rows.ok()) return rows.status();
  rows->bind(1, std::string_view(place.source));
  const Result<bool> found = rows->step();
  if (!found.ok()) return found.status();
  if (!*found) return std::vector<Place>{};
  place.source_id = rows->as_int(0);
  return std::vector<Place>{place};
}

Result<std::vector<Place>> find_places(Database& db, const std::string& evidence) {
  const char kind = evidence.empty() ? '\0' : evidence[0];
  const std::optional<std::int64_t> id =
      kind == 'E' || kind == 'F' ? number(std::string_view(evidence).substr(1)) : std::nullopt;
  Result<std::vector<Place>> places =
      id.has_value() ? cited_places(db, kind, *id) : named_place(db, evidence);
  if (!places.ok() || !places->empty()) return places;
  return error(ErrorKind::kUsage, "no such evidence", evidence, {},
               "give an id of the report (E7, or F1 for all of a finding) or SOURCE:LINE as in "
               "`tfpm query DB \"SELECT path FROM source\"`");
}

Result<LineMap> lines_around(Database& db, const Place& place, LineRange range) {
  Result<LineMap> stored = stored_lines(db, *place.source_id, range);
  if (!stored.ok() || range.complete(*stored)) return stored;
  Result<LineMap> again = bundle_lines(db, place.source, range, *stored);
  if (!again.ok()) return again;
  return again->size() > stored->size() ? again : stored;
}

// A text of the bundle for the terminal.
std::string shown(const std::string& text, const ShowOptions& options) {
  return printable(options.raw ? text : report::mask_secrets(text));
}

Result<std::string> render(Database& db, const Place& place, const ShowOptions& options) {
  const std::int64_t context = options.context;
  std::string out = place.label + (place.label.empty() ? "" : "  ");
  out += place.source_id ? printable(place.source) : "(no place: something is absent)";
  if (place.line) out += ":" + std::to_string(*place.line);
  if (!place.line && place.byte_offset) out += " byte " + std::to_string(*place.byte_offset);
  if (!place.facts.empty()) out += "  (" + printable(place.facts) + ")";
  out += '\n';
  if (!place.line || !place.source_id) return out + "  " + shown(place.text, options) + "\n";
  const LineRange range{std::max<std::int64_t>(1, *place.line - context), *place.line + context};
  Result<LineMap> lines = lines_around(db, place, range);
  if (!lines.ok()) return lines.status();
  if (lines->count(*place.line) == 0 && !place.text.empty()) (*lines)[*place.line] = place.text;
  if (lines->empty()) {
    return error(ErrorKind::kNotFound, "these lines are not in the database",
                 place.source + ":" + std::to_string(*place.line), "only lines around events are",
                 "put the bundle back where it was analysed, or look into the file itself");
  }
  const std::size_t width = std::to_string(range.last).size();
  for (const auto& [line, text] : *lines) {
    out += fmt::format("{} {:>{}} | {}\n", line == *place.line ? '>' : ' ', line, width,
                       shown(text, options));
  }
  return out;
}

Result<int> run(const ShowOptions& options) {
  Result<Database> db = open_database(options.database);
  if (!db.ok()) return db.status();
  const Result<std::vector<Place>> places = find_places(*db, options.evidence);
  if (!places.ok()) return places.status();
  std::string out;
  for (const Place& place : *places) {
    const Result<std::string> text = render(*db, place, options);
    if (!text.ok()) return text.status();
    out += (out.empty() ? "" : "\n") + *text;
  }
  TFPM_RETURN_IF_ERROR(write_stdout(out));
  return kExitOk;
}

}  // namespace

void add_show(Command app, Context& context) {
  const Command command = app.add("show", "print the raw lines around a piece of evidence");
  auto options = std::make_shared<ShowOptions>();
  command.option("DB", options->database, "tfpm.db or the directory that holds it").required();
  command.option("EVIDENCE", options->evidence, "E7, F1 or SOURCE:LINE").required();
  command.option("-C,--context", options->context, "lines before and after")
      .between(0, 10000)
      .preset(std::to_string(kDefaultContext))
      .type("N");
  command.flag("--raw", options->raw, "do not mask tokens, keys and passwords");
  command.action(context, [options] { return run(*options); });
}

}  // namespace tfpm::cli
