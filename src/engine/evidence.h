// Turns references of claims into evidence rows: a place, the raw line, who and when.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/claim.h"

namespace tfpm {

// Collects evidence in order of first use; the same place is one row.
class EvidenceBook {
 public:
  explicit EvidenceBook(Database& db) : db_(db) {}

  // Returns evidence.id, or 0 when the reference leads nowhere (then nothing is stored). `kind` is
  // evidence.kind of the first use.
  Result<std::int64_t> cite(const std::string& ref, const std::string& kind, double weight_db);
  // Whether two pieces of evidence (evidence.id, not 0) are one line of one source.
  bool same_line(std::int64_t a, std::int64_t b) const;
  // An absence: no place, only a sentence.
  std::int64_t cite_absence(const std::string& sentence);
  Status store();

 private:
  struct Entry {
    std::string kind;
    OptInt source, line, byte_offset, worker, step_lo, step_hi, time_us;
    std::string text;
    double weight_db = 0;
  };

  Result<bool> resolve(const std::string& table, const std::string& key, Entry& entry);
  Status raw_line(Entry& entry);

  Database& db_;
  std::vector<Entry> entries_;
  std::map<std::string, std::int64_t> by_ref_;
};

}  // namespace tfpm
