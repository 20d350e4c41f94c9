// Small pieces of problem sentences.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parsers/checkpoint/model.h"

namespace tfpm {

// A name from a file made fit for rows and sentences: valid UTF-8 without control characters, other
// bytes as \xNN.
std::string printable(std::string_view name);

// Last component of a path, printable.
std::string name_of(std::string_view path);

// Name of a tensor for people: its label without the constant tail of object-based keys.
std::string short_label(const TensorEntry& entry);

// "a, b, c and 4 more".
std::string join_some(const std::vector<std::string>& items);

// "1 tensor", "2 tensors".
std::string counted(std::uint64_t count, std::string_view singular);

}  // namespace tfpm
