#include "parsers/profile/trace_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "parsers/detail/json_feed.h"
#include "parsers/detail/text.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxDepth = 128;
constexpr std::size_t kMaxTracks = 5000;
constexpr std::size_t kMaxNames = 50'000;
constexpr std::size_t kMaxOpen = 256;
constexpr std::size_t kMaxNameBytes = 200;
constexpr double kUnixUs = 1e14;   // stamps beyond this count from 1970
constexpr double kMaxUs = 1.7e12;  // of a trace: 20 days

}  // namespace

// Receives the parser's calls and puts event objects together.
class TraceHandler {
 public:
  explicit TraceHandler(TraceEvents& out) : out_(out) {}

  bool null() { return scalar(); }
  bool boolean(bool) { return scalar(); }
  bool number_integer(std::int64_t v) { return number(static_cast<double>(v), v); }
  bool number_unsigned(std::uint64_t v) {
    return number(static_cast<double>(v), static_cast<std::int64_t>(v));
  }
  bool number_float(double v, const std::string&) {
    const bool whole = std::isfinite(v) && std::abs(v) < 9e15;
    return number(v, whole ? static_cast<std::int64_t>(v) : 0);
  }
  bool string(std::string& v) {
    if (in_event() && depth_ == event_depth_ + 1) set_text(v);
    if (in_args()) set_argument(v);
    return true;
  }
  bool binary(std::vector<std::uint8_t>&) { return true; }

  bool start_object(std::size_t) {
    ++depth_;
    if (event_depth_ > 0 && depth_ == event_depth_ + 1) raw_ = {};
    args_ = in_event() && depth_ == event_depth_ + 2 && key_ == "args";
    return depth_ < kMaxDepth;
  }
  bool key(std::string& k) {
    if (args_ && depth_ == event_depth_ + 2) {
      argument_ = k;
    } else {
      key_ = k;
    }
    return true;
  }
  bool end_object() {
    if (event_depth_ > 0 && depth_ == event_depth_ + 1) out_.add(raw_);
    if (depth_ == event_depth_ + 2) args_ = false;
    --depth_;
    return true;
  }
  bool start_array(std::size_t) {
    ++depth_;
    const bool events = depth_ == 1 || (depth_ == 2 && key_ == "traceEvents");
    if (events && event_depth_ == 0) event_depth_ = depth_;
    return depth_ < kMaxDepth;
  }
  bool end_array() {
    if (depth_ == event_depth_) event_depth_ = 0;
    --depth_;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) {
    // A bare array may end without its bracket.
    whole_ = depth_ == 1 && event_depth_ == 1;
    return false;
  }
  bool may_end_here() const { return whole_; }

 private:
  bool in_event() const { return event_depth_ > 0 && depth_ > event_depth_; }
  bool in_args() const { return args_ && depth_ == event_depth_ + 2; }
  bool scalar() const { return true; }

  bool number(double v, std::int64_t whole) {
    if (in_args()) {
      if (argument_ == "step_num") raw_.step = whole;
    } else if (in_event() && depth_ == event_depth_ + 1) {
      if (key_ == "ts") raw_.begin = v;
      if (key_ == "dur") raw_.duration = v;
      if (key_ == "pid") raw_.pid = fmt::format("{}", whole);
      if (key_ == "tid") raw_.tid = fmt::format("{}", whole);
    }
    return true;
  }
  void set_text(const std::string& v) {
    const std::string text = clean_utf8(v, kMaxNameBytes);
    if (key_ == "ph") raw_.phase = text;
    if (key_ == "name") raw_.name = text;
    if (key_ == "pid") raw_.pid = text;
    if (key_ == "tid") raw_.tid = text;
  }
  void set_argument(const std::string& v) {
    if (argument_ == "name") raw_.label = clean_utf8(v, kMaxNameBytes);
    if (argument_ == "step_num") raw_.step = parse_int(v);
  }

  TraceEvents& out_;
  std::size_t depth_ = 0, event_depth_ = 0;  // event_depth_: of the array of events; 0 = not in it
  bool args_ = false, whole_ = false;
  std::string key_, argument_;
  TraceEvents::Raw raw_;
};

void TraceEvents::read(ByteStream& in) {
  JsonFeed feed(in);
  feed.advance();
  TraceHandler handler(*this);
  whole_ = nlohmann::json::sax_parse(JsonFeedIterator(feed), JsonFeedIterator(), &handler) ||
           (handler.may_end_here() && feed.at_end());
  offset_ = feed.offset();
  status_ = feed.status();
  // What is left is read all the same: the member's end belongs to the caller.
  while (!feed.at_end()) feed.advance();
}

std::optional<std::uint32_t> TraceEvents::name_of(const std::string& name) {
  if (const auto it = name_ids_.find(name); it != name_ids_.end()) return it->second;
  if (names_.size() >= kMaxNames) return std::nullopt;
  const auto id = static_cast<std::uint32_t>(names_.size());
  names_.push_back(name);
  name_ids_.emplace(name, id);
  return id;
}

TraceEvents::Track* TraceEvents::track_of(const Raw& raw) {
  Process& process = processes_[raw.pid];
  const auto it = process.tracks.find(raw.tid);
  if (it != process.tracks.end()) return &it->second;
  if (tracks_ >= kMaxTracks) return nullptr;
  ++tracks_;
  return &process.tracks[raw.tid];
}

void TraceEvents::add_label(const Raw& raw) {
  if (raw.name == "process_name") {
    if (processes_.size() < kMaxTracks) processes_[raw.pid].name = raw.label;
  } else if (raw.name == "thread_name") {
    if (Track* track = track_of(raw)) track->name = raw.label;
  }
}

void TraceEvents::keep(Track& track, const Event& event) {
  if (kept_ >= kMaxEvents) {
    ++unusable_;
    return;
  }
  ++kept_;
  track.events.push_back(event);
}

void TraceEvents::add(const Raw& raw) {
  if (raw.phase == "M") return add_label(raw);
  const bool complete = raw.phase == "X", begins = raw.phase == "B", ends = raw.phase == "E";
  if (!raw.phase.empty()) ++seen_;
  if (!complete && !begins && !ends) return;
  Track* track = track_of(raw);
  if (track == nullptr || !raw.begin || !std::isfinite(*raw.begin)) {
    ++unusable_;
    return;
  }
  first_ = first_ ? std::min(*first_, *raw.begin) : *raw.begin;
  if (ends) {
    if (track->stack.empty()) return;
    Event event = track->stack.back();
    track->stack.pop_back();
    event.duration = *raw.begin - event.begin;
    return keep(*track, event);
  }
  Event event;
  event.begin = *raw.begin;
  event.duration = raw.duration.value_or(0);
  const std::optional<std::uint32_t> name = name_of(raw.name);
  if (!name) {
    ++unusable_;
    return;
  }
  event.name = *name;
  if (raw.step && *raw.step >= 0 && *raw.step <= std::numeric_limits<std::int32_t>::max()) {
    event.step = static_cast<std::int32_t>(*raw.step);
  }
  if (complete) return keep(*track, event);
  if (track->stack.size() < kMaxOpen) track->stack.push_back(event);
}

std::optional<std::int64_t> TraceEvents::start_us() const {
  if (!first_ || *first_ < kUnixUs || *first_ > 9e18) return std::nullopt;
  return static_cast<std::int64_t>(*first_);
}

namespace {

// "/job:worker/replica:0/task:0/device:GPU:0 Compute" of a TF1 Timeline is "/device:GPU:0 Compute",
// with the CPU's as the host.
std::string plane_name(const std::string& process, const std::string& pid) {
  if (process.empty()) return "process " + pid;
  const std::size_t device = process.find("/device:");
  if (device == std::string::npos) {
    return process.find("/host:CPU") == std::string::npos ? process : "/host:CPU";
  }
  const std::string name = process.substr(device);
  return name.compare(0, 12, "/device:CPU:") == 0 ? "/host:CPU" : name;
}

constexpr std::size_t kPadding = 8;  // RawEvent::stats may be read beyond its end

std::string step_stat(std::int32_t step) {
  std::string value;
  auto v = static_cast<std::uint32_t>(step);
  for (; v > 127; v >>= 7) value += static_cast<char>((v & 127) | 128);
  value += static_cast<char>(v);
  return std::string("\x22") + static_cast<char>(value.size() + 3) + "\x08\x01\x20" + value +
         std::string(kPadding, '\0');
}

}  // namespace

Plane TraceEvents::plane_of(const std::string& pid, Process& process) {
  constexpr double kPsPerUs = 1e6;
  Plane plane;
  plane.name = plane_name(process.name, pid);
  plane.name_stat(1, "step_num");
  for (auto& [tid, track] : process.tracks) {
    std::sort(track.events.begin(), track.events.end(), [](const Event& a, const Event& b) {
      if (a.begin != b.begin) return a.begin < b.begin;
      return a.duration != b.duration ? a.duration > b.duration : a.name < b.name;
    });
    plane.begin_line(0);
    for (const Event& e : track.events) {
      const double begin = e.begin - *first_;
      const bool usable = begin < kMaxUs && e.duration >= 0 && e.duration < kMaxUs;
      const std::string stat = e.step ? step_stat(*e.step) : std::string();
      RawEvent raw;
      raw.metadata_id = e.name;
      raw.timed = true;
      raw.begin = usable ? static_cast<std::int64_t>(begin * kPsPerUs) : 0;
      raw.duration = usable ? static_cast<std::int64_t>(e.duration * kPsPerUs) : -1;
      raw.stats = std::string_view(stat).substr(0, stat.size() - (e.step ? kPadding : 0));
      plane.add(raw);
    }
    plane.end_line(track.name.empty() ? "thread " + tid : track.name);
    track.events = {};
  }
  for (const EventTotals& t : plane.totals()) {
    plane.name_event(t.metadata_id, names_[static_cast<std::size_t>(t.metadata_id)]);
  }
  return plane;
}

std::vector<Plane> TraceEvents::take_planes() {
  std::vector<Plane> out;
  for (auto& [pid, process] : processes_) out.push_back(plane_of(pid, process));
  std::stable_sort(out.begin(), out.end(),
                   [](const Plane& a, const Plane& b) { return a.name < b.name; });
  return out;
}

std::vector<OpenEvent> TraceEvents::open() const {
  std::vector<OpenEvent> out;
  for (const auto& [pid, process] : processes_) {
    for (const auto& [tid, track] : process.tracks) {
      if (track.stack.empty()) continue;
      const Event& e = track.stack.back();
      const double begin = e.begin - *first_;
      out.push_back({plane_name(process.name, pid),
                     track.name.empty() ? "thread " + tid : track.name, names_[e.name],
                     begin < kMaxUs ? static_cast<std::int64_t>(begin) : 0});
    }
  }
  return out;
}

}  // namespace tfpm
