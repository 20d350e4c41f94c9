#include "ingest/block_queue.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tfpm {

void BlockBudget::acquire(std::size_t bytes) {
  std::unique_lock lock(mutex_);
  freed_.wait(lock, [&] { return used_ == 0 || used_ + bytes <= limit_; });
  used_ += bytes;
}

void BlockBudget::release(std::size_t bytes) {
  {
    const std::lock_guard lock(mutex_);
    used_ -= bytes;
  }
  freed_.notify_one();
}

BlockQueue::~BlockQueue() {
  close();
}

bool BlockQueue::push(std::vector<char> block) {
  const std::size_t size = block.size();
  budget_.acquire(size);
  {
    const std::lock_guard lock(mutex_);
    if (!closed_) {
      blocks_.push_back(std::move(block));
      arrived_.notify_one();
      return true;
    }
  }
  budget_.release(size);
  return false;
}

void BlockQueue::finish(Status status) {
  const std::lock_guard lock(mutex_);
  finished_ = true;
  status_ = std::move(status);
  arrived_.notify_one();
}

void BlockQueue::close() {
  std::size_t left = 0;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    for (const auto& block : blocks_) left += block.size();
    blocks_.clear();
  }
  if (left > 0) budget_.release(left);
}

Result<std::size_t> BlockQueue::read(std::span<char> out) {
  std::size_t done = 0;
  {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return !blocks_.empty() || finished_; });
    if (blocks_.empty()) {
      const Status status = std::exchange(status_, Status());
      if (!status.ok()) return status;
      return std::size_t{0};
    }
    const std::vector<char>& block = blocks_.front();
    const std::size_t n = std::min(out.size(), block.size() - taken_);
    std::memcpy(out.data(), block.data() + taken_, n);
    taken_ += n;
    if (taken_ < block.size()) return n;
    done = block.size();
    taken_ = 0;
    blocks_.pop_front();
    // The last part of the block was just copied.
    out = out.first(n);
  }
  budget_.release(done);
  return out.size();
}

}  // namespace tfpm
