// What verify-checkpoint prints.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "ingest/checkpoint_verify.h"

namespace tfpm {
namespace {

using Json = nlohmann::ordered_json;

bool is_worker_copy(std::string_view prefix) {
  return prefix.find("workertemp_") != std::string_view::npos;
}

std::string directory_of_prefix(std::string_view prefix) {
  const std::size_t slash = prefix.rfind('/');
  return std::string(slash == std::string_view::npos ? std::string_view()
                                                     : prefix.substr(0, slash));
}

// Later steps are better; of one step the shared directory, then the later name.
auto rank(const CheckpointSummary& item) {
  return std::make_tuple(item.step, !is_worker_copy(item.prefix), item.prefix.size(),
                         std::string_view(item.prefix));
}

std::string size_text(std::uint64_t bytes) {
  constexpr double kStep = 1024;
  constexpr std::string_view kUnits[] = {"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / kStep;
  std::size_t unit = 0;
  while (value >= kStep && unit + 1 < std::size(kUnits)) {
    value /= kStep;
    ++unit;
  }
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string state_text(const CheckpointSummary& item) {
  if (item.usable() && item.integrity == "crc-ok") return "good";
  std::string out(item.completeness == "complete" ? "" : item.completeness);
  for (const std::string_view word : {item.integrity, item.health}) {
    if (word == "unknown" || word == "crc-ok" || word == "finite") continue;
    if (!out.empty()) out += ", ";
    out += word;
  }
  return out.empty() ? "unverified" : out;
}

std::string item_text(const CheckpointSummary& item) {
  std::string out = fmt::format("{:<16} {}", state_text(item), item.prefix);
  if (item.step) out += fmt::format("  step {}", *item.step);
  if (item.tensors > 0) {
    out += fmt::format("  {}/{} tensors verified, {}", item.verified, item.tensors,
                       size_text(item.bytes));
  }
  if (!item.problem.empty()) out += "\n    " + item.problem;
  return out + "\n";
}

Json item_json(const CheckpointSummary& item) {
  return {{"prefix", item.prefix},
          {"step", item.step ? Json(*item.step) : Json()},
          {"completeness", item.completeness},
          {"integrity", item.integrity},
          {"health", item.health},
          {"problem", item.problem.empty() ? Json() : Json(item.problem)}};
}

}  // namespace

std::optional<std::string> last_good_checkpoint(const std::vector<CheckpointSummary>& items) {
  // One bad copy spoils its step for all, as every worker restores its own; of several checkpoints
  // of one step in one directory, one good one is enough.
  std::map<std::pair<std::optional<std::int64_t>, std::string>, bool> usable;
  for (const CheckpointSummary& item : items) {
    bool& any = usable[{item.step, directory_of_prefix(item.prefix)}];
    any = any || item.usable();
  }
  std::map<std::optional<std::int64_t>, bool> everywhere;
  for (const auto& [place, good] : usable) {
    // Checkpoints without a step have nothing to do with each other.
    const bool counts = good || !place.first;
    everywhere.emplace(place.first, true).first->second &= counts;
  }
  const CheckpointSummary* best = nullptr;
  for (const CheckpointSummary& item : items) {
    if (!item.usable() || !everywhere[item.step]) continue;
    if (best == nullptr || rank(item) > rank(*best)) best = &item;
  }
  if (best == nullptr) return {};
  return best->prefix;
}

std::string to_text(const CheckpointVerification& verification) {
  std::string out;
  std::size_t bad = 0;
  for (const CheckpointSummary& item : verification.items) {
    out += item_text(item);
    bad += item.usable() ? 0 : 1;
  }
  out += fmt::format("{} checkpoint{}, {} not usable, {} read", verification.items.size(),
                     verification.items.size() == 1 ? "" : "s", bad,
                     size_text(verification.bytes_read));
  if (verification.items.size() > 1 && verification.last_good) {
    out += "\nlast good: " + *verification.last_good;
  }
  return out;
}

std::string to_json(const CheckpointVerification& verification) {
  Json items = Json::array();
  for (const CheckpointSummary& item : verification.items) items.push_back(item_json(item));
  const Json object = {
      {"last_good", verification.last_good ? Json(*verification.last_good) : Json()},
      {"last_good_before_nan", Json()},
      {"lost_steps", Json()},
      {"avoidable_lost_steps", Json()},
      {"items", std::move(items)}};
  return object.dump(2);
}

}  // namespace tfpm
