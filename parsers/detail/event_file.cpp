#include "parsers/detail/event_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

#include "parsers/detail/wire.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxTags = 2000;
constexpr std::size_t kMaxTagBytes = 4096;   // as stored; rows have less
constexpr std::size_t kMaxPoints = 400'000;  // over all tags
constexpr std::size_t kMaxHistograms = 64;   // a tag
constexpr std::size_t kMaxNotes = 1000;
constexpr std::size_t kNoteBytes = 1000;

// Fields of an Event that exclude each other.
constexpr std::uint32_t kVersion = 3, kGraph = 4, kSummary = 5, kLog = 6, kSession = 7,
                        kRunMetadata = 8, kMetaGraph = 9;

bool is_text(std::string_view metadata) {
  const std::string_view plugin = plugin_of(metadata);
  return plugin.empty() || plugin == "text";
}

// Seconds since the epoch; hostile values (NaN, negative, beyond the year 5138) become 0.
std::int64_t to_micros(double seconds) {
  return seconds > 0 && seconds < 1e11 ? static_cast<std::int64_t>(seconds * 1e6) : 0;
}

std::string_view level_name(std::uint64_t level) {
  if (level >= 50) return "fatal";
  if (level >= 40) return "error";
  if (level >= 30) return "warning";
  if (level >= 20) return "info";
  return level >= 10 ? "debug" : "unknown";
}

std::string_view session_name(std::uint64_t status) {
  constexpr std::string_view kNames[] = {"unspecified", "start", "stop", "checkpoint"};
  return status < std::size(kNames) ? kNames[status] : kNames[0];
}

}  // namespace

void EventFile::add(const TfRecord& record) {
  ++records_;
  const EventShapes::Match known = shapes_.match(record.data);
  if (known.series != nullptr) {
    add_known(known, record.offset);
  } else {
    parse(record);
  }
}

void EventFile::see_time(std::int64_t wall_us) {
  if (wall_us <= 0) return;
  if (!first_us_) first_us_ = wall_us;
  last_us_ = std::max(last_us_.value_or(0), wall_us);
}

void EventFile::add_known(const EventShapes::Match& known, std::uint64_t offset) {
  const std::int64_t wall_us = to_micros(known.wall);
  see_time(wall_us);
  last_step_ = std::max(last_step_.value_or(known.step), known.step);
  ++values_;
  add_point(*known.series, {offset, known.step, known.value, wall_us, false});
}

void EventFile::parse(const TfRecord& record) {
  Stamp at;
  at.seq = record.offset;
  WireReader r(record.data);
  std::uint32_t what = 0;  // one of several alternatives: the last one counts
  std::string_view content;
  while (r.next()) {
    if (r.is(1, WireType::kFixed64)) at.wall_us = to_micros(std::bit_cast<double>(r.value()));
    if (r.is(2, WireType::kVarint)) at.step = r.signed_value();
    if (r.type() != WireType::kBytes || r.field() < kVersion || r.field() > kMetaGraph) continue;
    what = r.field();
    content = r.bytes();
  }
  if (!r.ok()) {
    ++unparsed_;
    if (!first_unparsed_) first_unparsed_ = record.offset;
    return;
  }
  see_time(at.wall_us);
  switch (what) {
    case kVersion:
      if (version_.empty()) version_ = content.substr(0, 100);
      break;
    case kGraph:
    case kMetaGraph:
      ++graphs_;
      break;
    case kSummary:
      add_summary(content, at, record.data);
      break;
    case kLog:
      add_log(content, at);
      break;
    case kSession:
      add_session(content, at);
      break;
    case kRunMetadata:
      add_run_metadata(content, at);
      break;
    default:
      break;
  }
}

void EventFile::add_summary(std::string_view summary, Stamp at, std::string_view record) {
  WireReader r(summary);
  while (r.next()) {
    if (!r.is(1, WireType::kBytes)) continue;
    const EventValue value = parse_event_value(r.bytes());
    last_step_ = std::max(last_step_.value_or(at.step), at.step);
    if (value.scalar) {
      ++values_;
      EventSeries* series = series_of(value.tag);
      if (series != nullptr) {
        add_point(*series, {at.seq, at.step, *value.scalar, at.wall_us, false});
        if (!value.scalar_bytes.empty()) shapes_.learn(record, value.scalar_bytes, *series);
      }
    } else if (value.histogram) {
      add_histogram(value.tag, *value.histogram, at);
    } else if (!value.text.empty() && is_text(value.metadata)) {
      note("text", value.tag, value.text, at);
    } else {
      ++other_;
    }
    ++at.seq;  // values of one record keep their order and stay distinct
  }
}

EventSeries* EventFile::series_of(std::string_view tag) {
  if (const auto found = scalars_.find(tag); found != scalars_.end()) return &found->second;
  if (scalars_.size() >= kMaxTags || tag.empty() || tag.size() > kMaxTagBytes) {
    dropped_tags_ = true;
    return nullptr;
  }
  return &scalars_.emplace(tag, EventSeries()).first->second;
}

void EventFile::add_point(EventSeries& series, const EventPoint& point) {
  const std::size_t before = series.points().size();
  series.add(point);
  points_ = points_ + series.points().size() - before;
  if (points_ <= kMaxPoints) return;
  points_ = 0;
  for (auto& [name, each] : scalars_) {
    each.thin(each.points().size() / 2);
    points_ += each.points().size();
  }
}

// The last few of a tag, and the first that turns bad or good again.
void EventFile::add_histogram(std::string_view tag, const HistogramFacts& facts, const Stamp& at) {
  auto found = histograms_.find(tag);
  if (found == histograms_.end()) {
    if (histograms_.size() >= kMaxTags || tag.empty() || tag.size() > kMaxTagBytes) {
      dropped_tags_ = true;
      return;
    }
    found = histograms_.emplace(tag, HistogramSeries()).first;
  }
  HistogramSeries& series = found->second;
  const bool turns = facts.finite != series.last_finite;
  series.last_finite = facts.finite;
  if (series.kept.size() >= kMaxHistograms) {
    // The first half may hold the turn; of the rest the oldest goes.
    series.kept.erase(series.kept.begin() + (turns ? 0 : std::ptrdiff_t{kMaxHistograms / 2}));
  }
  series.kept.push_back({at, facts});
}

void EventFile::note(std::string_view kind, std::string_view name, std::string_view text,
                     const Stamp& at) {
  if (notes_.size() >= kMaxNotes) {
    ++dropped_notes_;
    return;
  }
  notes_.push_back(
      {kind, std::string(name.substr(0, kNoteBytes)), std::string(text.substr(0, kNoteBytes)), at});
}

void EventFile::add_log(std::string_view message, const Stamp& at) {
  std::uint64_t level = 0;
  std::string_view text;
  WireReader r(message);
  while (r.next()) {
    if (r.is(1, WireType::kVarint)) level = r.value();
    if (r.is(2, WireType::kBytes)) text = r.bytes();
  }
  note("log", level_name(level), text, at);
}

void EventFile::add_session(std::string_view message, const Stamp& at) {
  std::uint64_t status = 0;
  std::string_view path, text;
  WireReader r(message);
  while (r.next()) {
    if (r.is(1, WireType::kVarint)) status = r.value();
    if (r.is(2, WireType::kBytes)) path = r.bytes();
    if (r.is(3, WireType::kBytes)) text = r.bytes();
  }
  note("session", session_name(status), path.empty() ? text : path, at);
}

void EventFile::add_run_metadata(std::string_view message, const Stamp& at) {
  ++run_metadata_;
  std::string_view tag, content;
  WireReader r(message);
  while (r.next()) {
    if (r.is(1, WireType::kBytes)) tag = r.bytes();
    if (r.is(2, WireType::kBytes)) content = r.bytes();
  }
  note("run-metadata", tag, fmt::format("{} bytes", content.size()), at);
}

}  // namespace tfpm
