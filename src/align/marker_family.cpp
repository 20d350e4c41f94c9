#include "align/marker_family.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/ascii.h"

namespace tfpm {
namespace {

// How many moves may go back within an attempt; more when a word says what is counted: then they
// are restarts of processes that did not say so.
constexpr double kBackShare = 0.02, kBackShareNamed = 0.1;
constexpr std::size_t kTotalDistance = 6;
constexpr std::string_view kRangeMarks[] = {"-", "–", "—", "..", "…", "~", "→", "->", "to"};

bool has_letter(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return is_alpha(c) || (static_cast<unsigned char>(c) & 0x80U) != 0;
  });
}

// `data_load 0.02 step 12`: the name of a measured time is no auxiliary loop.
bool names_a_time(const Slot& slot, const SlotName& name) {
  const Quantity q = name.meaning.quantity;
  if (slot.kind == SlotKind::kDuration || q == Quantity::kTime || q == Quantity::kStepTime)
    return true;
  return slot.kind == SlotKind::kDecimal && name.key.find('_') != std::string::npos;
}

bool auxiliary_before(const TemplateSeries& series, const std::vector<SlotName>& names,
                      std::size_t slot) {
  for (std::size_t i = 0; i <= slot; ++i) {
    if (!any_word(series.pieces[i], kWordAux)) continue;
    const bool time =
        i < slot && names_a_time(series.slots[i], names[i]) && any_word(names[i].key, kWordAux);
    if (!time) return true;
  }
  return false;
}

// The word that names the slot; without one, what stands around it.
std::string family_key(const TemplateSeries& series, const std::vector<SlotName>& names,
                       std::size_t slot, bool auxiliary) {
  const std::string& before = series.pieces[slot];
  const std::string& name = names[slot].key;
  std::string key = auxiliary ? "!" : "";
  if (!name.empty() && has_letter(before)) return key + name;
  // `7/Unknown` of a first epoch goes on as `7/15` in the next.
  const std::string& after = series.pieces[slot + 1];
  const std::string place = key + before + "#" + std::to_string(slot);
  return after.starts_with("/Unknown") ? place + "/" : place + after.substr(0, 8) + name;
}

bool unit_fits(const Slot& slot, const SlotName& name, CountedUnit unit) {
  const Quantity q = name.meaning.quantity;
  switch (unit) {
    case CountedUnit::kStep:
      return slot.kind == SlotKind::kInteger;
    case CountedUnit::kSamples:
      return slot.kind == SlotKind::kInteger && q == Quantity::kSamples;
    case CountedUnit::kTokens:
      return slot.kind == SlotKind::kInteger && q == Quantity::kTokens;
    case CountedUnit::kPercent:
      return slot.kind == SlotKind::kPercent || q == Quantity::kPercent;
    case CountedUnit::kEpoch:
      return q == Quantity::kEpoch && slot.kind != SlotKind::kDuration;
  }
  return false;
}

void append_points(const NamedStream& stream, const FamilyMember& member, std::uint32_t index,
                   std::vector<FamilyPoint>& out) {
  const TemplateSeries& series = stream.series->templates[member.series];
  const Slot& slot = series.slots[member.slot];
  for (std::size_t row = 0; row < series.seq.size(); ++row) {
    const double count = slot.constant ? *slot.constant : slot.values[row];
    if (!std::isfinite(count)) continue;
    FamilyPoint point;
    point.seq = series.seq[row];
    point.line = series.line[row];
    point.time_us = series.time_us[row];
    point.count = count;
    point.member = index;
    point.row = static_cast<std::uint32_t>(row);
    point.attempt = static_cast<std::uint32_t>(stream.attempt_of(point.seq));
    out.push_back(point);
  }
}

std::vector<FamilyPoint> merged_points(const NamedStream& stream,
                                       const std::vector<FamilyMember>& members) {
  std::vector<FamilyPoint> points;
  std::size_t size = 0;
  for (const FamilyMember& m : members) size += stream.series->templates[m.series].seq.size();
  points.reserve(size);
  const auto before = [](const FamilyPoint& a, const FamilyPoint& b) { return a.seq < b.seq; };
  // Every member's points are in order: a run, unless they follow those before them.
  std::vector<std::ptrdiff_t> ends;  // of the runs
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto begin = static_cast<std::ptrdiff_t>(points.size());
    append_points(stream, members[i], static_cast<std::uint32_t>(i), points);
    const auto run = points.begin() + begin;
    if (run == points.end()) continue;
    if (!ends.empty() && !before(*run, *(run - 1))) ends.pop_back();
    ends.push_back(static_cast<std::ptrdiff_t>(points.size()));
  }
  // Neighbours are merged until one is left: members may be many.
  while (ends.size() > 1) {
    std::vector<std::ptrdiff_t> merged;
    std::ptrdiff_t begin = 0;
    for (std::size_t i = 0; i < ends.size(); i += 2) {
      const bool pair = i + 1 < ends.size();
      const std::ptrdiff_t end = pair ? ends[i + 1] : ends[i];
      if (pair)
        std::inplace_merge(points.begin() + begin, points.begin() + ends[i], points.begin() + end,
                           before);
      merged.push_back(end);
      begin = end;
    }
    ends = std::move(merged);
  }
  return points;
}

// The most frequent forward move and its share.
void find_increment(std::vector<double>& forward, Motion& motion) {
  if (forward.empty()) return;
  if (!std::is_sorted(forward.begin(), forward.end())) std::sort(forward.begin(), forward.end());
  std::size_t best = 0, run = 0;
  for (std::size_t i = 0; i < forward.size(); ++i) {
    run = i > 0 && forward[i] == forward[i - 1] ? run + 1 : 1;
    if (run <= best) continue;
    best = run;
    motion.increment = forward[i];
  }
  motion.increment_share = static_cast<double>(best) / static_cast<double>(forward.size());
}

// Backward moves that start the count again. With a total behind the slot the top need not be
// printed each time; without one it must be the same every time.
bool is_reset(double from, double to, const Motion& motion, const std::optional<double>& total) {
  if (total) return to * 2 <= *total + 1 && from * 2 >= *total;
  return from == motion.top && to == motion.bottom;
}

bool counts_named_steps(const NamedStream& stream, const Family& family) {
  return std::any_of(family.members.begin(), family.members.end(), [&](const FamilyMember& m) {
    return stream.names[m.series][m.slot].meaning.quantity == Quantity::kStep;
  });
}

// `judged`: what counts nothing is thrown away, so nothing more is found out about it.
Motion analyse(const std::vector<FamilyPoint>& points, const std::optional<double>& total,
               bool named, bool judged) {
  Motion motion;
  if (points.empty()) return motion;
  motion.top = motion.bottom = points[0].count;
  for (const FamilyPoint& p : points) {
    motion.top = std::max(motion.top, p.count);
    motion.bottom = std::min(motion.bottom, p.count);
  }
  std::vector<double> forward;
  forward.reserve(points.size());
  std::size_t in_attempt = 1;
  motion.longest_attempt = 1;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const FamilyPoint &a = points[i - 1], &b = points[i];
    if (a.attempt != b.attempt) {
      in_attempt = 1;
      continue;
    }
    motion.longest_attempt = std::max(motion.longest_attempt, ++in_attempt);
    if (b.count == a.count) {
      ++motion.equal;
      continue;
    }
    ++motion.moves;
    if (b.count > a.count) {
      forward.push_back(b.count - a.count);
    } else {
      ++motion.backs;
      motion.resets += is_reset(a.count, b.count, motion, total) ? 1 : 0;
    }
  }
  motion.forward = forward.size();
  const auto moves = static_cast<double>(motion.moves);
  const std::size_t odd = motion.backs - motion.resets;
  const auto allowed = std::max<std::size_t>(
      moves >= 8 ? 1 : 0, static_cast<std::size_t>(moves * (named ? kBackShareNamed : kBackShare)));
  motion.wraps = motion.resets > 0 && motion.resets * 2 <= motion.moves && odd <= allowed;
  motion.monotone = motion.resets == 0 && motion.backs <= allowed && motion.forward > 0;
  if (motion.counts() || !judged) find_increment(forward, motion);
  return motion;
}

Family make_family(const NamedStream& stream, std::string key, std::vector<FamilyMember> members,
                   bool judged) {
  Family family;
  family.key = std::move(key);
  family.members = std::move(members);
  for (const FamilyMember& m : family.members) {
    const TemplateSeries& series = stream.series->templates[m.series];
    family.records += series.records;
    if (const auto total = total_behind(series, m.slot);
        total && *total >= series.slots[m.slot].max)
      family.total = total;
  }
  family.points = merged_points(stream, family.members);
  family.motion = analyse(family.points, family.total, counts_named_steps(stream, family), judged);
  family.auxiliary = !family.key.empty() && family.key[0] == '!';
  return family;
}

// One line must not make a new epoch: "finished at step 40" stands before `step 1` where the steps
// reached the file late.
bool starts_again_by_one_line(const NamedStream& stream, const Family& all) {
  if (!all.motion.wraps) return false;
  std::vector<FamilyMember> many;
  for (const FamilyMember& m : all.members) {
    if (stream.series->templates[m.series].records > 1) many.push_back(m);
  }
  if (many.empty() || many.size() == all.members.size()) return false;
  return !make_family(stream, all.key, std::move(many), true).motion.wraps;
}

// All members together when their series keeps its order, else the largest of them with those that
// fit it, one after the other. May count nothing.
Family join_members(const NamedStream& stream, const std::string& key,
                    std::vector<FamilyMember> members) {
  Family all = make_family(stream, key, members, true);
  if (members.size() == 1) return all;
  std::stable_sort(members.begin(), members.end(),
                   [&](const FamilyMember& a, const FamilyMember& b) {
                     return stream.series->templates[a.series].records >
                            stream.series->templates[b.series].records;
                   });
  Family best = make_family(stream, key, {members[0]}, true);
  // A counter that starts again each epoch, and one line that speaks of all epochs ("finished after
  // step 40"): joined, its resets would look like a few restarts.
  const bool wraps = best.motion.wraps;
  const auto fits = [&stream, wraps](const Family& f) {
    return f.motion.counts() && f.motion.wraps >= wraps && !starts_again_by_one_line(stream, f);
  };
  if (fits(all)) return all;
  for (std::size_t i = 1; i < members.size(); ++i) {
    std::vector<FamilyMember> more = best.members;
    more.push_back(members[i]);
    Family joined = make_family(stream, key, std::move(more), true);
    if (fits(joined)) best = std::move(joined);
  }
  return best;
}

// `1-100`, `101-200`: from line to line the slot stands where the one behind it ended.
bool opens_range(const TemplateSeries& series, std::size_t slot) {
  if (slot + 1 >= series.slots.size()) return false;
  const Slot &from = series.slots[slot], &to = series.slots[slot + 1];
  const std::string& between = series.pieces[slot + 1];
  if (std::find(std::begin(kRangeMarks), std::end(kRangeMarks), between) == std::end(kRangeMarks))
    return false;
  if (from.kind != SlotKind::kInteger || to.kind != SlotKind::kInteger) return false;
  std::size_t joined = 0, moves = 0;
  const std::size_t rows = std::min(from.values.size(), to.values.size());
  for (std::size_t row = std::max<std::size_t>(series.tail, 1); row < rows; ++row) {
    const double gap = from.values[row] - to.values[row - 1];
    ++moves;
    joined += (gap == 0 || gap == 1) && to.values[row] > from.values[row] ? 1 : 0;
  }
  return moves >= 2 && joined * 10 >= moves * 9;
}

}  // namespace

const char* to_string(CountedUnit unit) {
  switch (unit) {
    case CountedUnit::kStep:
      return "step";
    case CountedUnit::kSamples:
      return "samples";
    case CountedUnit::kTokens:
      return "tokens";
    case CountedUnit::kPercent:
      return "percent";
    case CountedUnit::kEpoch:
      return "epoch";
  }
  return "step";
}

NamedStream::NamedStream(const StreamSeries& stream) : series(&stream) {
  names.reserve(stream.templates.size());
  for (const TemplateSeries& t : stream.templates) {
    std::vector<SlotFacts> facts(t.slots.size());
    for (std::size_t i = 0; i < facts.size(); ++i) {
      facts[i].integral = t.slots[i].kind == SlotKind::kInteger;
      facts[i].varies = !t.slots[i].values.empty();
      facts[i].head = t.slots[i].head;
      facts[i].opens_range = opens_range(t, i);
    }
    names.push_back(name_slots(t.pieces, facts));
  }
}

std::size_t NamedStream::attempt_of(std::uint64_t seq) const {
  const auto& starts = series->attempt_starts;
  return static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), seq) -
                                  starts.begin());
}

std::optional<double> total_behind(const TemplateSeries& series, std::size_t slot) {
  if (slot + 1 >= series.slots.size()) return std::nullopt;
  const std::string& between = series.pieces[slot + 1];
  if (between.empty() || between.size() > kTotalDistance) return std::nullopt;
  const bool divides = between.find('/') != std::string::npos;
  const bool of =
      any_word(between, kWordFiller) && between.find_first_of(",;|=:") == std::string::npos;
  if (!divides && !of) return std::nullopt;
  return series.slots[slot + 1].constant;
}

Family family_of_members(const NamedStream& stream, std::string key,
                         std::vector<FamilyMember> members) {
  return make_family(stream, std::move(key), std::move(members), false);
}

std::vector<Family> find_families(const NamedStream& stream, CountedUnit unit) {
  std::map<std::string, std::vector<FamilyMember>> groups;
  for (std::size_t t = 0; t < stream.series->templates.size(); ++t) {
    const TemplateSeries& series = stream.series->templates[t];
    for (std::size_t s = 0; s < series.slots.size(); ++s) {
      // A number that never changes counts nothing; one seen once may begin or end a family.
      if (series.slots[s].constant && series.records > 1) continue;
      if (!unit_fits(series.slots[s], stream.names[t][s], unit)) continue;
      const bool auxiliary = auxiliary_before(series, stream.names[t], s);
      groups[family_key(series, stream.names[t], s, auxiliary)].push_back({t, s, std::nullopt});
    }
  }
  std::vector<Family> families;
  for (auto& [key, members] : groups) {
    Family family = join_members(stream, key, std::move(members));
    if (family.motion.counts()) families.push_back(std::move(family));
  }
  std::stable_sort(families.begin(), families.end(), [](const Family& a, const Family& b) {
    return a.points.front().seq < b.points.front().seq;
  });
  return families;
}

}  // namespace tfpm
