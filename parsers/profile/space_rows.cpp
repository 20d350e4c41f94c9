#include "parsers/profile/space_rows.h"

#include <algorithm>
#include <utility>

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxPlanes = 128;
constexpr std::size_t kMaxClassSpans = 20'000;
constexpr std::int64_t kPsPerUs = 1'000'000;
constexpr std::int64_t kLeastSpansOfStep = 100;  // joined gaps beyond a hundredth of a step blur it

std::int64_t micros(std::int64_t ps) {
  return ps / kPsPerUs;
}

const SpanList& of(const ClassSpans& classes, EventClass c) {
  return classes[static_cast<std::size_t>(c)];
}

std::vector<EventClass> classify(const Plane& plane, bool device) {
  std::vector<EventClass> out(plane.totals().size(), EventClass::kOther);
  for (std::size_t slot = 0; slot < out.size(); ++slot) {
    const std::string name = plane.event_name(slot);
    out[slot] = device ? classify_device(name) : classify_host(name);
  }
  return out;
}

// What of a line counts: asked once a line, not once a span.
struct LineUse {
  bool counts = true;        // false = repeats what other lines have
  bool computes = true;      // false = work of the model is not what tf.data's own threads do
  bool only_copies = false;  // no kernel stands on it, whatever its events are called
};

std::vector<LineUse> line_uses(const Plane& plane, bool device) {
  std::vector<LineUse> out;
  for (const std::string& line : plane.lines) {
    LineUse use;
    use.counts = !device || !is_derived_line(line);
    use.computes = device || line.compare(0, 7, "tf_data") != 0;
    use.only_copies = device && is_copy_line(line);
    out.push_back(use);
  }
  return out;
}

ClassSpans class_spans(const Plane& plane, bool device, const std::vector<EventClass>& classes,
                       std::int64_t& resolution) {
  std::array<std::vector<Span>, 8> raw;
  const std::vector<LineUse> uses = line_uses(plane, device);
  for (const PlaneSpan& s : plane.spans()) {
    EventClass c = classes[s.slot];
    const LineUse& use = uses[s.line - 1];
    if (!use.counts || c == EventClass::kOther || c == EventClass::kProducer) continue;
    if (c == EventClass::kCompute && !use.computes) continue;
    if (c == EventClass::kCompute && use.only_copies) c = EventClass::kCopy;
    std::vector<Span>& list = raw[static_cast<std::size_t>(c)];
    // What touches the span before is joined at once: less to sort.
    if (!list.empty() && s.begin >= list.back().begin && s.begin <= list.back().end) {
      list.back().end = std::max(list.back().end, s.end);
    } else {
      list.push_back({s.begin, s.end});
    }
  }
  ClassSpans out;
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = join_spans(std::move(raw[i]));
    resolution = std::max(resolution, coarsen(out[i], kMaxClassSpans));
    out[i].shrink_to_fit();  // it had room for every span of the plane
  }
  return out;
}

std::optional<std::int64_t> nanos(const Plane& plane, std::string_view name) {
  const std::optional<XStat> stat = plane.plane_stat(name);
  const auto value = stat ? parse_int(plane.stat_text(*stat)) : std::nullopt;
  return value && *value > 0 ? value : std::nullopt;
}

// Shares of one window, by priority: what a class overlaps with one before it is counted there.
struct Split {
  std::int64_t compute = 0, copy = 0, input = 0, collective = 0, launch = 0, other = 0,
               collective_all = 0;
};

using Lists = std::array<const ClassSpans*, 2>;  // device (may be null), host

SpanList both(const Lists& lists, EventClass c, Span window) {
  SpanList out;
  for (const ClassSpans* l : lists) {
    if (l == nullptr) continue;
    const SpanList part = clip(of(*l, c), window);
    out.insert(out.end(), part.begin(), part.end());
  }
  return join_spans(std::move(out));
}

Split split(const Lists& lists, Span window) {
  Split s;
  SpanList rest{window};
  const auto account = [&](const SpanList& list) {
    const std::int64_t before = covered(rest);
    rest = without(rest, list);
    return before - covered(rest);
  };
  // With a device the host's ops only start kernels: the device says what is computed.
  const ClassSpans* worker = lists[0] != nullptr ? lists[0] : lists[1];
  s.compute = account(clip(of(*worker, EventClass::kCompute), window));
  s.copy = account(clip(of(*worker, EventClass::kCopy), window));
  s.input = account(both(lists, EventClass::kInputWait, window));
  const SpanList collective = both(lists, EventClass::kCollective, window);
  s.collective_all = covered(collective);
  s.collective = account(collective);
  s.launch = account(both(lists, EventClass::kLaunch, window));
  s.other = covered(rest);
  return s;
}

Split mean(const std::vector<Split>& list) {
  Split out;
  const auto n = static_cast<std::int64_t>(list.size());
  for (const Split& s : list) {
    out.compute += s.compute / n;
    out.copy += s.copy / n;
    out.input += s.input / n;
    out.collective += s.collective / n;
    out.launch += s.launch / n;
    out.other += s.other / n;
    out.collective_all += s.collective_all / n;
  }
  return out;
}

bool works(const PlaneSummary& p) {
  return p.kind == "device" && (!of(p.classes, EventClass::kCompute).empty() ||
                                !of(p.classes, EventClass::kCollective).empty());
}

}  // namespace

void SpaceRows::read_environment(const Plane& plane) {
  if (const auto ns = nanos(plane, "profile_start_time")) start_us_ = *ns / 1000;
  if (const auto ns = nanos(plane, "profile_stop_time")) stop_us_ = *ns / 1000;
}

void SpaceRows::add(const Plane& plane) {
  lines_ += plane.lines.size();
  unusable_ += plane.unusable;
  resolution_ps_ = std::max(resolution_ps_, plane.resolution_ps());
  if (plane.name == "Task Environment") read_environment(plane);
  if (planes_.size() >= kMaxPlanes) return;
  PlaneSummary p;
  p.name = plane.name;
  const bool host = plane.name.compare(0, 9, "/host:CPU") == 0;
  p.kind = plane.is_device() ? "device" : host ? "host" : "other";
  for (const std::string_view stat : {"gpu_device_name", "device_type_string", "device_vendor"}) {
    const std::optional<XStat> model = plane.plane_stat(stat);
    if (model && p.model.empty()) p.model = plane.stat_text(*model);
  }
  p.lines = plane.lines.size();
  p.events = plane.events;
  p.extent = plane.extent();
  if (p.kind != "other") {
    const std::vector<EventClass> classes = classify(plane, plane.is_device());
    p.classes = class_spans(plane, plane.is_device(), classes, resolution_ps_);
    p.steps = host ? host_steps(plane) : device_steps(plane, p.basis);
    if (host && !p.steps.empty()) p.basis = "step_num";
    p.rows = op_rows(plane, classes);
    if (host) {
      for (auto& more : {iterator_rows(plane), producer_rows(plane, classes), memory_rows(plane)}) {
        p.rows.insert(p.rows.end(), more.begin(), more.end());
      }
    }
  }
  planes_.push_back(std::move(p));
}

std::optional<std::int64_t> SpaceRows::window_us() const {
  if (start_us_ && stop_us_ && *stop_us_ >= *start_us_) return *stop_us_ - *start_us_;
  std::optional<Span> all;
  for (const PlaneSummary& p : planes_) {
    if (!p.extent) continue;
    if (!all) all = p.extent;
    all->begin = std::min(all->begin, p.extent->begin);
    all->end = std::max(all->end, p.extent->end);
  }
  return all ? std::optional(micros(all->length())) : std::nullopt;
}

std::string_view SpaceRows::device() const {
  std::string_view kind;
  for (const PlaneSummary& p : planes_) {
    if (p.kind == "host" && kind.empty() && p.events > 0) kind = "CPU";
    if (p.kind != "device" || p.events == 0) continue;
    if (contains(p.name, "GPU")) kind = "GPU";
    if (contains(p.name, "TPU")) kind = "TPU";
  }
  return kind;
}

void SpaceRows::emit_steps(Sink& sink) const {
  const auto host = std::find_if(planes_.begin(), planes_.end(),
                                 [](const PlaneSummary& p) { return p.kind == "host"; });
  const bool by_host = std::any_of(planes_.begin(), planes_.end(), [](const PlaneSummary& p) {
    return p.kind == "host" && !p.steps.empty();
  });
  std::int64_t n = 0;
  for (const PlaneSummary& marks : planes_) {
    if (marks.steps.empty() || (marks.kind == "host") != by_host) continue;
    for (std::size_t i = 0; i < marks.steps.size(); ++i) {
      const Span own = marks.steps[i].span;
      const bool last = i + 1 == marks.steps.size();
      const Span window{own.begin, last ? own.end : marks.steps[i + 1].span.begin};
      std::vector<Split> splits;
      const ClassSpans* host_spans = host == planes_.end() ? nullptr : &host->classes;
      for (const PlaneSummary& p : planes_) {
        if (works(p) && (by_host || &p == &marks)) {
          splits.push_back(split({&p.classes, host_spans}, window));
        }
      }
      if (splits.empty()) splits.push_back(split({nullptr, &marks.classes}, window));
      const Split s = mean(splits);
      // Spans joined over a good part of a step would be taken for work: then nothing is said.
      const bool fine = resolution_ps_ <= window.length() / kLeastSpansOfStep;
      const auto part = [&](std::int64_t ps) { return fine ? Value(micros(ps)) : null_value(); };
      sink.add("profile_step", {{"n", n++},
                                {"step", optional_value(marks.steps[i].step)},
                                {"basis", text_value(marks.basis)},
                                {"plane", by_host ? null_value() : Value(marks.name)},
                                {"begin_us", micros(own.begin)},
                                {"duration_us", micros(own.length())},
                                {"period_us", micros(window.length())},
                                {"compute_us", part(s.compute)},
                                {"copy_us", part(s.copy)},
                                {"input_us", part(s.input)},
                                {"collective_us", part(s.collective)},
                                {"launch_us", part(s.launch)},
                                {"other_us", part(s.other)},
                                {"collective_all_us", part(s.collective_all)}});
    }
  }
}

void SpaceRows::emit(Sink& sink) const {
  for (const PlaneSummary& p : planes_) {
    const bool timed = p.extent.has_value();
    const bool device = p.kind == "device" && timed;
    SpanList busy = of(p.classes, EventClass::kCompute);
    const SpanList& more = of(p.classes, EventClass::kCollective);
    busy.insert(busy.end(), more.begin(), more.end());
    sink.add("profile_plane",
             {{"name", p.name},
              {"kind", p.kind},
              {"model", p.model.empty() ? null_value() : Value(p.model)},
              {"lines", int_value(p.lines)},
              {"events", int_value(p.events)},
              {"busy_us", device ? Value(micros(covered(join_spans(busy)))) : null_value()},
              {"first_us", timed ? Value(micros(p.extent->begin)) : null_value()},
              {"last_us", timed ? Value(micros(p.extent->end)) : null_value()}});
  }
  emit_steps(sink);
  for (const PlaneSummary& p : planes_) {
    for (const Row& row : p.rows) sink.add(row.table, row.fields);
  }
}

}  // namespace tfpm
