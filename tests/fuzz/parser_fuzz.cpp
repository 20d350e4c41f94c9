// Feeds one parser, named by TFPM_FUZZ_PARSER, with bytes. The parser is called whatever its sniff
// says; the last byte picks how many bytes a read gives, so that fixtures are seeds as they are.
// Checks that rows do not depend on it.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

#include "support/parse_text.h"

namespace tfpm {
namespace {

std::unique_ptr<Parser> make_parser() {
  std::string wanted = TFPM_FUZZ_PARSER;
  std::replace(wanted.begin(), wanted.end(), '_', '-');
  for (auto& parser : make_all_parsers()) {
    if (parser->name() == wanted) return std::move(parser);
  }
  std::abort();  // file and parser are called differently
}

}  // namespace
}  // namespace tfpm

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::unique_ptr<tfpm::Parser> parser = tfpm::make_parser();
  if (size == 0) return 0;
  const std::uint8_t last = data[size - 1];
  const std::size_t chunk = last == 0 ? 64 * 1024 : last;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size - 1);
  const std::string path = "fuzz/worker-1.txt";
  const std::size_t head = std::min(bytes.size(), tfpm::kSniffBytes);
  parser->sniff({path, {bytes.data(), head}, head == bytes.size()});
  const std::string rows = tfpm::parse_to_text(*parser, path, bytes, chunk);
  if (rows != tfpm::parse_to_text(*parser, path, bytes)) std::abort();
  return 0;
}
