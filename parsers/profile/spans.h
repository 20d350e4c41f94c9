// Spans of time and their unions. Times are picoseconds from the start of the profile.
#pragma once

#include <cstdint>
#include <vector>

namespace tfpm {

struct Span {
  std::int64_t begin = 0, end = 0;
  std::int64_t length() const { return end - begin; }
};

// Sorted by begin, disjoint, none empty.
using SpanList = std::vector<Span>;

// Sorts and joins; spans closer together than `gap` become one. Empty and inverted ones are left
// out.
SpanList join_spans(std::vector<Span> spans, std::int64_t gap = 0);

// What lies in `window` of a list; cut at its edges.
SpanList clip(const SpanList& list, Span window);

// a without what is in b.
SpanList without(const SpanList& a, const SpanList& b);

// Sum of the lengths.
std::int64_t covered(const SpanList& list);

// joins a list until it has at most `limit` spans, with growing gaps; returns the gap that was
// needed, 0 when it was short enough.
std::int64_t coarsen(SpanList& list, std::size_t limit);

}  // namespace tfpm
