#include "parsers/detail/log_export.h"

#include "parsers/detail/text.h"
#include "parsers/detail/time_text.h"

namespace tfpm {
namespace {

// Neighbours in time that decide which way the export runs. Stamps of several writers are a little
// out of order even in a sorted log.
constexpr std::size_t kDecide = 200;

// Longer texts are cut, as lines of logs are.
constexpr std::size_t kMaxText = std::size_t{1} << 20;

void append_escaped(std::string_view text, std::string& out) {
  constexpr char kHex[] = "0123456789abcdef";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20) {
      out += {'\\', 'u', '0', '0', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      out += c;
    }
  }
}

void append_member(std::string_view key, std::string_view value, std::string& out) {
  if (value.empty()) return;
  out.append(out.empty() ? "{\"" : ",\"").append(key).append("\":\"");
  append_escaped(value, out);
  out += '"';
}

}  // namespace

void LogExport::add(const ExportedRecord& record) {
  line_.clear();
  if (record.time_us) {
    append_member("timestamp", iso_time(*record.time_us, record.zoned), line_);
    note_time(*record.time_us);
  }
  append_member(record.pod.empty() ? "_HOSTNAME" : "podName",
                record.pod.empty() ? record.host : record.pod, line_);
  append_member("containerName", record.container, line_);
  // Behind all others, so that a text that is cut still has its place and time.
  line_.append(line_.empty() ? "{\"textPayload\":\"" : ",\"textPayload\":\"");
  append_escaped(record.text.substr(0, kMaxText), line_);
  line_ += "\"}";
  if (order_ == Order::kOldestFirst) {
    give(line_);
  } else {
    hold(line_);
  }
}

void LogExport::note_time(std::int64_t time_us) {
  if (last_us_ && time_us > *last_us_) ++rising_;
  if (last_us_ && time_us < *last_us_) ++falling_;
  last_us_ = time_us;
  if (order_ != Order::kUnknown || rising_ + falling_ < kDecide) return;
  order_ = falling_ > rising_ ? Order::kNewestFirst : Order::kOldestFirst;
  if (order_ == Order::kOldestFirst) give_held();
}

void LogExport::give(std::string_view line) {
  ++given_;
  sink_.add(kLogLineTable, {{"line", text_value(line)}});
}

void LogExport::hold(std::string_view line) {
  if (held_.size() + line.size() > kMaxHeld) {
    if (order_ == Order::kNewestFirst) {
      ++dropped_;
      return;
    }
    // No stamps, or all the same: as it stands.
    order_ = Order::kOldestFirst;
    give_held();
    give(line);
    return;
  }
  held_ += line;
  ends_.push_back(held_.size());
}

void LogExport::give_held() {
  const auto give_at = [this](std::size_t i) {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    give(std::string_view(held_).substr(begin, ends_[i] - begin));
  };
  if (order_ == Order::kNewestFirst) {
    for (std::size_t i = ends_.size(); i-- > 0;) give_at(i);
  } else {
    for (std::size_t i = 0; i < ends_.size(); ++i) give_at(i);
  }
  held_.clear();
  ends_.clear();
}

void LogExport::finish() {
  if (order_ == Order::kUnknown) {
    order_ = falling_ > rising_ ? Order::kNewestFirst : Order::kOldestFirst;
  }
  give_held();
  if (order_ == Order::kNewestFirst) {
    sink_.problem({"log-export-newest-first", ProblemSeverity::kInfo, std::nullopt,
                   "the export is newest first; it was read the other way round, and lines count "
                   "its records from the oldest"});
  }
  if (dropped_ == 0) return;
  sink_.problem({"log-export-too-large", ProblemSeverity::kDataLoss, std::nullopt,
                 "an export that is newest first can be turned round up to 24 MiB: its newest " +
                     std::to_string(given_) + " records were read, " + std::to_string(dropped_) +
                     " older ones were not; export it oldest first (`--order=asc`, sorted by "
                     "time)"});
}

}  // namespace tfpm
