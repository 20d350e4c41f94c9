// Small files as Keras and h5py write them: HDF5 superblocks with the checksum of later versions,
// and zip archives of stored members.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace tfpm::test {

// A file of `size` bytes (at least 200) that a shallow check finds whole: superblock, root object
// header, nothing behind it. `open`: marked as open for writing, version 3 only.
std::string make_hdf5(int version, std::size_t size, bool open = false);

// Name and content of each member, in order.
std::string make_zip(const std::vector<std::pair<std::string, std::string>>& members);

}  // namespace tfpm::test
