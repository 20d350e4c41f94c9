#include "align/marker_declared.h"

#include <re2/re2.h>

namespace tfpm {
namespace {

struct Expression {
  std::unique_ptr<re2::RE2> re;
  int step = 0, loss = 0;  // group numbers; 0 = no group of that name
  std::string edge;
};

int group_of(const re2::RE2& re, const std::string& name) {
  const auto& groups = re.NamedCapturingGroups();
  const auto it = groups.find(name);
  return it == groups.end() ? 0 : it->second;
}

// The slot that a group of the match covers.
std::optional<std::size_t> slot_at(const TemplateSeries& series, const re2::StringPiece& group) {
  if (group.data() == nullptr) return std::nullopt;
  const auto begin = static_cast<std::size_t>(group.data() - series.example.data());
  for (std::size_t i = 0; i < series.slots.size(); ++i) {
    const Slot& slot = series.slots[i];
    if (slot.example_begin < begin + group.size() && begin < slot.example_end) return i;
  }
  return std::nullopt;
}

}  // namespace

struct DeclaredMarkers::Impl {
  std::vector<Expression> expressions;
};

DeclaredMarkers::DeclaredMarkers() : impl_(std::make_unique<Impl>()) {}
DeclaredMarkers::DeclaredMarkers(DeclaredMarkers&&) noexcept = default;
DeclaredMarkers::~DeclaredMarkers() = default;

Result<DeclaredMarkers> DeclaredMarkers::compile(const std::vector<DeclaredMarker>& declared) {
  DeclaredMarkers out;
  re2::RE2::Options options;
  options.set_log_errors(false);
  for (const DeclaredMarker& marker : declared) {
    Expression e;
    e.re = std::make_unique<re2::RE2>(marker.re, options);
    e.edge = marker.edge;
    if (!e.re->ok())
      return error(ErrorKind::kRule, "a marker of the manifest is no regular expression",
                   "bundle.json", e.re->error(), "correct `re` of the entry: " + marker.re);
    e.step = group_of(*e.re, "step");
    e.loss = group_of(*e.re, "loss");
    if (e.step == 0)
      return error(ErrorKind::kRule, "a marker of the manifest names no step", "bundle.json",
                   "the expression has no group `step`",
                   "write the number as (?P<step>\\d+) in: " + marker.re);
    out.impl_->expressions.push_back(std::move(e));
  }
  return out;
}

bool DeclaredMarkers::empty() const {
  return impl_->expressions.empty();
}

std::optional<Family> DeclaredMarkers::find(const NamedStream& stream) const {
  std::vector<FamilyMember> members;
  std::string edge;
  for (std::size_t t = 0; t < stream.series->templates.size(); ++t) {
    const TemplateSeries& series = stream.series->templates[t];
    for (const Expression& e : impl_->expressions) {
      std::vector<re2::StringPiece> groups(
          static_cast<std::size_t>(e.re->NumberOfCapturingGroups()) + 1);
      const re2::StringPiece text(series.example);
      if (!e.re->Match(text, 0, text.size(), re2::RE2::UNANCHORED, groups.data(),
                       static_cast<int>(groups.size())))
        continue;
      const auto step = slot_at(series, groups[static_cast<std::size_t>(e.step)]);
      if (!step) continue;
      FamilyMember member{t, *step, std::nullopt};
      if (e.loss != 0) member.loss = slot_at(series, groups[static_cast<std::size_t>(e.loss)]);
      members.push_back(member);
      if (edge.empty()) edge = e.edge;
      break;
    }
  }
  if (members.empty()) return std::nullopt;
  Family family = family_of_members(stream, "declared", std::move(members));
  family.declared = true;
  family.declared_edge = edge;
  if (family.points.empty()) return std::nullopt;
  return family;
}

}  // namespace tfpm
