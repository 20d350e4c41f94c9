#include "ingest/context_window.h"

#include <string.h>

#include <algorithm>

namespace tfpm {
namespace {

// Lines kept before and behind a record.
constexpr std::size_t kContextLines = 3;
// How far a neighbouring line may reach; a progress bar makes lines of megabytes.
constexpr std::size_t kMaxNeighbour = 4096;
// A record further inside its line is shown from its own beginning.
constexpr std::size_t kMaxInside = 1000;
// One snapshot; longer records are shown by their beginning.
constexpr std::size_t kMaxSnapshotBytes = std::size_t{24} * 1024;

constexpr std::size_t kNone = std::string_view::npos;

// Where the line that holds `position` begins, looking back `reach` bytes at most; kNone = further.
std::size_t line_begin(std::string_view text, std::size_t position, std::size_t reach) {
  const std::size_t from = position > reach ? position - reach : 0;
  const void* found = ::memrchr(text.data() + from, '\n', position - from);
  if (found != nullptr) {
    return static_cast<std::size_t>(static_cast<const char*>(found) - text.data()) + 1;
  }
  return from == 0 ? 0 : kNone;
}

// Where the line that begins at `position` ends, its line end included; `whole` is false when that
// is further than `reach`, or the text ends first.
std::size_t line_end(std::string_view text, std::size_t position, std::size_t reach, bool& whole) {
  const std::size_t to = std::min(text.size(), reach);
  const void* found = ::memchr(text.data() + position, '\n', to - position);
  whole = found != nullptr;
  if (!whole) return to;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data()) + 1;
}

}  // namespace

void ContextWindow::begin_chunk(const Chunk& chunk) {
  chunk_ = &chunk;
  const auto unfinished = std::exchange(unfinished_, {});
  for (const auto& [snapshot, wanted] : unfinished) append(*snapshot, 0, 0, wanted);
}

// Begins a snapshot with up to three lines before the line that begins at `begin` and has number
// `line`.
void ContextWindow::start(ContextSnapshot& out, std::size_t begin, std::uint64_t line) const {
  const std::string_view text = chunk_->text;
  std::size_t from = begin;
  std::size_t count = 0;
  while (count < kContextLines && from > 0) {
    const std::size_t before = line_begin(text, from - 1, kMaxNeighbour);
    if (before == kNone) break;
    from = before;
    ++count;
  }
  out.first_line = line - count;
  out.offset = chunk_->source_offset(from);
  out.bytes_per_char = chunk_->anchors.empty() ? 1 : 2;
  if (from == 0 && count < kContextLines && !before_.empty()) {
    std::size_t older = before_.text.size();
    while (count < kContextLines && older > 0) {
      older = line_begin(before_.text, older - 1, before_.text.size());
      --out.first_line;
      ++count;
    }
    out.offset = before_.offset + older * out.bytes_per_char;
    out.text.assign(before_.text, older);
  }
  out.text.append(text.substr(from, begin - from));
}

// Adds [begin, end) up to the end of its last line and `behind` more lines. Lines that are missing
// because the chunk ends are taken from the next one.
void ContextWindow::append(ContextSnapshot& out, std::size_t begin, std::size_t end,
                           std::size_t behind) {
  const std::string_view text = chunk_->text;
  if (out.text.size() >= kMaxSnapshotBytes || begin > text.size()) return;
  std::size_t to = std::max(begin, std::min(end, text.size()));
  bool whole = true;
  if (to > begin && text[to - 1] != '\n') to = line_end(text, to, to + kMaxNeighbour, whole);
  while (whole && behind > 0 && to < text.size()) {
    to = line_end(text, to, to + kMaxNeighbour, whole);
    if (whole) --behind;
  }
  const std::size_t room = kMaxSnapshotBytes - out.text.size();
  out.text.append(text.substr(begin, std::min(to - begin, room)));
  if (whole && behind > 0 && to - begin < room) unfinished_.emplace_back(&out, behind);
}

// Where a record's own lines begin; `out` gets the lines before it.
std::size_t ContextWindow::begin_of(ContextSnapshot& out, std::uint64_t line,
                                    ChunkRange range) const {
  const std::size_t begin = line_begin(chunk_->text, range.begin, kMaxInside);
  if (begin != kNone) {
    start(out, begin, line);
    return begin;
  }
  out.first_line = line;
  out.offset = chunk_->source_offset(range.begin);
  out.bytes_per_char = chunk_->anchors.empty() ? 1 : 2;
  return range.begin;
}

void ContextWindow::take(ContextSnapshot& out, std::uint64_t line, ChunkRange range) {
  append(out, out.empty() ? begin_of(out, line, range) : 0, range.end, kContextLines);
}

void ContextWindow::take_head(ContextSnapshot& out, std::uint64_t line, ChunkRange range) {
  append(out, out.empty() ? begin_of(out, line, range) : 0, chunk_->text.size(), 0);
}

void ContextWindow::end_chunk(std::uint64_t end_line) {
  const std::string_view text = chunk_->text;
  before_.clear();
  if (text.ends_with('\n')) start(before_, text.size(), end_line);
}

}  // namespace tfpm
