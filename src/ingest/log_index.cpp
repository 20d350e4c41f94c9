#include "ingest/log_index.h"

namespace tfpm {
namespace {

constexpr std::uint64_t kBlockBytes = std::uint64_t{64} * 1024;
constexpr std::int64_t kMinuteUs = 60'000'000;
// Two years of minutes; a log with wild stamps cannot grow the table further.
constexpr std::size_t kMaxMinutes = 1 << 20;
constexpr std::int64_t kNoMinute = -1;

std::int64_t minute_of(std::int64_t us) {
  return us >= 0 ? us / kMinuteUs : kNoMinute;
}

}  // namespace

LogIndex::SeverityCounts& LogIndex::counts_of(std::int64_t minute) {
  if (minutes_.size() >= kMaxMinutes && !minutes_.contains(minute)) minute = kNoMinute;
  return minutes_.try_emplace(minute).first->second;
}

void LogIndex::add(std::uint64_t offset, std::uint64_t line, std::optional<std::int64_t> time_us,
                   LogSeverity severity) {
  if (offset >= next_block_) {
    blocks_.push_back({offset, line, last_us_});
    next_block_ = (offset / kBlockBytes + 1) * kBlockBytes;
  }
  if (time_us) {
    last_us_ = time_us;
    if (current_ == nullptr || *time_us < minute_begin_us_ ||
        *time_us >= minute_begin_us_ + kMinuteUs) {
      minute_ = minute_of(*time_us);
      minute_begin_us_ = minute_ * kMinuteUs;
      current_ = &counts_of(minute_);
    }
  } else if (current_ == nullptr) {
    current_ = &counts_of(kNoMinute);
    minute_begin_us_ = kNoMinute * kMinuteUs;
  }
  ++(*current_)[static_cast<std::size_t>(severity)];
}

}  // namespace tfpm
