// Headers, envelopes and escapes of any bytes.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "support/line_invariants.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tfpm;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string broken = testing::check_envelopes(text);
  std::string_view rest = text;
  std::string_view line;
  while (broken.empty() && next_line(rest, line)) broken = testing::check_header(line);
  if (broken.empty()) return 0;
  std::fprintf(stderr, "broken: %s\n", broken.c_str());
  std::abort();
}
