// A cgroup's memory.events (v2) or memory.oom_control (v1): a count of kills is proof of an
// out-of-memory kill where no kernel log was collected (log-formats.md 10).
#include <memory>

#include "parsers/detail/line_reader.h"
#include "parsers/detail/owner.h"
#include "parsers/detail/text.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

// "oom_kill 1": a key and a count.
std::optional<std::int64_t> count_of(std::string_view line, std::string_view& key) {
  const std::vector<std::string_view> words = split_blanks(line);
  if (words.size() != 2) return std::nullopt;
  key = words[0];
  return parse_int(words[1]);
}

bool is_known_key(std::string_view key) {
  for (const std::string_view known : {"low", "high", "max", "oom", "oom_kill", "oom_group_kill",
                                       "sock_throttled", "oom_kill_disable", "under_oom"}) {
    if (key == known) return true;
  }
  return false;
}

class CgroupEventsParser : public Parser {
 public:
  std::string_view name() const override { return "cgroup-events"; }

  SniffScore sniff(const SniffInput& input) const override {
    if (!input.complete) return 0;
    bool kills = false;
    for (const TextLine& line : split_lines({input.head.data(), input.head.size()}, 20)) {
      if (trim(line.text).empty()) continue;
      std::string_view key;
      if (!count_of(line.text, key) || !is_known_key(key)) return 0;
      kills = kills || key == "oom_kill";
    }
    return kills ? 85 : 0;
  }

  Status parse(const MemberInfo& member, ByteStream& in, Sink& sink) const override {
    const std::optional<std::string> owner = owner_from_path(member.path);
    LineReader lines(in);
    while (const auto line = lines.next()) {
      std::string_view key;
      const auto count = count_of(line->text, key);
      if (key != "oom_kill" || count.value_or(0) <= 0) continue;
      sink.add("kernel_event", {{"line", int_value(line->number)},
                                {"byte_offset", int_value(line->offset)},
                                {"owner", optional_value(owner)},
                                {"kind", text_value("oom-kill")},
                                {"constraint_", text_value("memcg")},
                                {"text", text_value(clean_utf8(trim(line->text), 200))}});
    }
    finish_lines(lines, sink);
    return ok_status();
  }
};

}  // namespace

std::unique_ptr<Parser> make_cgroup_events_parser() {
  return std::make_unique<CgroupEventsParser>();
}

}  // namespace tfpm
