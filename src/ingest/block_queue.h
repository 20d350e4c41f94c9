// A member's bytes on their way from the thread that unpacks to the one that parses.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <span>
#include <vector>

#include "bundle/byte_source.h"

namespace tfpm {

// Bounds the bytes in all queues together.
class BlockBudget {
 public:
  explicit BlockBudget(std::size_t limit) : limit_(limit) {}
  // Waits until `bytes` more fit; a block always fits when nothing else is under way.
  void acquire(std::size_t bytes);
  void release(std::size_t bytes);

 private:
  std::mutex mutex_;
  std::condition_variable freed_;
  std::size_t limit_;
  std::size_t used_ = 0;
};

// One writer, one reader. The reading side is a ByteSource.
class BlockQueue : public ByteSource {
 public:
  // `budget` must outlive the queue.
  explicit BlockQueue(BlockBudget& budget) : budget_(budget) {}
  ~BlockQueue() override;

  // Writer: hands over a block, waiting for room. False: the reader wants no more.
  bool push(std::vector<char> block);
  // Writer: no more blocks; `status` is what the reader gets behind the last one.
  void finish(Status status);
  // Reader: wants no more.
  void close();

  Result<std::size_t> read(std::span<char> out) override;

 private:
  BlockBudget& budget_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::vector<char>> blocks_;
  std::size_t taken_ = 0;  // bytes read of the first block
  bool finished_ = false;
  bool closed_ = false;
  Status status_;
};

}  // namespace tfpm
