#include "bench/format_data.h"

#include <fmt/format.h>

#include <fstream>
#include <random>

#include "parsers/detail/crc32c.h"
#include "support/bundle_writer.h"
#include "xspace.pb.h"

namespace tfpm::bench {
namespace {

using test::bytes_field;
using test::number_field;
using test::u32le;
using test::u64le;

constexpr std::size_t kTensorBytes = std::size_t{2} << 20;
constexpr int kDevices = 8, kLines = 8, kNames = 2000;

std::string framed(const std::string& data) {
  const std::string length = u64le(data.size());
  return length + u32le(crc32c_mask(crc32c(length))) + data + u32le(crc32c_mask(crc32c(data)));
}

// Summary.Value of a float as tf.summary.scalar stores it.
std::string scalar_value(std::string_view tag, std::uint32_t bits) {
  const std::string tensor = number_field(1, 1) + bytes_field(2, "") + bytes_field(4, u32le(bits));
  const std::string metadata = bytes_field(1, bytes_field(1, "scalars"));
  return bytes_field(1, tag) + bytes_field(8, tensor) + bytes_field(9, metadata);
}

std::string scalar_event(std::uint64_t n, std::size_t image) {
  constexpr std::string_view kTags[] = {"loss", "accuracy", "learning_rate", "grad_norm/global"};
  std::string summary =
      bytes_field(1, scalar_value(kTags[n % std::size(kTags)],
                                  0x3f800000 + static_cast<std::uint32_t>(n * 7919 % 0x400000)));
  if (image > 0) {
    summary += bytes_field(1, bytes_field(1, "image") + bytes_field(4, std::string(image, 'm')));
  }
  return "\x09" + u64le(0x41d954fc40000000 + n * 1000) + number_field(2, n / std::size(kTags)) +
         bytes_field(5, summary);
}

void add_events(tfpm_bench::XLine& line, int events, std::mt19937_64& random) {
  std::int64_t at = 0;
  for (int e = 0; e < events; ++e) {
    tfpm_bench::XEvent& event = *line.add_events();
    event.set_metadata_id(static_cast<std::int64_t>(random() % kNames) + 1);
    at += static_cast<std::int64_t>(random() % 3'000'000);
    event.set_offset_ps(at);
    event.set_duration_ps(static_cast<std::int64_t>(random() % 20'000'000));
    at += event.duration_ps();
    const std::uint64_t stats = 1 + random() % 2;
    for (std::uint64_t s = 0; s < stats; ++s) {
      tfpm_bench::XStat& stat = *event.add_stats();
      stat.set_metadata_id(static_cast<std::int64_t>(1 + s));
      stat.set_int64_value(static_cast<std::int64_t>(random() % 5'000'000));
    }
  }
}

void add_names(tfpm_bench::XPlane& plane) {
  for (int n = 1; n <= kNames; ++n) {
    auto& name = (*plane.mutable_event_metadata())[n];
    name.set_id(n);
    name.set_name(fmt::format("void cutlass::Kernel<gemm_{}>(Params)", n));
  }
  for (int n = 1; n <= 2; ++n) {
    auto& name = (*plane.mutable_stat_metadata())[n];
    name.set_id(n);
    name.set_name(n == 1 ? "correlation_id" : "group_id");
  }
}

}  // namespace

std::string event_file(std::size_t bytes, std::size_t image) {
  const std::string version = "\x09" + u64le(0x41d954fc3f000000) + bytes_field(3, "brain.Event:2");
  std::string out = framed(version);
  out.reserve(bytes + image + 200);
  for (std::uint64_t n = 0; out.size() < bytes; ++n) out += framed(scalar_event(n, image));
  return out;
}

std::string profile(int events_per_line) {
  std::mt19937_64 random(42);
  tfpm_bench::XSpace space;
  for (int p = 0; p <= kDevices; ++p) {
    tfpm_bench::XPlane& plane = *space.add_planes();
    plane.set_id(p);
    plane.set_name(p == 0 ? "/host:CPU" : fmt::format("/device:GPU:{}", p - 1));
    for (int l = 0; l < kLines; ++l) {
      tfpm_bench::XLine& line = *plane.add_lines();
      line.set_id(l);
      line.set_name(fmt::format("Stream #{}(Compute)", l));
      line.set_timestamp_ns(1000);
      add_events(line, events_per_line, random);
    }
    add_names(plane);
  }
  return space.SerializeAsString();
}

bool write_checkpoint(const std::string& prefix, int shards, std::size_t bytes) {
  std::string tensor(kTensorBytes, '\0');
  for (std::size_t i = 0; i < tensor.size(); ++i)
    tensor[i] = static_cast<char>(i % 4 == 3 ? 0x3f : i * 37);
  test::BundleWriter index(shards);
  for (int s = 0; s < shards; ++s) {
    std::ofstream out(fmt::format("{}.data-{:05}-of-{:05}", prefix, s, shards), std::ios::binary);
    for (std::size_t at = 0; at < bytes; at += kTensorBytes) {
      tensor[0] = static_cast<char>(at / kTensorBytes);
      const std::string size = number_field(1, kTensorBytes / sizeof(float));
      std::string entry = number_field(1, 1) + bytes_field(2, bytes_field(2, size));
      if (s > 0) entry += number_field(3, static_cast<std::uint64_t>(s));
      if (at > 0) entry += number_field(4, at);
      entry += number_field(5, kTensorBytes) + test::fixed32_field(6, crc32c_mask(crc32c(tensor)));
      index.add_raw(fmt::format("layer-{}-{:06}/kernel", s, at / kTensorBytes), entry);
      out << tensor;
    }
    if (!out.flush()) return false;
  }
  std::ofstream out(prefix + ".index", std::ios::binary);
  out << index.index();
  return static_cast<bool>(out.flush());
}

}  // namespace tfpm::bench
