#include "ingest/checkpoint_verify.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include "ingest/checkpoint_selection.h"
#include "ingest/file_stream.h"
#include "ingest/worker_pool.h"

namespace tfpm {
namespace {

Result<std::string> read_whole(const FoundFile& file, std::size_t limit) {
  Result<std::unique_ptr<ByteStream>> in = open_file_stream(file.path);
  if (!in.ok()) return in.status();
  std::string bytes(std::min<std::uint64_t>(file.size, limit), '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const Result<std::size_t> got = (*in)->read({bytes.data() + filled, bytes.size() - filled});
    if (!got.ok()) return got.status();
    if (*got == 0) break;
    filled += *got;
  }
  bytes.resize(filled);
  return bytes;
}

std::string reason_of(const Status& status) {
  return status.diagnostic().why.empty() ? status.diagnostic().what : status.diagnostic().why;
}

void add_files(const std::vector<FoundFile>& files, CheckpointSet& set) {
  for (const FoundFile& file : files) {
    const Result<std::string> head = read_whole(file, kSniffBytes);
    const std::string_view bytes = head.ok() ? std::string_view(*head) : std::string_view();
    if (!set.add_member(file.path, file.path, file.size, bytes)) continue;
    const Result<std::string> content = read_whole(file, kMaxCheckpointContent);
    if (content.ok()) {
      set.add_content(file.path, *content);
    } else {
      set.add_unread(file.path, reason_of(content.status()));
    }
  }
}

// A stream that never begins: its file could not be opened.
class FailedStream final : public ByteStream {
 public:
  explicit FailedStream(Status why) : why_(std::move(why)) {}
  Result<std::size_t> read(std::span<char>) override { return why_; }

 private:
  Status why_;
};

class ProgressMeter {
 public:
  ProgressMeter(std::uint64_t total, const CheckpointVerifyOptions& options)
      : total_(total), options_(options) {}
  void add(std::uint64_t bytes) {
    constexpr std::uint64_t kStep = std::uint64_t{32} << 20;
    const std::uint64_t before = done_.fetch_add(bytes);
    if (!options_.progress || before / kStep == (before + bytes) / kStep) return;
    const std::lock_guard lock(mutex_);
    options_.progress(done_, total_);
  }
  std::uint64_t done() const { return done_; }

 private:
  std::atomic<std::uint64_t> done_{0};
  std::uint64_t total_;
  const CheckpointVerifyOptions& options_;
  std::mutex mutex_;
};

class MeteredStream final : public ByteStream {
 public:
  MeteredStream(ByteStream& in, ProgressMeter& meter) : in_(in), meter_(meter) {}
  Result<std::size_t> read(std::span<char> out) override {
    Result<std::size_t> got = in_.read(out);
    if (got.ok()) meter_.add(*got);
    return got;
  }

 private:
  ByteStream& in_;
  ProgressMeter& meter_;
};

void read_one(const FoundFile& file, CheckpointSet& set, ProgressMeter& meter) {
  Result<std::unique_ptr<ByteStream>> in = open_file_stream(file.path);
  if (in.ok()) {
    MeteredStream metered(**in, meter);
    set.read_shard(file.path, metered);
  } else {
    FailedStream failed(in.status());
    set.read_shard(file.path, failed);
  }
}

std::uint64_t read_shards(const std::vector<FoundFile>& files, CheckpointSet& set,
                          const CheckpointVerifyOptions& options) {
  std::vector<const FoundFile*> wanted;
  std::uint64_t total = 0;
  for (const FoundFile& file : files) {
    if (!set.wants(file.path)) continue;
    wanted.push_back(&file);
    total += file.size;
  }
  ProgressMeter meter(total, options);
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < wanted.size(); i = next++) read_one(*wanted[i], set, meter);
  };
  const std::size_t readers = std::min<std::size_t>(options.threads, wanted.size());
  const auto others = static_cast<unsigned>(std::max<std::size_t>(readers, 1) - 1);
  std::vector<std::thread> helpers = start_threads(others, [&](unsigned) { work(); });
  work();
  for (std::thread& helper : helpers) helper.join();
  return meter.done();
}

}  // namespace

Result<CheckpointVerification> verify_checkpoints(const std::string& path,
                                                  const CheckpointVerifyOptions& options) {
  Result<CheckpointSelection> selection = select_checkpoint_files(path);
  if (!selection.ok()) return selection.status();
  CheckpointSet set;
  // A file that is pointed at is meant; below a directory an HDF5 file may be data.
  if (!selection->prefix.empty()) set.accept_any_hdf5();
  add_files(selection->files, set);
  CheckpointVerification out;
  out.bytes_read = read_shards(selection->files, set, options);
  for (CheckpointSummary& summary : set.finish().summaries) {
    if (!selection->prefix.empty() && summary.prefix != selection->prefix) continue;
    out.items.push_back(std::move(summary));
  }
  if (out.items.empty()) {
    return error(
        ErrorKind::kNotFound, "no checkpoint found", path,
        "no PREFIX.index, PREFIX.data-*, V1 file, .keras or .h5 is there",
        "give a directory, a checkpoint's prefix such as DIR/ckpt-40, or one of its files");
  }
  out.last_good = last_good_checkpoint(out.items);
  out.all_usable = std::all_of(out.items.begin(), out.items.end(),
                               [](const CheckpointSummary& item) { return item.usable(); });
  return out;
}

}  // namespace tfpm
