#include "ingest/checkpoint_intake.h"

#include <algorithm>
#include <utility>

namespace tfpm {
namespace {

constexpr std::size_t kFirstRead = std::size_t{64} << 10;

// Reads to the end; more than `limit` bytes are counted but not kept.
std::string read_whole(MemberStream& stream, std::size_t limit, bool& complete) {
  std::string text;
  std::size_t size = 0;
  complete = true;
  while (true) {
    text.resize(std::min(limit, std::max(2 * size, kFirstRead)));
    const Result<std::size_t> n = stream.read({text.data() + size, text.size() - size});
    if (!n.ok() || *n == 0) break;
    size += *n;
    if (size == limit) {
      complete = false;
      break;
    }
  }
  text.resize(size);
  complete = complete && stream.status().ok();
  return text;
}

}  // namespace

std::string CheckpointIntake::show(const Member& member, MemberStream& stream) {
  const std::string& name = member.inner_name.empty() ? member.path : member.inner_name;
  {
    const std::lock_guard lock(mutex_);
    if (!set_.add_member(member.path, name, member.size, stream.head())) return {};
  }
  bool complete = false;
  std::string text = read_whole(stream, kMaxCheckpointContent + 1, complete);
  const std::lock_guard lock(mutex_);
  if (complete) {
    set_.add_content(member.path, text);
  } else {
    const Status& status = stream.status();
    set_.add_unread(member.path, status.ok() ? "larger than 64 MiB" : status.diagnostic().why);
  }
  return text;
}

bool CheckpointIntake::any_wanted(const std::map<std::string, MemberResult>& members) const {
  return std::any_of(members.begin(), members.end(),
                     [&](const auto& entry) { return set_.wants(entry.first); });
}

Status CheckpointIntake::read_shards(ParallelWalk& walk,
                                     std::map<std::string, MemberResult>& members,
                                     const std::function<void()>& tick) {
  if (!any_wanted(members)) return ok_status();
  const auto wanted = [&](const Member& member) {
    return member.content != nullptr && members.contains(member.path) && set_.wants(member.path);
  };
  const auto read = [&](const Member& member, unsigned) {
    MemberResult& result = members.at(member.path);
    if (member.content == nullptr) return;
    MemberStream stream(*member.content);
    set_.read_shard(member.path, stream);
    stream.drain();
    result.bytes = stream.bytes();
    if (stream.complete()) result.fingerprint = stream.fingerprint();
  };
  // Problems of the walk were reported by the first pass.
  return walk.run(
      wanted, read, [](const BundleProblem&) {}, tick);
}

void CheckpointIntake::finish(std::map<std::string, MemberResult>& members) {
  CheckpointReport report = set_.finish();
  for (CheckpointGroup& group : report.groups) {
    const auto found = members.find(group.source);
    if (found == members.end()) continue;
    found->second.rows.append(std::move(group.rows));
    for (Problem& problem : group.problems) found->second.rows.problem(std::move(problem));
  }
}

}  // namespace tfpm
