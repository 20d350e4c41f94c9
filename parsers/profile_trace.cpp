// Chrome traces, *.trace.json (formats.md 6.8 and 7.1): of the TensorFlow and JAX profilers, and of
// TF1's Timeline.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "parsers/detail/text.h"
#include "parsers/profile/profile_file.h"
#include "parsers/profile/space_rows.h"
#include "parsers/profile/trace_events.h"

namespace tfpm {
namespace {

constexpr std::uint64_t kWritersCap = 1'000'000;
constexpr std::size_t kMaxOpenRows = 200;

void report(const TraceEvents& trace, Sink& sink) {
  if (!trace.whole()) {
    sink.problem(
        {"trace-truncated", ProblemSeverity::kDataLoss, trace.offset(),
         fmt::format("the trace ends early or is no JSON from here on; {} events before it "
                     "are good",
                     trace.events())});
  }
  if (!trace.status().ok()) {
    sink.problem({"read-failed", ProblemSeverity::kDataLoss, trace.offset(),
                  trace.status().diagnostic().to_string()});
  }
  if (trace.events() >= kWritersCap) {
    sink.problem({"trace-capped", ProblemSeverity::kNotice, std::nullopt,
                  fmt::format("{} events: writers stop at a million, so the trace may lack the "
                              "rest; *.xplane.pb has no such limit",
                              trace.events())});
  }
}

class ProfileTraceParser : public Parser {
 public:
  std::string_view name() const override { return "profile-trace"; }

  SniffScore sniff(const SniffInput& input) const override {
    std::string_view head(input.head.data(), input.head.size());
    head = trim(head);
    if (head.empty() || (head[0] != '{' && head[0] != '[')) return 0;
    const bool events = contains(head, "\"ph\"") && contains(head, "\"pid\"");
    if (contains(head, "\"traceEvents\"")) return 92;
    return events && contains(head, "\"ts\"") ? 85 : 0;
  }

  Status parse(const MemberInfo& member, ByteStream& in, Sink& sink) const override {
    TraceEvents trace;
    trace.read(in);
    SpaceRows rows;
    std::uint64_t planes = 0;
    for (const Plane& plane : trace.take_planes()) {
      rows.add(plane);
      ++planes;
    }
    sink.add("profile",
             {{"kind", text_value("trace")},
              {"owner", optional_value(profile_owner(member.path))},
              {"host", optional_value(profile_host(member.path))},
              {"start_us", optional_value(trace.start_us())},
              {"window_us", optional_value(rows.window_us())},
              {"device", rows.device().empty() ? null_value() : text_value(rows.device())},
              {"planes", int_value(planes)},
              {"lines", int_value(rows.lines())},
              {"events", int_value(trace.events())},
              {"unusable", int_value(trace.unusable() + rows.unusable())},
              {"resolution_us", rows.resolution_us()}});
    rows.emit(sink);
    std::size_t n = 0;
    for (const OpenEvent& e : trace.open()) {
      if (n++ == kMaxOpenRows) break;
      sink.add(
          "profile_open",
          {{"plane", e.plane}, {"thread", e.thread}, {"name", e.name}, {"begin_us", e.begin_us}});
    }
    report(trace, sink);
    return ok_status();
  }
};

}  // namespace

std::unique_ptr<Parser> make_profile_trace_parser() {
  return std::make_unique<ProfileTraceParser>();
}

}  // namespace tfpm
