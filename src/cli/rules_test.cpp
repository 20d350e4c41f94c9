// tfpm rules test: which signatures hit which lines of a log.
#include "engine/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "cli/command_line.h"
#include "cli/log_line.h"
#include "cli/rules_commands.h"
#include "cli/terminal.h"
#include "ingest/matcher.h"

namespace tfpm::cli {
namespace {

struct TestOptions {
  std::string log;
  std::vector<std::string> ids;
  std::optional<std::string> rules;
};

constexpr std::size_t kShownText = 160;  // bytes of a line that are shown

std::string hit_text(const LogLine& line, const Signature& signature, const SignatureMatch& match) {
  std::string out = fmt::format("{:>8}  {:<36} {}\n", line.number, signature.id,
                                printable(line.message.substr(0, kShownText)));
  for (const auto& [name, value] : match.captures) {
    out += fmt::format("{:>10}{} = {}\n", "", name, printable(value));
  }
  return out;
}

// Collects what is printed: hits in order, then counts.
class HitList {
 public:
  HitList(const std::vector<Signature>& signatures, const Matcher& matcher)
      : signatures_(signatures), matcher_(matcher), scratch_(matcher) {}

  // false: nobody reads on.
  Result<bool> look_at(const LogLine& line) {
    TFPM_RETURN_IF_ERROR(matcher_.scan(line.message, scratch_, hits_));
    if (hits_.empty()) return true;
    std::vector<std::uint32_t> patterns;
    for (const LiteralHit& hit : hits_) patterns.push_back(hit.pattern);
    std::sort(patterns.begin(), patterns.end());
    patterns.erase(std::unique(patterns.begin(), patterns.end()), patterns.end());
    matcher_.confirm(line.message, patterns, true, matches_);
    for (const SignatureMatch& match : matches_) {
      const Signature& signature = signatures_[match.signature];
      ++counts_[signature.id];
      Result<bool> open = stream_to_stdout(hit_text(line, signature, match));
      if (!open.ok() || !*open) return open;
    }
    return true;
  }

  std::string summary() const {
    if (counts_.empty()) return "no signature hits any line\n";
    std::string out;
    for (const auto& [id, count] : counts_) out += fmt::format("{:>8} x {}\n", count, id);
    return out;
  }

 private:
  const std::vector<Signature>& signatures_;
  const Matcher& matcher_;
  Matcher::Scratch scratch_;
  std::vector<LiteralHit> hits_;
  std::vector<SignatureMatch> matches_;
  std::map<std::string, std::uint64_t> counts_;
};

Result<std::vector<Signature>> chosen(const TestOptions& options) {
  Result<RuleSet> rules = load_rules(options.rules);
  if (!rules.ok()) return rules.status();
  if (options.ids.empty()) return std::move(rules->signatures);
  std::vector<Signature> out;
  for (const std::string& id : options.ids) {
    const auto found = std::find_if(rules->signatures.begin(), rules->signatures.end(),
                                    [&](const Signature& s) { return s.id == id; });
    if (found == rules->signatures.end()) {
      return error(ErrorKind::kUsage, "no such signature", id, {},
                   "`tfpm rules list` prints all ids");
    }
    out.push_back(*found);
  }
  return out;
}

Result<int> run(const TestOptions& options) {
  const Result<std::vector<Signature>> signatures = chosen(options);
  if (!signatures.ok()) return signatures.status();
  const Result<Matcher> matcher = Matcher::compile(*signatures);
  if (!matcher.ok()) return matcher.status();
  HitList hits(*signatures, *matcher);
  Result<bool> more = true;
  TFPM_RETURN_IF_ERROR(read_log_lines(options.log, [&](const LogLine& line) {
    more = hits.look_at(line);
    return more.ok() && *more;
  }));
  if (!more.ok()) return more.status();
  TFPM_RETURN_IF_ERROR(write_stdout(hits.summary()));
  return kExitOk;
}

}  // namespace

void add_rules_test(Command group, Context& context) {
  const Command command = group.add("test", "show which signatures hit which lines of a log");
  auto options = std::make_shared<TestOptions>();
  command.option("LOG", options->log, "a log file, compressed or not").required();
  command.option("--id", options->ids, "only these signatures").type("ID");
  command.option("--rules", options->rules, "directory laid over the built-in rules").type("DIR");
  command.footer(
      "Looks at single lines, header and envelope removed; `analyze` also joins tracebacks\n"
      "and other records of several lines.");
  command.action(context, [options] { return run(*options); });
}

}  // namespace tfpm::cli
