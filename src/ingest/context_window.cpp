#include "ingest/context_window.h"

#include <string.h>

#include <algorithm>
#include <array>

namespace tfpm {
namespace {

// Lines kept before and behind a record.
constexpr std::size_t kContextLines = 3;
// How far a neighbouring line may reach; a progress bar makes lines of megabytes.
constexpr std::size_t kMaxNeighbour = 4096;
// A record further inside its line is shown from its own beginning.
constexpr std::size_t kMaxInside = 1000;
// One snapshot; longer records are shown by their beginning.
constexpr std::size_t kMaxSnapshotBytes = 24 * 1024;

constexpr std::size_t kNone = std::string_view::npos;

// Position of the last line end in [from, to); kNone if there is none.
std::size_t find_line_end_before(std::string_view text, std::size_t from, std::size_t to) {
  const void* found = ::memrchr(text.data() + from, '\n', to - from);
  if (found == nullptr) return kNone;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

// Where the line that holds `position` begins, looking back `reach` bytes at most; kNone = further.
std::size_t line_begin(std::string_view text, std::size_t position, std::size_t reach) {
  const std::size_t from = position > reach ? position - reach : 0;
  const std::size_t line_end = find_line_end_before(text, from, position);
  if (line_end != kNone) return line_end + 1;
  return from == 0 ? 0 : kNone;
}

void add_line(ContextSnapshot& out, std::uint64_t offset, std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  out.offsets.push_back(offset);
  out.text.append(line.substr(0, kContextLineBytes));
  out.text += '\n';
}

}  // namespace

void ContextWindow::begin_chunk(const Chunk& chunk, std::uint64_t first_line) {
  chunk_ = &chunk;
  first_line_ = first_line;
  const auto unfinished = std::exchange(unfinished_, {});
  for (const auto& [snapshot, wanted] : unfinished) append(*snapshot, 0, 0, wanted);
}

// Lines before the one that begins at `begin` and has number `line`.
void ContextWindow::take_before(ContextSnapshot& out, std::size_t begin, std::uint64_t line) const {
  const std::string_view text = chunk_->text;
  std::array<std::pair<std::size_t, std::size_t>, kContextLines> found{};
  std::size_t count = 0;
  while (count < kContextLines && begin > 0) {
    const std::size_t end = begin - 1;
    begin = line_begin(text, end, kMaxNeighbour);
    if (begin == kNone) break;
    found[count++] = {begin, end};
  }
  std::size_t older = 0;
  if (begin == 0) older = std::min(kContextLines - count, before_.offsets.size());
  out.first_line = line - count - older;
  if (older > 0) {
    const std::size_t skip = before_.offsets.size() - older;
    out.offsets.assign(before_.offsets.begin() + static_cast<std::ptrdiff_t>(skip),
                       before_.offsets.end());
    std::size_t at = 0;
    for (std::size_t i = 0; i < skip; ++i) at = before_.text.find('\n', at) + 1;
    out.text.append(before_.text, at);
  }
  for (std::size_t i = count; i-- > 0;) {
    add_line(out, chunk_->source_offset(found[i].first),
             text.substr(found[i].first, found[i].second - found[i].first));
  }
}

// Adds the lines of [begin, end) and `behind` more; returns how many of those are still missing
// because the chunk ends.
std::size_t ContextWindow::append(ContextSnapshot& out, std::size_t begin, std::size_t end,
                                  std::size_t behind) {
  const std::string_view text = chunk_->text;
  while (begin < text.size() && out.text.size() < kMaxSnapshotBytes) {
    if (begin >= end) {
      if (behind == 0) return 0;
      --behind;
    }
    const std::size_t reach = std::min(text.size(), std::max(begin, end) + kMaxNeighbour);
    const void* found = ::memchr(text.data() + begin, '\n', reach - begin);
    const std::size_t line_end =
        found == nullptr ? reach
                         : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    add_line(out, chunk_->source_offset(begin), text.substr(begin, line_end - begin));
    if (found == nullptr) return 0;
    begin = line_end + 1;
  }
  return out.text.size() < kMaxSnapshotBytes ? behind : 0;
}

// Where a record's own lines begin; `out` gets the lines before it.
std::size_t ContextWindow::begin_of(ContextSnapshot& out, std::uint64_t line,
                                    ChunkRange range) const {
  const std::size_t begin = line_begin(chunk_->text, range.begin, kMaxInside);
  if (begin != kNone) {
    take_before(out, begin, line);
    return begin;
  }
  out.first_line = line;
  return range.begin;
}

void ContextWindow::take(ContextSnapshot& out, std::uint64_t line, ChunkRange range) {
  const std::size_t begin = out.offsets.empty() ? begin_of(out, line, range) : 0;
  const std::size_t missing = append(out, begin, range.end, kContextLines);
  if (missing > 0) unfinished_.emplace_back(&out, missing);
}

void ContextWindow::take_head(ContextSnapshot& out, std::uint64_t line, ChunkRange range) {
  append(out, out.offsets.empty() ? begin_of(out, line, range) : 0, chunk_->text.size(), 0);
}

void ContextWindow::end_chunk(std::uint64_t end_line) {
  const std::string_view text = chunk_->text;
  before_.clear();
  if (text.ends_with('\n')) take_before(before_, text.size(), end_line);
}

}  // namespace tfpm
