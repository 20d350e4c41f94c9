// The parts of the report, each one file: reads the model, appends blocks. A section that has
// nothing to say appends nothing.
#pragma once

#include "report/document.h"
#include "report/model.h"

namespace tfpm::report {

// From this many tasks on, tables name the tasks that matter and count the rest.
inline constexpr std::size_t kFoldTasks = 64;

void add_verdict(const ReportModel& model, Document& doc);
void add_story(const ReportModel& model, Document& doc);
void add_tasks(const ReportModel& model, Document& doc);
void add_reasons(const ReportModel& model, Document& doc);
void add_actions(const ReportModel& model, Document& doc);
void add_checkpoints(const ReportModel& model, Document& doc);
void add_timeline(const ReportModel& model, Document& doc);
void add_other_findings(const ReportModel& model, Document& doc);
void add_evidence(const ReportModel& model, Document& doc);
void add_gaps(const ReportModel& model, Document& doc);
void add_differences(const ReportModel& model, Document& doc);
void add_queries(const ReportModel& model, Document& doc);

// All of them, in the order of the report.
Document build_document(const ReportModel& model);

// Places of evidence as code spans, at most `max`, separated by " · ".
Inline places(const ReportModel& model, const std::vector<std::int64_t>& evidence,
              std::size_t max = 4);

}  // namespace tfpm::report
