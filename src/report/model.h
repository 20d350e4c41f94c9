// What a report says, as plain data. Loaded from the store in one place (load_model), read by every
// renderer; nothing here knows how it will look.
//
// All texts are valid UTF-8 with secrets masked. They may still hold control characters and markup
// of the bundle's own: renderers make them visible and escape them. Absent optionals are facts
// nobody knows, never zero. Orders are those of the store and therefore the same for the same
// bundle.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tfpm::report {

using MaybeInt = std::optional<std::int64_t>;
using MaybeText = std::optional<std::string>;

// Closed interval of logical steps; an absent end is open, both absent = unknown.
struct StepRange {
  MaybeInt lo, hi;
  bool known() const { return lo.has_value() || hi.has_value(); }
};

// Table meta: keys tfpm_version, rules_hash, bundle_*.
struct RunInfo {
  MaybeText tfpm_version, rules_hash;
  MaybeText bundle_name, bundle_fingerprint;
  MaybeInt bundle_members, bundle_bytes;
};

struct Verdict {
  std::string status;  // 'explained', 'undetermined', 'healthy'
  std::string failure_class;
  MaybeText cause;
  std::vector<std::string> workers;
  StepRange step;
  MaybeInt generation;
  std::string confidence;  // 'established', 'supported', 'hypothesis'
  std::optional<double> score_db, margin_db;
  MaybeText rival;
  std::string summary;
  std::vector<std::string> collect_next;
};

struct ChainLink {
  std::int64_t n = 0;
  MaybeText worker;
  StepRange step;
  std::string edge;
  std::string what;
  std::vector<std::int64_t> evidence;  // Evidence::id
};

struct Advice {
  std::string part;  // 'now', 'check', 'prevent'
  std::string text;
};

struct Finding {
  std::int64_t id = 0;
  std::string rule, failure_class;
  MaybeText cause;
  std::string severity, role;
  std::vector<std::string> workers;
  StepRange step;
  MaybeInt generation;
  std::string confidence, title, summary;
  std::vector<Advice> advice;
  MaybeInt explained_by;               // Finding::id
  std::vector<std::int64_t> evidence;  // Evidence::id
};

struct Evidence {
  std::int64_t id = 0;
  std::string kind;
  MaybeText source;  // path; absent = an absence
  MaybeInt line, byte_offset;
  MaybeText worker;
  StepRange step;
  MaybeInt time_us;
  std::string text;  // the raw line, at most 2000 bytes
  std::optional<double> weight_db;
};

struct RuleGap {
  std::string rule, title;
  std::vector<std::string> needs;
  MaybeText why;
};

struct CheckpointItem {
  std::string prefix;
  MaybeInt step;
  std::string completeness, integrity, health;
  MaybeInt tensors;
  MaybeText problem;
};

struct Checkpoints {
  MaybeText last_good, last_good_before_nan;
  MaybeInt lost_steps, avoidable_lost_steps;
  std::vector<CheckpointItem> items;
};

struct Attempt {
  std::int64_t n = 0;
  MaybeInt last_step;
  MaybeText terminal;
  MaybeInt exit_code;
};

struct Clock {
  std::int64_t offset_us = 0;
  MaybeInt error_us;
  MaybeText quality;  // 'A'..'D'
};

struct Task {
  std::int64_t id = 0;
  std::string name;
  std::int64_t instance = 0;
  MaybeText host;
  std::vector<std::string> sources;
  MaybeInt last_step;
  MaybeText terminal, ending;
  MaybeInt exit_code;
  bool has_log = false;
  std::vector<Attempt> attempts;
  std::optional<Clock> clock;
  MaybeText clock_class;         // as Clock::quality, also of a clock whose offset nobody knows
  MaybeText doing;               // what it was in at the end, from its stacks or its last words
  std::string role = "unclear";  // ledger.role
  MaybeInt role_finding;         // Finding::id that made it so
};

struct Unread {
  std::string path;
  MaybeText why;
};

struct Problem {
  MaybeText source;
  std::string code, severity;
  MaybeInt byte_offset;
  std::string detail;
};

// One piece of evidence for or against a hypothesis, as the engine counted it.
struct Claim {
  std::string rule, summary;
  double counted_db = 0;
  MaybeText gate;
};

struct Hypothesis {
  std::string failure_class;
  MaybeText cause;
  std::vector<std::string> workers;
  double score_db = 0;
  std::string role;  // 'root' or 'rejected' or what else the engine made of it
  MaybeText why;     // why it does not stand
  std::vector<Claim> claims;
};

// Where all tasks were (table step_state) in the generation the verdict is about.
struct Progress {
  std::int64_t generation = 0;
  MaybeInt frontier, common, step_us;
  std::string unit = "step";
};

struct StepCell {
  std::int64_t step = 0, task_id = 0;
  MaybeInt time_us;  // as written, the task's own clock
  std::optional<double> loss;
  MaybeText loss_state;
};

// The markers around the failure: at most a few steps, in order.
struct StepWindow {
  std::vector<std::int64_t> steps;
  std::vector<StepCell> cells;
};

// A component whose value is not the same everywhere.
struct Difference {
  std::string component;
  std::vector<std::pair<std::string, std::string>> values;  // task, value
};

struct ReportModel {
  RunInfo run;
  Verdict verdict;
  std::vector<ChainLink> chain;
  std::vector<Finding> findings;
  std::vector<Evidence> evidence;
  std::vector<RuleGap> not_evaluated;
  Checkpoints checkpoints;
  std::vector<Task> tasks;
  std::vector<Unread> unread;
  std::vector<Problem> problems;
  std::vector<Hypothesis> hypotheses;  // best first
  std::optional<Progress> progress;
  StepWindow window;
  std::vector<Difference> differences;
  MaybeInt sources_read;

  // The finding behind the verdict; null when there is none. Owned by the model.
  const Finding* root() const;
  const Evidence* evidence_by_id(std::int64_t id) const;
};

}  // namespace tfpm::report
