// Tasks that suffered from a fault, as nodes of the chain.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "engine/chain_consequences.h"

namespace tfpm {
namespace {

// What victims that share a node have in common; how much, depends on how many there are.
using Way = std::tuple<std::size_t, std::string, bool, OptInt>;
using Group = std::vector<const Cascade*>;

enum Likeness { kOneself, kSameWay, kSameKind, kSameFault, kLikenesses };

Way way_of(const Cascade& c, std::size_t own, Likeness likeness) {
  return {likeness == kOneself ? own : 0, likeness < kSameFault ? c.edge : std::string(),
          likeness < kSameFault && c.at_start, likeness < kSameKind ? c.via : OptInt()};
}

// In order of the first member of each.
std::vector<Group> grouped(const Group& all, Likeness likeness) {
  std::vector<std::pair<Way, Group>> groups;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Way way = way_of(*all[i], i, likeness);
    const auto same =
        std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == way; });
    if (same == groups.end()) {
      groups.push_back({way, {all[i]}});
    } else {
      same->second.push_back(all[i]);
    }
  }
  std::vector<Group> out;
  for (auto& [way, members] : groups) out.push_back(std::move(members));
  return out;
}

std::string name_of(const CaseFile& file, std::int64_t worker) {
  const auto name = file.facts.names.find(worker);
  return name == file.facts.names.end() ? std::string("another task") : name->second;
}

// Whom the members of a group speak of.
std::string origin_words(const CaseFile& file, const Group& group) {
  const OptInt via = group.front()->via;
  const bool same =
      std::all_of(group.begin(), group.end(), [&](const Cascade* c) { return c->via == via; });
  if (!same) return "the origin or to tasks that it had brought down";
  return via ? name_of(file, *via) + ", which had failed already," : "the origin";
}

std::string victim_words(const CaseFile& file, const Group& group) {
  const Cascade& c = *group.front();
  const bool one = group.size() == 1;
  const std::string whose = origin_words(file, group);
  if (c.edge == "rpc") {
    return fmt::format("{} to {} {} closed{}", one ? "its connection" : "their connections", whose,
                       one ? "was" : "were", c.step_lo ? " in the middle of a step" : "");
  }
  if (c.edge == "coordinator" && c.at_start) {
    return fmt::format("{} for {} to connect; no step can begin", one ? "waits" : "wait", whose);
  }
  if (c.edge == "coordinator") {
    return fmt::format("{} told by the coordination service that {} stopped answering",
                       one ? "is" : "are", whose);
  }
  if (c.edge == "explains") return "raised an error that this explains";
  if (c.edge == "abort-text") return fmt::format("the error of {} aborted the collective", whose);
  return fmt::format(
      "{} and ended in a communication error",
      file.facts.synchronous ? "could not complete the collective" : "could not go on");
}

ChainNode node_of(const CaseFile& file, const Group& group) {
  const Cascade& first = *group.front();
  ChainNode n;
  n.worker = first.worker;
  n.edge = first.edge;
  n.step_lo = first.step_lo;
  n.step_hi = first.step_hi;
  n.place = ChainNode::kVictims;
  std::vector<std::string> names;
  for (const Cascade* c : group) {
    names.push_back(c->name);
    // One line of each before second lines of any.
    if (!c->refs.empty()) n.refs.push_back(c->refs.front());
  }
  for (const Cascade* c : group) {
    for (std::size_t i = 1; i < c->refs.size(); ++i) n.refs.push_back(c->refs[i]);
  }
  n.what = victim_words(file, group);
  if (group.size() > 1) n.what = join_names(names) + ": " + n.what;
  return n;
}

}  // namespace

std::vector<ChainNode> victim_nodes(const CaseFile& file, const Hypothesis& cause,
                                    std::size_t most) {
  Group mine;
  for (const Cascade& c : file.cascades) {
    if (&file.hypotheses[c.cause] == &cause) mine.push_back(&c);
  }
  std::vector<Group> groups;
  for (int likeness = kOneself; likeness < kLikenesses; ++likeness) {
    groups = grouped(mine, static_cast<Likeness>(likeness));
    if (groups.size() <= most) break;
  }
  std::vector<ChainNode> out;
  for (const Group& group : groups) out.push_back(node_of(file, group));
  return out;
}

}  // namespace tfpm
