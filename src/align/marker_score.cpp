#include "align/marker_score.h"

#include <algorithm>
#include <cmath>

namespace tfpm {
namespace {

constexpr double kPenalty = 4;
constexpr double kAuxiliaryPenalty = 10;
constexpr double kCommonShare = 0.8;
constexpr double kCommonPoints = 3, kRangePoints = 2;
constexpr std::size_t kMaxShared = 200'000;  // distinct values kept per key

// Share of the values, among those that at least two tasks reached, that most of them printed.
double common_share(const std::unordered_map<std::int64_t, std::uint32_t>& printed,
                    const std::vector<std::pair<double, double>>& ranges) {
  std::vector<double> lows, highs;
  for (const auto& [low, high] : ranges) {
    lows.push_back(low);
    highs.push_back(high);
  }
  std::sort(lows.begin(), lows.end());
  std::sort(highs.begin(), highs.end());
  double common = 0, all = 0;
  for (const auto& [value, count] : printed) {
    const auto v = static_cast<double>(value);
    const auto begun = std::upper_bound(lows.begin(), lows.end(), v) - lows.begin();
    const auto ended = std::lower_bound(highs.begin(), highs.end(), v) - highs.begin();
    const auto reached = begun - ended;
    if (reached < 2) continue;
    all += count;
    if (std::uint64_t{count} * 2 > static_cast<std::uint64_t>(reached)) common += count;
  }
  return all > 0 ? common / all : 0;
}

double range_overlap(const std::vector<std::pair<double, double>>& ranges) {
  std::vector<double> lows, highs;
  for (const auto& [low, high] : ranges) {
    lows.push_back(low);
    highs.push_back(high);
  }
  const auto middle = static_cast<std::ptrdiff_t>(lows.size() / 2);
  std::nth_element(lows.begin(), lows.begin() + middle, lows.end());
  std::nth_element(highs.begin(), highs.begin() + middle, highs.end());
  const double low = lows[static_cast<std::size_t>(middle)];
  const double high = highs[static_cast<std::size_t>(middle)];
  if (high <= low) return 0;
  std::size_t alike = 0;
  for (const auto& [a, b] : ranges) {
    const double overlap = std::min(b, high) - std::max(a, low);
    if (overlap >= kCommonShare * std::max(b - a, high - low)) ++alike;
  }
  return static_cast<double>(alike) / static_cast<double>(ranges.size());
}

bool starts_with_bar(const std::string& piece) {
  return piece.starts_with("[=]") || piece.starts_with("=") || piece.starts_with("|=|");
}

// Forms that the common trainers print: Keras bars, tqdm, Estimator, global_step, JSON, Orbit.
bool is_seed(const TemplateSeries& series, std::size_t slot) {
  const auto& pieces = series.pieces;
  const std::string& before = pieces[slot];
  if (before.ends_with("global_step=") || before.ends_with("global_step") ||
      before.ends_with("\"step\":") || before.ends_with("\"global_step\":"))
    return true;
  if (slot == 1 && pieces[0] == "loss =" && before == ", step =") return true;
  if (before.ends_with("train | step:")) return true;
  const bool divides = pieces[slot + 1] == "/";
  if (divides && before.ends_with("%|=|")) return true;
  return divides && slot == 0 && before.empty() && slot + 2 < pieces.size() &&
         starts_with_bar(pieces[slot + 2]);
}

bool other_quantity(Quantity quantity) {
  return quantity != Quantity::kStep && quantity != Quantity::kUnknown;
}

// A number of the record that varies, is no count and belongs to no other quantity.
bool has_unclaimed_decimal(const TemplateSeries& series, const std::vector<SlotName>& names) {
  for (std::size_t i = 0; i < series.slots.size(); ++i) {
    const Slot& slot = series.slots[i];
    if (slot.values.empty() || slot.kind == SlotKind::kDuration || slot.kind == SlotKind::kPercent)
      continue;
    const bool nonfinite = std::any_of(slot.values.begin(), slot.values.end(), is_nonfinite);
    if (slot.kind == SlotKind::kInteger && !nonfinite) continue;
    const Quantity q = names[i].meaning.quantity;
    if (q == Quantity::kLoss || q == Quantity::kUnknown) return true;
  }
  return false;
}

// Up by one exactly when another counter of the record starts again: the epoch.
bool counts_resets(const NamedStream& stream, const Family& family) {
  for (const FamilyMember& m : family.members) {
    const TemplateSeries& series = stream.series->templates[m.series];
    const Slot& slot = series.slots[m.slot];
    for (std::size_t other = 0; other < series.slots.size(); ++other) {
      const Slot& o = series.slots[other];
      if (other == m.slot || o.kind != SlotKind::kInteger || o.values.empty()) continue;
      std::size_t together = 0, apart = 0;
      for (std::size_t row = std::max<std::size_t>(series.tail, 1); row < slot.values.size();
           ++row) {
        const double step = slot.values[row] - slot.values[row - 1];
        const bool reset = o.values[row] < o.values[row - 1];
        if (step == 1 && reset) ++together;
        if ((step != 0) != reset) ++apart;
      }
      if (together > 0 && apart * 10 <= together) return true;
    }
  }
  return false;
}

// A counter of seconds: uneven, and it moves as the clock does.
bool follows_clock(const Family& family) {
  if (family.motion.increment_share >= kCommonShare) return false;
  std::size_t moves = 0, alike = 0;
  for (std::size_t i = 1; i < family.points.size(); ++i) {
    const FamilyPoint &a = family.points[i - 1], &b = family.points[i];
    if (a.attempt != b.attempt || a.time_us == kNoTime || b.time_us == kNoTime) continue;
    const double seconds = static_cast<double>(b.time_us - a.time_us) / 1e6;
    if (b.count <= a.count) continue;
    ++moves;
    alike += std::abs(b.count - a.count - seconds) <= 1 ? 1 : 0;
  }
  // Steps of about a second each would look alike: then increments are even, see above.
  return moves >= 4 && alike * 10 >= moves * 9;
}

// All records of every attempt at one instant with nothing between them.
bool is_listing(const Family& family) {
  for (std::size_t i = 1; i < family.points.size(); ++i) {
    const FamilyPoint &a = family.points[i - 1], &b = family.points[i];
    if (a.attempt != b.attempt) continue;
    if (a.time_us == kNoTime || b.time_us != a.time_us || b.line > a.line + 1) return false;
  }
  return true;
}

double penalties(const NamedStream& stream, const Family& family, bool epoch) {
  double points = 0;
  bool other_word = false;
  for (const FamilyMember& m : family.members)
    other_word = other_word || other_quantity(stream.names[m.series][m.slot].meaning.quantity);
  if (other_word) points -= kPenalty;
  if (epoch) points -= kPenalty;
  if (follows_clock(family)) points -= kPenalty;
  if (is_listing(family)) points -= kPenalty;
  if (family.auxiliary) points -= kAuxiliaryPenalty;
  return points;
}

double motion_points(const Family& family) {
  double points = 0;
  if (family.total) points += 2;
  if (family.motion.increment_share >= kCommonShare) points += 1;
  if (family.motion.strictly()) points += 1;
  return points;
}

}  // namespace

void SharedCounts::add(std::int64_t task, const Family& family) {
  Entry& entry = entries_[family.key];
  if (!entry.tasks.insert(task).second) return;
  entry.ranges.emplace_back(family.motion.bottom, family.motion.top);
  entry.records += family.records;
  std::set<std::int64_t> seen;
  std::int64_t last = INT64_MIN;
  const bool ordered = family.motion.monotone && family.motion.backs == 0;
  for (const FamilyPoint& p : family.points) {
    const auto value = static_cast<std::int64_t>(std::llround(p.count));
    if (value == last) continue;
    last = value;
    if (!ordered && !seen.insert(value).second) continue;
    if (entry.printed.size() < kMaxShared || entry.printed.count(value) != 0)
      ++entry.printed[value];
  }
}

void SharedCounts::finish(std::size_t training_tasks) {
  for (auto& [key, entry] : entries_) {
    const std::size_t tasks = entry.tasks.size();
    if (tasks >= 2 && tasks * 2 >= training_tasks) {
      if (common_share(entry.printed, entry.ranges) >= kCommonShare) {
        entry.points = kCommonPoints;
      } else if (range_overlap(entry.ranges) >= kCommonShare) {
        entry.points = kRangePoints;
      }
    }
    entry.printed.clear();
  }
}

double SharedCounts::points(const std::string& key) const {
  const auto it = entries_.find(key);
  return it == entries_.end() ? 0 : it->second.points;
}

std::uint64_t SharedCounts::agreeing_records(const std::string& key) const {
  const auto it = entries_.find(key);
  return it == entries_.end() || it->second.points < kCommonPoints ? 0 : it->second.records;
}

StepScore score_family(const NamedStream& stream, const Family& family,
                       const SharedCounts& shared) {
  StepScore score;
  for (const FamilyMember& m : family.members) {
    const TemplateSeries& series = stream.series->templates[m.series];
    const auto& names = stream.names[m.series];
    score.step_word = score.step_word || names[m.slot].meaning.quantity == Quantity::kStep;
    score.seed = score.seed || is_seed(series, m.slot);
    score.decimal = score.decimal || has_unclaimed_decimal(series, names);
  }
  score.epoch = counts_resets(stream, family);
  score.points =
      motion_points(family) + shared.points(family.key) + penalties(stream, family, score.epoch);
  if (score.step_word) score.points += 3;
  if (score.seed) score.points += 3;
  if (score.decimal) score.points += 2;
  return score;
}

double score_unit(const NamedStream& stream, const Family& family, const SharedCounts& shared) {
  double points = 3 + motion_points(family) + shared.points(family.key);
  bool decimal = false;
  for (const FamilyMember& m : family.members)
    decimal = decimal ||
              has_unclaimed_decimal(stream.series->templates[m.series], stream.names[m.series]);
  if (decimal) points += 2;
  if (is_listing(family)) points -= kPenalty;
  if (family.auxiliary) points -= kAuxiliaryPenalty;
  return points;
}

}  // namespace tfpm
