// Who names whom, folded to statements, with the rules that make a statement weigh nothing
// (algorithms.md section 4.4).
#pragma once

#include "align/model.h"

namespace tfpm {

// Needs endings. Fills Model::accusations and the peer of events.
void collect_accusations(Model& model);

}  // namespace tfpm
