#include "ingest/open_record.h"

#include <utility>

namespace tfpm {

bool OpenRecord::full() const {
  return lines_.size() >= kMaxRecordLines || text_.size() >= kMaxRecordBytes;
}

void OpenRecord::begin(const Fragment& fragment, std::optional<std::int64_t> time_us) {
  open_ = true;
  owned_ = false;
  empty_lines_ = 0;
  lines_.clear();
  hits_.assign(fragment.hits.begin(), fragment.hits.end());
  ref_.text = fragment.header.message;
  ref_.offset = fragment.offset;
  ref_.line = fragment.line;
  ref_.line_offset = fragment.line_offset;
  ref_.time_us = time_us;
  ref_.own_time = fragment.time_us.has_value();
  ref_.has_header = fragment.header.family != HeaderFamily::kNone;
  ref_.severity = fragment.header.severity;
  if (!fragment.stable) own();
}

void OpenRecord::own() {
  if (owned_) return;
  text_.assign(ref_.text);
  owned_ = true;
}

void OpenRecord::append(const Fragment& fragment) {
  own();
  text_.append(empty_lines_ + 1, '\n');
  empty_lines_ = 0;
  lines_.push_back({static_cast<std::uint32_t>(text_.size()), fragment.line, fragment.line_offset});
  text_.append(fragment.header.message);
  hits_.insert(hits_.end(), fragment.hits.begin(), fragment.hits.end());
}

void OpenRecord::leave_chunk() {
  if (open_) own();
}

RecordRef OpenRecord::close(ChunkArena& arena) {
  open_ = false;
  if (owned_) ref_.text = arena.keep(std::exchange(text_, {}));
  ref_.more_lines =
      lines_.empty() ? std::span<const RecordLine>() : arena.keep(std::exchange(lines_, {}));
  ref_.hits = hits_.empty() ? std::span<const std::uint32_t>() : arena.keep(hits_);
  return ref_;
}

}  // namespace tfpm
