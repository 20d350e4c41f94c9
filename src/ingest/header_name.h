// Logger names, source places and separators in the headers of Python's logging. Internal to
// src/ingest.
#pragma once

#include <cstddef>
#include <string_view>

#include "ingest/lines.h"

namespace tfpm {

inline constexpr std::size_t kMaxName = 120;  // longest logger name or source place

// The name at the start of `text`: `trainer.loop`, `/app/train.py`; empty = none.
std::string_view take_name(std::string_view text);

// Moves a logger or place behind a level off `text`: `train: `, `tensorflow - `, `train.py:42: `,
// `[engine.py:65:step]`, loguru's `__main__:main:42 - `. Leaves `text` alone when there is none.
void take_name_behind_level(std::string_view& text, LineHeader& out);

// `text` without the separator in front of a message: `: `, ` - `, `] `, `| `, `>> ` or one blank.
// More blanks may belong to the message.
std::string_view trim_message_front(std::string_view text);

}  // namespace tfpm
