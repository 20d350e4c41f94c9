// *.memory_profile.json: what each allocator held while a profile was taken (formats.md 6.8). The
// file lists every allocation and may be gigabytes; only sums and the last state are kept.
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "parsers/detail/json_feed.h"
#include "parsers/detail/text.h"
#include "parsers/profile/profile_file.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxAllocators = 64;
constexpr std::size_t kMaxName = 200;

struct Pool {
  std::int64_t snapshots = 0;
  std::optional<std::int64_t> capacity, lifetime_peak, peak, last;
  std::optional<double> fragmentation;
};

// Follows the keys from the root: memoryProfilePerAllocator / NAME / profileSummary / ...
class MemoryHandler {
 public:
  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool number_integer(std::int64_t v) { return value(static_cast<double>(v), v); }
  bool number_unsigned(std::uint64_t v) {
    return value(static_cast<double>(v), static_cast<std::int64_t>(v));
  }
  bool number_float(double v, const std::string&) { return value(v, std::nullopt); }
  // 64-bit numbers are JSON strings.
  bool string(std::string& v) {
    const std::optional<std::int64_t> whole = parse_int(v);
    const std::optional<double> number = parse_decimal(v);
    return number ? value(*number, whole) : true;
  }
  bool binary(std::vector<std::uint8_t>&) { return true; }
  bool start_object(std::size_t) { return enter(); }
  bool key(std::string& k) {
    if (!path_.empty()) path_.back() = clean_utf8(k, kMaxName);
    return true;
  }
  bool end_object() { return leave(); }
  bool start_array(std::size_t) { return enter(); }
  bool end_array() { return leave(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) {
    return false;
  }
  const std::map<std::string, Pool>& pools() const { return pools_; }

 private:
  bool enter() {
    path_.emplace_back();
    Pool* p = path_.size() == 5 && path_[2] == "memoryProfileSnapshots" ? pool() : nullptr;
    if (p != nullptr) ++p->snapshots;
    return path_.size() < kMaxDepth;
  }
  bool leave() {
    if (!path_.empty()) path_.pop_back();
    return true;
  }

  Pool* pool() {
    if (path_.size() < 3 || path_[0] != "memoryProfilePerAllocator") return nullptr;
    const auto it = pools_.find(path_[1]);
    if (it != pools_.end()) return &it->second;
    return pools_.size() < kMaxAllocators ? &pools_[path_[1]] : nullptr;
  }

  bool value(double number, const std::optional<std::int64_t>& whole) {
    Pool* p = pool();
    if (p == nullptr) return true;
    const std::string& last = path_.back();
    const std::string& section = path_[2];
    const std::string& inner = path_[path_.size() - 2];
    if (section == "profileSummary") {
      if (last == "memoryCapacity") p->capacity = whole;
      if (last == "peakBytesUsageLifetime") p->lifetime_peak = whole;
      if (inner == "peakStats" && last == "peakBytesInUse") p->peak = whole;
    }
    if (section == "memoryProfileSnapshots" && inner == "aggregationStats") {
      if (last == "heapAllocatedBytes") p->last = whole;
      if (last == "fragmentation" && std::isfinite(number)) p->fragmentation = number;
    }
    return true;
  }

  std::vector<std::string> path_;  // key of every object around; of arrays an empty one
  std::map<std::string, Pool> pools_;
};

class ProfileMemoryParser : public Parser {
 public:
  std::string_view name() const override { return "profile-memory"; }

  SniffScore sniff(const SniffInput& input) const override {
    const std::string_view head(input.head.data(), input.head.size());
    if (contains(head, "\"memoryProfilePerAllocator\"")) return 93;
    return input.path.find(".memory_profile.json") == std::string_view::npos ? 0 : 45;
  }

  Status parse(const MemberInfo& member, ByteStream& in, Sink& sink) const override {
    JsonFeed feed(in);
    feed.advance();
    MemoryHandler handler;
    const bool whole =
        nlohmann::json::sax_parse(JsonFeedIterator(feed), JsonFeedIterator(), &handler);
    const std::uint64_t offset = feed.offset();
    while (!feed.at_end()) feed.advance();
    sink.add("profile", {{"kind", text_value("memory-profile")},
                         {"owner", optional_value(profile_owner(member.path))},
                         {"host", optional_value(profile_host(member.path))}});
    for (const auto& [name, p] : handler.pools()) {
      sink.add("profile_memory", {{"allocator", name},
                                  {"events", p.snapshots},
                                  {"capacity", optional_value(p.capacity)},
                                  {"peak_bytes", optional_value(p.peak)},
                                  {"lifetime_peak_bytes", optional_value(p.lifetime_peak)},
                                  {"last_bytes", optional_value(p.last)},
                                  {"fragmentation", optional_value(p.fragmentation)}});
    }
    if (!whole) {
      sink.problem({"memory-profile-truncated", ProblemSeverity::kDataLoss, offset,
                    "the memory profile ends early or is no JSON from here on; what stands before "
                    "is good"});
    }
    return feed.status();
  }
};

}  // namespace

std::unique_ptr<Parser> make_profile_memory_parser() {
  return std::make_unique<ProfileMemoryParser>();
}

}  // namespace tfpm
