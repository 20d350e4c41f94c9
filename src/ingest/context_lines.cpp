#include "ingest/context_lines.h"

#include <string.h>

#include <algorithm>

namespace tfpm {
namespace {

struct RawLine {
  std::size_t begin;
  std::size_t end;
};

// The line that starts at `from`; its end excludes the line end.
RawLine line_from(std::string_view text, std::size_t from) {
  const std::size_t newline = text.find('\n', from);
  return {from, newline == std::string_view::npos ? text.size() : newline};
}

}  // namespace

void ContextLines::keep(std::uint64_t line, std::uint64_t offset, std::string_view text) {
  if (lines_.contains(line)) return;
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  ContextLine kept{offset, std::string(text.substr(0, kContextLineBytes))};
  bytes_ += kept.text.size() + sizeof(ContextLine);
  lines_.emplace(line, std::move(kept));
}

void ContextLines::begin_chunk(const Chunk& chunk, std::uint64_t first_line) {
  chunk_ = &chunk;
  first_line_ = first_line;
}

void ContextLines::want(LineRange cited) {
  const std::uint64_t first = cited.first > kContextLines ? cited.first - kContextLines : 1;
  wanted_.push_back({first, cited.last + kContextLines});
}

void ContextLines::end_chunk(std::uint64_t end_line) {
  if (!wanted_.empty()) copy_wanted();
  remember_end(end_line);
}

void ContextLines::copy_wanted() {
  std::sort(wanted_.begin(), wanted_.end());
  const std::string_view text = chunk_->text;
  std::uint64_t line = first_line_;
  std::size_t position = 0;
  std::vector<LineRange> open;
  // One walk over the chunk's lines: ranges are in order of their first line.
  for (const LineRange& range : wanted_) {
    for (auto it = recent_.lower_bound(range.first); it != recent_.end() && it->first <= range.last;
         ++it) {
      keep(it->first, it->second.offset, it->second.text);
    }
    while (line < range.first && position < text.size()) {
      position = line_from(text, position).end + 1;
      ++line;
    }
    std::uint64_t at = line;
    std::size_t from = position;
    while (at <= range.last && from < text.size()) {
      const RawLine raw = line_from(text, from);
      keep(at, chunk_->source_offset(raw.begin), text.substr(raw.begin, raw.end - raw.begin));
      from = raw.end + 1;
      ++at;
    }
    if (at <= range.last) open.push_back({at, range.last});
  }
  wanted_ = std::move(open);
}

void ContextLines::remember_end(std::uint64_t end_line) {
  recent_.clear();
  const std::string_view text = chunk_->text;
  std::size_t end = text.size();
  std::uint64_t line = end_line;
  if (end > 0 && text[end - 1] == '\n') {
    --end;
    --line;
  }
  for (std::uint64_t n = 0; n <= kContextLines && line >= first_line_; ++n, --line) {
    const void* newline = ::memrchr(text.data(), '\n', end);
    const auto begin =
        newline == nullptr
            ? std::size_t{0}
            : static_cast<std::size_t>(static_cast<const char*>(newline) - text.data()) + 1;
    const std::string_view raw = text.substr(begin, std::min(end - begin, kContextLineBytes));
    recent_.emplace(line, ContextLine{chunk_->source_offset(begin), std::string(raw)});
    if (begin == 0) break;
    end = begin - 1;
  }
}

void ContextLines::prune(const std::vector<LineRange>& cited) {
  auto range = cited.begin();
  std::uint64_t reach = 0;  // last line covered by the ranges up to `range`
  for (auto it = lines_.begin(); it != lines_.end();) {
    while (range != cited.end() && range->first <= it->first + kContextLines) {
      reach = std::max(reach, range->last + kContextLines);
      ++range;
    }
    if (it->first <= reach) {
      ++it;
      continue;
    }
    bytes_ -= it->second.text.size() + sizeof(ContextLine);
    it = lines_.erase(it);
  }
}

}  // namespace tfpm
