#include "ingest/layout.h"

#include "ingest/number.h"

namespace tfpm {
namespace {

LayoutSlot place(std::string_view text, const Skeleton& skeleton, const TokenPlan& plan) {
  LayoutSlot slot;
  slot.token = read_token(text, skeleton, plan);
  slot.fixed = !plan.has_digits;
  slot.plain = plan.plain;
  return slot;
}

}  // namespace

Layout* LayoutCache::find(std::string_view text) {
  if (sets_.empty()) return nullptr;
  for (const std::int16_t way : sets_[masked_hash(text) % kSets].ways) {
    if (way < 0) return nullptr;
    Layout& layout = layouts_[static_cast<std::size_t>(way)];
    if (layout.masked.matches(text)) return &layout;
  }
  return nullptr;
}

Layout& LayoutCache::add(std::string_view text, const Skeleton& skeleton, const Form& form) {
  if (sets_.empty()) sets_.resize(kSets);
  Set& set = sets_[masked_hash(text) % kSets];
  std::int16_t& way = set.ways[set.next];
  set.next = static_cast<std::uint8_t>((set.next + 1) % kWays);
  if (way < 0) {
    way = static_cast<std::int16_t>(layouts_.size());
    layouts_.emplace_back();
  }
  Layout& layout = layouts_[static_cast<std::size_t>(way)];
  layout.masked.assign(text, skeleton.bar);
  layout.id = ++last_id_;
  layout.series = form.series;
  layout.may_be_heads = form.may_be_heads;
  layout.slots.clear();
  layout.stamps.clear();
  for (const TokenPlan& plan : form.slots) layout.slots.push_back(place(text, skeleton, plan));
  for (const TokenPlan& plan : form.stamps) layout.stamps.push_back(place(text, skeleton, plan));
  return layout;
}

void LayoutCache::clear() {
  sets_.clear();
  layouts_.clear();
}

Token read_slot(std::string_view text, const LayoutSlot& slot) {
  Token token = slot.token;
  if (slot.fixed) return token;
  if (slot.plain) {
    token.value = number_value(text.substr(token.begin, token.end - token.begin));
  } else {
    read_value(text, token);
  }
  return token;
}

}  // namespace tfpm
