#include "parsers/profile/spans.h"

#include <algorithm>

namespace tfpm {
namespace {

constexpr std::int64_t kFirstGapPs = 1'000'000;  // one microsecond
constexpr std::int64_t kMaxGapPs = std::int64_t{1} << 60;

// An object, not a function: calls of it are put in place.
constexpr auto before = [](const Span& a, const Span& b) {
  return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
};

// Sorts what mostly is some sorted lists behind one another, one per line of a plane.
void sort_runs(std::vector<Span>& spans) {
  constexpr std::size_t kFewRuns = 256;
  std::vector<std::size_t> starts = {0};
  for (std::size_t i = 1; i < spans.size() && starts.size() <= kFewRuns; ++i) {
    if (before(spans[i], spans[i - 1])) starts.push_back(i);
  }
  if (starts.size() > kFewRuns) {
    std::sort(spans.begin(), spans.end(), before);
    return;
  }
  const auto at = [&](std::size_t i) {
    return spans.begin() +
           static_cast<std::ptrdiff_t>(i < starts.size() ? starts[i] : spans.size());
  };
  for (std::size_t width = 1; width < starts.size(); width *= 2) {
    for (std::size_t i = 0; i + width < starts.size(); i += 2 * width) {
      std::inplace_merge(at(i), at(i + width), at(i + 2 * width), before);
    }
  }
}

}  // namespace

SpanList join_spans(std::vector<Span> spans, std::int64_t gap) {
  sort_runs(spans);
  std::size_t to = 0;
  for (const Span s : spans) {
    if (s.end <= s.begin) continue;
    if (to > 0 && s.begin - spans[to - 1].end <= gap) {
      spans[to - 1].end = std::max(spans[to - 1].end, s.end);
    } else {
      spans[to++] = s;
    }
  }
  spans.resize(to);
  return spans;
}

SpanList clip(const SpanList& list, Span window) {
  SpanList out;
  auto at = std::upper_bound(list.begin(), list.end(), window.begin,
                             [](std::int64_t t, const Span& s) { return t < s.end; });
  for (; at != list.end() && at->begin < window.end; ++at) {
    out.push_back({std::max(at->begin, window.begin), std::min(at->end, window.end)});
  }
  return out;
}

SpanList without(const SpanList& a, const SpanList& b) {
  SpanList out;
  std::size_t j = 0;
  for (Span s : a) {
    while (j < b.size() && b[j].end <= s.begin) ++j;
    for (std::size_t k = j; k < b.size() && b[k].begin < s.end; ++k) {
      if (b[k].begin > s.begin) out.push_back({s.begin, b[k].begin});
      s.begin = std::max(s.begin, b[k].end);
      if (s.begin >= s.end) break;
    }
    if (s.begin < s.end) out.push_back(s);
  }
  return out;
}

std::int64_t covered(const SpanList& list) {
  std::int64_t sum = 0;
  for (const Span& s : list) sum += s.length();
  return sum;
}

std::int64_t coarsen(SpanList& list, std::size_t limit) {
  std::int64_t gap = 0;
  while (list.size() > limit && gap < kMaxGapPs) {
    gap = gap == 0 ? kFirstGapPs : gap * 4;
    list = join_spans(std::move(list), gap);
  }
  return gap;
}

}  // namespace tfpm
