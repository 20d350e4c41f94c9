// Title, the table a reader sees first, and what happened.
#include <fmt/format.h>

#include "report/format.h"
#include "report/phrases.h"
#include "report/sections.h"

namespace tfpm::report {
namespace {

void append(Inline& to, const Inline& more) {
  to.insert(to.end(), more.begin(), more.end());
}

Inline verdict_cell(const ReportModel& model) {
  const Verdict& verdict = model.verdict;
  Inline out;
  if (verdict.status != "explained") out.push_back(strong(verdict.status));
  if (verdict.failure_class != "none" && verdict.failure_class != verdict.status) {
    if (!out.empty()) out.push_back(plain(" · "));
    out.push_back(code(class_and_cause(verdict.failure_class, verdict.cause)));
  }
  if (!verdict.workers.empty()) {
    const bool sure = verdict.confidence != "hypothesis";
    append(out,
           {plain(sure ? " · origin " : " · perhaps "), strong(format_names(verdict.workers))});
  }
  if (verdict.step.known()) {
    append(out, {plain(" · step "), strong(format_step(verdict.step))});
    if (model.progress && model.progress->common)
      append(out, {plain(fmt::format(" ({} was the last step all tasks completed)",
                                     *model.progress->common))});
  }
  if (const std::int64_t restarts = restarts_before(model); restarts > 0)
    append(out, {plain(fmt::format(" · after restart {}", restarts))});
  append(out, {plain(" · "), strong(verdict.confidence)});
  const std::string words = confidence_words(verdict);
  if (words.size() > verdict.confidence.size())
    append(out, {plain(words.substr(verdict.confidence.size()))});
  return out;
}

Inline bundle_cell(const ReportModel& model) {
  const RunInfo& run = model.run;
  Inline out;
  if (run.bundle_name) append(out, {code(*run.bundle_name), plain(" · ")});
  std::string text =
      fmt::format("{} task{}", model.tasks.size(), model.tasks.size() == 1 ? "" : "s");
  if (run.bundle_members)
    text +=
        fmt::format(" · {} members, {} read", *run.bundle_members, format_int(model.sources_read));
  if (run.bundle_bytes) text += " · " + format_bytes(*run.bundle_bytes);
  if (run.tfpm_version) text += " · tfpm " + *run.tfpm_version;
  append(out, {plain(text)});
  if (run.rules_hash) append(out, {plain(", rules "), code(*run.rules_hash)});
  if (run.bundle_fingerprint)
    append(out, {plain(" · fingerprint "), code(*run.bundle_fingerprint)});
  return out;
}

}  // namespace

void add_verdict(const ReportModel& model, Document& doc) {
  doc.add(Heading{1, {plain(title(model))}});
  Table table{{"", ""}, {}};
  table.rows.push_back({{strong("Verdict")}, verdict_cell(model)});
  const std::string now = now_sentence(model);
  if (!now.empty()) table.rows.push_back({{strong("Now")}, prose(now)});
  table.rows.push_back({{strong("Bundle")}, bundle_cell(model)});
  doc.add(std::move(table));
}

void add_story(const ReportModel& model, Document& doc) {
  doc.add(Heading{2, {plain("What happened")}});
  doc.add(Paragraph{prose(model.verdict.summary)});
  const Finding* root = model.root();
  // The verdict may be the finding's own words with what finally stopped the job behind them.
  if (root != nullptr && !model.verdict.summary.starts_with(root->summary))
    doc.add(Paragraph{prose(root->summary)});
  if (model.chain.empty()) return;
  Table table{{"#", "step", "task", "what", "by way of", "evidence"}, {}};
  for (const ChainLink& link : model.chain) {
    table.rows.push_back({{plain(fmt::format("{}", link.n))},
                          {plain(format_step(link.step))},
                          {link.worker ? strong(*link.worker) : plain("–")},
                          prose(link.what),
                          {plain(edge_words(link.edge))},
                          places(model, link.evidence)});
  }
  doc.add(std::move(table));
}

}  // namespace tfpm::report
