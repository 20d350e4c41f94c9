// Decoders of compressed streams, each a source over another source.
//
// All of them give what came before damage or a cut, then an error; they read several frames or
// members in a row, as cat of two compressed files makes them.
#pragma once

#include <memory>

#include "bundle/byte_source.h"
#include "bundle/format.h"
#include "bundle/limits.h"

namespace tfpm {

// `budget` must outlive the result. kNone returns `in` itself.
std::unique_ptr<ByteSource> make_decompressor(Compression kind, std::unique_ptr<ByteSource> in,
                                              DecodeBudget& budget);

// One decoder each, for make_decompressor.
std::unique_ptr<ByteSource> make_gzip_source(std::unique_ptr<ByteSource> in);
std::unique_ptr<ByteSource> make_zstd_source(std::unique_ptr<ByteSource> in);
// xz, bzip2 and lz4 by libarchive's filters.
std::unique_ptr<ByteSource> make_filter_source(Compression kind, std::unique_ptr<ByteSource> in);

}  // namespace tfpm
