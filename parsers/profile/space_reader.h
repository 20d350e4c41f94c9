// Walks an XSpace (formats.md 6.2) from a stream and hands over each plane when it is complete.
// Only one event, name or stat at a time is in the window; everything else is entered.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "parsers/detail/wire_stream.h"
#include "parsers/profile/plane.h"

namespace tfpm {

class SpaceReader {
 public:
  using PlaneDone = std::function<void(const Plane&)>;

  // How the reading ended.
  enum class Outcome { kComplete, kCut, kDamaged };

  explicit SpaceReader(ByteStream& in) : stream_(in) {}

  // Reads to the end; damage inside a plane skips to the end of the innermost message whose length
  // is known and goes on.
  Outcome read(const PlaneDone& done);

  std::uint64_t planes() const { return planes_; }
  std::uint64_t events() const { return events_; }
  std::uint64_t skipped() const { return skipped_; }  // events and names that could not be read
  // Where the first damage or the cut was; valid unless kComplete.
  std::uint64_t damage_offset() const { return damage_; }
  const std::vector<std::string>& errors() const { return errors_; }
  const std::vector<std::string>& warnings() const { return warnings_; }
  const std::vector<std::string>& hosts() const { return hosts_; }
  const Status& status() const { return stream_.status(); }

 private:
  using Step = WireStream::Step;

  // All return false when the input is over or the enclosing message cannot be followed further.
  bool read_plane(std::uint64_t end, Plane& plane);
  bool plane_field(Plane& plane);
  bool read_line(std::uint64_t end, Plane& plane);
  bool read_events(std::uint64_t end, Plane& plane);
  bool read_event(std::uint64_t length, Plane& plane);
  bool read_entry(std::uint64_t end, Plane& plane, bool is_event);
  bool read_metadata(std::uint64_t end, std::int64_t& id, std::string& name);
  bool keep_text(std::vector<std::string>& list);
  bool skip_value();
  bool leave(Step step, std::uint64_t end);
  void note_damage(Outcome what);

  WireStream stream_;
  Outcome outcome_ = Outcome::kComplete;
  std::uint64_t damage_ = 0;
  std::uint64_t planes_ = 0, events_ = 0, skipped_ = 0;
  std::vector<std::string> errors_, warnings_, hosts_;
};

}  // namespace tfpm
