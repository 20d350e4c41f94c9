// xz, bzip2 and lz4: libarchive's filter over its "raw" format, which is one entry with the data.
#include <algorithm>
#include <cstring>
#include <optional>

#include "bundle/archive_input.h"
#include "bundle/decompress.h"

namespace tfpm {
namespace {

class FilterSource : public ByteSource {
 public:
  FilterSource(Compression kind, std::unique_ptr<ByteSource> in)
      : in_(std::move(in)), input_(*in_), archive_(archive_read_new()), kind_(kind) {
    TFPM_CHECK(archive_ != nullptr);
  }

  Result<std::size_t> read(std::span<char> out) override;

 private:
  // Attaches the filter and steps to the only entry; ARCHIVE_EOF when the stream holds no byte.
  int start();
  Status stop(std::string why) {
    done_ = true;
    return error(ErrorKind::kDamaged, "compressed data is damaged or cut", {}, std::move(why));
  }

  std::unique_ptr<ByteSource> in_;
  ArchiveInput input_;
  ArchiveHandle archive_;
  Compression kind_;
  bool started_ = false;
  bool done_ = false;
};

int FilterSource::start() {
  archive* a = archive_.get();
  archive_read_support_format_raw(a);
  archive_read_support_format_empty(a);
  if (kind_ == Compression::kXz) archive_read_support_filter_xz(a);
  if (kind_ == Compression::kBzip2) archive_read_support_filter_bzip2(a);
  if (kind_ == Compression::kLz4) archive_read_support_filter_lz4(a);
  const int code = input_.open(a);
  if (code < ARCHIVE_WARN) return code;
  archive_entry* entry = nullptr;
  return archive_read_next_header(a, &entry);
}

Result<std::size_t> FilterSource::read(std::span<char> out) {
  if (done_ || out.empty()) return std::size_t{0};
  if (!started_) {
    started_ = true;
    const int code = start();
    if (code == ARCHIVE_EOF) {
      done_ = true;
      return std::size_t{0};
    }
    if (code < ARCHIVE_WARN) return stop(archive_failure(archive_.get()));
  }
  const la_ssize_t n = archive_read_data(archive_.get(), out.data(), out.size());
  if (n < 0) return stop(archive_failure(archive_.get()));
  done_ = n == 0;
  return static_cast<std::size_t>(n);
}

}  // namespace

std::unique_ptr<ByteSource> make_filter_source(Compression kind, std::unique_ptr<ByteSource> in) {
  return std::make_unique<FilterSource>(kind, std::move(in));
}

}  // namespace tfpm
