#include "parsers/detail/collective_text.h"

#include <algorithm>
#include <utility>

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxName = 300;
constexpr std::size_t kMaxListed = 1000;

// What the texts are recognised by.
constexpr std::string_view kInitStart = "Init START", kInitComplete = "Init COMPLETE";
constexpr std::string_view kCall = ": opCount ";
constexpr std::string_view kReadyRanks = "[ready ranks: ", kMissingRanks = "[missing ranks: ";
constexpr std::string_view kBarrier = "Barrier timed out.";
// Headings of lists and their dialects.
constexpr std::pair<std::string_view, std::string_view> kLists[] = {
    {"Missing ranks:", "horovod-missing-list"}, {"Stalled ranks:", "horovod-stalled-list"}};

// The word behind `key`, which ends with a blank; empty when the key is not there.
std::string_view word_behind(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  std::string_view rest = text.substr(at + key.size());
  return eat_token(rest);
}

std::optional<std::string> text_behind(std::string_view text, std::string_view key) {
  const std::string_view word = word_behind(text, key);
  return word.empty() ? std::nullopt : std::optional(clean_utf8(word, kMaxName));
}

// "[\"1\",\"3\"]" with numbers bare.
std::string json_list(const std::vector<std::string>& items) {
  std::string out = "[";
  for (const std::string& item : items) {
    if (out.size() > 1) out += ',';
    const bool number = parse_int(item).has_value();
    out += number ? item : "\"" + item + "\"";
  }
  return out + "]";
}

Value list_value(const std::vector<std::string>& items) {
  return items.empty() ? null_value() : text_value(json_list(items));
}

// "3, 2, 1, 0" of a bracket; "!" behind a rank marks one that will be shut down.
std::vector<std::string> ranks_of(std::string_view list) {
  std::vector<std::string> out;
  for (std::string_view part : split(list, ',')) {
    if (part.ends_with("!")) part.remove_suffix(1);
    if (parse_int(part) && out.size() < kMaxListed) out.emplace_back(part);
  }
  return out;
}

// Lines "RANK: [TENSOR, TENSOR ...]" or "RANK!: [...]" below a heading. A list may be cut: lines of
// another shape end it.
void read_rank_lines(std::string_view below, CollectiveWait& out) {
  for (std::string_view line : split(below, '\n')) {
    std::string_view rest = line;
    const std::string_view rank = eat_digits(rest);
    eat(rest, "!");
    if (rank.empty() || !eat(rest, ": [")) {
      if (line.empty()) continue;
      return;
    }
    if (out.missing.size() < kMaxListed) out.missing.emplace_back(rank);
    if (!out.name) out.name = clean_utf8(rest.substr(0, rest.find_first_of(",]")), kMaxName);
  }
}

// "Stalled ops: NAME [missing ranks: 0, 3], NAME ..." and the older "[ready ranks: 3, 2]".
std::optional<CollectiveWait> parse_inline(std::string_view text) {
  for (const bool ready : {false, true}) {
    const std::string_view key = ready ? kReadyRanks : kMissingRanks;
    const std::size_t at = text.find(key);
    if (at == std::string_view::npos) continue;
    const std::string_view list = text.substr(at + key.size());
    CollectiveWait out;
    out.dialect = ready ? "horovod-ready-inline" : "horovod-missing-inline";
    (ready ? out.ready : out.missing) = ranks_of(list.substr(0, list.find(']')));
    std::string_view name = trim(text.substr(0, at));
    name.remove_prefix(std::min(name.size(), name.find_last_of(" \n,:") + 1));
    if (!name.empty()) out.name = clean_utf8(name, kMaxName);
    return out;
  }
  return std::nullopt;
}

// Task names, one a line, until a line of another shape.
void read_task_lines(std::string_view below, CollectiveWait& out) {
  for (std::string_view line : split(below, '\n')) {
    if (line.empty()) continue;
    if (!line.starts_with("/job:")) return;
    const std::string_view task = line.substr(0, line.find_first_of(" .,;"));
    if (out.missing.size() < kMaxListed) out.missing.push_back(clean_utf8(task, kMaxName));
  }
}

std::optional<CollectiveWait> parse_barrier(std::string_view text) {
  const std::size_t at = text.find(kBarrier);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at);
  CollectiveWait out;
  out.dialect = "barrier";
  std::string_view id = word_behind(text, "Barrier_id: ");
  if (id.empty()) id = word_behind(text, " Id: ");
  while (id.ends_with(".") || id.ends_with(",")) id.remove_suffix(1);
  if (!id.empty()) out.name = clean_utf8(id, kMaxName);
  const std::string_view counts = word_behind(text, "reached the barrier: ");
  const std::size_t slash = counts.find('/');
  if (slash != std::string_view::npos) {
    std::string_view total = counts.substr(slash + 1);
    out.reached = parse_int(counts.substr(0, slash));
    out.expected = parse_int(eat_digits(total));
  }
  const std::size_t names = text.find("imed out task names:");
  if (names != std::string_view::npos) read_task_lines(text.substr(names + 20), out);
  return out;
}

}  // namespace

std::optional<CollectiveMember> parse_collective_member(std::string_view message) {
  const bool start = contains(message, kInitStart);
  const bool complete = contains(message, kInitComplete);
  if (!start && !complete) return std::nullopt;
  CollectiveMember out;
  const auto rank = parse_int(word_behind(message, " rank "));
  const auto nranks = parse_int(word_behind(message, " nranks "));
  if (!rank || !nranks || *rank < 0 || *nranks <= *rank) return std::nullopt;
  out.rank = *rank;
  out.nranks = *nranks;
  out.complete = complete;
  out.comm = text_behind(message, "comm ");
  out.comm_id = text_behind(message, "commId ");
  out.device = parse_int(word_behind(message, "cudaDev "));
  return out;
}

std::optional<CollectiveCall> parse_collective_call(std::string_view message) {
  const std::size_t at = message.find(kCall);
  if (at == std::string_view::npos) return std::nullopt;
  CollectiveCall out;
  std::string_view op = message.substr(0, at);
  op.remove_prefix(std::min(op.size(), op.rfind(' ') + 1));
  const auto count = parse_hex(word_behind(message, kCall));
  const auto comm = text_behind(message, " comm ");
  if (!count || !comm || op.empty()) return std::nullopt;
  out.op = clean_utf8(op, 40);
  out.comm = *comm;
  out.op_count = *count;
  out.elements = parse_int(word_behind(message, " count "));
  out.datatype = parse_int(word_behind(message, " datatype "));
  if (const auto nranks = between(message, "[nranks=", "]")) out.nranks = parse_int(*nranks);
  return out;
}

std::optional<CollectiveWait> parse_collective_wait(std::string_view text) {
  for (const auto& [heading, dialect] : kLists) {
    const std::size_t at = text.find(heading);
    if (at == std::string_view::npos) continue;
    CollectiveWait out;
    out.dialect = dialect;
    read_rank_lines(text.substr(at + heading.size()), out);
    if (!out.missing.empty()) return out;
  }
  if (auto found = parse_inline(text)) return found;
  return parse_barrier(text);
}

std::vector<Field> CollectiveReader::fields(const Place& place) const {
  std::vector<Field> out = {{"line", int_value(place.line)},
                            {"byte_offset", int_value(place.byte_offset)}};
  if (stream_) out.push_back({"stream", Value(*stream_)});
  return out;
}

bool CollectiveReader::may_be_nccl(std::string_view message) {
  return contains(message, kCall) || contains(message, kInitStart) ||
         contains(message, kInitComplete);
}

bool CollectiveReader::may_be_wait(std::string_view text) {
  const auto has = [text](const auto& list) { return contains(text, list.first); };
  return std::any_of(std::begin(kLists), std::end(kLists), has) || contains(text, kReadyRanks) ||
         contains(text, kMissingRanks) || contains(text, kBarrier);
}

void CollectiveReader::add_nccl(std::string_view message, std::uint64_t line,
                                std::uint64_t byte_offset) {
  if (auto call = parse_collective_call(message)) {
    if (last_.size() >= kMaxComms && last_.count(call->comm) == 0) return;
    const std::string comm = call->comm;
    last_.insert_or_assign(comm, std::pair(std::move(*call), Place{line, byte_offset}));
    return;
  }
  const auto member = parse_collective_member(message);
  if (!member || ++members_ > kMaxRows) return;
  std::vector<Field> row = fields({line, byte_offset});
  row.push_back({"comm", optional_value(member->comm)});
  row.push_back({"comm_id", optional_value(member->comm_id)});
  row.push_back({"rank", Value(member->rank)});
  row.push_back({"nranks", Value(member->nranks)});
  row.push_back({"device", optional_value(member->device)});
  row.push_back({"phase", text_value(member->complete ? "complete" : "start")});
  sink_->add("collective_member", std::move(row));
}

void CollectiveReader::add_text(std::string_view text, std::uint64_t line,
                                std::uint64_t byte_offset) {
  if (waits_ >= kMaxRows) return;
  const auto wait = parse_collective_wait(text);
  if (!wait) return;
  ++waits_;
  std::vector<Field> row = fields({line, byte_offset});
  row.push_back({"dialect", text_value(wait->dialect)});
  row.push_back({"name", optional_value(wait->name)});
  row.push_back({"missing", list_value(wait->missing)});
  row.push_back({"ready", list_value(wait->ready)});
  row.push_back({"reached", optional_value(wait->reached)});
  row.push_back({"expected", optional_value(wait->expected)});
  sink_->add("collective_wait", std::move(row));
}

void CollectiveReader::finish() {
  for (const auto& [comm, kept] : last_) {
    const CollectiveCall& call = kept.first;
    std::vector<Field> row = fields(kept.second);
    row.push_back({"comm", text_value(call.comm)});
    row.push_back({"op_count", Value(call.op_count)});
    row.push_back({"op", text_value(call.op)});
    row.push_back({"elements", optional_value(call.elements)});
    row.push_back({"datatype", optional_value(call.datatype)});
    row.push_back({"nranks", optional_value(call.nranks)});
    sink_->add("collective_call", std::move(row));
  }
  last_.clear();
}

}  // namespace tfpm
