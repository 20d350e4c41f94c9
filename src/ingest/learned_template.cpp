#include "ingest/learned_template.h"

#include <algorithm>
#include <cmath>

#include "ingest/number.h"

namespace tfpm {
namespace {

constexpr std::size_t kExampleBytes = 1000;
constexpr std::size_t kBeforeNonFinite = 200;
// After so many records a template must have shown what it is; looked at again now and then.
constexpr std::uint64_t kFirstJudgement = 50;
constexpr std::uint64_t kJudgementEvery = 2000;

// A slot may still count steps: it goes forward, and back only rarely or from top to bottom.
bool may_count(const SlotTrack& track) {
  if (!track.integral || track.duration || track.moves == 0 || !track.varies) return false;
  const std::uint64_t odd = track.backs - track.resets;
  const bool resets_rarely = track.resets * 2 <= track.moves;
  return odd <= std::max<std::uint64_t>(2, track.moves / 10) && resets_rarely;
}

bool may_measure(const SlotTrack& track) {
  const bool decimal = !track.integral || track.nonfinite_attempt != ~0U;
  return decimal && !track.duration && (track.varies || track.nonfinite_attempt != ~0U);
}

bool is_claimed(Quantity quantity) {
  return quantity == Quantity::kOther || quantity == Quantity::kTime || quantity == Quantity::kRate;
}

double undo_thousands(double value) {
  return value / 1000.0;
}

}  // namespace

LearnedTemplate::LearnedTemplate(std::string key, std::vector<std::string> pieces,
                                 std::string_view record, std::uint64_t line,
                                 const std::vector<Token>& slots)
    : key_(std::move(key)),
      pieces_(std::move(pieces)),
      tracks_(slots.size()),
      points_(slots.size()),
      values_(slots.size(), missing_value()),
      example_(record.substr(0, kExampleBytes)),
      example_line_(line) {
  for (std::size_t i = 0; i < slots.size(); ++i) {
    places_.emplace_back(slots[i].begin, slots[i].end);
    active_.push_back(static_cast<std::uint16_t>(i));
    tracks_[i].percent = slots[i].percent;
  }
}

bool LearnedTemplate::bare() const {
  return std::all_of(pieces_.begin(), pieces_.end(), [](const std::string& piece) {
    return std::none_of(piece.begin(), piece.end(),
                        [](char c) { return is_alpha(c) || is_high(c); });
  });
}

void LearnedTemplate::add(const PointPlace& place, std::string_view text, const Layout& layout) {
  const bool first = points_.added() == 0;
  const bool new_attempt = !first && place.attempt != last_attempt_;
  if (first) first_seq_ = place.seq;
  last_seq_ = place.seq;
  last_attempt_ = place.attempt;
  went_back_ = false;
  bool nonfinite = false;
  for (const std::size_t i : active_) {
    const LayoutSlot& s = layout.slots[i];
    values_[i] = s.plain ? number_value(text.substr(s.token.begin, s.token.end - s.token.begin))
                         : read_odd(i, text, s);
    nonfinite = nonfinite || !std::isfinite(values_[i]);
  }
  double* row = points_.add(place.seq, place.line, place.time_us);
  std::copy(values_.begin(), values_.end(), row);  // columns of backs are filled below
  // Tracking may widen the rows: `row` is not valid behind it.
  for (const std::size_t i : active_) {
    const bool same = tracks_[i].finite && values_[i] == tracks_[i].last;
    if (!same && std::isfinite(values_[i])) track(i, values_[i], new_attempt);
  }
  if (points_.columns() > tracks_.size()) fill_backs();
  if (nonfinite || new_attempt || went_back_) pin_points(place, new_attempt);
  const std::uint64_t n = points_.added();
  if (n == kFirstJudgement || n % kJudgementEvery == 0) judge();
}

// Anything but plain digits: the value, and what its form says of the slot.
double LearnedTemplate::read_odd(std::size_t slot, std::string_view text, const LayoutSlot& place) {
  const Token token = read_slot(text, place);
  SlotTrack& t = tracks_[slot];
  if (token.kind == TokenKind::kMissing) return missing_value();
  t.duration = t.duration || token.kind == TokenKind::kDuration;
  t.comma_decimal = t.comma_decimal || token.comma == Comma::kDecimal;
  t.comma_ambiguous = t.comma_ambiguous || token.comma == Comma::kAmbiguous;
  return token.value;
}

void LearnedTemplate::fill_backs() {
  double* row = points_.last();
  for (const SlotTrack& t : tracks_)
    if (t.backs_column >= 0) row[t.backs_column] = static_cast<double>(t.backs);
}

void LearnedTemplate::track(std::size_t slot, double value, bool new_attempt) {
  SlotTrack& t = tracks_[slot];
  t.integral = t.integral && value == std::floor(value);
  if (!t.finite) {
    t.first = t.last = t.min = t.max = value;
    t.finite = true;
    return;
  }
  t.varies = true;
  if (!new_attempt) {
    ++t.moves;
    if (value < t.last) track_back(t, value);
  }
  t.last = value;
  if (value < t.min) {
    t.min = value;
    points_.pin_extreme(2 * slot);
  }
  if (value > t.max) {
    t.max = value;
    points_.pin_extreme(2 * slot + 1);
  }
}

void LearnedTemplate::track_back(SlotTrack& t, double value) {
  ++t.backs;
  const bool reset = t.last >= t.max && value <= t.min;
  t.resets += reset ? 1 : 0;
  if (!t.integral) return;
  went_back_ = went_back_ || !reset;
  if (t.backs_column < 0 && may_count(t)) t.backs_column = static_cast<int>(points_.add_column());
}

void LearnedTemplate::pin_points(const PointPlace& place, bool new_attempt) {
  if (new_attempt || (went_back_ && points_.added() > kFirstJudgement)) points_.pin_last(2);
  for (const std::size_t i : active_) {
    if (!is_nonfinite(values_[i]) || tracks_[i].nonfinite_attempt == place.attempt) continue;
    tracks_[i].nonfinite_attempt = place.attempt;
    points_.pin_last(kBeforeNonFinite + 1);
  }
}

std::vector<SlotName> LearnedTemplate::names() const {
  std::vector<SlotFacts> facts(tracks_.size());
  for (std::size_t i = 0; i < facts.size(); ++i) {
    facts[i].integral = tracks_[i].integral;
    facts[i].varies = tracks_[i].varies;
    if (i < heads_.size()) facts[i].head = heads_[i];
  }
  return name_slots(pieces_, facts);
}

// Dead: no slot counts, and no number is a loss or one that nothing else claims. In what lives,
// numbers of other quantities are read no longer once enough of them were seen.
void LearnedTemplate::judge() {
  const std::vector<SlotName> named = names();
  bool alive = false;
  std::vector<std::size_t> released;
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    const SlotTrack& t = tracks_[i];
    const bool claimed = is_claimed(named[i].meaning.quantity);
    alive = alive || may_count(t) || (may_measure(t) && !claimed);
    if (claimed && points_.added() >= kKeepTail) released.push_back(i);
  }
  dead_ = !alive;
  for (const std::size_t i : released) values_[i] = missing_value();
  std::erase_if(active_, [&](std::uint16_t i) {
    return std::find(released.begin(), released.end(), i) != released.end();
  });
}

Slot LearnedTemplate::make_slot(std::size_t index,
                                std::vector<std::vector<double>>& columns) const {
  const SlotTrack& t = tracks_[index];
  Slot slot;
  slot.min = t.min;
  slot.max = t.max;
  slot.example_begin = places_[index].first;
  slot.example_end = places_[index].second;
  if (index < heads_.size()) slot.head = heads_[index];
  bool integral = t.integral;
  std::vector<double>& values = columns[index];
  if (t.comma_decimal && t.comma_ambiguous) {
    // One value of the slot had a decimal comma, so those that looked like thousands have one too.
    for (double& value : values)
      if (std::isfinite(value) && std::abs(value) >= 1000 && value == std::floor(value))
        value = undo_thousands(value);
    integral = false;
  }
  slot.kind = t.duration  ? SlotKind::kDuration
              : t.percent ? SlotKind::kPercent
              : integral  ? SlotKind::kInteger
                          : SlotKind::kDecimal;
  const bool same = t.nonfinite_attempt == ~0U && t.finite && !t.varies &&
                    std::none_of(values.begin(), values.end(), is_missing);
  if (same) {
    slot.constant = t.first;
  } else {
    slot.values = std::move(values);
    slot.values.shrink_to_fit();
  }
  if (t.backs_column >= 0 && may_count(t))
    slot.backs = std::move(columns[static_cast<std::size_t>(t.backs_column)]);
  return slot;
}

TemplateSeries LearnedTemplate::take() {
  TemplateSeries out;
  out.records = points_.added();
  out.first_seq = first_seq_;
  out.last_seq = last_seq_;
  out.example_line = example_line_;
  out.example = std::move(example_);
  std::vector<std::vector<double>> columns;
  points_.move_to(out, columns);
  for (std::size_t i = 0; i < tracks_.size(); ++i) out.slots.push_back(make_slot(i, columns));
  out.pieces = std::move(pieces_);
  out.text = std::move(key_);
  return out;
}

}  // namespace tfpm
