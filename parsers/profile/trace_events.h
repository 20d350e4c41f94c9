// Events of a Chrome trace in JSON (formats.md 7.1), read as a stream: what Keras, TensorFlow's
// Timeline, JAX and viewers write. Memory is bounded: at most kMaxEvents are kept, later ones are
// counted.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsers/parser.h"
#include "parsers/profile/plane.h"

namespace tfpm {

// An event that began and did not end: what a thread was doing when the process stopped.
struct OpenEvent {
  std::string plane, thread, name;
  std::int64_t begin_us = 0;  // from the first event
};

class TraceEvents {
 public:
  static constexpr std::size_t kMaxEvents = 500'000;

  // Reads to the end, or to the first byte that is no JSON. Not whole when the text ends inside
  // an event or an object; a missing "]" of a bare array is legal.
  void read(ByteStream& in);

  bool whole() const { return whole_; }
  std::uint64_t offset() const { return offset_; }  // bytes read when it ended
  const Status& status() const { return status_; }
  std::uint64_t events() const { return seen_; }
  std::uint64_t unusable() const { return unusable_; }
  // Stamp of the first event where stamps count from 1970; nullopt when they count from elsewhere.
  std::optional<std::int64_t> start_us() const;

  // The processes as planes, in order of their names. Releases the events.
  std::vector<Plane> take_planes();
  // Innermost open event of each thread.
  std::vector<OpenEvent> open() const;

 private:
  friend class TraceHandler;

  struct Event {
    double begin = 0, duration = 0;  // microseconds
    std::uint32_t name = 0;
    std::optional<std::int32_t> step;
  };
  struct Track {
    std::string name;
    std::vector<Event> events;
    std::vector<Event> stack;  // begun by B, not ended by E
  };
  struct Process {
    std::string name;
    std::map<std::string, Track> tracks;  // by tid
  };
  // One event object as its keys come.
  struct Raw {
    std::string phase, name, pid, tid, label;
    std::optional<double> begin, duration;
    std::optional<std::int64_t> step;
  };

  void add(const Raw& raw);
  void add_label(const Raw& raw);
  void keep(Track& track, const Event& event);
  Track* track_of(const Raw& raw);
  std::optional<std::uint32_t> name_of(const std::string& name);
  Plane plane_of(const std::string& pid, Process& process);

  std::map<std::string, Process> processes_;  // by pid
  std::size_t tracks_ = 0, kept_ = 0;
  std::vector<std::string> names_;
  std::map<std::string, std::uint32_t> name_ids_;
  std::optional<double> first_;
  std::uint64_t seen_ = 0, unusable_ = 0, offset_ = 0;
  bool whole_ = false;
  Status status_;
};

}  // namespace tfpm
