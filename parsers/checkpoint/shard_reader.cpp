#include "parsers/checkpoint/shard_reader.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <tuple>

namespace tfpm {
namespace {

constexpr std::size_t kMaxKeptString = std::size_t{16} << 20;

// Aligned to pages: the kernel's copy into a buffer that is not aligned to cache lines was measured
// at a sixth of its speed.
struct alignas(4096) Chunk {
  std::array<char, kShardChunk> bytes;
};

std::uint64_t begin_of(const Tensor& tensor) {
  return static_cast<std::uint64_t>(tensor.entry.offset);
}

std::uint64_t end_of(const Tensor& tensor) {
  return begin_of(tensor) + static_cast<std::uint64_t>(tensor.entry.size);
}

bool size_fits(const TensorEntry& entry) {
  const std::uint32_t width = dtype_size(entry.dtype);
  if (width == 0) return true;  // no fixed width to check against
  const std::optional<std::uint64_t> count = element_count(entry.shape);
  const auto size = static_cast<std::uint64_t>(entry.size);
  return count && size / width == *count && size % width == 0;
}

// Marks tensors that cannot be verified and leaves the others, in order of offset and disjoint.
std::vector<Tensor*> readable(std::vector<Tensor*> tensors) {
  std::sort(tensors.begin(), tensors.end(), [](const Tensor* a, const Tensor* b) {
    return std::tie(a->entry.offset, a->entry.size) < std::tie(b->entry.offset, b->entry.size);
  });
  std::vector<Tensor*> out;
  std::uint64_t end = 0;
  for (Tensor* tensor : tensors) {
    if (!size_fits(tensor->entry)) {
      tensor->result.status = TensorStatus::kSizeMismatch;
    } else if (tensor->entry.size > 0 && begin_of(*tensor) < end) {
      tensor->result.status = TensorStatus::kOverlap;
    } else {
      end = std::max(end, end_of(*tensor));
      out.push_back(tensor);
    }
  }
  return out;
}

// Hands each chunk to the tensors that lie in it.
class TensorCursor {
 public:
  TensorCursor(std::vector<Tensor*> tensors, const ShardReadOptions& options)
      : tensors_(std::move(tensors)), options_(options) {}

  void feed(std::string_view chunk, std::uint64_t offset) {
    const std::uint64_t chunk_end = offset + chunk.size();
    while (next_ < tensors_.size() && begin_of(*tensors_[next_]) < chunk_end) {
      Tensor& tensor = *tensors_[next_];
      if (!check_) start(tensor);
      const std::uint64_t from = std::max(offset, begin_of(tensor));
      const std::uint64_t to = std::min(chunk_end, end_of(tensor));
      if (to > from) check_->feed(chunk.substr(from - offset, to - from), from);
      if (to > from && tensor.kept.size() < tensor.keep) {
        tensor.kept += chunk.substr(
            from - offset, std::min<std::uint64_t>(to - from, tensor.keep - tensor.kept.size()));
      }
      if (end_of(tensor) > chunk_end) return;
      finish_current();
    }
  }

  // The shard has ended: what is left is cut or missing.
  void finish() {
    while (next_ < tensors_.size()) {
      if (!check_) start(*tensors_[next_]);
      finish_current();
    }
  }

  std::string take_kept() { return std::move(kept_); }

 private:
  void start(const Tensor& tensor) {
    const bool keep = !options_.keep.empty() && tensor.entry.name == options_.keep;
    check_.emplace(tensor.entry,
                   TensorCheckOptions{options_.big_endian, keep ? kMaxKeptString : 0});
  }

  void finish_current() {
    Tensor& tensor = *tensors_[next_];
    tensor.result = check_->finish();
    if (tensor.result.status == TensorStatus::kOk && !check_->kept().empty()) {
      kept_ = check_->kept();
    }
    check_.reset();
    ++next_;
  }

  std::vector<Tensor*> tensors_;
  ShardReadOptions options_;
  std::size_t next_ = 0;
  std::optional<TensorCheck> check_;  // of tensors_[next_], once its first byte has come
  std::string kept_;
};

// Fills `buffer` as far as the stream goes; short only at the end or at an error.
std::size_t fill(ByteStream& in, std::span<char> buffer, std::string& failure) {
  std::size_t filled = 0;
  while (filled < buffer.size()) {
    const Result<std::size_t> got = in.read(buffer.subspan(filled));
    if (!got.ok()) {
      const Diagnostic& why = got.status().diagnostic();
      failure = why.why.empty() ? why.what : why.why;
      break;
    }
    if (*got == 0) break;
    filled += *got;
  }
  return filled;
}

}  // namespace

ShardReading read_shard(ByteStream& in, std::vector<Tensor*> tensors,
                        const ShardReadOptions& options) {
  ShardReading out;
  TensorCursor cursor(readable(std::move(tensors)), options);
  const auto buffer = std::make_unique_for_overwrite<Chunk>();
  while (out.error.empty()) {
    const std::size_t got = fill(in, buffer->bytes, out.error);
    if (got == 0) break;
    cursor.feed({buffer->bytes.data(), got}, out.bytes);
    out.bytes += got;
  }
  cursor.finish();
  out.kept = cursor.take_kept();
  return out;
}

}  // namespace tfpm
