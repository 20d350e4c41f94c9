// Memory, disks and load as people paste them: free, df, /proc/meminfo, vmstat, uptime
// (log-formats.md 10). `top` with its process table belongs to the parser of process listings.
#include <array>
#include <memory>
#include <optional>

#include "parsers/detail/line_share.h"
#include "parsers/detail/null_sink.h"
#include "parsers/detail/owner.h"
#include "parsers/detail/text.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxRows = 200'000;

// Numbers with free's and df's unit letters ("62Gi", "1.5T", "512M"), as KiB.
std::optional<double> parse_size(std::string_view word, double plain_factor) {
  const auto number = leading_decimal(word);
  if (!number || *number < 0) return std::nullopt;
  const std::size_t unit = word.find_first_not_of("0123456789.");
  if (unit == std::string_view::npos) return *number * plain_factor;
  constexpr std::string_view kUnits = "KMGTP";
  if (word[unit] == 'B') return *number / 1024;
  const std::size_t power = kUnits.find(word[unit]);
  if (power == std::string_view::npos) return std::nullopt;
  double kib = *number;
  for (std::size_t i = 0; i < power; ++i) kib *= 1024;
  return kib;
}

class StatReader {
 public:
  StatReader(std::optional<std::string> owner, Sink& sink)
      : owner_(std::move(owner)), sink_(sink) {}

  bool add(const TextLine& line) {
    if (const std::string_view command = command_line(line.text); !command.empty()) {
      table_ = Table::kNone;
      // `free` does not print its unit.
      unit_kib_ = contains(command, " -m") ? 1024 : contains(command, " -g") ? 1024 * 1024 : 1;
      return command.starts_with("free") || command.starts_with("df") ||
             command.starts_with("vmstat") || command.starts_with("uptime") ||
             command.starts_with("cat /proc/meminfo");
    }
    return heading(line) || free_row(line) || df_row(line) || vmstat_row(line) ||
           meminfo_row(line) || uptime_row(line);
  }
  // Output that hardly anything else looks like was seen.
  bool sure() const { return sure_; }

 private:
  enum class Table { kNone, kFree, kDf, kVmstat };

  void emit(const TextLine& line, std::string_view tool, std::string_view subject,
            std::string_view name, double value, std::string_view unit) {
    if (++rows_ > kMaxRows) return;
    sink_.add("host_stat", {{"line", int_value(line.number)},
                            {"byte_offset", int_value(line.offset)},
                            {"owner", optional_value(owner_)},
                            {"tool", text_value(tool)},
                            {"subject", text_value(clean_utf8(subject, 300))},
                            {"name", text_value(clean_utf8(name, 100))},
                            {"value", Value(value)},
                            {"unit", unit.empty() ? null_value() : text_value(unit)}});
  }

  bool heading(const TextLine& line) {
    const std::string_view text = trim(line.text);
    const auto words = split_blanks(text);
    if (words.size() >= 5 && words[0] == "total" && words[1] == "used" && words[2] == "free") {
      open(Table::kFree, words);
      return true;
    }
    if (text.starts_with("Filesystem ") && text.ends_with("Mounted on")) {
      open(Table::kDf, words);
      df_kib_ = contains(text, "1M-blocks") ? 1024 : contains(text, "1G-blocks") ? 1024 * 1024 : 1;
      return true;
    }
    if (text.starts_with("procs -") && contains(text, "--memory--")) return true;
    if (words.size() >= 14 && words[0] == "r" && words[1] == "b" && words[2] == "swpd") {
      open(Table::kVmstat, words);
      return true;
    }
    return false;
  }

  void open(Table table, const std::vector<std::string_view>& words) {
    table_ = table;
    sure_ = true;
    columns_.clear();
    for (const std::string_view word : words) columns_.push_back(to_lower(word));
  }

  bool free_row(const TextLine& line) {
    const auto words = split_blanks(line.text);
    if (table_ != Table::kFree || words.size() < 2 || !words[0].ends_with(":")) return false;
    if (words[0] != "Mem:" && words[0] != "Swap:" && words[0] != "Total:") return false;
    const std::string_view subject = words[0].substr(0, words[0].size() - 1);
    for (std::size_t i = 1; i < words.size() && i <= columns_.size(); ++i) {
      const auto value = parse_size(words[i], unit_kib_);
      if (value) emit(line, "free", subject, columns_[i - 1], *value, "KiB");
    }
    return true;
  }

  // A long device name stands on a line of its own; the mount point may hold blanks.
  bool df_row(const TextLine& line) {
    if (table_ != Table::kDf) return false;
    const auto words = split_blanks(line.text);
    if (words.size() == 1) return words[0].find_first_of("/:") != std::string_view::npos;
    std::size_t percent = 0;
    while (percent < words.size() && !(words[percent].ends_with("%") || words[percent] == "-")) {
      ++percent;
    }
    if (percent < 3 || percent + 1 >= words.size() || !words[percent + 1].starts_with("/")) {
      return false;
    }
    const std::string_view mount =
        line.text.substr(static_cast<std::size_t>(words[percent + 1].data() - line.text.data()));
    const bool inodes = columns_.size() > 1 && columns_[1] == "inodes";
    for (std::size_t back = 3; back > 0; --back) {
      static constexpr std::array<std::string_view, 3> kNames = {"available", "used", "total"};
      const std::string_view word = words[percent - back];
      const std::string name = (inodes ? "inodes " : "") + std::string(kNames[back - 1]);
      const auto value = inodes ? leading_decimal(word) : parse_size(word, df_kib_);
      if (value) emit(line, "df", trim(mount), name, *value, inodes ? "" : "KiB");
    }
    if (const auto value = leading_decimal(words[percent])) {
      emit(line, "df", trim(mount), inodes ? "iuse%" : "use%", *value, "%");
    }
    return true;
  }

  bool vmstat_row(const TextLine& line) {
    if (table_ != Table::kVmstat) return false;
    const auto words = split_blanks(line.text);
    if (words.size() < columns_.size()) return false;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const auto value = parse_int(words[i]);
      if (!value) return i > 16;  // -t puts a time behind the numbers
      const bool cpu = i >= 12 && columns_[i].size() == 2;
      const bool memory = i >= 2 && i < 6;
      emit(line, "vmstat", "host", columns_[i], static_cast<double>(*value),
           cpu      ? "%"
           : memory ? "KiB"
                    : "");
    }
    return true;
  }

  // "MemAvailable:   60123456 kB"
  bool meminfo_row(const TextLine& line) {
    const auto words = split_blanks(line.text);
    if (words.size() < 2 || words.size() > 3 || !words[0].ends_with(":")) return false;
    const std::string_view key = words[0].substr(0, words[0].size() - 1);
    const auto value = parse_int(words[1]);
    if (!value || (words.size() == 3 && words[2] != "kB")) return false;
    if (key == "MemTotal") meminfo_ = sure_ = true;
    if (!meminfo_) return false;
    emit(line, "meminfo", "host", key, static_cast<double>(*value), words.size() == 3 ? "KiB" : "");
    return true;
  }

  // " 14:05:42 up 12 days,  3:04,  1 user,  load average: 31.20, 30.11, 28.90"
  bool uptime_row(const TextLine& line) {
    const std::size_t at = line.text.find("load average: ");
    if (at == std::string_view::npos || !contains(line.text.substr(0, at), " up ")) return false;
    static constexpr std::array<std::string_view, 3> kNames = {"load1", "load5", "load15"};
    const auto parts = split(line.text.substr(at + 14), ',');
    for (std::size_t i = 0; i < std::min(parts.size(), kNames.size()); ++i) {
      if (const auto value = parse_decimal(parts[i])) {
        emit(line, "uptime", "host", kNames[i], *value, "");
      }
    }
    sure_ = true;
    return parts.size() == 3;
  }

  std::optional<std::string> owner_;
  Sink& sink_;
  Table table_ = Table::kNone;
  std::vector<std::string> columns_;
  double unit_kib_ = 1;
  double df_kib_ = 1;
  bool meminfo_ = false;
  bool sure_ = false;
  std::size_t rows_ = 0;
};

class HostStatsParser : public Parser {
 public:
  std::string_view name() const override { return "host-stats"; }

  SniffScore sniff(const SniffInput& input) const override {
    NullSink sink;
    StatReader reader(std::nullopt, sink);
    const LineShare share =
        count_lines(input, 500, [&](const TextLine& line) { return reader.add(line); });
    return reader.sure() && share.is_whole() ? 75 : 0;
  }

  Status parse(const MemberInfo& member, ByteStream& in, Sink& sink) const override {
    StatReader reader(owner_from_path(member.path), sink);
    LineReader lines(in);
    while (const auto line = lines.next()) {
      if (!trim(line->text).empty()) reader.add(*line);
    }
    finish_lines(lines, sink);
    return ok_status();
  }
};

}  // namespace

std::unique_ptr<Parser> make_host_stats_parser() {
  return std::make_unique<HostStatsParser>();
}

}  // namespace tfpm
