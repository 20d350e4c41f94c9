// What kubectl prints for people: describe pod, get pods, get events (log-formats.md 6.1).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/detail/exit_lines.h"
#include "parsers/parser.h"

namespace tfpm {

// Fed line by line; several outputs may follow each other.
class KubeTableReader {
 public:
  explicit KubeTableReader(Sink& sink) : sink_(sink) {}
  // True when the line is part of an output this reader knows.
  bool add(std::string_view line, std::uint64_t number, std::uint64_t byte_offset);
  void finish();

 private:
  enum class Section { kNone, kEvents, kPods, kDescribe, kDescribeEvents };
  struct Ended {  // a "State:" or "Last State:" block
    bool last = false;
    bool terminated = false;
    ExitRecord record;
    std::string text;
    std::uint64_t line = 0, byte_offset = 0;
  };

  bool add_header(std::string_view line);
  bool add_event(std::string_view line, std::uint64_t number, std::uint64_t byte_offset);
  bool add_pod(std::string_view line, std::uint64_t number, std::uint64_t byte_offset);
  bool add_describe(std::string_view line, std::uint64_t number, std::uint64_t byte_offset);
  void add_state(std::string_view key, std::string_view value, std::string_view line,
                 std::uint64_t number, std::uint64_t byte_offset);
  void flush_states(std::optional<std::int64_t> restarts);

  Sink& sink_;
  Section section_ = Section::kNone;
  std::vector<std::size_t> columns_;  // where the columns of the table begin
  ExitRecord pod_;                    // task and host of the pod described
  std::vector<Ended> states_;
  bool in_state_ = false;
};

}  // namespace tfpm
