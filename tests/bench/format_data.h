// Bytes of the formats whose reading is measured, made from nothing and the same every time.
#pragma once

#include <cstddef>
#include <string>

namespace tfpm::bench {

// An event file of at least `bytes` bytes, records as the TF2 writer makes them: scalars of four
// tags in turn, 62 to 77 bytes each; with `image` > 0 each carries an image of that many bytes,
// too.
std::string event_file(std::size_t bytes, std::size_t image);

// An XSpace of one host and eight devices with eight lines each: device events with one or two
// numbers, names in tables behind them. About 2 MB per thousand events of a line.
std::string profile(int events_per_line);

// Writes PREFIX.index and `shards` data files of float tensors of 2 MiB, `bytes` each. False when a
// file could not be written.
bool write_checkpoint(const std::string& prefix, int shards, std::size_t bytes);

}  // namespace tfpm::bench
