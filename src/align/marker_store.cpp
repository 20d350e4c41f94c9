// Writes the markers, once, with everything that is known of them.
#include <cmath>

#include "align/model.h"
#include "store/bulk_insert.h"

namespace tfpm {
namespace {

BulkValue opt(const SmallInt& v) {
  return v ? BulkValue(*v) : BulkValue();
}

// NULL where it is not finite: the state then says what it was.
BulkValue finite(double v) {
  return std::isfinite(v) ? BulkValue(v) : BulkValue();
}

BulkValue state_of(double loss) {
  if (is_missing(loss)) return {};
  if (std::isfinite(loss)) return std::string_view("finite");
  if (std::isnan(loss)) return std::string_view("nan");
  return std::string_view(loss > 0 ? "inf" : "-inf");
}

class MarkerFeed : public RowFeed {
 public:
  explicit MarkerFeed(const Model& m) : m_(m) {}

  static std::vector<std::string_view> columns() {
    return {"stream",       "seq",        "line",        "step", "attempt",
            "generation",   "superseded", "time_raw_us", "loss", "loss_state",
            "step_time_us", "epoch",      "batch_loss"};
  }

  bool next() override {
    at_ = begun_ ? at_ + 1 : 0;
    begun_ = true;
    return at_ < m_.markers.size();
  }

  BulkValue column(std::size_t index) const override {
    const MarkerInfo& k = m_.markers[at_];
    switch (index) {
      case 0:
        return m_.streams[static_cast<std::size_t>(k.stream)].id;
      case 1:
        return k.seq;
      case 2:
        return k.line;
      case 3:
        return k.step;
      case 4:
        return opt(k.attempt);
      case 5:
        return opt(k.generation);
      case 6:
        return std::int64_t{k.superseded ? 1 : 0};
      case 7:
        return opt(k.time_us);
      case 8:
        return finite(k.loss);
      case 9:
        return state_of(k.loss);
      case 10:
        return opt(k.step_time_us);
      default:
        return extra(index);
    }
  }

 private:
  BulkValue extra(std::size_t index) const {
    if (m_.marker_extras.empty()) return {};
    const MarkerExtra& e = m_.marker_extras[at_];
    if (index == 11) return opt(e.epoch);
    return e.batch_loss ? finite(*e.batch_loss) : BulkValue();
  }

  const Model& m_;
  std::size_t at_ = 0;
  bool begun_ = false;
};

}  // namespace

Status store_markers(Database& db, const Model& m) {
  MarkerFeed feed(m);
  return insert_all(db, "step_marker", MarkerFeed::columns(), feed);
}

}  // namespace tfpm
