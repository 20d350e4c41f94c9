#include "parsers/profile/plane.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/text.h"
#include "parsers/detail/wire.h"
#include "parsers/profile/fast_varint.h"

namespace tfpm {
namespace {

constexpr std::int64_t kDenseIds = 1 << 16;
constexpr std::uint64_t kKeepFirst = 1024;  // of one name; later ones ever more rarely
constexpr std::size_t kMaxStatsPerEvent = 32;
constexpr std::size_t kMaxTexts = 4096;
constexpr std::size_t kMaxTextBytes = 64;
constexpr std::size_t kMaxAllNames = std::size_t{12} << 20;
constexpr std::size_t kMaxDepth = 256;
constexpr std::size_t kMaxPlaneStats = 256;
constexpr std::int64_t kMaxGap = std::int64_t{1} << 60;
// Longest distance and duration taken as true, 20 days: of stamp, offset and duration together
// sums and differences still fit 64 bits.
constexpr std::int64_t kMaxPs = std::int64_t{20} * 86'400 * 1'000'000'000'000;
constexpr std::int64_t kAbsoluteNs = 100'000'000'000'000'000;

// All of the first kKeepFirst events of a name, then 512 of every doubling.
bool is_sample(std::uint64_t n) {
  if (n < kKeepFirst) return true;
  const auto shift = static_cast<unsigned>(std::bit_width(n)) - 10;
  return (n & ((std::uint64_t{1} << shift) - 1)) == 0;
}

}  // namespace

namespace {

// The usual stat: id and one whole number.
std::optional<XStat> parse_number_stat(std::string_view message) {
  const char* at = message.data();
  const char* const end = at + message.size();
  if (message.size() < 4 || *at++ != 0x08) return std::nullopt;
  std::uint64_t id = 0;
  XStat out;
  if (!fast_varint(at, end, id) || at >= end) return std::nullopt;
  switch (*at++) {
    case 0x18:
      out.kind = XStat::Kind::kUnsigned;
      break;
    case 0x20:
      out.kind = XStat::Kind::kSigned;
      break;
    case 0x38:
      out.kind = XStat::Kind::kRef;
      break;
    default:
      return std::nullopt;
  }
  if (!fast_varint(at, end, out.bits) || at != end) return std::nullopt;
  out.id = static_cast<std::int64_t>(id);
  return out;
}

}  // namespace

std::optional<XStat> parse_stat(std::string_view message, std::string_view& text) {
  if (const std::optional<XStat> number = parse_number_stat(message)) return number;
  XStat out;
  bool found = false;
  WireReader r(message);
  while (r.next()) {
    const bool number = r.type() == WireType::kVarint;
    if (r.is(1, WireType::kVarint)) out.id = r.signed_value();
    if (r.is(2, WireType::kFixed64)) out.kind = XStat::Kind::kDouble;
    if (r.is(3, WireType::kVarint)) out.kind = XStat::Kind::kUnsigned;
    if (r.is(4, WireType::kVarint)) out.kind = XStat::Kind::kSigned;
    if (r.is(5, WireType::kBytes)) out.kind = XStat::Kind::kText;
    if (r.is(7, WireType::kVarint)) out.kind = XStat::Kind::kRef;
    const bool value = (number && (r.field() == 3 || r.field() == 4 || r.field() == 7)) ||
                       r.is(2, WireType::kFixed64) || r.is(5, WireType::kBytes);
    if (!value) continue;
    out.bits = r.value();
    text = r.bytes();
    found = true;
  }
  return found ? std::optional(out) : std::nullopt;
}

void Plane::recycle(Plane& done) {
  const auto take = [](auto& mine, auto& theirs) {
    theirs.clear();
    mine.swap(theirs);
  };
  take(spans_, done.spans_);
  take(kept_, done.kept_);
  take(stats_, done.stats_);
  take(totals_, done.totals_);
}

void Plane::begin_line(std::int64_t timestamp_ns) {
  // Stamps are relative to the start of the profile, or (2026) absolute: then to the first line.
  if (timestamp_ns >= kAbsoluteNs && !epoch_ns_) epoch_ns_ = timestamp_ns;
  const std::int64_t relative =
      timestamp_ns >= kAbsoluteNs ? timestamp_ns - *epoch_ns_ : timestamp_ns;
  line_usable_ = relative > -kMaxPs / 1000 && relative < kMaxPs / 1000;
  line_base_ = line_usable_ ? relative * 1000 : 0;
  open_.clear();
}

void Plane::end_line(std::string line_name) {
  lines.push_back(std::move(line_name));
}

std::optional<std::uint32_t> Plane::new_slot(std::int64_t id) {
  const bool dense = id >= 0 && id < kDenseIds;
  if (const auto it = sparse_.find(id); it != sparse_.end()) return it->second;
  if (totals_.size() >= kMaxSlots) return std::nullopt;
  const auto slot = static_cast<std::uint32_t>(totals_.size());
  totals_.emplace_back().metadata_id = id;
  if (dense) {
    if (static_cast<std::size_t>(id) >= dense_.size()) {
      dense_.resize(std::max(static_cast<std::size_t>(id) + 1, 2 * dense_.size()), -1);
    }
    dense_[static_cast<std::size_t>(id)] = static_cast<std::int32_t>(slot);
  } else {
    sparse_.emplace(id, slot);
  }
  return slot;
}

void Plane::add(const RawEvent& event) {
  ++events;
  const std::optional<std::uint32_t> slot = slot_of(event.metadata_id);
  const bool bad = !line_usable_ || event.begin < -kMaxPs || event.begin > kMaxPs ||
                   event.duration < 0 || event.duration > kMaxPs;
  if (!slot || bad) {
    ++unusable;
    return;
  }
  EventTotals& t = totals_[*slot];
  const std::uint64_t n = t.count;
  t.count += event.timed ? 1
                         : static_cast<std::uint64_t>(std::clamp<std::int64_t>(
                               event.occurrences, 1, std::int64_t{1} << 40));
  t.total = std::min(t.total, kMaxGap) + event.duration;
  t.longest = std::max(t.longest, event.duration);
  if (!event.timed) {
    t.self = std::min(t.self, kMaxGap) + event.duration;
    return;
  }
  const std::int64_t begin = line_base_ + event.begin;
  const std::int64_t end = begin + event.duration;
  first_ = any_ ? std::min(first_, begin) : begin;
  last_ = any_ ? std::max(last_, end) : end;
  any_ = true;
  account_self(*slot, begin, end);
  if (end > begin) add_span(*slot, begin, end);
  if (!event.stats.empty() && is_sample(n) && !is_device()) keep(event, *slot);
}

// Events of a line are nested or disjoint and sorted by start: what lies inside is taken off the
// one around it.
void Plane::account_self(std::uint32_t slot, std::int64_t begin, std::int64_t end) {
  while (!open_.empty() && open_.back().end <= begin) open_.pop_back();
  const std::int64_t length = end - begin;
  if (!open_.empty()) {
    EventTotals& around = totals_[open_.back().slot];
    const std::int64_t inside = std::min(length, open_.back().end - begin);
    around.self = std::max(around.self, -kMaxGap) - inside;
  }
  totals_[slot].self = std::min(totals_[slot].self, kMaxGap) + length;
  if (open_.size() < kMaxDepth && length > 0) open_.push_back({end, slot});
}

void Plane::add_span(std::uint32_t slot, std::int64_t begin, std::int64_t end) {
  EventTotals& t = totals_[slot];
  const auto line = static_cast<std::uint32_t>(lines.size() + 1);
  if (t.last_line == line && begin <= t.last_end + gap_) {
    PlaneSpan& last = spans_[t.last_span];
    if (end >= last.begin) {
      last.begin = std::min(last.begin, begin);
      last.end = std::max(last.end, end);
      t.last_end = last.end;
      return;
    }
  }
  if (spans_.size() >= kMaxSpans) {
    compact();
    if (spans_.size() >= kMaxSpans) {
      ++unusable;
      return;
    }
  }
  t.last_line = line;
  t.last_span = static_cast<std::uint32_t>(spans_.size());
  t.last_end = end;
  spans_.push_back({line, slot, begin, end});
}

// The gap that joins enough spans of one line and name to free half of the room. Spans of one line
// stand in a row, in order.
std::int64_t Plane::gap_to_free_half() {
  std::vector<std::int64_t> gaps;
  gaps.reserve(spans_.size());
  for (EventTotals& t : totals_) t.last_line = 0;
  for (const PlaneSpan& span : spans_) {
    EventTotals& t = totals_[span.slot];
    if (t.last_line == span.line)
      gaps.push_back(std::max<std::int64_t>(span.begin - t.last_end, 0));
    t.last_line = span.line;
    t.last_end = span.end;
  }
  const std::size_t wanted = spans_.size() - kMaxSpans / 2;
  if (gaps.size() < wanted) return kMaxGap;
  const auto at = gaps.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
  std::nth_element(gaps.begin(), at, gaps.end());
  return *at;
}

void Plane::compact() {
  gap_ = std::max(gap_to_free_half(), gap_);
  for (EventTotals& t : totals_) t.last_line = 0;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    const PlaneSpan span = spans_[i];
    EventTotals& t = totals_[span.slot];
    PlaneSpan* last = t.last_line == span.line ? &spans_[t.last_span] : nullptr;
    if (last != nullptr && span.begin <= last->end + gap_ && span.end >= last->begin) {
      last->begin = std::min(last->begin, span.begin);
      last->end = std::max(last->end, span.end);
      t.last_end = last->end;
      continue;
    }
    t.last_line = span.line;
    t.last_span = static_cast<std::uint32_t>(kept);
    t.last_end = span.end;
    spans_[kept++] = span;
  }
  spans_.resize(kept);
}

void Plane::keep(const RawEvent& event, std::uint32_t slot) {
  if (stats_.size() + kMaxStatsPerEvent > kMaxStats) return;
  KeptEvent k;
  k.slot = slot;
  k.line = static_cast<std::uint32_t>(lines.size());
  k.begin = line_base_ + event.begin;
  k.duration = event.duration;
  k.first_stat = static_cast<std::uint32_t>(stats_.size());
  const char* at = event.stats.data();
  const char* const end = at + event.stats.size();
  while (at < end && *at == 0x22 && k.stats < kMaxStatsPerEvent) {
    std::uint64_t length = 0;
    if (!fast_varint(++at, end, length) || length > static_cast<std::uint64_t>(end - at)) break;
    std::string_view text;
    std::optional<XStat> stat = parse_stat({at, static_cast<std::size_t>(length)}, text);
    at += length;
    if (!stat) continue;
    if (stat->kind == XStat::Kind::kText) stat->bits = text_index(text);
    stats_.push_back(*stat);
    ++k.stats;
  }
  if (k.stats > 0) kept_.push_back(k);
}

std::uint64_t Plane::text_index(std::string_view text) {
  std::string key = clean_utf8(text, kMaxTextBytes);
  if (const auto it = text_ids_.find(key); it != text_ids_.end()) return it->second;
  if (texts_.size() >= kMaxTexts) return kMaxTexts;  // reads as unknown
  const auto id = static_cast<std::uint64_t>(texts_.size());
  texts_.push_back(key);
  text_ids_.emplace(std::move(key), id);
  return id;
}

void Plane::keep_name(Names& names, std::int64_t id, std::string_view text) {
  if (name_bytes_ > kMaxAllNames) return;
  std::string name_text = clean_utf8(text, kMaxNameBytes);
  constexpr std::size_t kNode = 64;
  name_bytes_ += name_text.size() + kNode;
  names.emplace(id, std::move(name_text));
}

void Plane::name_event(std::int64_t id, std::string_view text) {
  keep_name(event_names_, id, text);
}

void Plane::name_stat(std::int64_t id, std::string_view text) {
  keep_name(stat_names_, id, text);
}

void Plane::add_plane_stat(std::string_view message) {
  std::string_view text;
  std::optional<XStat> stat = parse_stat(message, text);
  if (!stat || plane_stats_.size() >= kMaxPlaneStats) return;
  if (stat->kind == XStat::Kind::kText) stat->bits = text_index(text);
  plane_stats_.push_back(*stat);
}

std::string Plane::event_name(std::size_t slot) const {
  const std::int64_t id = totals_[slot].metadata_id;
  const auto it = event_names_.find(id);
  return it != event_names_.end() && !it->second.empty() ? it->second : fmt::format("event#{}", id);
}

std::optional<std::int64_t> Plane::stat_id(std::string_view text) const {
  std::optional<std::int64_t> found;
  for (const auto& [id, known] : stat_names_) {
    if (known == text && (!found || id < *found)) found = id;
  }
  return found;
}

std::string Plane::stat_text(const XStat& stat) const {
  switch (stat.kind) {
    case XStat::Kind::kText:
      return stat.bits < texts_.size() ? texts_[static_cast<std::size_t>(stat.bits)] : "";
    case XStat::Kind::kRef: {
      const auto it = stat_names_.find(static_cast<std::int64_t>(stat.bits));
      return it == stat_names_.end() ? "" : it->second;
    }
    case XStat::Kind::kDouble:
      return fmt::format("{}", std::bit_cast<double>(stat.bits));
    case XStat::Kind::kUnsigned:
      return fmt::format("{}", stat.bits);
    case XStat::Kind::kSigned:
      return fmt::format("{}", static_cast<std::int64_t>(stat.bits));
  }
  return {};
}

std::optional<XStat> Plane::plane_stat(std::string_view text) const {
  const std::optional<std::int64_t> id = stat_id(text);
  if (!id) return std::nullopt;
  for (const XStat& s : plane_stats_) {
    if (s.id == *id) return s;
  }
  return std::nullopt;
}

std::optional<XStat> Plane::stat_of(const KeptEvent& event, std::int64_t id) const {
  for (std::uint32_t i = 0; i < event.stats; ++i) {
    const XStat& s = stats_[event.first_stat + i];
    if (s.id == id) return s;
  }
  return std::nullopt;
}

std::optional<Span> Plane::extent() const {
  return any_ ? std::optional(Span{first_, last_}) : std::nullopt;
}

}  // namespace tfpm
