#include "cli/analysis.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "align/align.h"
#include "base/memory.h"
#include "base/version.h"
#include "bundle/bundle.h"
#include "bundle/manifest_tap.h"
#include "cli/checked_rules.h"
#include "cli/interrupt_guard.h"
#include "cli/output_dir.h"
#include "cli/progress_line.h"
#include "cli/steps.h"
#include "cli/terminal.h"
#include "engine/diagnose.h"
#include "engine/rules.h"
#include "ingest/ingest.h"
#include "report/report.h"
#include "store/database.h"

namespace tfpm::cli {
namespace {

// Where the evidence was, so that `show` can find lines again that the store does not hold.
std::string absolute_paths(const std::vector<std::string>& paths) {
  nlohmann::json out = nlohmann::json::array();
  for (const std::string& path : paths) {
    std::error_code failed;
    const std::filesystem::path absolute = std::filesystem::absolute(path, failed);
    out.push_back(failed ? path : absolute.lexically_normal().string());
  }
  return out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Status write_meta(Database& db, const Bundle& bundle, const AnalysisOptions& options,
                  const IngestResult& read, const RuleSet& rules) {
  const std::vector<std::pair<const char*, std::string>> facts = {
      {"tfpm_version", std::string(version())},
      {"rules_hash", rules.hash},
      {"bundle_name", bundle.name()},
      {"bundle_members", std::to_string(read.members)},
      {"bundle_bytes", std::to_string(read.bytes)},
      {"bundle_fingerprint", read.fingerprint},
      {"bundle_paths", absolute_paths(options.bundles)},
  };
  Result<Statement> insert = db.prepare("INSERT INTO meta(key, value) VALUES(?1, ?2)");
  if (!insert.ok()) return insert.status();
  for (const auto& [key, value] : facts) {
    TFPM_RETURN_IF_ERROR(insert->bind(1, key).bind(2, std::string_view(value)).run());
  }
  return ok_status();
}

// What the manifest says of sources and markers, in the words of alignment.
Result<AlignOptions> declared_by(const Manifest& manifest, Database& db) {
  AlignOptions out;
  for (const ManifestMarker& marker : manifest.markers) {
    out.markers.push_back({marker.re, marker.edge});
  }
  Result<Statement> sources = db.prepare("SELECT path FROM source ORDER BY id");
  if (!sources.ok()) return sources.status();
  for (;;) {
    const Result<bool> row = sources->step();
    if (!row.ok()) return row.status();
    if (!*row) return out;
    const std::string path = sources->text(0);
    for (const ManifestTask& task : manifest.tasks) {
      for (const std::string& glob : task.paths) {
        // The first task that names a source has it.
        if (glob_matches(glob, path)) {
          out.declared.try_emplace(
              path, DeclaredTask{task.task, task.host, task.attempt, task.utc_offset_s});
        }
      }
    }
  }
}

// Versions that the manifest states hold for the whole job; what a task's own files say stands
// beside them.
Status write_framework(const Manifest& manifest, Database& db) {
  if (manifest.framework.empty()) return ok_status();
  Result<Statement> insert = db.prepare(
      "INSERT OR REPLACE INTO environment(source_id, owner, component, version, line)"
      " SELECT id, NULL, ?1, ?2, NULL FROM source WHERE path = 'bundle.json'");
  if (!insert.ok()) return insert.status();
  for (const auto& [component, version] : manifest.framework) {
    TFPM_RETURN_IF_ERROR(
        insert->bind(1, std::string_view(component)).bind(2, std::string_view(version)).run());
  }
  return ok_status();
}

Result<IngestResult> read_bundle(Bundle& bundle, const RuleSet& rules, Database& db,
                                 const GlobalOptions& global) {
  const ProgressLine line(stderr_is_terminal() && !global.quiet, [&bundle] {
    const BundleProgress p = bundle.progress();
    return ProgressState{p.bytes_done, p.bytes_total, p.members_done};
  });
  IngestOptions options;
  options.threads = global.threads;
  return ingest(bundle, rules.signatures, db, options);
}

// Fills the store of a new output directory.
Result<IngestResult> fill_store(Bundle& bundle, const AnalysisOptions& options,
                                const GlobalOptions& global, const RuleSet& rules, Database& db,
                                Steps& steps) {
  ManifestTap tap(bundle);
  Result<IngestResult> read = read_bundle(tap, rules, db, global);
  if (!read.ok()) return read;
  give_back_freed_memory();  // with 100,000 small files more than all that alignment needs
  steps.done(fmt::format("read {} members", read->members));
  TFPM_RETURN_IF_ERROR(write_framework(tap.manifest(), db));
  Result<AlignOptions> declared = declared_by(tap.manifest(), db);
  if (!declared.ok()) return declared.status();
  declared->threads = global.threads;
  TFPM_RETURN_IF_ERROR(align(db, std::move(read->series), *declared, steps.callback()));
  steps.done("aligned tasks and steps");
  TFPM_RETURN_IF_ERROR(write_meta(db, bundle, options, *read, rules));
  TFPM_RETURN_IF_ERROR(db.finish_loading());
  steps.done("closed the store");
  TFPM_RETURN_IF_ERROR(diagnose(db, rules, steps.callback()));
  steps.done("ran the rules");
  return read;
}

Status render(Database& db, const GlobalOptions& global, const OutputDir& out,
              AnalysisResult& result) {
  Result<Rendered> rendered =
      render_all(db, {use_color(global.color), terminal_width(), result.output});
  if (!rendered.ok()) return rendered.status();
  result.rendered = std::move(*rendered);
  TFPM_RETURN_IF_ERROR(write_reports(result.rendered, out.temporary()));
  Result<std::optional<std::string>> worst = db.query_text(
      "SELECT severity FROM finding WHERE severity IN ('critical','error','warning','info')"
      " ORDER BY CASE severity WHEN 'critical' THEN 0 WHEN 'error' THEN 1 WHEN 'warning' THEN 2"
      " ELSE 3 END LIMIT 1");
  if (!worst.ok()) return worst.status();
  result.worst_severity = std::move(*worst);
  return ok_status();
}

}  // namespace

Result<AnalysisResult> run_analysis(const AnalysisOptions& options, const GlobalOptions& global) {
  Steps steps(global.verbose);
  const Result<RuleSet> rules = load_checked_rules(options.rules);
  if (!rules.ok()) return rules.status();
  steps.done(fmt::format("loaded {} signatures and {} analyses", rules->signatures.size(),
                         rules->analyses.size()));
  // Before the long look into an archive.
  if (options.output.has_value()) {
    TFPM_RETURN_IF_ERROR(OutputDir::check(*options.output, options.force));
  }
  Result<std::unique_ptr<Bundle>> bundle = Bundle::open(options.bundles);
  if (!bundle.ok()) return bundle.status();
  steps.done("opened the bundle");

  AnalysisResult result;
  result.output = options.output.value_or((*bundle)->name() + ".tfpm");
  InterruptGuard guard;
  Result<OutputDir> out = OutputDir::create(result.output, options.force);
  if (!out.ok()) return out.status();
  guard.watch(out->temporary());
  {
    Result<Database> db = Database::create(out->path(kDatabaseFile));
    if (!db.ok()) return db.status();
    const Result<IngestResult> read = fill_store(**bundle, options, global, *rules, *db, steps);
    if (!read.ok()) return read.status();
    result.evidence_lost = read->evidence_lost;
    TFPM_RETURN_IF_ERROR(render(*db, global, *out, result));
    steps.done("rendered the report");
  }
  // A signal between two of its files would leave old and new ones side by side.
  guard.hold();
  TFPM_RETURN_IF_ERROR(out->commit(output_files()));
  return result;
}

}  // namespace tfpm::cli
