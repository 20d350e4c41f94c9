// tfevents: scalars of TensorFlow 1 and 2 event files (formats.md 4).
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/text.h"
#include "parsers/detail/tfrecord.h"
#include "parsers/detail/wire.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxTags = 2000;
constexpr std::size_t kKeepPerTag = 4000;
constexpr std::size_t kMaxTagBytes = 300;

struct Point {
  std::uint64_t seq = 0;
  std::int64_t step = 0;
  double value = 0;
  std::int64_t wall_us = 0;
};

// Points of one tag. Beyond the limit every second finite point of the older half goes: the end and
// every value that is not finite stay.
class Series {
 public:
  void add(const Point& p) {
    points_.push_back(p);
    if (points_.size() > kKeepPerTag) thin();
  }
  const std::vector<Point>& points() const { return points_; }

 private:
  void thin() {
    std::vector<Point> kept;
    const std::size_t half = points_.size() / 2;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      if (i >= half || i % 2 == 0 || !std::isfinite(points_[i].value)) kept.push_back(points_[i]);
    }
    // A series of nothing but NaN must stay bounded too.
    if (kept.size() == points_.size()) kept.erase(kept.begin() + 1000, kept.begin() + 2000);
    points_ = std::move(kept);
  }
  std::vector<Point> points_;
};

struct Value {
  std::string_view tag;
  double value = 0;
  bool scalar = false;
};

// Rank-0 FLOAT or DOUBLE of a TensorProto: tensor_content, float_val or double_val.
bool scalar_of_tensor(std::string_view message, double& out) {
  WireReader r(message);
  std::uint64_t dtype = 0;
  std::string_view content;
  bool found = false;
  while (r.next()) {
    if (r.is(1, WireType::kVarint)) dtype = r.value();
    if (r.is(4, WireType::kBytes)) content = r.bytes();
    if (r.is(5, WireType::kFixed32)) {
      out = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(r.value())));
      found = true;
    }
    if (r.is(5, WireType::kBytes) && r.bytes().size() == 4) {
      out = static_cast<double>(std::bit_cast<float>(load_u32le(r.bytes())));
      found = true;
    }
  }
  if (dtype == 1 && content.size() == 4) {
    out = static_cast<double>(std::bit_cast<float>(load_u32le(content)));
    return true;
  }
  if (dtype == 2 && content.size() == 8) {
    out = std::bit_cast<double>(load_u64le(content));
    return true;
  }
  return found && dtype == 1;
}

Value parse_value(std::string_view message) {
  Value v;
  WireReader r(message);
  while (r.next()) {
    if (r.is(1, WireType::kBytes)) v.tag = r.bytes();
    if (r.is(2, WireType::kFixed32)) {
      v.value = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(r.value())));
      v.scalar = true;
    }
    if (r.is(8, WireType::kBytes) && scalar_of_tensor(r.bytes(), v.value)) v.scalar = true;
  }
  return v;
}

std::string_view state_of(double v) {
  if (std::isnan(v)) return "nan";
  if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
  return "finite";
}

class EventFile {
 public:
  void add(const TfRecord& record) {
    Point p;
    p.seq = record.offset;
    WireReader r(record.data);
    std::string_view summary;
    while (r.next()) {
      if (r.is(1, WireType::kFixed64)) p.wall_us = to_micros(std::bit_cast<double>(r.value()));
      if (r.is(2, WireType::kVarint)) p.step = r.signed_value();
      if (r.is(5, WireType::kBytes)) summary = r.bytes();
    }
    if (!summary.empty()) add_summary(summary, p);
  }

  void emit(Sink& sink) const {
    for (const auto& [tag, series] : tags_) {
      for (const Point& p : series.points()) {
        const std::string_view state = state_of(p.value);
        sink.add("metric", {{"tag", tag},
                            {"seq", int_value(p.seq)},
                            {"step", p.step},
                            {"value", state == "finite" ? tfpm::Value(p.value) : null_value()},
                            {"state", text_value(state)},
                            {"wall_us", p.wall_us}});
      }
    }
    if (dropped_tags_) {
      sink.problem({"tfevents-many-tags", ProblemSeverity::kNotice, std::nullopt,
                    "more than 2000 scalar tags: the first 2000 are kept"});
    }
  }

 private:
  // Seconds since the epoch; hostile values (NaN, year 9999) become 0.
  static std::int64_t to_micros(double seconds) {
    return seconds > 0 && seconds < 1e11 ? static_cast<std::int64_t>(seconds * 1e6) : 0;
  }

  void add_summary(std::string_view summary, Point p) {
    WireReader r(summary);
    while (r.next()) {
      if (!r.is(1, WireType::kBytes)) continue;
      const Value v = parse_value(r.bytes());
      if (!v.scalar || v.tag.empty()) continue;
      const std::string tag = printable_tag(v.tag);
      auto it = tags_.find(tag);
      if (it == tags_.end()) {
        if (tags_.size() >= kMaxTags) {
          dropped_tags_ = true;
          continue;
        }
        it = tags_.emplace(tag, Series()).first;
      }
      p.value = v.value;
      it->second.add(p);
      ++p.seq;  // values of one record keep their order and stay distinct
    }
  }

  static std::string printable_tag(std::string_view tag) { return clean_utf8(tag, kMaxTagBytes); }

  std::map<std::string, Series> tags_;
  bool dropped_tags_ = false;
};

class TfeventsParser : public Parser {
 public:
  std::string_view name() const override { return "tfevents"; }

  SniffScore sniff(const SniffInput& input) const override {
    const std::string_view head(input.head.data(), input.head.size());
    const bool named = input.path.find(".tfevents.") != std::string_view::npos;
    const bool versioned = head.substr(0, 200).find("brain.Event:") != std::string_view::npos;
    if (TfRecordReader::looks_like(head)) return versioned ? 95 : named ? 80 : 0;
    // An empty or torn event file still is one by its name.
    return named ? 60 : 0;
  }

  Status parse(const MemberInfo&, ByteStream& in, Sink& sink) const override {
    TfRecordReader reader(in);
    EventFile file;
    TfRecord record;
    while (reader.next(record)) file.add(record);
    file.emit(sink);
    reader.report(sink, "tfevents");
    return ok_status();
  }
};

}  // namespace

std::unique_ptr<Parser> make_tfevents_parser() {
  return std::make_unique<TfeventsParser>();
}

}  // namespace tfpm
