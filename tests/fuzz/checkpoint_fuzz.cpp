// Any bytes as a checkpoint: an index and its shard, a V1 file, a state file, Keras'
// files, a list of its shards, names of members.
//
// The first byte chooses the form. Blocks of a table are checked before they are parsed, so one
// form wraps the input into a table whose checksums are right; else nothing would get past them.
#include <cstddef>
#include <cstdint>
#include <string>

#include "parsers/detail/crc32c.h"
#include "support/checkpoint_files.h"

namespace {

using tfpm::test::Files;

std::uint32_t masked_crc(std::string_view bytes) {
  return tfpm::crc32c_mask(tfpm::crc32c(bytes));
}

// A table with `block` as its only data block.
std::string wrapped(std::string_view block) {
  std::string file(block);
  file += '\0';
  file += tfpm::test::u32le(masked_crc(file));
  const std::string entry = tfpm::test::varint(0) + tfpm::test::varint(block.size());
  std::string index = std::string("\0\1", 2) + tfpm::test::varint(entry.size()) + "z" + entry;
  index += tfpm::test::u32le(0) + tfpm::test::u32le(1);
  const std::string handle = tfpm::test::varint(file.size()) + tfpm::test::varint(index.size());
  index += '\0';
  file += index + tfpm::test::u32le(masked_crc(index));
  std::string footer = tfpm::test::varint(0) + tfpm::test::varint(0) + handle;
  footer.resize(40);
  return file + footer + "\x57\xfb\x80\x8b\x24\x75\x47\xdb";
}

Files files_of(std::uint8_t form, const std::string& bytes) {
  constexpr const char* kShard = "c/ckpt-1.data-00000-of-00001";
  switch (form % 8) {
    case 0:
      return {{"c/ckpt-1.index", bytes}, {kShard, "0123456789"}};
    case 1:
      return {{"c/ckpt-1.index", wrapped(bytes)}, {kShard, bytes}};
    case 2:
      return {{"c/export", wrapped(bytes)}};
    case 3:
      return {{"c/checkpoint", bytes}, {kShard, bytes}};
    case 4:
      return {{"m/best.keras", bytes}, {"m/assets/x", ""}, {"m/variables/variables.index", bytes}};
    case 5:
      return {{"m/latest.weights.h5", bytes}, {"m/latest.weights.h5.bkp", bytes + bytes}};
    case 6:
      return {{"m/w.weights.json", bytes}, {"m/w_00000.weights.h5", bytes}};
    default:
      return {{bytes, "x"}, {bytes + ".index", bytes}, {bytes + "/part-00000-of-00001.index", ""}};
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const tfpm::CheckpointReport report = tfpm::test::run_checkpoint_set(files_of(data[0], bytes));
  tfpm::test::rows_text(report);
  return 0;
}
