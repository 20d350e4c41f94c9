#include "parsers/detail/launcher_lines.h"

#include "parsers/detail/text.h"
#include "parsers/detail/time_text.h"

namespace tfpm {
namespace {

// A task's name: letters, then an index ("worker-0", "ps_1", "rank3").
bool looks_like_task(std::string_view token) {
  std::size_t n = 0;
  while (n < token.size() && (is_alpha(token[n]) || token[n] == '_')) ++n;
  if (n == 0) return false;
  token.remove_prefix(n);
  if (!token.empty() && token[0] == '-') token.remove_prefix(1);
  const std::string_view digits = eat_digits(token);
  return !digits.empty() && token.empty();
}

// Words of the form "attempt 0", "on HOST", "pid 3931", "code 1", "signal 9" anywhere in the text.
void read_pairs(std::string_view text, ExitRecord& record) {
  const std::vector<std::string_view> words = split_blanks(text);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string_view value = words[i + 1];
    if (words[i] == "attempt") {
      record.attempt = parse_int(value);
    } else if (words[i] == "on") {
      record.host = std::string(value);
    } else if (words[i] == "pid") {
      record.pid = parse_int(value);
    } else if (words[i] == "code" || words[i] == "status") {
      if (const auto code = parse_int(value)) set_exit_code(record, *code);
    } else if (words[i] == "signal") {
      std::optional<std::int64_t> number = parse_int(value);
      if (!number) number = signal_number(value);
      if (number) set_signal(record, *number);
    }
  }
}

std::vector<ExitRecord> deadline_records(std::string_view text, std::int64_t time_us) {
  ExitRecord record{"deadline"};
  record.time_us = time_us;
  std::vector<ExitRecord> out;
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    for (const std::string_view task : split(text.substr(colon + 1), ',')) {
      if (!looks_like_task(task)) continue;
      record.task = std::string(task);
      out.push_back(record);
    }
  }
  if (out.empty()) out.push_back(record);
  return out;
}

// "sending SIGTERM to worker-1 pid 42", "terminating worker-1, worker-2", "stopping all tasks".
std::vector<ExitRecord> terminating_records(std::string_view text, std::int64_t time_us) {
  ExitRecord record{"terminating"};
  record.time_us = time_us;
  read_pairs(text, record);
  std::vector<ExitRecord> out;
  for (std::string_view word : split_blanks(text)) {
    while (!word.empty() && (word.back() == ',' || word.back() == ';')) word.remove_suffix(1);
    if (word.starts_with("SIG") && signal_number(word)) {
      record.reason = std::string(word);
    } else if (looks_like_task(word)) {
      record.task = std::string(word);
      out.push_back(record);
    }
  }
  if (out.empty()) out.push_back(record);
  return out;
}

}  // namespace

std::vector<ExitRecord> read_launcher_line(std::string_view line) {
  const auto stamp = leading_iso_time(line);
  if (!stamp || stamp->length >= line.size() || line[stamp->length] != ' ') return {};
  const std::string_view text = trim(line.substr(stamp->length));
  if (text.starts_with("deadline reached")) return deadline_records(text, stamp->time_us);
  const std::string lower = to_lower(text.substr(0, 12));
  for (const std::string_view verb : {"sending sig", "sent sig", "terminating", "killing "}) {
    if (std::string_view(lower).starts_with(verb)) {
      return terminating_records(text, stamp->time_us);
    }
  }
  std::string_view rest = text;
  ExitRecord record;
  record.time_us = stamp->time_us;
  if (eat(rest, "started ") || eat(rest, "restarted ")) {
    record.what = "started";
    const std::string_view task = eat_token(rest);
    if (!looks_like_task(task)) return {};
    record.task = std::string(task);
    read_pairs(rest, record);
    return {record};
  }
  const std::string_view task = eat_token(rest);
  const bool ended = contains(rest, " exited ") || contains(rest, " killed by signal ");
  if (!looks_like_task(task) || !ended) return {};
  record.what = "exited";
  record.task = std::string(task);
  read_pairs(rest, record);
  return {record};
}

std::vector<ExitRecord> read_shell_line(std::string_view line) {
  const auto at = line.find(": line ");
  if (at == std::string_view::npos) return {};
  std::string_view rest = line.substr(at + 7);
  if (eat_digits(rest).empty() || !eat(rest, ":")) return {};
  const std::optional<std::int64_t> pid = parse_int(eat_token(rest));
  rest = trim(rest);
  if (!pid || rest.empty()) return {};
  // The description ends before a run of blanks (the column of the command).
  const std::string_view words = rest.substr(0, rest.find("  "));
  const auto signal = signal_number(words);
  if (!signal) return {};
  ExitRecord record{"exited"};
  record.pid = pid;
  set_signal(record, *signal);
  return {record};
}

}  // namespace tfpm
