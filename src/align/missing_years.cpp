#include "align/missing_years.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <string_view>

#include "base/unknown_year.h"
#include "store/database.h"

namespace tfpm {
namespace {

using std::chrono::days;
using std::chrono::sys_days;
using std::chrono::year;
using std::chrono::year_month_day;

constexpr std::int64_t kDayUs = 86'400'000'000;
// A log may run over this many New Years without saying which.
constexpr int kYears = 3;

std::int64_t day_us(const sys_days& day) {
  return static_cast<std::int64_t>(day.time_since_epoch().count()) * kDayUs;
}

std::int64_t january(int y) {
  return day_us(sys_days(year(y) / std::chrono::January / 1));
}

std::int64_t march(int y) {
  return day_us(sys_days(year(y) / std::chrono::March / 1));
}

const std::int64_t kFrom = january(kUnknownYear), kTo = january(kUnknownYear + kYears);

bool lacks_year(std::int64_t us) {
  return us >= kFrom && us < kTo;
}

// Stamps of a span that all move by the same amount.
struct YearShift {
  std::int64_t from_us = 0, to_us = 0, by_us = 0;
};

// Where the years that begin with kUnknownYear go when that becomes `first`: the days before March
// and those behind a February of another length.
std::vector<YearShift> shifts_to(int first) {
  std::vector<YearShift> out;
  for (int i = 0; i < kYears; ++i) {
    const int from = kUnknownYear + i, to = first + i;
    out.push_back({january(from), march(from), january(to) - january(from)});
    out.push_back({march(from), january(from + 1), march(to) - march(from)});
  }
  return out;
}

std::int64_t moved(std::int64_t us, const std::vector<YearShift>& shifts) {
  for (const YearShift& s : shifts) {
    if (us >= s.from_us && us < s.to_us) return us + s.by_us;
  }
  return us;
}

int year_of(std::int64_t us) {
  const std::int64_t rest = us % kDayUs;
  const std::int64_t day = (us - (rest < 0 ? rest + kDayUs : rest)) / kDayUs;
  return static_cast<int>(year_month_day(sys_days(days(day))).year());
}

// The first year of a source whose last stamp is `last_us` and ended near `reference_us`.
int first_year(std::int64_t last_us, std::int64_t reference_us) {
  const int guess = year_of(reference_us) - (year_of(last_us) - kUnknownYear);
  const auto distance = [&](int first) {
    return std::abs(moved(last_us, shifts_to(first)) - reference_us);
  };
  const int years[] = {guess, guess - 1, guess + 1};
  return *std::min_element(std::begin(years), std::end(years),
                           [&](int a, int b) { return distance(a) < distance(b); });
}

// Last stamps of sources.
struct Ends {
  std::map<std::int64_t, std::int64_t> yearless;  // by source.id
  std::map<std::int64_t, std::int64_t> dated;
};

Result<Ends> find_ends(Database& db) {
  Result<Statement> s = db.prepare(
      "SELECT source_id, first_us, last_us, coalesce(time_basis, '') FROM stream WHERE last_us IS "
      "NOT NULL UNION ALL SELECT source_id, time_raw_us, time_raw_us, '' FROM exit_record WHERE "
      "time_raw_us IS NOT NULL");
  if (!s.ok()) return s.status();
  Ends out;
  const auto note = [](std::map<std::int64_t, std::int64_t>& ends, std::int64_t source,
                       std::int64_t us) {
    const auto [it, fresh] = ends.emplace(source, us);
    if (!fresh) it->second = std::max(it->second, us);
  };
  for (;;) {
    const Result<bool> row = s->step();
    if (!row.ok()) return row.status();
    if (!*row) return out;
    const std::int64_t source = s->as_int(0), last = s->as_int(2);
    const bool yearless = lacks_year(s->as_int(1)), dated = !lacks_year(last);
    if (yearless) note(out.yearless, source, dated ? s->as_int(1) : last);
    // That of a source whose first stamps lack the year leads them, too.
    if (dated && s->as_text(3) != "time-only") note(out.dated, source, last);
  }
}

// What dated sources end with: their median, so that one clock that is off moves nobody.
std::int64_t reference_of(const std::map<std::int64_t, std::int64_t>& dated) {
  std::vector<std::int64_t> ends;
  for (const auto& [source, us] : dated) ends.push_back(us);
  const auto middle = ends.begin() + static_cast<std::ptrdiff_t>(ends.size() / 2);
  std::nth_element(ends.begin(), middle, ends.end());
  return *middle;
}

using Shifts = std::map<std::int64_t, std::vector<YearShift>>;  // by source.id

// One scan of each table, however many sources there are.
constexpr std::string_view kMove =
    "UPDATE event SET time_raw_us = time_raw_us + y.by_us FROM temp.year_shift y WHERE y.source_id "
    "= event.source_id AND event.time_raw_us >= y.from_us AND event.time_raw_us < y.to_us;"
    "UPDATE block_index SET time_raw_us = time_raw_us + y.by_us FROM temp.year_shift y WHERE "
    "y.source_id = block_index.source_id AND block_index.time_raw_us >= y.from_us AND "
    "block_index.time_raw_us < y.to_us;"
    // Lines with their year may stand in the same minute.
    "CREATE TEMP TABLE moved_minute AS SELECT m.source_id, m.minute + y.by_us / 60000000, "
    "m.severity, m.count FROM minute_count m JOIN temp.year_shift y ON y.source_id = m.source_id "
    "AND m.minute >= y.from_us / 60000000 AND m.minute < y.to_us / 60000000;"
    "DELETE FROM minute_count WHERE EXISTS (SELECT 1 FROM temp.year_shift y WHERE y.source_id = "
    "minute_count.source_id AND minute_count.minute >= y.from_us / 60000000 AND "
    "minute_count.minute < y.to_us / 60000000);"
    "INSERT INTO minute_count(source_id, minute, severity, count) SELECT * FROM temp.moved_minute "
    "WHERE true ON CONFLICT DO UPDATE SET count = count + excluded.count;"
    "DROP TABLE temp.moved_minute;"
    "UPDATE stream SET first_us = first_us + y.by_us FROM temp.year_shift y WHERE y.source_id = "
    "stream.source_id AND stream.first_us >= y.from_us AND stream.first_us < y.to_us;"
    "UPDATE stream SET last_us = last_us + y.by_us FROM temp.year_shift y WHERE y.source_id = "
    "stream.source_id AND stream.last_us >= y.from_us AND stream.last_us < y.to_us;"
    "DROP TABLE temp.year_shift;";

Status move_rows(Database& db, const Shifts& shifts) {
  TFPM_RETURN_IF_ERROR(
      db.execute("CREATE TEMP TABLE year_shift(source_id, from_us, to_us, by_us, PRIMARY "
                 "KEY(source_id, from_us)) WITHOUT ROWID"));
  {
    Result<Statement> s = db.prepare("INSERT INTO temp.year_shift VALUES(?,?,?,?)");
    if (!s.ok()) return s.status();
    for (const auto& [source, list] : shifts) {
      for (const YearShift& y : list) {
        s->bind(1, source).bind(2, y.from_us).bind(3, y.to_us).bind(4, y.by_us);
        TFPM_RETURN_IF_ERROR(s->run());
      }
    }
  }
  return db.execute(kMove);
}

Status move_series(Database& db, const Shifts& shifts, std::vector<StreamSeries>& series) {
  Result<Statement> s = db.prepare("SELECT source_id FROM stream WHERE id = ?1");
  if (!s.ok()) return s.status();
  for (StreamSeries& stream : series) {
    s->bind(1, stream.stream);
    const Result<bool> row = s->step();
    if (!row.ok()) return row.status();
    const auto found = *row ? shifts.find(s->as_int(0)) : shifts.end();
    s->reset();
    if (found == shifts.end()) continue;
    for (TemplateSeries& t : stream.templates) {
      for (std::int64_t& us : t.time_us) {
        if (us != kNoTime) us = moved(us, found->second);
      }
    }
  }
  return ok_status();
}

}  // namespace

Status find_missing_years(Database& db, std::vector<StreamSeries>& series) {
  const Result<Ends> ends = find_ends(db);
  if (!ends.ok()) return ends.status();
  if (ends->yearless.empty() || ends->dated.empty()) return ok_status();
  const std::int64_t reference = reference_of(ends->dated);
  Shifts shifts;
  for (const auto& [source, last] : ends->yearless) {
    const auto own = ends->dated.find(source);
    const std::int64_t near = own == ends->dated.end() ? reference : own->second;
    shifts[source] = shifts_to(first_year(last, near));
  }
  TFPM_RETURN_IF_ERROR(move_rows(db, shifts));
  return move_series(db, shifts, series);
}

}  // namespace tfpm
