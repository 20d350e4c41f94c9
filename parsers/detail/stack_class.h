// What a thread is doing, judged from its frames (algorithms.md 4.5).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "parsers/detail/stack_types.h"

namespace tfpm {

struct ThreadClass {
  std::string_view name;             // value of stack_thread.class
  std::optional<std::size_t> frame;  // index of the frame that decided it
};

// Iterator, dataset, generator or py_function frames above a frame of the program make 'input';
// save and restore code 'checkpoint'; an executing step at the main thread's root
// 'collective-wait'; pool threads that only wait are 'idle'.
ThreadClass classify_thread(const DumpThread& thread);

// A frame of the user's program: Python source that is neither TensorFlow, Keras, another known
// library nor the standard library.
bool is_program_frame(const DumpFrame& frame);

}  // namespace tfpm
