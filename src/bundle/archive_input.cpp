#include "bundle/archive_input.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>

namespace tfpm {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{256} << 10;
constexpr std::size_t kTarBlock = 512;

}  // namespace

ArchiveInput::ArchiveInput(ByteSource& in) : in_(in), buffer_(kBufferBytes) {}

ArchiveInput::ArchiveInput(FileSource& file) : in_(file), file_(&file), buffer_(kBufferBytes) {}

int ArchiveInput::open(archive* a) {
  archive_read_set_read_callback(a, &ArchiveInput::on_read);
  if (file_ != nullptr) {
    archive_read_set_skip_callback(a, &ArchiveInput::on_skip);
    archive_read_set_seek_callback(a, &ArchiveInput::on_seek);
  }
  archive_read_set_callback_data(a, this);
  return archive_read_open1(a);
}

la_ssize_t ArchiveInput::on_read(archive* a, void* self, const void** buffer) {
  auto* input = static_cast<ArchiveInput*>(self);
  const Result<std::size_t> n = input->in_.read(input->buffer_);
  if (!n.ok()) {
    const Status status = n.status();
    const Diagnostic& d = status.diagnostic();
    archive_set_error(a, EIO, "%s%s%s", d.what.c_str(), d.why.empty() ? "" : ": ", d.why.c_str());
    return -1;
  }
  *buffer = input->buffer_.data();
  input->bytes_ += *n;
  input->at_end_ = *n == 0;
  input->look_at_tail(*n);
  return static_cast<la_ssize_t>(*n);
}

void ArchiveInput::look_at_tail(std::size_t size) {
  if (size == 0) return;
  // A short last read leaves the answer to the bytes it has; archives end on block boundaries.
  const std::size_t tail = std::min(size, kTarBlock);
  const auto end = buffer_.begin() + static_cast<std::ptrdiff_t>(size);
  const bool zeros =
      std::all_of(end - static_cast<std::ptrdiff_t>(tail), end, [](char c) { return c == '\0'; });
  tail_is_zero_ = zeros && (tail == kTarBlock || tail_is_zero_);
}

la_int64_t ArchiveInput::on_skip(archive*, void* self, la_int64_t request) {
  auto* input = static_cast<ArchiveInput*>(self);
  // Never beyond the end: libarchive then reads on, meets the end and knows that the file was cut.
  const std::uint64_t left = input->file_->size() - input->file_->position();
  const std::uint64_t n = std::min(static_cast<std::uint64_t>(request), left);
  if (n == 0 || !input->file_->seek(input->file_->position() + n).ok()) return 0;
  input->bytes_ += n;
  return static_cast<la_int64_t>(n);
}

la_int64_t ArchiveInput::on_seek(archive*, void* self, la_int64_t offset, int whence) {
  auto* input = static_cast<ArchiveInput*>(self);
  FileSource& file = *input->file_;
  const std::uint64_t base = whence == SEEK_SET   ? 0
                             : whence == SEEK_CUR ? file.position()
                                                  : file.size();
  const la_int64_t target = static_cast<la_int64_t>(base) + offset;
  if (target < 0 || !file.seek(static_cast<std::uint64_t>(target)).ok()) return ARCHIVE_FATAL;
  return static_cast<la_int64_t>(file.position());
}

std::string archive_failure(archive* a) {
  const char* text = archive_error_string(a);
  return text == nullptr ? "unknown failure" : text;
}

}  // namespace tfpm
