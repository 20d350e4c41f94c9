// tfpm verify-checkpoint: checkpoints on disk, without a bundle.
#include <atomic>
#include <memory>

#include "cli/command_line.h"
#include "cli/progress_line.h"
#include "cli/terminal.h"
#include "ingest/checkpoint_verify.h"

namespace tfpm::cli {
namespace {

struct VerifyOptions {
  std::string path;
  bool json = false;
};

Result<int> run(const VerifyOptions& options, const GlobalOptions& global) {
  std::atomic<std::uint64_t> done{0};
  std::atomic<std::uint64_t> total{0};
  CheckpointVerifyOptions how;
  how.threads = global.threads;
  how.progress = [&](std::uint64_t now, std::uint64_t all) {
    done = now;
    total = all;
  };
  Result<CheckpointVerification> found = [&] {
    const ProgressLine line(stderr_is_terminal() && !global.quiet, [&] {
      return ProgressState{done, total, std::nullopt};
    });
    return verify_checkpoints(options.path, how);
  }();
  if (!found.ok()) return found.status();
  if (options.json) {
    TFPM_RETURN_IF_ERROR(write_stdout(to_json(*found) + "\n"));
  } else if (!global.quiet) {
    TFPM_RETURN_IF_ERROR(write_stdout(to_text(*found) + "\n"));
  }
  return found->all_usable ? kExitOk : kExitFinding;
}

}  // namespace

void add_verify_checkpoint(Command app, Context& context) {
  const Command command =
      app.add("verify-checkpoint", "check one checkpoint, or all below a directory, byte by byte");
  auto options = std::make_shared<VerifyOptions>();
  command.option("PATH", options->path, "a checkpoint's prefix, one of its files, a directory")
      .required();
  command.flag("--json", options->json, "print the `checkpoints` object of findings.json");
  command.footer("Exit codes: 0 all intact, 1 damage or missing parts found, 2 could not do it");
  command.action(context, [&context, options] { return run(*options, context.global); });
}

}  // namespace tfpm::cli
