#include "parsers/detail/kube_tables.h"

#include <utility>

#include "parsers/detail/kube_reason.h"
#include "parsers/detail/owner.h"
#include "parsers/detail/text.h"
#include "parsers/detail/tf_config.h"
#include "parsers/detail/time_text.h"

namespace tfpm {
namespace {

// Columns are separated by runs of at least two or three blanks; headers of one word hold one
// ("LAST SEEN").
std::vector<std::size_t> column_starts(std::string_view header) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (header[i] == ' ') continue;
    const bool first = i == 0 || (header[i - 1] == ' ' && (i < 2 || header[i - 2] == ' '));
    if (first) starts.push_back(i);
  }
  return starts;
}

// The cell that begins at a column; the last one runs to the end of the line.
std::string_view cell(std::string_view line, const std::vector<std::size_t>& starts,
                      std::size_t index) {
  if (index >= starts.size() || starts[index] >= line.size()) return {};
  const std::size_t end = index + 1 < starts.size() ? starts[index + 1] : line.size();
  return trim(line.substr(starts[index], end - starts[index]));
}

// "pod/resnet-worker-3", "node/gpu-node-04".
void set_object(ExitRecord& record, std::string_view object) {
  record.task = task_from_name(object.substr(object.find('/') + 1));
  if (eat(object, "node/")) record.host = std::string(object);
}

// "Killed process 12345 (python3) ..." inside an OOMKilling message.
void set_victim(ExitRecord& record, std::string_view message) {
  const std::size_t at = message.find("Killed process ");
  if (at == std::string_view::npos) return;
  std::string_view rest = message.substr(at + 15);
  record.pid = parse_int(eat_digits(rest));
}

std::size_t indent_of(std::string_view line) {
  const std::size_t at = line.find_first_not_of(' ');
  return at == std::string_view::npos ? line.size() : at;
}

}  // namespace

bool KubeTableReader::add_header(std::string_view line) {
  const bool events =
      line.starts_with("LAST SEEN") && contains(line, "REASON") && contains(line, "OBJECT");
  const bool pods = line.starts_with("NAME ") && contains(line, " READY ") &&
                    contains(line, " STATUS ") && contains(line, " RESTARTS ");
  const bool describe = line.starts_with("Name:") && indent_of(line.substr(5)) > 0;
  if (!events && !pods && !describe) return false;
  flush_states(std::nullopt);
  section_ = events ? Section::kEvents : pods ? Section::kPods : Section::kDescribe;
  columns_ = column_starts(line);
  if (describe) {
    pod_ = ExitRecord();
    pod_.task = task_from_name(trim(line.substr(5)));
  }
  return true;
}

// LAST SEEN, TYPE, REASON, OBJECT, MESSAGE; "AGE" relative to an unknown now, so no time.
bool KubeTableReader::add_event(std::string_view line, std::uint64_t number,
                                std::uint64_t byte_offset) {
  const bool described = section_ == Section::kDescribeEvents;
  // describe: Type, Reason, Age, From, Message.
  const std::string_view reason = cell(line, columns_, described ? 1 : 2);
  const std::string_view message = cell(line, columns_, 4);
  if (reason.empty() || message.empty()) return false;
  const auto what = event_meaning(reason, message);
  if (!what) return true;
  ExitRecord record = described ? pod_ : ExitRecord();
  record.what = *what;
  if (!described) set_object(record, cell(line, columns_, 3));
  set_victim(record, message);
  record.reason = std::string(reason);
  emit_exit_record(record, trim(line), number, byte_offset, sink_);
  return true;
}

// NAME, READY, STATUS, RESTARTS, AGE.
bool KubeTableReader::add_pod(std::string_view line, std::uint64_t number,
                              std::uint64_t byte_offset) {
  const std::vector<std::string_view> words = split_blanks(line);
  if (words.size() < 4 || !contains(words[1], "/")) return false;
  const std::string_view status = words[2];
  ExitRecord record;
  record.task = task_from_name(words[0]);
  record.reason = std::string(status);
  if (status == "Completed") {
    record.exit_code = 0;
  } else if (status == "OOMKilled") {
    record.what = "oom";
  } else if (const auto end = pod_end(status)) {
    record.what = *end;
  } else if (const auto waiting = waiting_state(status)) {
    record.what = *waiting;
  } else if (status == "Pending" || status == "ContainerCreating") {
    record.what = "not-started";
  } else if (status == "Terminating") {
    record.what = "terminating";
  } else if (status != "Error") {
    return true;
  }
  emit_exit_record(record, trim(line), number, byte_offset, sink_);
  return true;
}

// The lines of "State:" and "Last State:" blocks.
void KubeTableReader::add_state(std::string_view key, std::string_view value, std::string_view line,
                                std::uint64_t number, std::uint64_t byte_offset) {
  if (key == "State" || key == "Last State") {
    Ended state;
    state.last = key == "Last State";
    state.terminated = value == "Terminated";
    state.record = pod_;
    state.line = number;
    state.byte_offset = byte_offset;
    state.text = std::string(trim(line));
    states_.push_back(std::move(state));
    in_state_ = true;
    return;
  }
  if (!in_state_) return;
  Ended& state = states_.back();
  if (key == "Reason") {
    state.record.reason = std::string(value);
  } else if (key == "Exit Code") {
    if (const auto code = parse_int(value)) set_exit_code(state.record, *code);
    state.line = number;
    state.byte_offset = byte_offset;
    state.text = std::string(trim(line));
  } else if (key == "Signal") {
    if (const auto signal = parse_int(value)) set_signal(state.record, *signal);
  } else if (key == "Finished") {
    if (const auto stamp = leading_rfc1123_time(value)) state.record.time_us = stamp->time_us;
  } else if (key == "Ready" || key == "Restart Count") {
    in_state_ = false;
  }
}

void KubeTableReader::flush_states(std::optional<std::int64_t> restarts) {
  for (Ended& state : std::exchange(states_, {})) {
    const std::string_view reason = state.record.reason ? *state.record.reason : std::string_view();
    if (state.terminated) {
      state.record.what = container_end(reason);
    } else if (const auto waiting = waiting_state(reason)) {
      state.record.what = *waiting;
    } else {
      continue;
    }
    if (restarts && state.terminated) {
      state.record.attempt = state.last && *restarts > 0 ? *restarts - 1 : *restarts;
    }
    emit_exit_record(state.record, state.text, state.line, state.byte_offset, sink_);
  }
  in_state_ = false;
}

bool KubeTableReader::add_describe(std::string_view line, std::uint64_t number,
                                   std::uint64_t byte_offset) {
  const std::size_t indent = indent_of(line);
  const std::size_t colon = line.find(':');
  if (indent == 0 && line.starts_with("Events:")) {
    flush_states(std::nullopt);
    section_ = Section::kDescribeEvents;
    columns_.clear();
    return true;
  }
  if (colon == std::string_view::npos) return indent > 0;
  const std::string_view key = trim(line.substr(0, colon));
  const std::string_view value = trim(line.substr(colon + 1));
  if (indent == 0 && key == "Node") pod_.host = std::string(value.substr(0, value.find('/')));
  if (indent == 0 && key == "Reason") {
    if (const auto what = pod_end(value)) {
      ExitRecord record = pod_;
      record.what = *what;
      record.reason = std::string(value);
      emit_exit_record(record, trim(line), number, byte_offset, sink_);
    }
  }
  if (indent >= 4) add_state(key, value, line, number, byte_offset);
  if (key == "Restart Count") flush_states(parse_int(value));
  if (key == "TF_CONFIG" && !value.empty()) {
    emit_tf_config(parse_tf_config(value, TfConfigForm::kPod),
                   {std::nullopt, number, byte_offset, pod_.task}, sink_);
  }
  return true;
}

bool KubeTableReader::add(std::string_view line, std::uint64_t number, std::uint64_t byte_offset) {
  if (add_header(line)) return true;
  if (trim(line).empty()) return section_ != Section::kNone;
  switch (section_) {
    case Section::kNone:
      return false;
    case Section::kEvents:
      return add_event(line, number, byte_offset);
    case Section::kPods:
      return add_pod(line, number, byte_offset);
    case Section::kDescribe:
      return add_describe(line, number, byte_offset);
    case Section::kDescribeEvents:
      if (columns_.empty()) {
        columns_ = column_starts(line);
        return true;
      }
      if (trim(line).starts_with("----")) return true;
      return add_event(line, number, byte_offset);
  }
  return false;
}

void KubeTableReader::finish() {
  flush_states(std::nullopt);
  section_ = Section::kNone;
}

}  // namespace tfpm
