#include "ingest/learned_template.h"

#include <algorithm>
#include <cmath>

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
  return odd <= std::max<std::uint64_t>(2, track.moves / 20) && resets_rarely;
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
      row_(slots.size()),
      example_(record.substr(0, kExampleBytes)),
      example_line_(line) {
  for (const Token& token : slots) places_.emplace_back(token.begin, token.end);
}

bool LearnedTemplate::bare() const {
  return std::all_of(pieces_.begin(), pieces_.end(), [](const std::string& piece) {
    return std::none_of(piece.begin(), piece.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
             (static_cast<unsigned char>(c) & 0x80U) != 0;
    });
  });
}

void LearnedTemplate::add(const PointPlace& place, const std::vector<Token>& slots) {
  const bool first = points_.added() == 0;
  const bool new_attempt = !first && place.attempt != last_attempt_;
  if (first) first_seq_ = place.seq;
  last_seq_ = place.seq;
  last_attempt_ = place.attempt;
  went_back_ = false;
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    track(i, slots[i], new_attempt);
    row_[i] = slots[i].kind == TokenKind::kMissing ? missing_value() : slots[i].value;
    if (const int column = tracks_[i].backs_column; column >= 0)
      row_[static_cast<std::size_t>(column)] = static_cast<double>(tracks_[i].backs);
  }
  points_.add(place.seq, place.line, place.time_us, row_);
  pin_points(place, new_attempt);
  const std::uint64_t n = points_.added();
  if (n == kFirstJudgement || n % kJudgementEvery == 0) judge();
}

void LearnedTemplate::track(std::size_t slot, const Token& token, bool new_attempt) {
  SlotTrack& t = tracks_[slot];
  if (token.kind == TokenKind::kMissing) return;
  t.duration = t.duration || token.kind == TokenKind::kDuration;
  t.percent = t.percent || token.percent;
  t.comma_decimal = t.comma_decimal || token.comma == Comma::kDecimal;
  t.comma_ambiguous = t.comma_ambiguous || token.comma == Comma::kAmbiguous;
  const double value = token.value;
  if (!std::isfinite(value)) return;
  t.integral = t.integral && value == std::floor(value);
  if (!t.finite) {
    t.first = t.last = t.min = t.max = value;
    t.finite = true;
    return;
  }
  t.varies = t.varies || value != t.first;
  track_move(t, value, new_attempt);
}

void LearnedTemplate::track_move(SlotTrack& t, double value, bool new_attempt) {
  const bool back = value < t.last && !new_attempt;
  if (!new_attempt && value != t.last) ++t.moves;
  if (back) {
    ++t.backs;
    const bool reset = t.last >= t.max && value <= t.min;
    t.resets += reset ? 1 : 0;
    went_back_ = went_back_ || (t.integral && !reset);
    if (t.integral && t.backs_column < 0 && may_count(t)) {
      t.backs_column = static_cast<int>(points_.add_column());
      row_.resize(row_.size() + 1);
    }
  }
  t.last = value;
  t.min = std::min(t.min, value);
  t.max = std::max(t.max, value);
}

void LearnedTemplate::pin_points(const PointPlace& place, bool new_attempt) {
  if (new_attempt || (went_back_ && points_.added() > kFirstJudgement)) points_.pin_last(2);
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    if (std::isfinite(row_[i]) || is_missing(row_[i])) continue;
    if (tracks_[i].nonfinite_attempt == place.attempt) continue;
    tracks_[i].nonfinite_attempt = place.attempt;
    points_.pin_last(kBeforeNonFinite + 1);
  }
}

// Dead: no slot counts, and no number is a loss or one that nothing else claims.
void LearnedTemplate::judge() {
  std::vector<SlotFacts> facts(tracks_.size());
  for (std::size_t i = 0; i < facts.size(); ++i) {
    facts[i].integral = tracks_[i].integral;
    facts[i].varies = tracks_[i].varies;
    if (i < heads_.size()) facts[i].head = heads_[i];
  }
  const std::vector<SlotName> names = name_slots(pieces_, facts);
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    const bool claimed = is_claimed(names[i].meaning.quantity);
    if (may_count(tracks_[i]) || (may_measure(tracks_[i]) && !claimed)) return;
  }
  dead_ = true;
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
