// format_files KIND PATH BYTES: writes what tests/bench/formats reads. KIND is scalars or images
// (event files), profile, or checkpoint (PATH is its prefix; two shards of half of BYTES).
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "bench/format_data.h"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: format_files scalars|images|profile|checkpoint PATH BYTES\n", stderr);
    return 2;
  }
  const std::string kind = argv[1];
  const std::string path = argv[2];
  const std::size_t bytes = std::strtoull(argv[3], nullptr, 10);
  if (kind == "checkpoint") return tfpm::bench::write_checkpoint(path, 2, bytes / 2) ? 0 : 1;
  std::string content;
  if (kind == "scalars") content = tfpm::bench::event_file(bytes, 0);
  if (kind == "images") content = tfpm::bench::event_file(bytes, 4000);
  if (kind == "profile") content = tfpm::bench::profile(static_cast<int>(bytes / 2'000));
  std::ofstream out(path, std::ios::binary);
  out << content;
  return out.flush() && !content.empty() ? 0 : 1;
}
