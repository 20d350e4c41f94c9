// Words for people: names, steps, placeholders of the class table.
#pragma once

#include <string>
#include <vector>

#include "engine/hypothesis.h"

namespace tfpm {

// "worker-1", "worker-1 and worker-2", "worker-1, worker-2 and 6 more"; empty for nobody.
std::string join_names(const std::vector<std::string>& names);
std::vector<std::string> worker_names(const Hypothesis& h, const JobFacts& facts);
// First letter upper case unless it is a task's name, and a full stop at the end.
std::string as_sentence(std::string text);
// "step 17", "steps 12-16", "start-up" when unknown and nobody stepped, else "an unknown step".
std::string step_phrase(const Hypothesis& h, const JobFacts& facts);

// Values for {workers} {worker} {step} {last} {what} {checkpoint} {host} {cause} {file}.
struct Phrases {
  std::string workers, step, last, what, checkpoint, host, cause, file;
};
std::string fill(std::string text, const Phrases& phrases);

}  // namespace tfpm
