// Findings: the root, other faults, cascades folded under their cause, remarks.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/case_file.h"
#include "engine/class_ids.h"
#include "store/database.h"
#include "store/row_writer.h"

namespace tfpm {
namespace {

using nlohmann::json;

Value opt(const OptInt& v) {
  return v ? Value(*v) : null_value();
}
Value text_or_null(const std::string& s) {
  return s.empty() ? null_value() : Value(s);
}

std::string to_json(const std::vector<std::string>& list) {
  return json(list).dump(-1, ' ', false, json::error_handler_t::replace);
}

// The claim that says most about what happened.
const Claim* strongest(const CaseFile& file, const Hypothesis& h) {
  const Item* best = nullptr;
  for (const Item& item : h.items) {
    const Claim& c = file.claims[item.claim];
    if (c.failure_class.empty()) continue;
    if (best == nullptr || item.counted_db > best->counted_db) best = &item;
  }
  return best == nullptr ? nullptr : &file.claims[best->claim];
}

std::string confidence_of(const CaseFile& file, const Hypothesis& h) {
  if (&h == file.root()) return file.choice.confidence;
  if (is_remark(h.failure_class)) return "established";  // a statement about rows, not a guess
  std::string word = h.score_db >= 30   ? "established"
                     : h.score_db >= 10 ? "supported"
                                        : "hypothesis";
  if (h.confidence_cap == "hypothesis" || !h.may_answer()) word = "hypothesis";
  if (h.confidence_cap == "supported" && word == "established") word = "supported";
  return word;
}

std::string severity_of(const CaseFile& file, const Hypothesis& h) {
  const auto info = file.classes.find(h.failure_class);
  std::string severity =
      info == file.classes.end() ? "error" : info->second.texts_for(h.cause).severity;
  const bool healthy = file.choice.status == VerdictStatus::kHealthy;
  if (h.failure_class == "data-quality") return "data-quality";
  if (h.role == "contributing" && severity != "info") severity = "warning";
  if (healthy && h.score_db == 0 && !is_remark(h.failure_class)) severity = "warning";
  // Earlier generations failed; the run went on.
  if (h.generation != file.choice.generation && severity == "critical") severity = "error";
  return severity;
}

class FindingWriter {
 public:
  FindingWriter(Database& db, CaseFile& file, EvidenceBook& book)
      : file_(file), book_(book), rows_(db) {}

  Status run() {
    std::vector<const Hypothesis*> shown;
    for (const Hypothesis& h : file_.hypotheses) {
      if (h.role != "rejected") shown.push_back(&h);
    }
    if (file_.choice.status == VerdictStatus::kUndetermined && file_.root() != nullptr &&
        file_.root()->role == "rejected") {
      shown.push_back(file_.root());
    }
    std::stable_sort(shown.begin(), shown.end(), [](const Hypothesis* a, const Hypothesis* b) {
      return std::tuple(rank(a->role), -a->generation, -a->score_db) <
             std::tuple(rank(b->role), -b->generation, -b->score_db);
    });
    for (const Hypothesis* h : shown) TFPM_RETURN_IF_ERROR(write(*h));
    return cascades();
  }

 private:
  static int rank(const std::string& role) {
    if (role == "root") return 0;
    if (role == "independent") return 1;
    return role == "contributing" ? 2 : 3;
  }

  struct Advice {
    const char* part;  // finding_advice.part
    std::string text;
  };

  std::vector<Advice> advice(const Hypothesis& h) const {
    std::vector<Advice> out;
    const auto found = file_.classes.find(h.failure_class);
    if (found == file_.classes.end()) return out;
    const ClassTexts& info = found->second.texts_for(h.cause);
    const Phrases p = phrases_for(file_, h);
    for (const std::string& line : info.now) out.push_back({"now", fill(line, p)});
    for (const std::string& line : info.check) out.push_back({"check", fill(line, p)});
    for (const std::string& line : info.prevent) out.push_back({"prevent", fill(line, p)});
    return out;
  }

  Status write_advice(std::int64_t finding, const std::vector<Advice>& list) {
    std::int64_t n = 0;
    for (const Advice& a : list) {
      const Row row{
          "finding_advice",
          {{"finding_id", finding}, {"n", n++}, {"part", text_value(a.part)}, {"text", a.text}}};
      TFPM_RETURN_IF_ERROR(rows_.write(row).status());
    }
    return ok_status();
  }

  Status write(const Hypothesis& h) {
    const Claim* claim = strongest(file_, h);
    const bool undetermined = h.role == "rejected";
    const std::vector<Advice> list = advice(h);
    std::vector<std::string> texts;
    for (const Advice& a : list) texts.push_back(a.text);
    const Row row{"finding",
                  {{"rule", claim == nullptr ? std::string("engine") : claim->rule},
                   {"class", h.failure_class},
                   {"cause", text_or_null(h.cause)},
                   {"severity", severity_of(file_, h)},
                   {"role", undetermined ? std::string("contributing") : h.role},
                   {"workers", to_json(worker_names(h, file_.facts))},
                   {"step_lo", opt(h.step_lo)},
                   {"step_hi", opt(h.step_hi)},
                   {"generation", h.generation},
                   {"confidence", confidence_of(file_, h)},
                   {"title", hypothesis_title(file_, h)},
                   {"summary", summary(h)},
                   {"advice", to_json(texts)},
                   {"explained_by", null_value()}}};
    const Result<std::int64_t> id = rows_.write(row);
    if (!id.ok()) return id.status();
    file_.finding_of[static_cast<int>(&h - file_.hypotheses.data())] = *id;
    TFPM_RETURN_IF_ERROR(write_advice(*id, list));
    return link(*id, h);
  }

  std::string summary(const Hypothesis& h) const {
    const auto info = file_.classes.find(h.failure_class);
    const Phrases p = phrases_for(file_, h);
    if (info == file_.classes.end()) return p.what;
    const ClassTexts& texts = info->second.texts_for(h.cause);
    return fill(h.workers.empty() ? texts.summary_unnamed : texts.summary, p);
  }

  Status link(std::int64_t finding, const Hypothesis& h) {
    std::vector<std::int64_t> cited;
    std::set<std::int64_t> known;
    std::vector<Item> items = h.items;
    std::stable_sort(items.begin(), items.end(),
                     [](const Item& a, const Item& b) { return a.counted_db > b.counted_db; });
    for (const Item& item : items) {
      const Claim& c = file_.claims[item.claim];
      const char* kind = c.weight_db < 0            ? "counter"
                         : !c.failure_class.empty() ? "cause"
                                                    : "symptom";
      for (const std::string& ref : c.evidence) {
        const Result<std::int64_t> id = book_.cite(ref, kind, item.counted_db);
        if (!id.ok()) return id.status();
        if (*id != 0 && known.insert(*id).second) cited.push_back(*id);
      }
    }
    for (std::size_t n = 0; n < cited.size(); ++n) {
      const Row row{"finding_evidence_link",
                    {{"finding_id", finding},
                     {"n", static_cast<std::int64_t>(n)},
                     {"evidence_id", cited[n]}}};
      TFPM_RETURN_IF_ERROR(rows_.write(row).status());
    }
    return ok_status();
  }

  // The survivors' own last errors, one finding for all that one fault brought down.
  Status cascades() {
    std::map<std::size_t, std::vector<const Cascade*>> by_cause;
    for (const Cascade& c : file_.cascades) {
      const RunInfo* run = file_.facts.run(c.worker, file_.choice.generation);
      if (run != nullptr && run->ending == "victim") by_cause[c.cause].push_back(&c);
    }
    for (auto& [cause, victims] : by_cause) {
      const auto finding = file_.finding_of.find(static_cast<int>(cause));
      if (finding == file_.finding_of.end()) continue;
      std::sort(victims.begin(), victims.end(),
                [](const Cascade* a, const Cascade* b) { return a->worker < b->worker; });
      TFPM_RETURN_IF_ERROR(cascade(victims, finding->second));
    }
    return ok_status();
  }

  Status cascade(const std::vector<const Cascade*>& victims, std::int64_t cause) {
    std::vector<std::string> names;
    for (const Cascade* c : victims) names.push_back(c->name);
    const Row row{"finding",
                  {{"rule", std::string("engine")},
                   {"class", std::string("note")},
                   {"cause", null_value()},
                   {"severity", std::string("info")},
                   {"role", std::string("cascade")},
                   {"workers", to_json(names)},
                   {"step_lo", null_value()},
                   {"step_hi", null_value()},
                   {"generation", file_.choice.generation},
                   {"confidence", std::string("established")},
                   {"title", fmt::format("{} failed because of it", join_names(names))},
                   {"summary", fmt::format("The last errors of {} are communication errors about a "
                                           "task that had already gone; they are consequences.",
                                           join_names(names))},
                   {"advice", std::string("[]")},
                   {"explained_by", cause}}};
    const Result<std::int64_t> id = rows_.write(row);
    if (!id.ok()) return id.status();
    std::int64_t n = 0;
    for (const Cascade* c : victims) {
      if (n == kMaxCascadeLines || c->refs.empty()) continue;
      const Result<std::int64_t> e = book_.cite(c->refs.front(), "symptom", 0);
      if (!e.ok()) return e.status();
      if (*e == 0) continue;
      const Row link_row{"finding_evidence_link",
                         {{"finding_id", *id}, {"n", n++}, {"evidence_id", *e}}};
      TFPM_RETURN_IF_ERROR(rows_.write(link_row).status());
    }
    return ok_status();
  }

  static constexpr std::int64_t kMaxCascadeLines = 8;

  CaseFile& file_;
  EvidenceBook& book_;
  RowWriter rows_;
};

}  // namespace

Phrases phrases_for(const CaseFile& file, const Hypothesis& h) {
  Phrases p;
  p.workers = join_names(worker_names(h, file.facts));
  const auto info = file.classes.find(h.failure_class);
  if (p.workers.empty()) {
    p.workers = info == file.classes.end() ? "no single task" : info->second.unnamed_workers;
  }
  p.step = step_phrase(h, file.facts);
  const auto steps = file.facts.steps.find(h.generation);
  p.last = steps == file.facts.steps.end() || !steps->second.common
               ? "no step"
               : fmt::format("step {}", *steps->second.common);
  const Claim* claim = strongest(file, h);
  p.what = as_sentence(claim == nullptr || claim->summary.empty() ? "no single line says so"
                                                                  : claim->summary);
  const bool before_nan = h.failure_class == "nan" && !file.checkpoint.last_good_before_nan.empty();
  p.checkpoint = before_nan ? file.checkpoint.last_good_before_nan : file.checkpoint.last_good;
  if (p.checkpoint.empty()) p.checkpoint = "no checkpoint";
  std::vector<std::string> hosts;
  for (const std::int64_t w : h.workers) {
    const auto host = file.facts.hosts.find(w);
    if (host != file.facts.hosts.end()) hosts.push_back(host->second);
  }
  const bool unnamed = h.workers.empty() && info != file.classes.end();
  p.host = !hosts.empty() ? join_names(hosts) : unnamed ? info->second.unnamed_host : "its host";
  p.cause = h.cause.empty() ? "unknown" : h.cause;
  p.file = h.input_file.empty() ? "FILE" : h.input_file;
  return p;
}

std::string hypothesis_title(const CaseFile& file, const Hypothesis& h) {
  const auto info = file.classes.find(h.failure_class);
  if (info == file.classes.end()) return h.failure_class;
  const ClassTexts& texts = info->second.texts_for(h.cause);
  if (is_remark(h.failure_class)) {
    const Claim* claim = strongest(file, h);
    if (claim != nullptr && !claim->summary.empty()) return claim->summary;
  }
  return fill(h.workers.empty() ? texts.title_unnamed : texts.title, phrases_for(file, h));
}

Status write_findings(Database& db, CaseFile& file, EvidenceBook& book) {
  return FindingWriter(db, file, book).run();
}

}  // namespace tfpm
