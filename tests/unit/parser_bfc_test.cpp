#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "parsers/detail/bfc.h"
#include "support/parse_text.h"

namespace tfpm {
namespace {

// Messages of consecutive records, one line apart.
std::string dump_rows(const std::vector<std::string>& messages, bool finish = true) {
  CollectingSink sink;
  BfcReader reader(std::nullopt, sink);
  std::uint64_t line = 0;
  for (const std::string& message : messages) {
    ++line;
    if (reader.open() || BfcReader::may_start(message)) reader.add(message, line, line * 10);
  }
  if (finish) reader.finish();
  return sink.text();
}

}  // namespace

TEST_CASE("allocator report of TensorFlow 2: all numbers") {
  const std::string rows = dump_rows(
      {"step 1 loss 2",
       "Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.50GiB (rounded to "
       "2684354560)requested by op model/dense/MatMul\nIf the cause is memory fragmentation maybe "
       "the environment variable 'TF_GPU_ALLOCATOR=cuda_malloc_async' will improve the "
       "situation.\nCurrent allocation summary follows.\nCurrent allocation summary follows.",
       "BFCAllocator dump for GPU_0_bfc",
       "Bin (256): \tTotal Chunks: 1, Chunks in use: 1. 256B allocated for chunks.",
       "Next region of size 1048576", "InUse at 7f0000000000 of size 1280 next 1",
       "Free  at 7f0000000500 of size 524288 next 2", "Free  at 7f0000080500 of size 256 next 3",
       "     Summary of in-use Chunks by size: ", "Sum Total of in-use chunks: 13.25GiB",
       "Total bytes in pool: 15000000000 memory_limit_: 16000000000 available bytes: 1000000000 "
       "curr_region_allocation_bytes_: 34359738368",
       "Stats: \nLimit:                     16000000000\nInUse:                     "
       "14227079168\nMaxInUse:                  15000000000\nNumAllocs:                        "
       "9\nMaxAllocSize:               2684354560\nReserved:                           "
       "0\nLargestFreeBlock:                   0\n",
       "****____"});
  CHECK(rows ==
        "allocator_dump  stream=NULL  line=2  byte_offset=20  allocator=\"GPU_0_bfc\"  "
        "requested=2684354560  limit_bytes=16000000000  in_use=14227079168  pool=15000000000  "
        "largest_free=524288  op=\"model/dense/MatMul\"\n"
        "allocator_bin  dump_id=@allocator_dump#0  bin_bytes=256  chunks=1  chunks_in_use=1  "
        "allocated=256  in_use=NULL  requested=NULL\n");
}

TEST_CASE("allocator report: sizes and ops that hold most") {
  const std::string rows = dump_rows(
      {"Allocator (GPU_0_bfc) ran out of memory trying to allocate 1.0KiB (rounded to 1024)",
       "InUse at 7f00 of size 1280 by op Add action_count 2 step 0 next 1",
       "InUse at 7f05 of size 2560 by op MatMul action_count 3 step 0 next 2",
       "InUse at 7f0f of size 1280 by op MatMul action_count 4 step 0 next 3",
       "2 Chunks of size 1280 totalling 2.5KiB", "1 Chunks of size 2560 totalling 2.5KiB",
       "99999999 Chunks of size 9999999999999 totalling 1B",
       "Stats: \nLimit: 9000\nInUse: 5120\n"});
  CHECK(rows.find("allocator_size  dump_id=@allocator_dump#0  chunk_bytes=1280  chunks=2  "
                  "bytes=2560\n"
                  "allocator_size  dump_id=@allocator_dump#0  chunk_bytes=2560  chunks=1  "
                  "bytes=2560\n"
                  "allocator_op  dump_id=@allocator_dump#0  op=\"MatMul\"  chunks=2  bytes=3840\n"
                  "allocator_op  dump_id=@allocator_dump#0  op=\"Add\"  chunks=1  bytes=1280\n") !=
        std::string::npos);
  CHECK(rows.find("9999999999999") == std::string::npos);
}

TEST_CASE("allocator report of TensorFlow 1.15 and of later builds") {
  CHECK(dump_rows({"Allocator (GPU_0_bfc) ran out of memory trying to allocate 1.00KiB (rounded to "
                   "1024).  Current allocation summary follows.",
                   "InUse at 0x7f next 5 of size 1024",
                   "total_region_allocated_bytes_: 2048 memory_limit_: 4096 available bytes: 2048 "
                   "curr_region_allocation_bytes_: 1",
                   "Stats: \nLimit: 4096\nInUse: 2048\nMaxInUse: 2048\nNumAllocs: 1\n"}) ==
        "allocator_dump  stream=NULL  line=1  byte_offset=10  allocator=\"GPU_0_bfc\"  "
        "requested=1024  limit_bytes=4096  in_use=2048  pool=2048  largest_free=0  op=NULL\n");
  CHECK(dump_rows({"Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.00KiB (rounded to "
                   "2048) from the lower end requested by op a/b",
                   "Total size in pool: 4.0KiB memory_limit_: 4.0KiB available size: 0B",
                   "Stats: \nLimit: 4.0KiB\nInUse: 3.0KiB\nLargestFreeBlock: 1.0KiB\n"}) ==
        "allocator_dump  stream=NULL  line=1  byte_offset=10  allocator=\"GPU_0_bfc\"  "
        "requested=2048  limit_bytes=4096  in_use=3072  pool=4096  largest_free=1024  "
        "op=\"a/b\"\n");
}

TEST_CASE("a cut allocator report keeps what it said, a soft failure gives none") {
  const std::string head =
      "Allocator (gpu_host_bfc) ran out of memory trying to allocate 8B (rounded to 256)requested "
      "by op x";
  CHECK(dump_rows({head, "BFCAllocator dump for gpu_host_bfc"}) ==
        "allocator_dump  stream=NULL  line=1  byte_offset=10  allocator=\"gpu_host_bfc\"  "
        "requested=256  limit_bytes=NULL  in_use=NULL  pool=NULL  largest_free=NULL  op=\"x\"\n");
  CHECK(dump_rows({head, head}).size() > dump_rows({head}).size());
  CHECK(dump_rows({"Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.20GiB with "
                   "freed_by_count=0. The caller indicates that this is not a failure, but this "
                   "may mean that there could be performance gains if more memory were "
                   "available."})
            .empty());
}

TEST_CASE("memory sizes in the units of logs") {
  CHECK(parse_memory_size("512B") == 512);
  CHECK(parse_memory_size("2.5KiB") == 2560);
  CHECK(parse_memory_size("15.90G") == 17072495002);
  CHECK(parse_memory_size("123") == 123);
  CHECK_FALSE(parse_memory_size("-1"));
  CHECK_FALSE(parse_memory_size("1.5 GiB"));
  CHECK_FALSE(parse_memory_size("9999999999999TiB"));
  CHECK_FALSE(parse_memory_size(""));
}

}  // namespace tfpm
