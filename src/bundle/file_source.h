// A regular file read from front to back with read(), never mapped: a dying disk must give an
// error, not a signal.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "bundle/byte_source.h"

namespace tfpm {

class FileSource : public ByteSource {
 public:
  // `position`, when not null, follows the read position (added to its value at this call) and must
  // outlive the source.
  static Result<std::unique_ptr<FileSource>> open(const std::string& path,
                                                  std::atomic<std::uint64_t>* position = nullptr);
  // Takes ownership of `fd`; `path` is for messages.
  FileSource(int fd, std::string path, std::uint64_t size, std::atomic<std::uint64_t>* position);
  ~FileSource() override;
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  Result<std::size_t> read(std::span<char> out) override;
  // Size when it was opened.
  std::uint64_t size() const { return size_; }
  std::uint64_t position() const { return offset_; }
  // Moves to `offset`, at most to the end; also ends an error or end-of-file state.
  Status seek(std::uint64_t offset);

 private:
  void moved_to(std::uint64_t offset);

  int fd_;
  std::string path_;
  std::uint64_t size_;
  std::uint64_t offset_ = 0;
  std::atomic<std::uint64_t>* progress_;
  std::uint64_t progress_base_ = 0;
  bool done_ = false;
};

}  // namespace tfpm
