#include "report/sections.h"

#include <fmt/format.h>

#include "report/format.h"
#include "report/phrases.h"

namespace tfpm::report {

Inline places(const ReportModel& model, const std::vector<std::int64_t>& evidence,
              std::size_t max) {
  Inline out;
  std::size_t shown = 0;
  for (const std::int64_t id : evidence) {
    const Evidence* item = model.evidence_by_id(id);
    if (item == nullptr) continue;
    if (shown == max) {
      out.push_back(plain(fmt::format(" and {} more", evidence.size() - shown)));
      break;
    }
    if (shown++ > 0) out.push_back(plain(" · "));
    const std::string place = format_place(*item);
    out.push_back(place.empty() ? plain("absence: " + item->text) : code(place));
  }
  return out;
}

Document build_document(const ReportModel& model) {
  Document doc{title(model), {}};
  add_verdict(model, doc);
  add_story(model, doc);
  add_tasks(model, doc);
  add_reasons(model, doc);
  add_actions(model, doc);
  add_checkpoints(model, doc);
  add_timeline(model, doc);
  add_other_findings(model, doc);
  add_evidence(model, doc);
  add_gaps(model, doc);
  add_differences(model, doc);
  add_queries(model, doc);
  return doc;
}

}  // namespace tfpm::report
