#include "bundle/located_json.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace tfpm {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxNesting = 128;

TextPlace place_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t newline = before.rfind('\n');
  TextPlace place;
  place.line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  place.column = before.size() - (newline == std::string_view::npos ? 0 : newline + 1) + 1;
  return place;
}

// Reads characters and tells outside how far the parser is.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, const char** shared) : at_(at), shared_(shared) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    ++at_;
    if (shared_ != nullptr) *shared_ = at_;
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** shared_;
};

// Follows the parser's events and notes the place of every key and container.
class PlaceRecorder {
 public:
  PlaceRecorder(std::string_view text, std::map<std::string, TextPlace>& places)
      : text_(text), places_(places), at_(text.data()) {}

  const char** position() { return &at_; }
  bool too_deep() const { return too_deep_; }

  void on_event(json::parse_event_t event, const json& parsed) {
    // Just behind the token that caused the event.
    const auto behind = static_cast<std::size_t>(at_ - text_.data());
    switch (event) {
      case json::parse_event_t::key:
        frames_.back().key = parsed.get<std::string>();
        note(behind < 2 ? 0 : text_.rfind('"', behind - 2));
        break;
      case json::parse_event_t::object_start:
      case json::parse_event_t::array_start:
        note(behind == 0 ? 0 : behind - 1);
        frames_.push_back({event == json::parse_event_t::array_start, 0, {}});
        too_deep_ = too_deep_ || frames_.size() > kMaxNesting;
        break;
      case json::parse_event_t::object_end:
      case json::parse_event_t::array_end:
        frames_.pop_back();
        end_item();
        break;
      case json::parse_event_t::value:
        end_item();
        break;
    }
  }

 private:
  struct Frame {
    bool array = false;
    std::size_t index = 0;
    std::string key;
  };

  void end_item() {
    if (!frames_.empty() && frames_.back().array) ++frames_.back().index;
  }
  void note(std::size_t offset) {
    if (too_deep_) return;
    json::json_pointer pointer;
    for (const Frame& frame : frames_) {
      if (frame.array) {
        pointer /= frame.index;
      } else {
        pointer /= frame.key;
      }
    }
    places_.emplace(pointer.to_string(), place_of(text_, offset));
  }

  std::string_view text_;
  std::map<std::string, TextPlace>& places_;
  const char* at_;
  std::vector<Frame> frames_;
  bool too_deep_ = false;
};

}  // namespace

Result<LocatedJson> LocatedJson::parse(std::string_view text, const std::string& path) {
  LocatedJson out;
  PlaceRecorder recorder(text, out.places_);
  const char* end = text.data() + text.size();
  try {
    out.root_ = json::parse(CountingIterator(text.data(), recorder.position()),
                            CountingIterator(end, nullptr),
                            [&](int, json::parse_event_t event, json& parsed) {
                              recorder.on_event(event, parsed);
                              return true;
                            });
  } catch (const json::exception& e) {
    const TextPlace place =
        place_of(text, static_cast<std::size_t>(*recorder.position() - text.data()));
    return error(ErrorKind::kDamaged, "not valid JSON", path + ":" + place.to_string(), e.what());
  }
  if (recorder.too_deep()) return error(ErrorKind::kLimit, "JSON is nested too deep", path);
  return out;
}

TextPlace LocatedJson::place(json::json_pointer at) const {
  for (;;) {
    const auto found = places_.find(at.to_string());
    if (found != places_.end()) return found->second;
    if (at.empty()) return {};
    at.pop_back();
  }
}

}  // namespace tfpm
