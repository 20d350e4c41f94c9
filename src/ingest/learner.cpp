#include "ingest/learner.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/log_words.h"
#include "ingest/form.h"
#include "ingest/layout.h"
#include "ingest/learned_template.h"
#include "ingest/skeleton.h"
#include "ingest/slots.h"
#include "ingest/table_heads.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxForms = 8192;    // remembered forms of line; then all are forgotten
constexpr std::size_t kHeadsLookBack = 3;  // how many lines of words above a row are tried
constexpr std::size_t kMaxSlots = 40;      // a record with more numbers is no marker
constexpr std::int32_t kNothing = -1;

// Texts around the slots joined by their marks; also the key of a template.
std::string joined(const std::vector<std::string>& pieces, const std::vector<Token>& slots) {
  std::string key = pieces[0];
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const bool duration = slots[i].kind == TokenKind::kDuration;
    if (!key.empty()) key += ' ';
    key += duration ? '@' : '#';
    if (!pieces[i + 1].empty()) key += ' ';
    key += pieces[i + 1];
  }
  return key;
}

// A form seen once counts nothing alone, but may belong to others or anchor them.
bool worth_keeping(const LearnedTemplate& candidate) {
  constexpr std::uint32_t kAnchors = kWordStep | kWordLoss | kWordEpoch | kWordSave | kWordRestore;
  return candidate.records() > 1 || any_word(candidate.key(), kAnchors);
}

}  // namespace

struct SeriesLearner::Impl {
  LayoutCache layouts;
  std::unordered_map<std::uint64_t, Form> forms;
  std::unordered_map<std::string, std::int32_t> by_key;
  std::vector<std::unique_ptr<LearnedTemplate>> templates;  // null = evicted
  std::vector<std::int32_t> free;                           // places of evicted ones
  std::vector<std::uint64_t> attempt_starts;
  std::array<std::string, kHeadsLookBack> plain_lines;  // last lines without numbers, newest first
  // Work space.
  Skeleton skeleton;
  std::vector<Token> tokens, slots;

  Form& learn_form(std::string_view text, std::uint64_t line);
  std::int32_t template_of(std::string_view text, std::uint64_t line);
  void find_heads(LearnedTemplate& made) const;
  void note_plain_line(std::string_view text);
  std::int32_t place(std::unique_ptr<LearnedTemplate> made);
  void evict_single_records();
  Layout* layout_of(const LearnerRecord& record);
  Layout* find_layout(const LearnerRecord& record);
  void add_to(LearnedTemplate& target, const Layout& layout, const LearnerRecord& record);
};

// A form of line seen for the first time: the exact reading.
Form& SeriesLearner::Impl::learn_form(std::string_view text, std::uint64_t line) {
  Form form;
  find_tokens(text, tokens);
  slots.clear();
  for (const Token& token : tokens)
    if (token.is_slot()) slots.push_back(token);
  if (slots.empty()) {
    form.may_be_heads = !split_heads(text).empty();
  } else if (slots.size() <= kMaxSlots) {
    bind_tokens(text, skeleton, tokens, form);
    form.series = template_of(text, line);
  }
  if (forms.size() >= kMaxForms) forms.clear();
  return forms.insert_or_assign(skeleton.hash, std::move(form)).first->second;
}

std::int32_t SeriesLearner::Impl::template_of(std::string_view text, std::uint64_t line) {
  std::vector<std::string> pieces = template_pieces(text, tokens);
  std::string key = joined(pieces, slots);
  if (const auto it = by_key.find(key); it != by_key.end()) {
    const LearnedTemplate* known = templates[static_cast<std::size_t>(it->second)].get();
    return known != nullptr && known->dead() ? kNothing : it->second;
  }
  if (templates.size() >= kMaxTemplates && free.empty()) evict_single_records();
  if (templates.size() >= kMaxTemplates && free.empty()) return kNothing;
  auto made = std::make_unique<LearnedTemplate>(key, std::move(pieces), text, line, slots);
  if (made->bare()) find_heads(*made);
  const std::int32_t index = place(std::move(made));
  by_key.emplace(std::move(key), index);
  return index;
}

std::int32_t SeriesLearner::Impl::place(std::unique_ptr<LearnedTemplate> made) {
  if (free.empty()) {
    templates.push_back(std::move(made));
    return static_cast<std::int32_t>(templates.size() - 1);
  }
  const std::int32_t index = free.back();
  free.pop_back();
  templates[static_cast<std::size_t>(index)] = std::move(made);
  return index;
}

// Rows of bare numbers are named by the nearest line of as many words above them.
void SeriesLearner::Impl::find_heads(LearnedTemplate& made) const {
  for (const std::string& line : plain_lines) {
    std::vector<std::string> heads = split_heads(line);
    if (heads.empty() || heads.size() != made.slot_count()) continue;
    made.set_heads(std::move(heads));
    return;
  }
}

void SeriesLearner::Impl::note_plain_line(std::string_view text) {
  if (text == plain_lines[0]) return;
  std::rotate(plain_lines.begin(), plain_lines.end() - 1, plain_lines.end());
  plain_lines[0].assign(text);
}

// Too many templates: those seen once go first. Their forms are forgotten with them.
void SeriesLearner::Impl::evict_single_records() {
  for (auto& entry : templates) {
    if (entry == nullptr || entry->records() > 1) continue;
    by_key.erase(entry->key());
    free.push_back(static_cast<std::int32_t>(&entry - templates.data()));
    entry.reset();
  }
  forms.clear();
  layouts.clear();
}

// How the record is laid out; null for one that is no marker.
Layout* SeriesLearner::Impl::layout_of(const LearnerRecord& record) {
  if (record.memo == nullptr) return find_layout(record);
  RecordMemo::LayoutRef& known = record.memo->layout;
  if (known.learner == this) {
    if (Layout* layout = layouts.at(known.index, known.id); layout != nullptr) return layout;
  }
  Layout* layout = find_layout(record);
  known = {};
  if (layout != nullptr) known = {this, layouts.index_of(*layout), layout->id};
  return layout;
}

Layout* SeriesLearner::Impl::find_layout(const LearnerRecord& record) {
  if (Layout* known = layouts.find(record.text); known != nullptr) return known;
  if (!make_skeleton(record.text, skeleton)) return nullptr;
  const auto it = forms.find(skeleton.hash);
  const Form& form = it != forms.end() ? it->second : learn_form(record.text, record.line);
  return &layouts.add(record.text, skeleton, form);
}

void SeriesLearner::Impl::add_to(LearnedTemplate& target, const Layout& layout,
                                 const LearnerRecord& record) {
  PointPlace place{record.seq, record.line, kNoTime,
                   static_cast<std::uint32_t>(attempt_starts.size())};
  if (record.time_us) {
    place.time_us = *record.time_us;
  } else if (!layout.stamps.empty()) {
    const double seconds = read_slot(record.text, layout.stamps[0]).value;
    place.time_us = static_cast<std::int64_t>(seconds * 1e6);
  }
  target.add(place, record.text, layout);
}

SeriesLearner::SeriesLearner() : impl_(std::make_unique<Impl>()) {}
SeriesLearner::~SeriesLearner() = default;
SeriesLearner::SeriesLearner(SeriesLearner&&) noexcept = default;
SeriesLearner& SeriesLearner::operator=(SeriesLearner&&) noexcept = default;

void SeriesLearner::add(const LearnerRecord& record) {
  Impl& impl = *impl_;
  if (record.cpp_source) return;
  Layout* layout = impl.layout_of(record);
  if (layout == nullptr) return;
  if (layout->series == kNothing) {
    if (layout->may_be_heads) impl.note_plain_line(record.text);
    return;
  }
  LearnedTemplate& target = *impl.templates[static_cast<std::size_t>(layout->series)];
  if (!target.dead()) impl.add_to(target, *layout, record);
  if (target.dead()) layout->series = kNothing;
}

void SeriesLearner::start_attempt(std::uint64_t seq) {
  impl_->attempt_starts.push_back(seq);
}

StreamSeries SeriesLearner::take() {
  StreamSeries out;
  out.attempt_starts = std::move(impl_->attempt_starts);
  for (auto& entry : impl_->templates) {
    if (entry == nullptr || entry->dead() || !worth_keeping(*entry)) continue;
    out.templates.push_back(entry->take());
  }
  *impl_ = Impl();
  std::stable_sort(
      out.templates.begin(), out.templates.end(),
      [](const TemplateSeries& a, const TemplateSeries& b) { return a.first_seq < b.first_seq; });
  return out;
}

}  // namespace tfpm
