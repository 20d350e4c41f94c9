// RunMetadata of a TF1 session, a raw protobuf of any name (formats.md 7.2): ops per device with
// their times, and what the allocators held.
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsers/detail/text.h"
#include "parsers/detail/wire_stream.h"
#include "parsers/profile/profile_file.h"
#include "parsers/profile/space_rows.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxNodes = 500'000;
constexpr std::size_t kMaxName = 200;
constexpr std::size_t kMaxAllocators = 64;

struct Node {
  std::int64_t begin_ns = 0, duration_ns = 0, thread = 0;
  std::int64_t name = 0;
};

struct Pool {
  std::int64_t events = 0, peak = 0, last = 0;
};

// "MatMul" of a label "layer/dense = MatMul(a, b)".
std::string_view op_of_label(std::string_view label) {
  const std::size_t equals = label.find(" = ");
  if (equals == std::string_view::npos) return {};
  label.remove_prefix(equals + 3);
  return label.substr(0, label.find('('));
}

// One DeviceStepStats at a time.
class StepStatsReader {
 public:
  explicit StepStatsReader(ByteStream& in) : stream_(in) {}

  bool read(SpaceRows& rows) {
    WireStream::Step step = WireStream::Step::kField;
    while ((step = stream_.next(WireStream::kNoEnd)) == WireStream::Step::kField) {
      if (stream_.type() != WireType::kBytes) continue;
      const std::uint64_t end = stream_.offset() + stream_.value();
      // cost_graph and graphs are not what was measured
      const bool known =
          stream_.field() == 1 ? read_stats(end, rows) : stream_.skip(stream_.value());
      if (!known) return false;
    }
    return step == WireStream::Step::kEnd;
  }

  std::uint64_t offset() const { return stream_.offset(); }
  std::uint64_t nodes() const { return nodes_; }
  std::optional<std::int64_t> start_us() const { return start_us_; }
  const std::map<std::string, Pool>& pools() const { return pools_; }

 private:
  bool read_stats(std::uint64_t end, SpaceRows& rows) {
    WireStream::Step step = WireStream::Step::kField;
    while ((step = stream_.next(end)) == WireStream::Step::kField) {
      if (stream_.type() != WireType::kBytes) continue;
      const std::uint64_t inner = stream_.offset() + stream_.value();
      const bool ok =
          stream_.field() == 1 ? read_device(inner, rows) : stream_.skip(stream_.value());
      if (!ok) return false;
    }
    return step == WireStream::Step::kEnd;
  }

  bool read_device(std::uint64_t end, SpaceRows& rows) {
    std::string device;
    nodes_of_.clear();
    names_.clear();
    WireStream::Step step = WireStream::Step::kField;
    while ((step = stream_.next(end)) == WireStream::Step::kField) {
      if (stream_.type() != WireType::kBytes) continue;
      if (stream_.value() > WireStream::kWindow || stream_.field() > 2) {
        if (!stream_.skip(stream_.value())) return false;
        continue;
      }
      const std::uint32_t field = stream_.field();
      const auto bytes = stream_.take(static_cast<std::size_t>(stream_.value()));
      if (!bytes) break;
      if (field == 1) device = clean_utf8(*bytes, kMaxName);
      if (field == 2) read_node(*bytes);
    }
    emit(device, rows);
    return step == WireStream::Step::kEnd;
  }

  void read_node(std::string_view message) {
    Node n;
    std::string name, label;
    std::int64_t start_us = 0, start_ns = 0, rel_us = 0, end_us = 0, rel_ns = 0, end_ns = 0;
    WireReader r(message);
    while (r.next()) {
      if (r.is(1, WireType::kBytes)) name = clean_utf8(r.bytes(), kMaxName);
      if (r.is(6, WireType::kBytes)) read_memory(r.bytes());
      if (r.is(8, WireType::kBytes)) label = clean_utf8(op_of_label(r.bytes()), 60);
      if (r.type() != WireType::kVarint) continue;
      const std::int64_t v = r.signed_value();
      if (r.field() == 2) start_us = v;
      if (r.field() == 3) rel_us = v;
      if (r.field() == 4) end_us = v;
      if (r.field() == 10) n.thread = v;
      if (r.field() == 13) start_ns = v;
      if (r.field() == 14) rel_ns = v;
      if (r.field() == 15) end_ns = v;
    }
    ++nodes_;
    constexpr std::int64_t kMost = 4'000'000'000'000'000;  // microseconds; relative ones: far less
    const bool usable = start_us >= 0 && start_us < kMost && rel_us >= 0 && rel_us < kMost / 1000 &&
                        end_us >= rel_us && end_us < kMost / 1000;
    if (!usable || nodes_of_.size() >= kMaxNodes) return;
    const bool fine = start_ns / 1000 == start_us && rel_ns >= 0 && end_ns >= rel_ns &&
                      end_ns / 1000 < kMost / 1000 && start_ns > 0;
    n.begin_ns = fine ? start_ns + rel_ns : (start_us + rel_us) * 1000;
    n.duration_ns = fine ? end_ns - rel_ns : (end_us - rel_us) * 1000;
    if (!start_us_ || start_us < *start_us_) start_us_ = start_us;
    const std::string full = label.empty() ? name : name + ":" + label;
    n.name = names_.emplace(full, static_cast<std::int64_t>(names_.size())).first->second;
    nodes_of_.push_back(n);
  }

  void read_memory(std::string_view message) {
    std::string name;
    std::int64_t peak = 0, live = 0;
    WireReader r(message);
    while (r.next()) {
      if (r.is(1, WireType::kBytes)) name = clean_utf8(r.bytes(), kMaxName);
      if (r.is(3, WireType::kVarint)) peak = r.signed_value();
      if (r.is(5, WireType::kVarint)) live = r.signed_value();
    }
    if (name.empty() || (pools_.size() >= kMaxAllocators && pools_.count(name) == 0)) return;
    Pool& p = pools_[name];
    ++p.events;
    p.peak = std::max({p.peak, peak, live});
    p.last = live;
  }

  // As a plane: lines are threads, times are from the first node.
  void emit(const std::string& device, SpaceRows& rows) {
    if (device.empty() && nodes_of_.empty()) return;
    std::sort(nodes_of_.begin(), nodes_of_.end(), [](const Node& a, const Node& b) {
      if (a.thread != b.thread) return a.thread < b.thread;
      if (a.begin_ns != b.begin_ns) return a.begin_ns < b.begin_ns;
      return a.duration_ns != b.duration_ns ? a.duration_ns > b.duration_ns : a.name < b.name;
    });
    Plane plane;
    const std::size_t at = device.find("/device:");
    const std::string short_name = at == std::string::npos ? device : device.substr(at);
    const bool cpu = contains(short_name, "CPU:") || contains(short_name, "/cpu:");
    plane.name = cpu ? "/host:CPU" : short_name;
    const auto first =
        std::min_element(nodes_of_.begin(), nodes_of_.end(),
                         [](const Node& a, const Node& b) { return a.begin_ns < b.begin_ns; });
    const std::int64_t base = first == nodes_of_.end() ? 0 : first->begin_ns;
    for (std::size_t i = 0; i < nodes_of_.size();) {
      const std::int64_t thread = nodes_of_[i].thread;
      plane.begin_line(0);
      for (; i < nodes_of_.size() && nodes_of_[i].thread == thread; ++i) {
        RawEvent e;
        constexpr std::int64_t kFarNs = 1'700'000'000'000'000;
        e.metadata_id = nodes_of_[i].name;
        e.timed = true;
        e.begin = std::min(nodes_of_[i].begin_ns - base, kFarNs + 1) * 1000;
        e.duration = std::min(nodes_of_[i].duration_ns, kFarNs + 1) * 1000;
        plane.add(e);
      }
      plane.end_line("thread " + std::to_string(thread));
    }
    for (const auto& [name, id] : names_) plane.name_event(id, name);
    rows.add(plane);
  }

  WireStream stream_;
  std::vector<Node> nodes_of_;
  std::map<std::string, std::int64_t> names_;
  std::map<std::string, Pool> pools_;
  std::uint64_t nodes_ = 0;
  std::optional<std::int64_t> start_us_;
};

// StepStats within RunMetadata, its first device by name: nothing else looks like that.
bool looks_like_step_stats(std::string_view head) {
  for (int depth = 0; depth < 2; ++depth) {
    if (head.empty() || head[0] != 0x0a) return false;
    head.remove_prefix(1);
    if (!take_varint(head)) return false;
  }
  WireReader device(head);
  if (!device.next() || !device.is(1, WireType::kBytes)) return false;
  const std::string_view name = device.bytes();
  return name.substr(0, 5) == "/job:" || name.substr(0, 8) == "/device:" ||
         name.substr(0, 5) == "/cpu:" || name.substr(0, 5) == "/gpu:";
}

class StepStatsParser : public Parser {
 public:
  std::string_view name() const override { return "step-stats"; }

  SniffScore sniff(const SniffInput& input) const override {
    return looks_like_step_stats({input.head.data(), input.head.size()}) ? 88 : 0;
  }

  Status parse(const MemberInfo& member, ByteStream& in, Sink& sink) const override {
    StepStatsReader reader(in);
    SpaceRows rows;
    const bool whole = reader.read(rows);
    sink.add("profile",
             {{"kind", text_value("run-metadata")},
              {"owner", optional_value(profile_owner(member.path))},
              {"start_us", optional_value(reader.start_us())},
              {"window_us", optional_value(rows.window_us())},
              {"device", rows.device().empty() ? null_value() : text_value(rows.device())},
              {"lines", int_value(rows.lines())},
              {"events", int_value(reader.nodes())},
              {"unusable", int_value(rows.unusable())}});
    rows.emit(sink);
    for (const auto& [name, p] : reader.pools()) {
      sink.add("profile_memory", {{"allocator", name},
                                  {"events", p.events},
                                  {"peak_bytes", p.peak},
                                  {"last_bytes", p.last}});
    }
    if (!whole) {
      sink.problem({"run-metadata-damaged", ProblemSeverity::kDataLoss, reader.offset(),
                    "the run metadata ends early or holds bytes that are no message; nodes before "
                    "are good"});
    }
    return ok_status();
  }
};

}  // namespace

std::unique_ptr<Parser> make_step_stats_parser() {
  return std::make_unique<StepStatsParser>();
}

}  // namespace tfpm
