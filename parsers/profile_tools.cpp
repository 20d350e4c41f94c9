// Tables that the profiler's tools wrote beside or instead of the trace: overview_page.pb,
// input_pipeline.pb, kernel_stats.pb, tensorflow_stats.pb (formats.md 6.8). TensorFlow 2.11 and
// later write none of them: a folder with only *.xplane.pb is complete.
#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsers/detail/text.h"
#include "parsers/detail/wire_stream.h"
#include "parsers/profile/event_class.h"
#include "parsers/profile/profile_file.h"

namespace tfpm {
namespace {

constexpr std::size_t kTopOps = 40;
constexpr std::size_t kMaxOps = 100'000;
constexpr std::size_t kMaxSteps = 5000;
constexpr std::size_t kMaxName = 300;
constexpr std::size_t kMaxNote = 500;

struct ToolFile {
  std::string_view ending, kind;
};
constexpr ToolFile kFiles[] = {{".overview_page.pb", "overview"},
                               {".input_pipeline.pb", "input-pipeline"},
                               {".kernel_stats.pb", "kernel-stats"},
                               {".tensorflow_stats.pb", "tensorflow-stats"}};

std::string_view kind_of(std::string_view path) {
  for (const ToolFile& f : kFiles) {
    if (path.ends_with(f.ending)) return f.kind;
  }
  return {};
}

// Times of tools are doubles in their own unit; nothing outside [0, a year] is taken for one.
std::int64_t micros(double value, double unit_us) {
  constexpr double kYearUs = 3.2e13;
  const double us = value * unit_us;
  return std::isfinite(us) && us > 0 && us < kYearUs ? static_cast<std::int64_t>(us) : 0;
}

double as_double(const WireReader& r) {
  return std::bit_cast<double>(r.value());
}

// PerGenericStepDetails, milliseconds.
struct Step {
  std::int64_t number = 0;
  double total = 0, unknown = 0, output = 0, compute = 0, device_copy = 0, host = 0, prepare = 0,
         compile = 0, input = 0, copy_in = 0, collective = 0;
};

Step read_step(std::string_view message) {
  Step s;
  WireReader r(message);
  while (r.next()) {
    if (r.is(1, WireType::kVarint)) s.number = r.signed_value();
    if (r.type() != WireType::kFixed64) continue;
    const double v = as_double(r);
    switch (r.field()) {
      case 2:
        s.total = v;
        break;
      case 3:
        s.unknown = v;
        break;
      case 5:
        s.output = v;
        break;
      case 6:
        s.compute = v;
        break;
      case 7:
        s.device_copy = v;
        break;
      case 8:
        s.host = v;
        break;
      case 9:
        s.prepare = v;
        break;
      case 10:
        s.compile = v;
        break;
      case 11:
        s.input = v;
        break;
      case 12:
        s.copy_in = v;
        break;
      case 13:
        s.collective = v;
        break;
      default:
        break;
    }
  }
  return s;
}

struct Op {
  std::string plane, name, type;
  std::int64_t count = 0, total_us = 0;
  std::optional<std::int64_t> self_us, max_us;
};

Op read_tensorflow_op(std::string_view message) {
  Op op;
  WireReader r(message);
  while (r.next()) {
    if (r.is(2, WireType::kBytes)) op.plane = clean_utf8(r.bytes(), kMaxName);
    if (r.is(3, WireType::kBytes)) op.type = clean_utf8(r.bytes(), kMaxName);
    if (r.is(4, WireType::kBytes)) op.name = clean_utf8(r.bytes(), kMaxName);
    if (r.is(5, WireType::kVarint)) op.count = r.signed_value();
    if (r.is(6, WireType::kFixed64)) op.total_us = micros(as_double(r), 1);
    if (r.is(8, WireType::kFixed64)) op.self_us = micros(as_double(r), 1);
  }
  return op;
}

Op read_kernel(std::string_view message) {
  Op op;
  op.plane = "Device";
  WireReader r(message);
  while (r.next()) {
    const auto nanos = static_cast<double>(r.value());
    if (r.is(1, WireType::kBytes)) op.name = clean_utf8(r.bytes(), kMaxName);
    if (r.is(7, WireType::kVarint)) op.total_us = micros(nanos, 1e-3);
    if (r.is(9, WireType::kVarint)) op.max_us = micros(nanos, 1e-3);
    if (r.is(13, WireType::kVarint)) op.count = r.signed_value();
  }
  return op;
}

// The text without its HTML tags.
std::string plain(std::string_view html) {
  std::string out;
  bool tag = false;
  for (const char c : html) {
    if (c == '<') tag = true;
    if (!tag) out += c;
    if (c == '>') tag = false;
  }
  return clean_utf8(out, kMaxNote);
}

class ToolReader {
 public:
  ToolReader(std::string_view kind, ByteStream& in) : kind_(kind), stream_(in) {}

  // False when the file ends inside a message or is none.
  bool read() { return read_message(WireStream::kNoEnd, 0); }

  void emit(const std::string& path, Sink& sink) const {
    sink.add("profile", {{"kind", text_value(kind_)},
                         {"owner", optional_value(profile_owner(path))},
                         {"host", optional_value(profile_host(path))},
                         {"device", device_.empty() ? null_value() : Value(device_)},
                         {"note", note_.empty() ? null_value() : Value(note_)}});
    std::int64_t n = 0;
    for (const Step& s : steps_) emit_step(s, n++, sink);
    emit_ops(sink);
  }

  std::uint64_t offset() const { return stream_.offset(); }
  const Status& status() const { return stream_.status(); }

 private:
  // What a message at some depth of the file is; `inner` = one to go into.
  enum class What { kSkip, kEnter, kStep, kOp, kKernel, kDevice, kNote };

  What what(int depth) const {
    const std::uint32_t f = stream_.field();
    if (kind_ == "kernel-stats") return depth == 0 && f == 1 ? What::kKernel : What::kSkip;
    if (kind_ == "tensorflow-stats") {
      // With idle time first; the second table repeats the ops without it.
      if (depth == 0 && f == 4) return What::kEnter;
      if (depth == 0 && f == 6) return What::kDevice;
      return depth == 1 && f == 1 ? What::kOp : What::kSkip;
    }
    const bool overview = kind_ == "overview";
    if (overview && depth == 0 && (f == 2 || f == 4 || f == 6)) {
      section_ = f;
      return What::kEnter;
    }
    if (overview && depth == 1 && section_ == 4) return f == 2 ? What::kNote : What::kSkip;
    if (overview && depth == 1 && section_ == 6) return f == 4 ? What::kDevice : What::kSkip;
    const bool analysis = overview ? depth == 1 && section_ == 2 : depth == 0;
    return analysis && f == 4 ? What::kStep : What::kSkip;
  }

  bool read_message(std::uint64_t end, int depth) {
    WireStream::Step step = WireStream::Step::kField;
    while ((step = stream_.next(end)) == WireStream::Step::kField) {
      if (stream_.type() != WireType::kBytes) continue;
      const What w = what(depth);
      if (w == What::kEnter) {
        if (!read_message(stream_.offset() + stream_.value(), depth + 1)) return false;
        continue;
      }
      if (w == What::kSkip || stream_.value() > WireStream::kWindow) {
        if (!stream_.skip(stream_.value())) return false;
        continue;
      }
      const auto bytes = stream_.take(static_cast<std::size_t>(stream_.value()));
      if (!bytes) return false;
      use(w, *bytes);
    }
    return step == WireStream::Step::kEnd;
  }

  void use(What w, std::string_view bytes) {
    if (w == What::kDevice) device_ = clean_utf8(bytes, 40);
    if (w == What::kNote) note_ = plain(bytes);
    if (w == What::kStep && steps_.size() < kMaxSteps) {
      WireReader any(bytes);
      while (any.next()) {
        if (any.is(2, WireType::kBytes)) steps_.push_back(read_step(any.bytes()));
      }
    }
    const bool op = w == What::kOp || w == What::kKernel;
    if (op && ops_.size() < kMaxOps) {
      ops_.push_back(w == What::kOp ? read_tensorflow_op(bytes) : read_kernel(bytes));
    }
    if (ops_.size() >= 2 * kTopOps * 50) shrink();
  }

  static bool longer(const Op& a, const Op& b) {
    const std::int64_t x = a.self_us.value_or(a.total_us), y = b.self_us.value_or(b.total_us);
    if (x != y) return x > y;
    return a.name != b.name ? a.name < b.name : a.plane < b.plane;
  }

  void shrink() {
    std::sort(ops_.begin(), ops_.end(), longer);
    if (ops_.size() > kTopOps) ops_.resize(kTopOps);
  }

  static void emit_step(const Step& s, std::int64_t n, Sink& sink) {
    const auto us = [](double ms) { return micros(ms, 1000); };
    if (us(s.total) == 0) return;
    sink.add("profile_step", {{"n", n},
                              {"step", s.number},
                              {"basis", text_value("tool")},
                              {"duration_us", us(s.total)},
                              {"period_us", us(s.total)},
                              {"compute_us", us(s.compute)},
                              {"copy_us", us(s.copy_in + s.device_copy)},
                              {"input_us", us(s.input)},
                              {"collective_us", us(s.collective)},
                              {"launch_us", us(s.prepare)},
                              {"other_us", us(s.unknown + s.host + s.compile + s.output)},
                              {"collective_all_us", us(s.collective)}});
  }

  void emit_ops(Sink& sink) const {
    std::vector<Op> ops = ops_;
    std::sort(ops.begin(), ops.end(), longer);
    if (ops.size() > kTopOps) ops.resize(kTopOps);
    for (const Op& op : ops) {
      const bool device = op.plane == "Device";
      const EventClass c = op.type == "IDLE" ? EventClass::kOther
                           : device          ? classify_device(op.name)
                                             : classify_host(op.name + ":" + op.type);
      sink.add("profile_op", {{"plane", op.plane},
                              {"name", op.name},
                              {"type", op.type.empty() ? null_value() : Value(op.type)},
                              {"class", text_value(to_string(c))},
                              {"count", op.count},
                              {"total_us", op.total_us},
                              {"self_us", optional_value(op.self_us)},
                              {"max_us", optional_value(op.max_us)}});
    }
  }

  std::string_view kind_;
  WireStream stream_;
  mutable std::uint32_t section_ = 0;
  std::vector<Step> steps_;
  std::vector<Op> ops_;
  std::string device_, note_;
};

class ProfileToolsParser : public Parser {
 public:
  std::string_view name() const override { return "profile-tools"; }

  SniffScore sniff(const SniffInput& input) const override {
    if (kind_of(input.path).empty() || input.head.empty()) return 0;
    const std::string_view head(input.head.data(), input.head.size());
    if (contains(head, "type.googleapis.com/tensorflow.profiler")) return 92;
    const bool tag = head[0] == 0x0a || head[0] == 0x22 || head[0] == 0x12 || head[0] == 0x1a;
    return tag || is_reencoded(head) ? 70 : 40;
  }

  Status parse(const MemberInfo& member, ByteStream& in, Sink& sink) const override {
    std::string_view kind = kind_of(member.path);
    if (kind.empty()) kind = "input-pipeline";
    ToolReader reader(kind, in);
    const bool whole = reader.read();
    reader.emit(member.path, sink);
    if (!whole) {
      sink.problem({"profile-tool-damaged", ProblemSeverity::kDataLoss, reader.offset(),
                    "the table ends early or holds bytes that are no message; rows before are "
                    "good"});
    }
    if (!reader.status().ok()) return reader.status();
    return ok_status();
  }
};

}  // namespace

std::unique_ptr<Parser> make_profile_tools_parser() {
  return std::make_unique<ProfileToolsParser>();
}

}  // namespace tfpm
