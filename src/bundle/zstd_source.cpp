#include <zstd.h>

#include <vector>

#include "bundle/decompress.h"

namespace tfpm {
namespace {

class ZstdSource : public ByteSource {
 public:
  explicit ZstdSource(std::unique_ptr<ByteSource> in)
      : in_(std::move(in)), stream_(ZSTD_createDStream()), buffer_(ZSTD_DStreamInSize()) {
    TFPM_CHECK(stream_ != nullptr);
    // 128 MiB: what `zstd --long=27` needs. Larger windows would break the memory bound.
    ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, 27);
  }

  Result<std::size_t> read(std::span<char> out) override;

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };
  Status stop(Status status) {
    done_ = true;
    return status;
  }

  std::unique_ptr<ByteSource> in_;
  std::unique_ptr<ZSTD_DStream, Free> stream_;
  std::vector<char> buffer_;
  ZSTD_inBuffer input_{nullptr, 0, 0};
  bool frame_open_ = false;  // inside a frame: the end of input is a cut
  bool input_ended_ = false;
  bool done_ = false;
};

Result<std::size_t> ZstdSource::read(std::span<char> out) {
  if (done_ || out.empty()) return std::size_t{0};
  ZSTD_outBuffer output{out.data(), out.size(), 0};
  while (output.pos == 0) {
    if (input_.pos == input_.size && !input_ended_) {
      const Result<std::size_t> n = in_->read(buffer_);
      if (!n.ok()) return stop(n.status());
      input_ = {buffer_.data(), *n, 0};
      input_ended_ = *n == 0;
    }
    if (input_ended_ && !frame_open_) {
      done_ = true;
      break;
    }
    const std::size_t code = ZSTD_decompressStream(stream_.get(), &output, &input_);
    if (ZSTD_isError(code) != 0) {
      return stop(error(ErrorKind::kDamaged, "zstd data is damaged", {}, ZSTD_getErrorName(code)));
    }
    frame_open_ = code != 0;
    if (input_ended_ && frame_open_ && output.pos == 0) {
      return stop(error(ErrorKind::kDamaged, "zstd data ends early", {}, "the file was cut"));
    }
  }
  return output.pos;
}

}  // namespace

std::unique_ptr<ByteSource> make_zstd_source(std::unique_ptr<ByteSource> in) {
  return std::make_unique<ZstdSource>(std::move(in));
}

}  // namespace tfpm
