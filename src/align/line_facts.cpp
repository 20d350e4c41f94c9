#include "align/line_facts.h"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_map>

#include "store/row_writer.h"

namespace tfpm {
namespace {

using Record = std::pair<int, std::int64_t>;  // stream index, first line

// Iterators run ahead: a line of the task's own this far before the last common marker may still be
// about what came after it.
constexpr std::ptrdiff_t kRunAheadLines = 12;

bool is_any(std::string_view id, std::initializer_list<std::string_view> set) {
  return std::find(set.begin(), set.end(), id) != set.end();
}

// "aborted by", the derived mark and communication errors hand on what happened elsewhere
// (section 4.4).
std::set<Record> handed_on_records(const Model& m) {
  std::set<Record> out;
  for (const EventInfo& e : m.events) {
    if (e.stream < 0) continue;
    if (is_any(e.signature, {"coll-aborted-by", "derived-mark"}) ||
        e.capture("communication") == "1") {
      out.insert({e.stream, e.record_line});
    }
  }
  return out;
}

// Start-up, progress, saves, terminations and errors explain themselves; what the program said of
// itself ("prog-") does not.
bool explains_itself(const EventInfo& e) {
  if (e.kind == "tail") return false;
  if (e.kind == "traceback" || e.kind == "crash") return true;
  if (is_any(e.signature, {"sigterm-caught", "absl-sigterm", "ckpt-saved", "ckpt-save-begin"})) {
    return true;
  }
  const bool programs_words = e.signature.rfind("prog-", 0) == 0;
  return is_any(e.role, {"cascade", "benign", "progress", "lifecycle"}) && !programs_words;
}

// Line of the first marker at or behind the last step that all completed, by stream and generation.
std::map<std::pair<int, std::int64_t>, std::int64_t> last_common_lines(const Model& m) {
  std::map<std::pair<int, std::int64_t>, std::int64_t> out;
  for (const MarkerInfo& k : m.markers) {
    if (!k.generation) continue;
    const OptInt& common = m.generations[static_cast<std::size_t>(*k.generation)].common;
    if (!common || k.step < *common) continue;
    const auto [it, fresh] = out.emplace(std::pair(k.stream, *k.generation), k.line);
    if (!fresh) it->second = std::min(it->second, k.line);
  }
  return out;
}

// Lines of the kept records of each stream, ascending: what a task wrote itself, where a file holds
// the lines of several.
std::unordered_map<int, std::vector<std::int64_t>> own_lines(const Model& m) {
  std::unordered_map<int, std::vector<std::int64_t>> out;
  for (const EventInfo& e : m.events) {
    if (e.kind == "tail") out[e.stream].push_back(e.line);
  }
  for (auto& [stream, lines] : out) std::sort(lines.begin(), lines.end());
  return out;
}

// How many of the ascending lines stand from `first` to before `last`.
std::ptrdiff_t lines_between(const std::vector<std::int64_t>& lines, std::int64_t first,
                             std::int64_t last) {
  return std::lower_bound(lines.begin(), lines.end(), last) -
         std::lower_bound(lines.begin(), lines.end(), first);
}

std::vector<std::int64_t> odd_lines(const Model& m) {
  constexpr int kSeveral = -2;
  std::unordered_map<std::string_view, int> writer_of;  // template -> the one worker that wrote it
  std::set<Record> explained;
  for (const EventInfo& e : m.events) {
    if (explains_itself(e)) explained.insert({e.stream, e.record_line});
    if (e.kind != "tail" || e.worker < 0) continue;
    const auto [it, fresh] = writer_of.emplace(e.capture("template"), e.worker);
    if (!fresh && it->second != e.worker) it->second = kSeveral;
  }
  const auto common = last_common_lines(m);
  const auto own = own_lines(m);
  std::vector<std::int64_t> out;
  for (const EventInfo& e : m.events) {
    if (e.kind != "tail" || e.worker < 0 || !e.has("template")) continue;
    if (!is_any(e.severity, {"none", "info"})) continue;
    if (writer_of[e.capture("template")] == kSeveral) continue;
    if (explained.count({e.stream, e.record_line}) != 0) continue;
    const auto from = common.find({e.stream, e.generation.value_or(0)});
    const bool early = from != common.end() &&
                       lines_between(own.at(e.stream), e.line, from->second) > kRunAheadLines;
    if (early) continue;
    out.push_back(e.id);
  }
  return out;
}

}  // namespace

Status store_line_facts(Database& db, const Model& m) {
  RowWriter rows(db);
  for (const auto& [stream, line] : handed_on_records(m)) {
    const std::int64_t id = m.streams[static_cast<std::size_t>(stream)].id;
    TFPM_RETURN_IF_ERROR(
        rows.write({"handed_on", {{"stream", id}, {"record_line", line}}}).status());
  }
  for (const std::int64_t event : odd_lines(m)) {
    TFPM_RETURN_IF_ERROR(rows.write({"odd_line_event", {{"event_id", event}}}).status());
  }
  return ok_status();
}

}  // namespace tfpm
