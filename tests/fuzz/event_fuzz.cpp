// Any bytes as records of an event file or of a debugger dump, framed with right checksums: else
// nothing would get past them.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "parsers/detail/crc32c.h"
#include "support/parse_text.h"

namespace {

void append(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
}

// Two bytes of length before each record.
std::string framed(std::string_view rest) {
  std::string out;
  while (rest.size() > 2) {
    const std::size_t wanted = static_cast<unsigned char>(rest[0]) |
                               static_cast<std::size_t>(static_cast<unsigned char>(rest[1])) << 8;
    const std::string_view data = rest.substr(2, wanted);
    rest.remove_prefix(2 + data.size());
    std::string length;
    append(length, data.size(), 8);
    out += length;
    append(out, tfpm::crc32c_mask(tfpm::crc32c(length)), 4);
    out += data;
    append(out, tfpm::crc32c_mask(tfpm::crc32c(data)), 4);
  }
  return out;
}

std::unique_ptr<tfpm::Parser> make_parser(std::string_view wanted) {
  for (auto& parser : tfpm::make_all_parsers()) {
    if (parser->name() == wanted) return std::move(parser);
  }
  std::abort();  // it is called differently
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto events = make_parser("tfevents");
  static const auto dump = make_parser("debug-events");
  if (size == 0) return 0;
  const bool debugger = data[0] % 2 == 1;
  const std::string bytes = framed({reinterpret_cast<const char*>(data) + 1, size - 1});
  const std::string path =
      debugger ? "w/tfdbg_events.1.h.execution" : "w/events.out.tfevents.1.h.2.3.v2";
  const tfpm::Parser& parser = debugger ? *dump : *events;
  const std::string rows = tfpm::parse_to_text(parser, path, bytes);
  if (rows != tfpm::parse_to_text(parser, path, bytes, 1 + data[0] % 100)) std::abort();
  return 0;
}
