// tfdbg v2 dumps: the outputs with NaN or Inf, in order of execution (formats.md 5).
//
// One file of a set is read at a time; which worker was first is the rules' business. Op names of
// traces stand in the trace itself, so the graphs file is not needed to name the op.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "base/text.h"
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

// What a summary tensor says of one output.
struct Health {
  bool bad = false;
  std::optional<std::int64_t> nan, inf;
};

std::int64_t count_of(double v) {
  return v >= 0 && v < 1e15 ? static_cast<std::int64_t>(v) : 0;
}

class Doubles {
 public:
  explicit Doubles(std::string_view content) : content_(content) {}
  std::size_t size() const { return content_.size() / 8; }
  double operator[](std::size_t i) const {
    return std::bit_cast<double>(load_u64le(content_.substr(8 * i)));
  }

 private:
  std::string_view content_;
};

Health counted(const Doubles& d, std::size_t neg_inf, std::size_t pos_inf, std::size_t nan) {
  Health h;
  if (d.size() <= nan) return h;
  h.inf = count_of(d[neg_inf]) + count_of(d[pos_inf]);
  h.nan = count_of(d[nan]);
  h.bad = *h.inf > 0 || *h.nan > 0;
  return h;
}

bool any_not_finite(std::string_view content, std::uint64_t dtype) {
  if (dtype == 1) {
    for (std::size_t i = 0; i + 4 <= content.size(); i += 4) {
      if (!std::isfinite(std::bit_cast<float>(load_u32le(content.substr(i))))) return true;
    }
  }
  if (dtype == 2) {
    const Doubles d(content);
    for (std::size_t i = 0; i < d.size(); ++i) {
      if (!std::isfinite(d[i])) return true;
    }
  }
  return false;
}

// Layouts by TensorDebugMode, formats.md 5.3.
Health health_of(std::string_view tensor, std::uint64_t mode) {
  WireReader r(tensor);
  std::uint64_t dtype = 0;
  std::string_view content;
  while (r.next()) {
    if (r.is(1, WireType::kVarint)) dtype = r.value();
    if (r.is(4, WireType::kBytes)) content = r.bytes();
  }
  const Doubles d(dtype == 2 ? content : std::string_view());
  switch (mode) {
    case 2: {
      Health h;
      h.bad = d.size() > 1 && d[1] != 0;
      return h;
    }
    case 3:
      return counted(d, 2, 3, 4);
    case 4:
      return counted(d, 5, 6, 7);
    case 6:
      return counted(d, 11, 12, 13);
    case 7: {
      Health h;
      h.bad = any_not_finite(content, dtype);
      return h;
    }
    case 8: {
      Health h;
      for (std::size_t i = 0; i < d.size() && i < 3; ++i) h.bad = h.bad || d[i] != 0;
      return h;
    }
    default:
      return {};
  }
}

struct Output {
  std::string_view kind, op, device;
  std::optional<std::int64_t> slot;
  std::uint64_t mode = 0;
};

class DebugFile {
 public:
  DebugFile(std::optional<std::string> owner, Sink& sink) : owner_(std::move(owner)), sink_(sink) {}

  void add(const TfRecord& record) {
    WireReader r(record.data);
    offset_ = record.offset;
    while (r.next()) {
      if (r.is(1, WireType::kFixed64)) wall_ = std::bit_cast<double>(r.value());
      if (r.is(9, WireType::kBytes)) execution(r.bytes());
      if (r.is(10, WireType::kBytes)) trace(r.bytes());
    }
    ++record_;
  }

  bool holds_outputs() const { return outputs_; }

 private:
  void trace(std::string_view message) {
    outputs_ = true;
    Output out;
    out.kind = "trace";
    std::string_view tensor;
    WireReader r(message);
    out.slot = 0;
    while (r.next()) {
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
      if (head.is(6, WireType::kVarint)) out.mode = head.value();
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
    const Health h = health_of(tensor, out.mode);
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
