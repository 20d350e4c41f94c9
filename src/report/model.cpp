#include "report/model.h"

namespace tfpm::report {

const Finding* ReportModel::root() const {
  const Finding* first = nullptr;
  for (const Finding& finding : findings) {
    if (finding.role != "root") continue;
    if (finding.failure_class == verdict.failure_class) return &finding;
    if (first == nullptr) first = &finding;
  }
  return first;
}

const Evidence* ReportModel::evidence_by_id(std::int64_t id) const {
  for (const Evidence& item : evidence) {
    if (item.id == id) return &item;
  }
  return nullptr;
}

}  // namespace tfpm::report
