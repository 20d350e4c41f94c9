// What the engine must know of each failure class, and what to advise (rules/classes/*.json).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace tfpm {

// Stage in which a class competes for the verdict (algorithms.md section 4.6, choosing the
// verdict).
enum class ClassStage {
  kFailure,  // something stopped or spoiled the run
  kRemains,  // damage found in checkpoints nothing restored, performance causes: only when no
             // failure stands
};

// What the report says of a class.
struct ClassTexts {
  std::string severity;         // of a root finding
  std::string title;            // with {workers} {step}
  std::string title_unnamed;    // when nobody is named
  std::string summary;          // with {workers} {step} {last} {what}
  std::string summary_unnamed;  // when nobody is named; `summary` where the file has none
  std::vector<std::string> now, check, prevent, collect;
};

struct ClassInfo {
  std::string id;
  ClassStage stage = ClassStage::kFailure;
  bool ends_process = false;    // the origin's process ends by it: witnesses, exits and lists about
                                // the worker support it
  bool starts_up = false;       // happens before the first step
  std::string unnamed_workers;  // {workers} and {host} when nobody is named
  std::string unnamed_host;
  ClassTexts texts;
  std::map<std::string, ClassTexts, std::less<>> by_cause;  // of causes that ask for other texts
  std::vector<std::string> replaces;  // classes it replaces on the same worker (gate G9)

  const ClassTexts& texts_for(std::string_view cause) const;  // the cause may be empty
};

using ClassTable = std::map<std::string, ClassInfo, std::less<>>;

// Built in; broken data is a bug of ours and reported as such.
Result<ClassTable> load_class_table();

}  // namespace tfpm
