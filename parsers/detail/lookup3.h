// Jenkins' lookup3 hash of bytes with initial value 0: what HDF5 checks its metadata with.
#pragma once

#include <cstdint>
#include <string_view>

namespace tfpm {

std::uint32_t lookup3(std::string_view bytes);

}  // namespace tfpm
