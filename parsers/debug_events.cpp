// tfdbg v2 dumps: the outputs with NaN or Inf, in order of execution (formats.md 5).
//
// One file of a set is read at a time; which worker was first is the rules' business, and so is the
// way from an op over its stack frame to a line of source, which stand in files of their own.
#include <fmt/format.h>

#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/text.h"
#include "parsers/detail/debug_health.h"
#include "parsers/detail/owner.h"
#include "parsers/detail/tfrecord.h"
#include "parsers/detail/wire.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

constexpr std::int64_t kMaxBad = 16;
constexpr std::uint64_t kCircularBuffer =
    1000;  // default size: only the last records of a long run are there
constexpr std::size_t kMaxName = 300;
constexpr std::size_t kMaxFrames = 200;
constexpr std::int64_t kMaxPlaces = 20'000;  // frames, ops or files of one dump that are kept

struct Output {
  std::string_view kind, op, device, graph;
  std::vector<std::string_view> frames;  // ids, outermost first; of an execution
  std::optional<std::int64_t> slot;
  std::uint64_t mode = 0;
};

// Ids of a CodeLocation's stack frames, outermost first.
std::vector<std::string_view> frames_of(std::string_view location) {
  std::vector<std::string_view> out;
  WireReader r(location);
  while (r.next()) {
    if (r.is(2, WireType::kBytes) && out.size() < kMaxFrames) out.push_back(r.bytes());
  }
  return out;
}

class DebugFile {
 public:
  DebugFile(std::optional<std::string> owner, Sink& sink) : owner_(std::move(owner)), sink_(sink) {}

  void add(const TfRecord& record) {
    WireReader r(record.data);
    offset_ = record.offset;
    while (r.next()) {
      if (r.is(1, WireType::kFixed64)) wall_ = std::bit_cast<double>(r.value());
      if (r.type() != WireType::kBytes) continue;
      switch (r.field()) {
        case 4:
          source_file(r.bytes());
          break;
        case 6:
          stack_frame(r.bytes());
          break;
        case 7:
          graph_op(r.bytes());
          break;
        case 9:
          execution(r.bytes());
          break;
        case 10:
          trace(r.bytes());
          break;
        default:
          break;
      }
    }
    ++record_;
  }

  bool holds_outputs() const { return outputs_; }

 private:
  static Value name_or_null(std::string_view text) {
    return text.empty() ? null_value() : Value(clean_utf8(text, kMaxName));
  }

  // Frames name files by their order in this list.
  void source_file(std::string_view message) {
    std::string_view path;
    WireReader r(message);
    while (r.next()) {
      if (r.is(1, WireType::kBytes)) path = r.bytes();
    }
    if (places_ >= kMaxPlaces) return;
    sink_.add("debug_source", {{"n", places_++}, {"path", name_or_null(path)}});
  }

  void stack_frame(std::string_view message) {
    std::string_view id, function, code;
    std::int64_t file = 0, line = 0;
    WireReader r(message);
    while (r.next()) {
      if (r.is(1, WireType::kBytes)) id = r.bytes();
      if (!r.is(2, WireType::kBytes)) continue;
      WireReader at(r.bytes());
      while (at.next()) {
        if (at.is(1, WireType::kVarint)) file = at.signed_value();
        if (at.is(2, WireType::kVarint)) line = at.signed_value();
        if (at.is(4, WireType::kBytes)) function = at.bytes();
        if (at.is(5, WireType::kBytes)) code = at.bytes();
      }
    }
    if (id.empty() || places_ >= kMaxPlaces) return;
    sink_.add("debug_frame", {{"n", places_++},
                              {"frame", name_or_null(id)},
                              {"file", file},
                              {"line", line},
                              {"function", name_or_null(function)},
                              {"code", name_or_null(code)}});
  }

  void graph_op(std::string_view message) {
    std::string_view type, op, graph;
    std::vector<std::string_view> frames;
    WireReader r(message);
    while (r.next()) {
      if (r.is(1, WireType::kBytes)) type = r.bytes();
      if (r.is(2, WireType::kBytes)) op = r.bytes();
      if (r.is(4, WireType::kBytes)) graph = r.bytes();
      if (r.is(8, WireType::kBytes)) frames = frames_of(r.bytes());
    }
    if (op.empty() || places_ >= kMaxPlaces) return;
    sink_.add("debug_op", {{"n", places_++},
                           {"graph", name_or_null(graph)},
                           {"op", name_or_null(op)},
                           {"type", name_or_null(type)},
                           {"frame", frames.empty() ? null_value() : name_or_null(frames.back())}});
  }

  void trace(std::string_view message) {
    outputs_ = true;
    Output out;
    out.kind = "trace";
    std::string_view tensor;
    WireReader r(message);
    out.slot = 0;
    while (r.next()) {
      if (r.is(1, WireType::kBytes)) out.graph = r.bytes();
      if (r.is(2, WireType::kBytes)) out.op = r.bytes();
      if (r.is(3, WireType::kVarint)) out.slot = r.signed_value();
      if (r.is(4, WireType::kVarint)) out.mode = r.value();
      if (r.is(5, WireType::kBytes)) tensor = r.bytes();
      if (r.is(6, WireType::kBytes)) out.device = r.bytes();
    }
    judge(out, tensor);
  }

  void execution(std::string_view message) {
    outputs_ = true;
    Output out;
    out.kind = "execution";
    WireReader head(message);
    while (head.next()) {
      if (head.is(1, WireType::kBytes)) out.op = head.bytes();
      if (head.is(3, WireType::kBytes)) out.graph = head.bytes();
      if (head.is(6, WireType::kVarint)) out.mode = head.value();
      if (head.is(8, WireType::kBytes)) out.frames = frames_of(head.bytes());
    }
    WireReader r(message);
    std::int64_t slot = 0;
    while (r.next()) {
      if (!r.is(7, WireType::kBytes)) continue;
      out.slot = slot++;
      judge(out, r.bytes());
    }
  }

  void judge(const Output& out, std::string_view tensor) {
    const TensorHealth h = tensor_health(tensor, out.mode);
    if (!h.bad || bad_ >= kMaxBad) return;
    const auto optional = [](const std::optional<std::int64_t>& v) {
      return v ? Value(*v) : null_value();
    };
    const auto name = [](std::string_view s) { return clean_utf8(s, kMaxName); };
    sink_.add("debug_bad_tensor",
              {{"byte_offset", int_value(offset_)},
               {"owner", owner_ ? Value(*owner_) : null_value()},
               {"kind", text_value(out.kind)},
               {"n", bad_++},
               {"record", record_},
               {"op", name(out.op)},
               {"slot", optional(out.slot)},
               {"graph", out.graph.empty() ? null_value() : Value(name(out.graph))},
               {"frame", out.frames.empty() ? null_value() : Value(name(out.frames.back()))},
               {"device", out.device.empty() ? null_value() : Value(name(out.device))},
               {"mode", int_value(out.mode)},
               {"nan", optional(h.nan)},
               {"inf", optional(h.inf)},
               {"wall_us", wall_ > 0 && wall_ < 1e11 ? Value(static_cast<std::int64_t>(wall_ * 1e6))
                                                     : null_value()}});
  }

  std::optional<std::string> owner_;
  Sink& sink_;
  std::uint64_t offset_ = 0;
  double wall_ = 0;
  std::int64_t record_ = 0;
  std::int64_t bad_ = 0;
  std::int64_t places_ = 0;
  bool outputs_ = false;
};

class DebugEventsParser : public Parser {
 public:
  std::string_view name() const override { return "debug-events"; }

  SniffScore sniff(const SniffInput& input) const override {
    const std::string_view head(input.head.data(), input.head.size());
    const bool named = input.path.find("tfdbg_events.") != std::string_view::npos;
    const bool versioned = head.substr(0, 300).find("debug.Event:") != std::string_view::npos;
    if (TfRecordReader::looks_like(head)) return versioned ? 96 : named ? 90 : 0;
    return named ? 70 : 0;
  }

  Status parse(const MemberInfo& member, ByteStream& in, Sink& sink) const override {
    TfRecordReader reader(in);
    DebugFile file(owner_from_path(member.path), sink);
    TfRecord record;
    while (reader.next(record)) file.add(record);
    reader.report(sink, "tfdbg");
    const bool buffered = member.path.find(".execution") != std::string::npos ||
                          member.path.find(".graph_execution_traces") != std::string::npos;
    if (buffered && reader.records() == 0) {
      sink.problem({"tfdbg-buffer-lost", ProblemSeverity::kNotice, std::nullopt,
                    "no record: the process was killed before it wrote its buffer; run again with "
                    "circular_buffer_size <= 0 to keep everything"});
    } else if (file.holds_outputs() && reader.records() % kCircularBuffer == 0) {
      sink.problem(
          {"tfdbg-buffer-wrapped", ProblemSeverity::kNotice, std::nullopt,
           fmt::format("exactly {} records: the default buffer keeps the last 1000, so the "
                       "first bad output here need not be the first of the run",
                       reader.records())});
    }
    return ok_status();
  }
};

}  // namespace

std::unique_ptr<Parser> make_debug_events_parser() {
  return std::make_unique<DebugEventsParser>();
}

}  // namespace tfpm
