// Records that outlive their chunk because they may become events, and how many of a kind do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "ingest/context_window.h"
#include "ingest/record_ref.h"

namespace tfpm {

// An owned copy of a record. Assigning again reuses its memory.
class KeptRecord {
 public:
  KeptRecord() = default;
  KeptRecord(const KeptRecord&) = delete;  // ref() points into it
  KeptRecord& operator=(const KeptRecord&) = delete;

  // At most `max_bytes` of the text are kept.
  void assign(const RecordRef& record, std::size_t max_bytes);
  // Views live as long as this object is not assigned to.
  const RecordRef& ref() const { return ref_; }
  // Memory it holds, about.
  std::size_t bytes() const;
  ContextSnapshot context;

 private:
  RecordRef ref_;
  std::string text_;
  std::vector<Record::Mark> marks_;
  std::vector<std::uint32_t> hits_;
};

// Keeps the first and the last few records of a kind and counts all. New ones arrive as views into
// the chunk; only those that survive the chunk are copied, so the work of an error storm is bounded
// by the number of kinds, not of errors (performance.md section 2.4).
class CappedRecords {
 public:
  CappedRecords(std::size_t first, std::size_t last) : first_cap_(first), last_cap_(last) {}

  void add(const RecordRef& record);
  // Copies what was added since the last call: copy(record, kept, outer) at most first + last
  // times. `outer` is false for records that cannot be among the first or the last `each` of all,
  // whatever comes. The addresses of kept records are stable until the next call. With grow=false
  // one first and one last record are enough, besides what is there already.
  template <typename Copy>
  void settle(bool grow, std::size_t each, const Copy& copy) {
    drop_surplus();
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      const bool outer = first_.size() < each || i + each >= pending_.size();
      copy(pending_[i], next(grow), outer);
    }
    pending_.clear();
  }
  bool pending() const { return !pending_.empty(); }
  std::uint64_t count() const { return count_; }
  // Records that are held, of all that were counted.
  std::size_t kept() const { return first_.size() + last_.size(); }
  // In order of their place.
  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (const KeptRecord& kept : first_) visit(kept);
    for (std::size_t i = 0; i < last_.size(); ++i) visit(last_[(oldest_ + i) % last_.size()]);
  }

 private:
  KeptRecord& next(bool grow);
  void drop_surplus();

  std::size_t first_cap_;
  std::size_t last_cap_;
  std::uint64_t count_ = 0;
  std::vector<RecordRef> pending_;  // a few more than can survive
  std::deque<KeptRecord> first_;
  std::deque<KeptRecord> last_;  // a ring once it is full
  std::size_t oldest_ = 0;       // in last_
};

}  // namespace tfpm
