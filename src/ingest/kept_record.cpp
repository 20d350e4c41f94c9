#include "ingest/kept_record.h"

namespace tfpm {

void KeptRecord::assign(const RecordRef& record, std::size_t max_bytes) {
  ref_ = record;
  text_.assign(record.text.substr(0, max_bytes));
  marks_.assign(record.marks.begin(), record.marks.end());
  hits_.assign(record.hits.begin(), record.hits.end());
  ref_.text = text_;
  ref_.marks = marks_;
  ref_.hits = hits_;
  context.clear();
}

std::size_t KeptRecord::bytes() const {
  return sizeof(*this) + text_.capacity() + context.text.capacity();
}

void CappedRecords::add(const RecordRef& record) {
  ++count_;
  pending_.push_back(record);
  if (pending_.size() >= first_cap_ + 4 * last_cap_) drop_surplus();
}

// Those that will be among the first stay; of the rest only the newest can survive.
void CappedRecords::drop_surplus() {
  const std::size_t still_first = first_cap_ - first_.size();
  if (pending_.size() <= still_first + last_cap_) return;
  const auto surplus = static_cast<std::ptrdiff_t>(pending_.size() - still_first - last_cap_);
  const auto from = pending_.begin() + static_cast<std::ptrdiff_t>(still_first);
  pending_.erase(from, from + surplus);
}

KeptRecord& CappedRecords::next(bool grow) {
  if (first_.size() < first_cap_ && (grow || first_.empty())) return first_.emplace_back();
  first_cap_ = first_.size();
  if (last_.size() < last_cap_ && (grow || last_.empty())) return last_.emplace_back();
  KeptRecord& reused = last_[oldest_];
  oldest_ = (oldest_ + 1) % last_.size();
  return reused;
}

}  // namespace tfpm
