// Reading event files from memory: scalars of about 60 bytes, where two checksums and a parse fall
// on each, and records of 4 KiB (goals: 0.15 and 0.5 of the throughput of `cat`).
#include <benchmark/benchmark.h>

#include <string>

#include "parsers/detail/crc32c.h"
#include "parsers/detail/event_file.h"
#include "support/parse_text.h"

namespace tfpm {
namespace {

constexpr std::size_t kFileBytes = std::size_t{16} << 20;

std::string little(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
  return out;
}

std::string framed(const std::string& data) {
  const std::string length = little(data.size(), 8);
  return length + little(crc32c_mask(crc32c(length)), 4) + data +
         little(crc32c_mask(crc32c(data)), 4);
}

std::string bytes_field(int number, const std::string& bytes) {
  std::string out{static_cast<char>(number << 3 | 2)};
  std::size_t size = bytes.size();
  for (; size > 127; size >>= 7) out += static_cast<char>(size & 127 | 128);
  return out + static_cast<char>(size) + bytes;
}

// A scalar as the TF2 writer stores it, beside an image of `tail` bytes where a long record is
// wanted.
std::string scalar_event(std::uint64_t step, std::size_t tail) {
  const std::string tensor =
      std::string("\x08\x01\x12\x00\x22\x04", 6) + little(0x3f800000 + step, 4);
  std::string summary = bytes_field(1, bytes_field(1, "loss") + bytes_field(8, tensor));
  if (tail > 0)
    summary += bytes_field(1, bytes_field(1, "i") + bytes_field(4, std::string(tail, 'm')));
  return "\x09" + little(0x41d954fc40000000, 8) + "\x10" + static_cast<char>(step & 127) +
         bytes_field(5, summary);
}

std::string event_file(std::size_t tail) {
  std::string out;
  for (std::uint64_t step = 0; out.size() < kFileBytes; ++step) {
    out += framed(scalar_event(step, tail));
  }
  return out;
}

void read_events(benchmark::State& state) {
  const std::string file = event_file(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    MemoryStream in(file, std::size_t{128} << 10);
    TfRecordReader reader(in);
    EventFile events({}, {});
    TfRecord record;
    while (reader.next(record)) events.add(record);
    benchmark::DoNotOptimize(reader.records());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(file.size()) * state.iterations());
}
BENCHMARK(read_events)->Arg(0)->Arg(4000);

}  // namespace
}  // namespace tfpm
