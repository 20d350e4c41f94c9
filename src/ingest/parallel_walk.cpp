#include "ingest/parallel_walk.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "ingest/block_queue.h"
#include "ingest/worker_pool.h"

namespace tfpm {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{256} * 1024;
// Unpacked bytes under way, per thread.
constexpr std::size_t kBudgetPerThread = std::size_t{8} << 20;

// Takes what is read off a counter, and the rest when it goes away.
class CountedSource : public ByteSource {
 public:
  CountedSource(std::unique_ptr<ByteSource> in, std::atomic<std::uint64_t>& left,
                std::uint64_t size)
      : in_(std::move(in)), left_(left), size_(size) {}
  ~CountedSource() override { left_ -= size_; }
  Result<std::size_t> read(std::span<char> out) override {
    Result<std::size_t> n = in_->read(out);
    if (n.ok()) {
      const std::uint64_t counted = std::min<std::uint64_t>(*n, size_);
      left_ -= counted;
      size_ -= counted;
    }
    return n;
  }

 private:
  std::unique_ptr<ByteSource> in_;
  std::atomic<std::uint64_t>& left_;
  std::uint64_t size_;
};

void feed(ByteSource& from, BlockQueue& queue) {
  while (true) {
    std::vector<char> block(kBlockBytes);
    std::size_t size = 0;
    Status status;
    while (size < block.size()) {
      const Result<std::size_t> n = from.read({block.data() + size, block.size() - size});
      if (!n.ok()) status = n.status();
      if (!n.ok() || *n == 0) break;
      size += *n;
    }
    const bool last = size < block.size();
    block.resize(size);
    const bool more = size == 0 || queue.push(std::move(block));
    if (last) queue.finish(std::move(status));
    if (last || !more) return;
  }
}

}  // namespace

BundleProgress ParallelWalk::progress() const {
  BundleProgress progress = bundle_.progress();
  progress.bytes_done -= std::min<std::uint64_t>(progress.bytes_done, behind_.load());
  return progress;
}

Status ParallelWalk::run(const std::function<bool(const Member&)>& wanted, const Work& work,
                         const Bundle::OnProblem& problem, const std::function<void()>& tick) {
  BlockBudget budget(kBudgetPerThread * std::max(threads_, 1U));
  WorkerPool pool(threads_);
  // Nobody but this thread: it would wait for itself to take the blocks.
  if (pool.workers() == 1) {
    return bundle_.for_each(
        [&](Member& member) {
          if (wanted(member)) work(member, 0);
          tick();
          return ok_status();
        },
        problem);
  }
  const auto on_disk = [&](const Member& member) {
    const std::uint64_t size = member.size.value_or(0);
    behind_ += size;
    pool.submit([&work, this, size, member](unsigned worker) {
      Member own = member;
      Result<std::unique_ptr<ByteSource>> content = member.reopen();
      if (!content.ok()) {
        behind_ -= size;
        own.content = nullptr;
        own.unread_reason = content.status().diagnostic().why;
        work(own, worker);
        return;
      }
      CountedSource counted(std::move(*content), behind_, size);
      own.content = &counted;
      work(own, worker);
    });
  };
  const auto unpacked = [&](const Member& member) {
    const auto queue = std::make_shared<BlockQueue>(budget);
    pool.submit([&work, queue, member](unsigned worker) {
      Member own = member;
      own.content = queue.get();
      work(own, worker);
      queue->close();
    });
    feed(*member.content, *queue);
  };
  const Status walked = bundle_.for_each(
      [&](Member& member) {
        if (!wanted(member)) return ok_status();
        if (member.content == nullptr) {
          work(member, 0);
        } else if (member.reopen) {
          on_disk(member);
        } else {
          unpacked(member);
        }
        tick();
        return ok_status();
      },
      problem);
  pool.finish(tick);
  return walked;
}

}  // namespace tfpm
