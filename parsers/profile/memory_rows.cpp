// What the memory events of a host plane say of each allocator (formats.md 6.7).
#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "parsers/detail/text.h"
#include "parsers/profile/space_rows.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxAllocators = 64;

struct MemoryEvent {
  std::int64_t begin = 0;
  bool allocates = false;
  std::string allocator;
  std::optional<std::int64_t> in_use, reserved, available, lifetime_peak, size, address;
  std::optional<double> fragmentation;
};

// Ids of the stats' names in this plane.
struct StatIds {
  explicit StatIds(const Plane& p)
      : allocator(p.stat_id("allocator_name")),
        in_use(p.stat_id("bytes_allocated")),
        reserved(p.stat_id("bytes_reserved")),
        available(p.stat_id("bytes_available")),
        peak(p.stat_id("peak_bytes_in_use")),
        size(p.stat_id("allocation_bytes")),
        address(p.stat_id("addr")),
        fragmentation(p.stat_id("fragmentation")) {}
  std::optional<std::int64_t> allocator, in_use, reserved, available, peak, size, address,
      fragmentation;
};

std::optional<std::int64_t> number(const Plane& plane, const KeptEvent& e,
                                   const std::optional<std::int64_t>& id) {
  const std::optional<XStat> stat = id ? plane.stat_of(e, *id) : std::nullopt;
  return stat ? parse_int(plane.stat_text(*stat)) : std::nullopt;
}

MemoryEvent read_event(const Plane& plane, const KeptEvent& e, const StatIds& ids) {
  MemoryEvent m;
  m.begin = e.begin;
  m.allocates = plane.event_name(e.slot) == "MemoryAllocation";
  if (const auto stat = ids.allocator ? plane.stat_of(e, *ids.allocator) : std::nullopt) {
    m.allocator = plane.stat_text(*stat);
  }
  m.in_use = number(plane, e, ids.in_use);
  m.reserved = number(plane, e, ids.reserved);
  m.available = number(plane, e, ids.available);
  m.lifetime_peak = number(plane, e, ids.peak);
  m.size = number(plane, e, ids.size);
  m.address = number(plane, e, ids.address);
  const auto stat = ids.fragmentation ? plane.stat_of(e, *ids.fragmentation) : std::nullopt;
  if (stat && stat->kind == XStat::Kind::kDouble) {
    const double f = std::bit_cast<double>(stat->bits);
    if (std::isfinite(f)) m.fragmentation = f;
  }
  return m;
}

struct Pool {
  std::int64_t events = 0;
  std::optional<std::int64_t> capacity, peak, lifetime_peak;
  MemoryEvent last;
  std::map<std::int64_t, std::int64_t> live;  // address -> bytes
};

void keep_greater(std::optional<std::int64_t>& a, const std::optional<std::int64_t>& b) {
  if (b && (!a || *b > *a)) a = b;
}

void add(Pool& pool, const MemoryEvent& m) {
  ++pool.events;
  keep_greater(pool.peak, m.in_use);
  keep_greater(pool.lifetime_peak, m.lifetime_peak);
  constexpr std::int64_t kMost = std::int64_t{1} << 60;
  if (m.in_use && m.available && *m.in_use >= 0 && *m.in_use < kMost && *m.available >= 0 &&
      *m.available < kMost) {
    const std::int64_t reserved = std::clamp<std::int64_t>(m.reserved.value_or(0), 0, kMost);
    pool.capacity = *m.in_use + *m.available + reserved;
  }
  if (m.address && m.allocates)
    pool.live[*m.address] = std::clamp<std::int64_t>(m.size.value_or(0), 0, kMost / 1'000'000);
  if (m.address && !m.allocates) pool.live.erase(*m.address);
  pool.last = m;
}

}  // namespace

std::vector<Row> memory_rows(const Plane& plane) {
  const StatIds ids(plane);
  if (!ids.allocator) return {};
  std::vector<MemoryEvent> events;
  std::uint64_t seen = 0;
  for (std::size_t slot = 0; slot < plane.totals().size(); ++slot) {
    if (classify_host(plane.event_name(slot)) == EventClass::kMemory) {
      seen += plane.totals()[slot].count;
    }
  }
  if (seen == 0) return {};
  for (const KeptEvent& e : plane.kept()) {
    if (classify_host(plane.event_name(e.slot)) != EventClass::kMemory) continue;
    MemoryEvent m = read_event(plane, e, ids);
    if (!m.allocator.empty()) events.push_back(std::move(m));
  }
  std::stable_sort(events.begin(), events.end(),
                   [](const MemoryEvent& a, const MemoryEvent& b) { return a.begin < b.begin; });
  std::map<std::string, Pool> pools;
  for (const MemoryEvent& m : events) {
    if (pools.size() < kMaxAllocators || pools.count(m.allocator) != 0) add(pools[m.allocator], m);
  }
  const bool all = events.size() == seen;
  std::vector<Row> out;
  for (const auto& [name, pool] : pools) {
    std::int64_t live_bytes = 0;
    for (const auto& [address, bytes] : pool.live) live_bytes += bytes;
    out.push_back(
        {"profile_memory",
         {{"allocator", name},
          {"events", pool.events},
          {"capacity", optional_value(pool.capacity)},
          {"peak_bytes", optional_value(pool.peak)},
          {"lifetime_peak_bytes", optional_value(pool.lifetime_peak)},
          {"last_bytes", optional_value(pool.last.in_use)},
          {"fragmentation", optional_value(pool.last.fragmentation)},
          {"live", all ? Value(static_cast<std::int64_t>(pool.live.size())) : null_value()},
          {"live_bytes", all ? Value(live_bytes) : null_value()}}});
  }
  return out;
}

}  // namespace tfpm
