// Records, tracebacks, statuses and crash dumps of any bytes.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "support/line_invariants.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string broken = tfpm::testing::check_records(text);
  if (broken.empty()) return 0;
  std::fprintf(stderr, "broken: %s\n", broken.c_str());
  std::abort();
}
