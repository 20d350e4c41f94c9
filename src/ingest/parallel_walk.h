// Visits the members of a bundle with several threads.
//
// Plain files are opened by the thread that reads them. What lies in archives or is compressed has
// to be unpacked in order: the walking thread does that and hands the bytes over in blocks.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "bundle/bundle.h"

namespace tfpm {

class ParallelWalk {
 public:
  // Reads one member. Runs on worker `worker` of `threads`, with member.content valid until it
  // returns; it need not read to the end.
  using Work = std::function<void(const Member& member, unsigned worker)>;

  ParallelWalk(Bundle& bundle, unsigned threads) : bundle_(bundle), threads_(threads) {}

  // Calls work() once for every member that `wanted` lets pass; `wanted` runs on the calling
  // thread. With one thread everything does, in the order of the walk.
  Status run(const std::function<bool(const Member&)>& wanted, const Work& work,
             const Bundle::OnProblem& problem, const std::function<void()>& tick);

  // Bytes read so far, of the input as stored; for the calling thread.
  BundleProgress progress() const;

 private:
  Bundle& bundle_;
  unsigned threads_;
  std::atomic<std::uint64_t> behind_{0};  // bytes the walk has passed, but nobody has read yet
};

}  // namespace tfpm
