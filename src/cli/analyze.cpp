// tfpm analyze: the main job.
#include <array>
#include <memory>

#include "cli/analysis.h"
#include "cli/command_line.h"
#include "cli/terminal.h"

namespace tfpm::cli {
namespace {

constexpr std::array<std::string_view, 4> kSeverities = {"critical", "error", "warning", "info"};

struct AnalyzeOptions {
  AnalysisOptions analysis;
  std::optional<std::string> fail_on;
  bool json = false;
};

std::size_t rank(std::string_view severity) {
  return static_cast<std::size_t>(std::find(kSeverities.begin(), kSeverities.end(), severity) -
                                  kSeverities.begin());
}

Result<int> run(const AnalyzeOptions& options, const GlobalOptions& global) {
  const Result<AnalysisResult> result = run_analysis(options.analysis, global);
  if (!result.ok()) return result.status();
  if (options.json) {
    TFPM_RETURN_IF_ERROR(write_stdout(result->rendered.findings_json));
    if (!global.quiet) write_stderr("written to " + printable(result->output) + "\n");
  } else if (!global.quiet) {
    TFPM_RETURN_IF_ERROR(write_stdout(result->rendered.summary));
  }
  const bool failed = options.fail_on.has_value() && result->worst_severity.has_value() &&
                      rank(*result->worst_severity) <= rank(*options.fail_on);
  if (failed) return kExitFinding;
  return result->evidence_lost ? kExitEvidence : kExitOk;
}

}  // namespace

void add_analyze(Command app, Context& context) {
  const Command command =
      app.add("analyze", "read a bundle, find out what happened, write database and report");
  auto options = std::make_shared<AnalyzeOptions>();
  AnalysisOptions& analysis = options->analysis;
  command
      .option("BUNDLE", analysis.bundles,
              "directory, .tar(.gz|.zst|.xz|.bz2), .zip or log file; several are one bundle")
      .required();
  command.option("-o,--output", analysis.output,
                 "output directory (default: <bundle name>.tfpm here)");
  command.flag("--force", analysis.force, "replace an existing output");
  command.option("--rules", analysis.rules, "directory of rules laid over the built-in ones")
      .type("DIR");
  command.flag("--json", options->json, "print findings.json instead of the summary");
  command
      .option("--fail-on", options->fail_on,
              "exit with 1 when a finding is at or above critical, error, warning or info")
      .one_of({"critical", "error", "warning", "info"})
      .type("SEVERITY");
  command.footer(
      "Exit codes: 0 analysed, 1 a finding with --fail-on, 2 could not do it,\n"
      "            3 analysed, but evidence was damaged or unreadable on the way");
  command.action(context, [&context, options] { return run(*options, context.global); });
}

}  // namespace tfpm::cli
