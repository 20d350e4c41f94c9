#include "parsers/detail/bundle_index.h"

#include <fmt/format.h>

#include "parsers/detail/sstable.h"

namespace tfpm {
namespace {

class IndexBuilder {
 public:
  bool visit(std::string_view key, std::string_view value) {
    if (key.empty()) return take_header(value);
    if (!out_.header) return false;  // the header comes first, else it is no bundle
    std::optional<TensorEntry> entry = decode_tensor_entry(key, value);
    if (!entry || entry->shard >= out_.header->shards) {
      ++undecoded_;
      return true;
    }
    if (out_.tensors.size() == kMaxBundleTensors) {
      limit_hit_ = true;
      return false;
    }
    out_.tensors.push_back(std::move(*entry));
    return true;
  }

  BundleIndex finish(TableReading table) {
    out_.faults = std::move(table.faults);
    if (undecoded_ > 0) {
      out_.faults.push_back({0, fmt::format("{} entries do not decode as tensors of {} shards",
                                            undecoded_, out_.header ? out_.header->shards : 0)});
    }
    if (limit_hit_) {
      out_.faults.push_back(
          {0, fmt::format("more than {} tensors: the rest was not read", kMaxBundleTensors)});
    }
    if (!out_.header) {
      out_.state = IndexState::kNotBundle;
    } else if (!table.has_footer) {
      out_.state = IndexState::kSalvaged;
    } else {
      out_.state = table.damaged > 0 || undecoded_ > 0 || limit_hit_ ? IndexState::kPartial
                                                                     : IndexState::kGood;
    }
    return std::move(out_);
  }

 private:
  bool take_header(std::string_view value) {
    out_.header = decode_bundle_header(value);
    if (out_.header && (out_.header->shards < 1 || out_.header->shards > kMaxShards)) {
      out_.header.reset();
    }
    return out_.header.has_value();
  }

  BundleIndex out_;
  std::uint64_t undecoded_ = 0;
  bool limit_hit_ = false;
};

}  // namespace

BundleIndex read_bundle_index(std::string_view file) {
  IndexBuilder builder;
  TableReading table = read_table(file, [&](std::string_view key, std::string_view value) {
    return builder.visit(key, value);
  });
  return builder.finish(std::move(table));
}

}  // namespace tfpm
