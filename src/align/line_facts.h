// Facts about single lines that the rules ask for again and again, worked out once.
#pragma once

#include "align/model.h"

namespace tfpm {

// Writes handed_on and odd_line_event. Needs placed events. Linear in events and markers.
Status store_line_facts(Database& db, const Model& model);

}  // namespace tfpm
