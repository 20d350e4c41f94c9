#include "ingest/identify.h"

#include <algorithm>
#include <array>

#include "ingest/lines.h"
#include "ingest/log_reader.h"
#include "ingest/unread_reason.h"

namespace tfpm {
namespace {

struct Candidate {
  SniffScore score = 0;
  std::string_view name;
  const Parser* parser = nullptr;
};

// Programs, configuration and documents: text that nobody logged. They are read as logs only when a
// log header stands in them.
constexpr std::array<std::string_view, 24> kNoLogSuffixes = {
    ".py",  ".sh",  ".sbatch", ".slurm", ".yaml",  ".yml",  ".toml", ".ini",
    ".cfg", ".md",  ".rst",    ".html",  ".xml",   ".css",  ".js",   ".c",
    ".cc",  ".cpp", ".h",      ".proto", ".ipynb", ".json", ".conf", ".pbtxt"};

bool has_no_log_name(std::string_view path) {
  return std::any_of(kNoLogSuffixes.begin(), kNoLogSuffixes.end(),
                     [&](std::string_view suffix) { return path.ends_with(suffix); });
}

bool has_header(std::string_view head) {
  while (!head.empty()) {
    const std::size_t newline = head.find('\n');
    const std::string_view line = head.substr(0, newline);
    if (parse_header(line).family != HeaderFamily::kNone) return true;
    if (newline == std::string_view::npos) break;
    head.remove_prefix(newline + 1);
  }
  return false;
}

bool is_log(const SniffInput& input) {
  const std::string_view head(input.head.data(), input.head.size());
  if (head.empty() || !looks_like_text(head) || is_lfs_pointer(head)) return false;
  const bool program = has_no_log_name(input.path) || head.starts_with("#!");
  if (!program || has_header(head)) return true;
  return EnvelopeDetector::from_head(head).tagged();
}

// Some profiler files are empty in healthy runs, others only after a failure (formats.md 6.10).
std::string describe_empty(std::string_view path) {
  if (path.ends_with(".kernel_stats.pb")) {
    return "empty, which is normal: no GPU kernel ran while the profile was taken";
  }
  if (path.ends_with(".xplane.pb")) {
    return "empty profile: more than 2 GiB to write, or the disk was full";
  }
  return "empty file";
}

}  // namespace

Choice identify(const std::vector<std::unique_ptr<Parser>>& parsers, const SniffInput& input) {
  std::vector<Candidate> candidates;
  if (!input.head.empty()) {
    for (const auto& parser : parsers) {
      const SniffScore score = parser->sniff(input);
      if (score > 0) candidates.push_back({score, parser->name(), parser.get()});
    }
    if (is_log(input)) candidates.push_back({kTextFallbackScore, kLogParser, nullptr});
  }
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return a.score != b.score ? a.score > b.score : a.name < b.name;
  });
  Choice choice;
  if (candidates.empty()) {
    const std::string_view head(input.head.data(), input.head.size());
    choice.why_nobody = head.empty() ? describe_empty(input.path)
                                     : describe_unread(head, input.path, looks_like_text(head));
    return choice;
  }
  choice.parser = candidates[0].parser;
  choice.name = candidates[0].name;
  if (candidates.size() > 1) choice.runner_up = candidates[1].name;
  return choice;
}

}  // namespace tfpm
