#include "bundle/decompress.h"

namespace tfpm {
namespace {

// Charges what a decoder produces.
class BudgetSource : public ByteSource {
 public:
  BudgetSource(std::unique_ptr<ByteSource> in, DecodeBudget& budget)
      : in_(std::move(in)), budget_(budget) {}

  Result<std::size_t> read(std::span<char> out) override {
    if (in_ == nullptr) return std::size_t{0};
    Result<std::size_t> n = in_->read(out);
    if (!n.ok()) return n;
    if (Status status = budget_.take(*n); !status.ok()) {
      in_.reset();
      return status;
    }
    return n;
  }

 private:
  std::unique_ptr<ByteSource> in_;
  DecodeBudget& budget_;
};

}  // namespace

std::unique_ptr<ByteSource> make_decompressor(Compression kind, std::unique_ptr<ByteSource> in,
                                              DecodeBudget& budget) {
  std::unique_ptr<ByteSource> decoder;
  switch (kind) {
    case Compression::kNone:
      return in;
    case Compression::kGzip:
      decoder = make_gzip_source(std::move(in));
      break;
    case Compression::kZstd:
      decoder = make_zstd_source(std::move(in));
      break;
    case Compression::kXz:
    case Compression::kBzip2:
    case Compression::kLz4:
      decoder = make_filter_source(kind, std::move(in));
      break;
  }
  return std::make_unique<BudgetSource>(std::move(decoder), budget);
}

}  // namespace tfpm
