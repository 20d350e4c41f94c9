#include "align/copied_logs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "store/database.h"

namespace tfpm {
namespace {

constexpr std::size_t kMinAlike = 8;
constexpr std::size_t kSharePercent = 90;
// A moment that more streams share tells nothing: steps of all tasks end together.
constexpr std::size_t kMaxSharers = 4;

using Pair = std::pair<std::int64_t, std::int64_t>;  // streams, the smaller id first

struct Seen {
  std::int64_t source = 0;
  std::int64_t records = 0;
  std::string tag, fingerprint;
  std::size_t moments = 0;
  std::map<std::string, std::set<std::string>> claims;  // by kind
};

class CopyFinder {
 public:
  explicit CopyFinder(Database& db) : db_(db) {}

  // (copy, original), each copy once.
  Result<std::vector<Pair>> run() {
    TFPM_RETURN_IF_ERROR(load_streams());
    if (streams_.size() < 2) return std::vector<Pair>();
    TFPM_RETURN_IF_ERROR(load_claims());
    TFPM_RETURN_IF_ERROR(count_shared_moments());
    find_equal_sources();
    std::vector<Pair> copies;
    std::set<std::int64_t> gone;
    for (const Pair& pair : candidates_) {
      if (gone.count(pair.first) != 0 || gone.count(pair.second) != 0) continue;
      if (contradict(pair)) continue;
      const bool second_stays = longer(pair.second, pair.first);
      const Pair copy = second_stays ? pair : Pair(pair.second, pair.first);
      gone.insert(copy.first);
      copies.push_back(copy);
    }
    return copies;
  }

 private:
  Status load_streams() {
    Result<Statement> s = db_.prepare(
        "SELECT t.id, t.source_id, t.records, coalesce(t.tag, ''), coalesce(s.fingerprint, '') "
        "FROM stream t JOIN source s ON s.id = t.source_id");
    if (!s.ok()) return s.status();
    for (;;) {
      const Result<bool> row = s->step();
      if (!row.ok()) return row.status();
      if (!*row) return ok_status();
      Seen& seen = streams_[s->as_int(0)];
      seen.source = s->as_int(1);
      seen.records = s->as_int(2);
      seen.tag = s->text(3);
      seen.fingerprint = s->text(4);
    }
  }

  Status load_claims() {
    Result<Statement> s = db_.prepare("SELECT stream, kind, value FROM claim_identity");
    if (!s.ok()) return s.status();
    for (;;) {
      const Result<bool> row = s->step();
      if (!row.ok()) return row.status();
      if (!*row) return ok_status();
      const auto at = streams_.find(s->as_int(0));
      if (at != streams_.end()) at->second.claims[s->text(1)].insert(s->text(2));
    }
  }

  // Moments with what was said at them, in time order, so that each group is complete.
  Status count_shared_moments() {
    Result<Statement> s = db_.prepare(
        "SELECT DISTINCT time_raw_us, coalesce(signature_id, kind), stream FROM event WHERE stream "
        "IS NOT NULL AND time_raw_us % 1000000 <> 0 ORDER BY 1, 2, 3");
    if (!s.ok()) return s.status();
    std::unordered_map<std::int64_t, std::map<std::int64_t, std::size_t>> alike;
    std::pair<std::int64_t, std::string> moment;
    std::vector<std::int64_t> sharers;
    const auto close = [&] {
      if (sharers.size() <= kMaxSharers) {
        for (std::size_t i = 0; i < sharers.size(); ++i) {
          for (std::size_t k = i + 1; k < sharers.size(); ++k) ++alike[sharers[i]][sharers[k]];
        }
      }
      sharers.clear();
    };
    for (;;) {
      const Result<bool> row = s->step();
      if (!row.ok()) return row.status();
      if (!*row) break;
      std::pair<std::int64_t, std::string> next(s->as_int(0), s->text(1));
      if (next != moment) close();
      moment = std::move(next);
      sharers.push_back(s->as_int(2));
      ++streams_[sharers.back()].moments;
    }
    close();
    for (const auto& [a, others] : alike) {
      for (const auto& [b, n] : others) {
        const std::size_t fewer = std::min(streams_[a].moments, streams_[b].moments);
        if (n >= kMinAlike && n * 100 >= fewer * kSharePercent) candidates_.insert({a, b});
      }
    }
    return ok_status();
  }

  void find_equal_sources() {
    std::map<std::pair<std::string, std::string>, std::int64_t> first;
    for (const auto& [id, seen] : streams_) {
      // Without stamps two tasks may well have written the same.
      if (seen.fingerprint.empty() || seen.moments == 0) continue;
      const auto [it, fresh] = first.emplace(std::pair(seen.fingerprint, seen.tag), id);
      if (!fresh) candidates_.insert({it->second, id});
    }
  }

  // Whether each says of itself what the other does not say.
  bool contradict(const Pair& pair) const {
    const Seen &a = streams_.at(pair.first), &b = streams_.at(pair.second);
    if (a.source == b.source) return true;  // two writers of one file
    for (const auto& [kind, values] : a.claims) {
      const auto other = b.claims.find(kind);
      if (other == b.claims.end()) continue;
      const bool common = std::any_of(values.begin(), values.end(), [&](const std::string& v) {
        return other->second.count(v) != 0;
      });
      if (!common) return true;
    }
    return false;
  }

  bool longer(std::int64_t a, std::int64_t b) const {
    const Seen &x = streams_.at(a), &y = streams_.at(b);
    if (x.records != y.records) return x.records > y.records;
    const bool named = x.claims.count("file") != 0;
    return named != (y.claims.count("file") != 0) ? named : a < b;
  }

  Database& db_;
  std::map<std::int64_t, Seen> streams_;
  std::set<Pair> candidates_;
};

Status take_out(Database& db, const Pair& copy) {
  const auto [gone, kept] = copy;
  for (const std::string& sql : {
           fmt::format(
               "INSERT OR IGNORE INTO log_copy(source_id, of_source_id) SELECT a.source_id, "
               "b.source_id FROM stream a JOIN stream b ON b.id = {} WHERE a.id = {}",
               kept, gone),
           fmt::format("UPDATE claim_identity SET stream = {0} WHERE stream = {1} AND kind = "
                       "'file' AND NOT EXISTS (SELECT 1 FROM claim_identity k WHERE k.stream = {0} "
                       "AND k.kind = 'file')",
                       kept, gone),
           fmt::format("DELETE FROM event_capture WHERE event_id IN (SELECT id FROM event WHERE "
                       "stream = {})",
                       gone),
           fmt::format("DELETE FROM event_hop WHERE event_id IN (SELECT id FROM event WHERE stream "
                       "= {})",
                       gone),
       }) {
    TFPM_RETURN_IF_ERROR(db.execute(sql));
  }
  for (const char* table :
       {"event", "claim_identity", "signature_count", "tf_config", "allocator_dump",
        "collective_call", "collective_member", "collective_wait"}) {
    TFPM_RETURN_IF_ERROR(db.execute(fmt::format("DELETE FROM {} WHERE stream = {}", table, gone)));
  }
  return db.execute(fmt::format("DELETE FROM stream WHERE id = {}", gone));
}

}  // namespace

Status drop_copied_logs(Database& db, std::vector<StreamSeries>& series) {
  const Result<std::vector<Pair>> copies = CopyFinder(db).run();
  if (!copies.ok()) return copies.status();
  for (const Pair& copy : *copies) {
    TFPM_RETURN_IF_ERROR(take_out(db, copy));
    series.erase(std::remove_if(series.begin(), series.end(),
                                [&](const StreamSeries& s) { return s.stream == copy.first; }),
                 series.end());
  }
  return ok_status();
}

}  // namespace tfpm
