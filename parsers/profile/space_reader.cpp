#include "parsers/profile/space_reader.h"

#include <algorithm>

#include "base/text.h"
#include "parsers/profile/fast_varint.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxTexts = 16;
constexpr std::size_t kMaxTextBytes = 500;
constexpr std::size_t kMaxName = std::size_t{64} << 10;
constexpr std::size_t kEventHead = 16;  // tag and length of an event, with room
constexpr std::size_t kMaxLineName = 200;

// Moves over a field this program does not use.
bool skip_field(const char*& at, const char* end, unsigned type) {
  std::uint64_t n = 0;
  switch (type) {
    case 0:
      return fast_varint(at, end, n);
    case 1:
      n = 8;
      break;
    case 2:
      if (!fast_varint(at, end, n)) return false;
      break;
    case 5:
      n = 4;
      break;
    default:
      return false;
  }
  if (n > static_cast<std::uint64_t>(end - at)) return false;
  at += n;
  return true;
}

// XEvent. Stats follow the numbers; they are left as bytes. Tags are single bytes: fields beyond 15
// are none of ours.
bool parse_event(std::string_view message, RawEvent& event) {
  const char* at = message.data();
  const char* const end = at + message.size();
  while (at < end) {
    const char* const start = at;
    const auto tag = static_cast<unsigned char>(*at++);
    std::uint64_t n = 0;
    if (tag == 0x22) {
      // Behind the first stat come stats, and the count of events without a time: the stats are
      // read only when wanted.
      if (event.stats.empty()) event.stats = {start, static_cast<std::size_t>(end - start)};
      if (event.timed) return true;
      if (!skip_field(at, end, 2)) return false;
      continue;
    }
    if (tag >= 0x80 || (tag & 7) != 0) {
      at = start;
      if (!fast_varint(at, end, n) || !skip_field(at, end, static_cast<unsigned>(n & 7))) {
        return false;
      }
      continue;
    }
    if (!fast_varint(at, end, n)) return false;
    const auto value = static_cast<std::int64_t>(n);
    if (tag == 0x08) event.metadata_id = value;
    if (tag == 0x10) event.begin = value;
    if (tag == 0x10) event.timed = true;
    if (tag == 0x18) event.duration = value;
    if (tag == 0x28) event.occurrences = value;
  }
  return true;
}

}  // namespace

void SpaceReader::note_damage(Outcome what) {
  if (outcome_ == Outcome::kComplete) damage_ = stream_.offset();
  if (outcome_ != Outcome::kDamaged) outcome_ = what;
}

// After something that could not be read: on to the end of the message it stands in.
bool SpaceReader::leave(Step step, std::uint64_t end) {
  if (step == Step::kEnd) return true;
  note_damage(step == Step::kCut ? Outcome::kCut : Outcome::kDamaged);
  if (step == Step::kCut || end == WireStream::kNoEnd) return false;
  ++skipped_;
  if (stream_.offset() < end && !stream_.skip(end - stream_.offset())) {
    outcome_ = Outcome::kCut;
    return false;
  }
  return true;
}

bool SpaceReader::skip_value() {
  if (stream_.type() != WireType::kBytes || stream_.skip(stream_.value())) return true;
  note_damage(Outcome::kCut);
  return false;
}

bool SpaceReader::keep_text(std::vector<std::string>& list) {
  if (stream_.type() != WireType::kBytes || stream_.value() > kMaxName ||
      list.size() >= kMaxTexts) {
    return skip_value();
  }
  const auto text = stream_.take(static_cast<std::size_t>(stream_.value()));
  if (!text) {
    note_damage(Outcome::kCut);
    return false;
  }
  list.push_back(clean_utf8(*text, kMaxTextBytes));
  return true;
}

SpaceReader::Outcome SpaceReader::read(const PlaneDone& done) {
  Step step = Step::kField;
  Plane last;
  while ((step = stream_.next(WireStream::kNoEnd)) == Step::kField) {
    bool go_on = true;
    if (stream_.is(1, WireType::kBytes)) {
      Plane plane;
      plane.recycle(last);
      go_on = read_plane(stream_.offset() + stream_.value(), plane);
      ++planes_;
      events_ += plane.events;
      done(plane);
      last = std::move(plane);
    } else if (stream_.field() == 2) {
      go_on = keep_text(errors_);
    } else if (stream_.field() == 3) {
      go_on = keep_text(warnings_);
    } else if (stream_.field() == 4) {
      go_on = keep_text(hosts_);
    } else {
      go_on = skip_value();
    }
    if (!go_on) return outcome_;
  }
  leave(step, WireStream::kNoEnd);
  return outcome_;
}

bool SpaceReader::read_plane(std::uint64_t end, Plane& plane) {
  Step step = Step::kField;
  while ((step = stream_.next(end)) == Step::kField) {
    if (!plane_field(plane)) return false;
  }
  return leave(step, end);
}

bool SpaceReader::plane_field(Plane& plane) {
  if (stream_.type() != WireType::kBytes) return true;
  const std::uint64_t length = stream_.value();
  const std::uint64_t end = stream_.offset() + length;
  switch (stream_.field()) {
    case 3:
      return read_line(end, plane);
    case 4:
      return read_entry(end, plane, true);
    case 5:
      return read_entry(end, plane, false);
    case 2:
    case 6: {
      const std::uint32_t field = stream_.field();
      if (length > kMaxName) return skip_value();
      const auto bytes = stream_.take(static_cast<std::size_t>(length));
      if (!bytes) {
        note_damage(Outcome::kCut);
        return false;
      }
      if (field == 2) plane.name = clean_utf8(*bytes, Plane::kMaxNameBytes);
      if (field == 6) plane.add_plane_stat(*bytes);
      return true;
    }
    default:
      return skip_value();
  }
}

bool SpaceReader::read_line(std::uint64_t end, Plane& plane) {
  std::string name;
  bool begun = false;
  std::int64_t stamp = 0;
  Step step = Step::kField;
  bool go_on = true;
  while (go_on && (step = stream_.next(end)) == Step::kField) {
    if (stream_.is(3, WireType::kVarint)) stamp = static_cast<std::int64_t>(stream_.value());
    if (stream_.is(4, WireType::kBytes)) {
      // Writers put the stamp before the events.
      if (!begun) plane.begin_line(stamp);
      begun = true;
      go_on = read_event(stream_.value(), plane) && read_events(end, plane);
      continue;
    }
    const bool named = stream_.is(2, WireType::kBytes) || stream_.is(11, WireType::kBytes);
    if (named && stream_.value() > 0 && stream_.value() <= kMaxName) {
      const auto text = stream_.take(static_cast<std::size_t>(stream_.value()));
      if (text) name = clean_utf8(*text, kMaxLineName);
      if (!text) note_damage(Outcome::kCut);
      go_on = text.has_value();
    } else {
      go_on = skip_value();
    }
  }
  if (!begun) plane.begin_line(stamp);
  plane.end_line(std::move(name));
  return go_on && leave(step, end);
}

// Events in a row, straight from the window: the part of the program that reads nearly all bytes of
// a profile.
bool SpaceReader::read_events(std::uint64_t end, Plane& plane) {
  while (stream_.offset() < end) {
    const std::uint64_t left = end - stream_.offset();
    if (!stream_.peek(static_cast<std::size_t>(std::min<std::uint64_t>(left, kEventHead)))) break;
    std::string_view window = stream_.buffered();
    window = window.substr(0, std::min<std::uint64_t>(left, window.size()));
    const char* at = window.data();
    const char* const stop = at + window.size();
    while (at < stop && *at == 0x22) {
      const char* body = at + 1;
      std::uint64_t length = 0;
      if (!fast_varint(body, stop, length) || length > static_cast<std::uint64_t>(stop - body))
        break;
      RawEvent event;
      if (parse_event({body, static_cast<std::size_t>(length)}, event)) {
        plane.add(event);
      } else {
        ++skipped_;
        note_damage(Outcome::kDamaged);
      }
      at = body + length;
    }
    if (at == window.data()) break;  // another field, or an event that the window does not hold
    stream_.advance(static_cast<std::size_t>(at - window.data()));
  }
  return true;
}

bool SpaceReader::read_event(std::uint64_t length, Plane& plane) {
  if (length > WireStream::kWindow) {
    ++skipped_;
    return skip_value();
  }
  const auto bytes = stream_.take(static_cast<std::size_t>(length));
  if (!bytes) {
    note_damage(Outcome::kCut);
    return false;
  }
  RawEvent event;
  if (parse_event(*bytes, event)) {
    plane.add(event);
  } else {
    ++skipped_;
    note_damage(Outcome::kDamaged);
  }
  return true;
}

// An entry of the tables of names: map<int64, X...Metadata>.
bool SpaceReader::read_entry(std::uint64_t end, Plane& plane, bool is_event) {
  std::int64_t id = 0;
  std::string name;
  Step step = Step::kField;
  while ((step = stream_.next(end)) == Step::kField) {
    if (stream_.is(1, WireType::kVarint)) {
      id = static_cast<std::int64_t>(stream_.value());
    } else if (stream_.is(2, WireType::kBytes)) {
      if (!read_metadata(stream_.offset() + stream_.value(), id, name)) return false;
    } else if (!skip_value()) {
      return false;
    }
  }
  if (is_event) {
    plane.name_event(id, name);
  } else {
    plane.name_stat(id, name);
  }
  return leave(step, end);
}

bool SpaceReader::read_metadata(std::uint64_t end, std::int64_t& id, std::string& name) {
  Step step = Step::kField;
  while ((step = stream_.next(end)) == Step::kField) {
    if (stream_.is(1, WireType::kVarint) && id == 0) {
      id = static_cast<std::int64_t>(stream_.value());
    }
    if (stream_.is(2, WireType::kBytes) && stream_.value() <= kMaxName) {
      const auto text = stream_.take(static_cast<std::size_t>(stream_.value()));
      if (!text) {
        note_damage(Outcome::kCut);
        return false;
      }
      name.assign(text->substr(0, Plane::kMaxNameBytes + 4));
    } else if (!skip_value()) {
      return false;
    }
  }
  return leave(step, end);
}

}  // namespace tfpm
