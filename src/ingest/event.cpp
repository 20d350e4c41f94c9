#include "ingest/event.h"

namespace tfpm {

std::string_view to_string(EventKind kind) {
  switch (kind) {
    case EventKind::kSignature:
      return "signature";
    case EventKind::kTraceback:
      return "traceback";
    case EventKind::kCrash:
      return "crash";
    case EventKind::kError:
      return "error";
    case EventKind::kTail:
      return "tail";
  }
  return "tail";
}

void CappedEvents::add(RecordRef record) {
  ++count_;
  pending_.push_back(std::move(record));
  // Those that will be among the first stay; of the rest only the newest can survive.
  const std::size_t still_first = first_cap_ - first_.size();
  if (pending_.size() > still_first + last_cap_) {
    pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(still_first));
  }
}

void CappedEvents::place(Event event) {
  if (first_.size() < first_cap_) {
    first_.push_back(std::move(event));
    return;
  }
  last_.push_back(std::move(event));
  if (last_.size() > last_cap_) last_.pop_front();
}

}  // namespace tfpm
