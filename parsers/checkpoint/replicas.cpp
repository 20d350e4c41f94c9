#include "parsers/checkpoint/replicas.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

#include "parsers/checkpoint/member_name.h"
#include "parsers/checkpoint/phrases.h"
#include "parsers/detail/wire.h"

namespace tfpm {
namespace {

constexpr DataType kDtBfloat16 = 14, kDtHalf = 19;
constexpr std::size_t kKeepOfTensor = std::size_t{1} << 20;
constexpr std::size_t kKeepInAll = std::size_t{16} << 20;
constexpr std::size_t kMaxRowsOfCopy = 1000;

bool is_comparable(const Tensor& tensor) {
  const DataType dtype = tensor.entry.dtype;
  const bool floating =
      dtype == kDtFloat || dtype == kDtDouble || dtype == kDtBfloat16 || dtype == kDtHalf;
  return floating && !tensor.entry.partitioned() && !tensor.entry.part;
}

// One copy's tensor.
struct Copy {
  const Checkpoint* checkpoint;
  Tensor* tensor;
};
using Copies = std::vector<Copy>;

// Copies of every tensor whose stored checksums are not all the same, by checkpoint and tensor.
std::map<std::string, std::map<std::string, Copies>> differing(Checkpoints& checkpoints) {
  std::map<std::string, std::map<std::string, Copies>> found;
  for (auto& [prefix, checkpoint] : checkpoints) {
    // Exports of different models are all called alike.
    const bool swapped = checkpoint.header && checkpoint.header->big_endian;
    if (checkpoint.is_v1() || swapped || base_name(prefix) == "variables") continue;
    auto& of_name = found[std::string(base_name(prefix))];
    for (Tensor& tensor : checkpoint.tensors) {
      if (is_comparable(tensor)) of_name[tensor.entry.name].push_back({&checkpoint, &tensor});
    }
  }
  for (auto& [name, tensors] : found) {
    std::erase_if(tensors, [](const auto& item) {
      const TensorEntry& first = item.second.front().tensor->entry;
      return std::all_of(item.second.begin(), item.second.end(), [&](const Copy& copy) {
        return copy.tensor->entry.crc == first.crc || copy.tensor->entry.shape != first.shape;
      });
    });
  }
  return found;
}

// Half precision: 5 bits of exponent, 10 of mantissa.
double half_value(std::uint32_t bits) {
  const double sign = (bits & 0x8000U) != 0 ? -1 : 1;
  const int exponent = static_cast<int>((bits >> 10) & 0x1FU);
  const double mantissa = bits & 0x3FFU;
  if (exponent == 0) return sign * std::ldexp(mantissa, -24);
  if (exponent == 31) return mantissa == 0 ? sign * INFINITY : std::nan("");
  return sign * std::ldexp(1024 + mantissa, exponent - 25);
}

double value_at(DataType dtype, std::string_view bytes, std::size_t i) {
  if (dtype == kDtDouble) return std::bit_cast<double>(load_u64le(bytes.substr(8 * i)));
  if (dtype == kDtFloat) return std::bit_cast<float>(load_u32le(bytes.substr(4 * i)));
  const auto low = static_cast<unsigned char>(bytes[2 * i]);
  const std::uint32_t bits =
      low | static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[2 * i + 1])) << 8;
  return dtype == kDtHalf ? half_value(bits) : std::bit_cast<float>(bits << 16);
}

struct Difference {
  std::uint64_t compared = 0, differing = 0;
  double max_abs = 0;
  bool finite = true;
};

Difference compare(const Tensor& a, const Tensor& b) {
  Difference out;
  const std::uint32_t width = dtype_size(a.entry.dtype);
  out.compared = std::min(a.kept.size(), b.kept.size()) / width;
  for (std::size_t i = 0; i < out.compared; ++i) {
    if (a.kept.compare(i * width, width, b.kept, i * width, width) == 0) continue;
    ++out.differing;
    const double difference =
        std::fabs(value_at(a.entry.dtype, a.kept, i) - value_at(b.entry.dtype, b.kept, i));
    out.finite = out.finite && std::isfinite(difference);
    out.max_abs = std::max(out.max_abs, difference);
  }
  return out;
}

// What the others are compared with: the first of the copies that most have.
const Copy& reference_of(const Copies& copies) {
  std::map<std::uint32_t, std::size_t> votes;
  for (const Copy& copy : copies) ++votes[copy.tensor->entry.crc];
  return *std::max_element(copies.begin(), copies.end(), [&](const Copy& a, const Copy& b) {
    return votes[a.tensor->entry.crc] < votes[b.tensor->entry.crc];
  });
}

Row difference_row(const Checkpoint& copy, const Checkpoint& reference, const Tensor& tensor,
                   const Difference& d) {
  Row row{"replica_difference",
          {{"prefix", printable(copy.prefix)},
           {"reference", printable(reference.prefix)},
           {"name", printable(tensor.entry.label())},
           {"elements", int_value(element_count(tensor.entry.shape).value_or(0))},
           {"compared", int_value(d.compared)}}};
  if (d.compared > 0) {
    row.fields.push_back({"differing", int_value(d.differing)});
    if (d.finite) row.fields.push_back({"max_abs", d.max_abs});
  }
  return row;
}

}  // namespace

void keep_differing(Checkpoints& checkpoints) {
  std::size_t left = kKeepInAll;
  for (auto& [name, tensors] : differing(checkpoints)) {
    for (auto& [tensor_name, copies] : tensors) {
      const auto size = static_cast<std::uint64_t>(copies.front().tensor->entry.size);
      const auto keep = static_cast<std::size_t>(std::min<std::uint64_t>(size, kKeepOfTensor));
      if (keep * copies.size() > left) continue;
      left -= keep * copies.size();
      for (const Copy& copy : copies) copy.tensor->keep = keep;
    }
  }
}

ReplicaRows compare_replicas(Checkpoints& checkpoints) {
  ReplicaRows out;
  for (const auto& [name, tensors] : differing(checkpoints)) {
    for (const auto& [tensor_name, copies] : tensors) {
      const Copy& reference = reference_of(copies);
      for (const Copy& copy : copies) {
        const TensorEntry& entry = copy.tensor->entry;
        const bool same = entry.crc == reference.tensor->entry.crc;
        if (same || entry.shape != reference.tensor->entry.shape ||
            entry.dtype != reference.tensor->entry.dtype) {
          continue;
        }
        std::vector<Row>& rows = out[copy.checkpoint->prefix];
        if (rows.size() >= kMaxRowsOfCopy) continue;
        rows.push_back(difference_row(*copy.checkpoint, *reference.checkpoint, *copy.tensor,
                                      compare(*copy.tensor, *reference.tensor)));
      }
    }
  }
  return out;
}

}  // namespace tfpm
