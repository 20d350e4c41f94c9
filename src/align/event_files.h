// Whose event files are they: the task and incarnation that wrote each, and which of their values a
// later run of the same task replaces (formats.md 4.2).
#pragma once

#include "align/model.h"

namespace tfpm {

// Needs workers and attempts. A file belongs to the task its path or host names, an incarnation to
// the process id in its name; where a job ran once, that is the incarnation.
Status place_event_files(Database& db, const Model& model);

}  // namespace tfpm
