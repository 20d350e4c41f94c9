// Memory that was freed and is nobody's.
#pragma once

namespace tfpm {

// What one thread allocated and another freed stays in the heap of the first, where the second
// cannot use it. Gives it back to the system; costs milliseconds, so call it between large phases.
void give_back_freed_memory();

}  // namespace tfpm
