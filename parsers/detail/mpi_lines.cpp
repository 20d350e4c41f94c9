#include "parsers/detail/mpi_lines.h"

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

// "... process rank 3 with PID 4242 on node node-04 exited on signal 9 (Killed)."
std::vector<ExitRecord> read_noticed(std::string_view line) {
  const std::size_t at = line.find("process rank ");
  if (at == std::string_view::npos) return {};
  std::string_view rest = line.substr(at + 13);
  ExitRecord record{"exited"};
  record.rank = parse_int(eat_digits(rest));
  if (const auto pid = between(rest, " with PID ", " ")) record.pid = parse_int(*pid);
  if (const auto host = between(rest, " on node ", " ")) record.host = std::string(*host);
  const std::size_t signal_at = rest.find(" on signal ");
  if (!record.rank || signal_at == std::string_view::npos) return {};
  rest.remove_prefix(signal_at + 11);
  const auto signal = parse_int(eat_digits(rest));
  if (!signal) return {};
  set_signal(record, *signal);
  return {record};
}

// horovodrun: "Process 3 exit with status code 1."
std::vector<ExitRecord> read_horovod(std::string_view line) {
  std::string_view rest = line;
  if (!eat(rest, "Process ")) return {};
  ExitRecord record{"exited"};
  record.rank = parse_int(eat_digits(rest));
  if (!record.rank || !eat(rest, " exit with status code ")) return {};
  const bool negative = eat(rest, "-");
  const auto code = parse_int(eat_digits(rest));
  if (!code) return {};
  set_exit_code(record, negative ? -*code : *code);
  return {record};
}

// "[[12345,1],3]": the rank behind the job id.
std::optional<std::int64_t> rank_of_name(std::string_view text) {
  const std::size_t at = text.rfind("],");
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + 2);
  return parse_int(eat_digits(text));
}

// One "key: value" line of a block; true when it is the last one that matters.
bool read_key(std::string_view line, ExitRecord& record) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view key = trim(line.substr(0, colon));
  const std::string_view value = trim(line.substr(colon + 1));
  if (key == "Process name") {
    record.rank = rank_of_name(value);
  } else if (to_lower(key) == "exit code") {
    std::string_view digits = value;
    if (const auto code = parse_int(eat_digits(digits))) set_exit_code(record, *code);
    return record.exit_code.has_value();
  } else if (key == "KILLED BY SIGNAL") {
    std::string_view digits = value;
    if (const auto signal = parse_int(eat_digits(digits))) set_signal(record, *signal);
    return record.signal.has_value();
  }
  return false;
}

// MPICH: "=   PID 4242 RUNNING AT node-04", Intel MPI: "=   RANK 3 PID 4242 RUNNING AT node-04".
void read_running_at(std::string_view text, ExitRecord& record) {
  const std::vector<std::string_view> words = split_blanks(text);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "RANK") record.rank = parse_int(words[i + 1]);
    if (words[i] == "PID") record.pid = parse_int(words[i + 1]);
    if (words[i] == "AT") record.host = std::string(words[i + 1]);
  }
}

}  // namespace

std::vector<ExitRecord> read_mpi_line(std::string_view line) {
  if (line.starts_with("Process ")) return read_horovod(line);
  if (line.starts_with("Primary job") || line.starts_with("Terminating remaining")) {
    return {ExitRecord{"terminating"}};
  }
  return read_noticed(line);
}

bool is_mpi_block_start(std::string_view line) {
  return line.ends_with("The first process to do so was:") ||
         (line.starts_with("=  ") && contains(line, "BAD TERMINATION"));
}

MpiBlockLine read_mpi_block_line(std::string_view line, ExitRecord& record) {
  std::string_view text = trim(line);
  if (text.empty()) return MpiBlockLine::kMore;
  const bool framed = eat(text, "=");
  text = trim(text);
  if (framed && contains(text, "RUNNING AT")) {
    read_running_at(text, record);
    return MpiBlockLine::kMore;
  }
  if (read_key(text, record)) return MpiBlockLine::kComplete;
  const bool inside = framed || line.starts_with("  ") || contains(text, ":");
  return inside ? MpiBlockLine::kMore : MpiBlockLine::kEnd;
}

}  // namespace tfpm
