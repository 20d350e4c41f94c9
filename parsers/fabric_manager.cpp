// Log of NVIDIA's fabric manager, which trains and watches the NVSwitches of a host
// (log-formats.md 9.6): "[Feb 25 2025 13:59:45] [INFO] [tid 1803] text".
#include <array>
#include <memory>
#include <optional>

#include "parsers/detail/line_share.h"
#include "parsers/detail/owner.h"
#include "parsers/detail/text.h"
#include "parsers/detail/time_text.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxText = 2000;
constexpr std::size_t kMaxEvents = 20'000;

struct FabricLine {
  std::optional<std::int64_t> time_us;
  std::string_view severity;
  std::string_view text;
};

// "Feb 25 2025 13:59:45" as the ISO form that time_text.h reads.
std::optional<std::int64_t> parse_stamp(std::string_view text) {
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  const auto words = split_blanks(text);
  if (words.size() != 4 || words[0].size() != 3) return std::nullopt;
  const std::size_t month = kMonths.find(words[0]);
  if (month == std::string_view::npos || month % 3 != 0) return std::nullopt;
  const std::string number = std::to_string(month / 3 + 1);
  const auto two = [](std::string_view digits) {
    return (digits.size() < 2 ? "0" : "") + std::string(digits);
  };
  const auto time = leading_iso_time(std::string(words[2]) + "-" + two(number) + "-" +
                                     two(words[1]) + "T" + std::string(words[3]));
  return time ? std::optional(time->time_us) : std::nullopt;
}

std::optional<FabricLine> parse_line(std::string_view line) {
  FabricLine out;
  if (!eat(line, "[")) return std::nullopt;
  std::size_t close = line.find("] [");
  if (close == std::string_view::npos || close > 32) return std::nullopt;
  out.time_us = parse_stamp(line.substr(0, close));
  line.remove_prefix(close + 3);
  close = line.find("] [tid ");
  if (!out.time_us || close == std::string_view::npos || close > 10) return std::nullopt;
  out.severity = line.substr(0, close);
  line.remove_prefix(close + 7);
  close = line.find(']');
  if (close == std::string_view::npos || close > 12) return std::nullopt;
  out.text = trim(line.substr(close + 1));
  return out;
}

struct Kind {
  std::string_view kind;
  std::string_view part;
};
// What a line means, first match first (lower case).
constexpr std::array<Kind, 12> kKinds = {{{"non-fatal", "non-fatal"},
                                          {"non-fatal", "non fatal"},
                                          {"non-fatal", "nonfatal"},
                                          {"fatal", "fatal"},
                                          {"link-training", "training"},
                                          {"link-training", "trunk link"},
                                          {"not-ready", "failed to initialize"},
                                          {"not-ready", "not all"},
                                          {"not-ready", "degraded"},
                                          {"ready", "successfully configured all"},
                                          {"ready", "nvlink devices are initialized"},
                                          {"stopped", "fabric manager is exiting"}}};

std::string_view kind_of(std::string_view text) {
  const std::string lower = to_lower(text);
  for (const Kind& kind : kKinds) {
    if (contains(lower, kind.part)) return kind.kind;
  }
  return "other";
}

class FabricManagerParser : public Parser {
 public:
  std::string_view name() const override { return "fabric-manager"; }

  SniffScore sniff(const SniffInput& input) const override {
    bool began = false;
    const LineShare share = count_lines(input, 400, [&](const TextLine& line) {
      const bool own = parse_line(line.text).has_value();
      began = began || own;
      // Details of a message stand below it without a head.
      return own || (began && line.text.starts_with("Message payload"));
    });
    return share.hits >= 2 && share.is_whole() ? 85 : 0;
  }

  Status parse(const MemberInfo& member, ByteStream& in, Sink& sink) const override {
    const std::optional<std::string> owner = owner_from_path(member.path);
    LineReader lines(in);
    std::size_t events = 0;
    while (const auto line = lines.next()) {
      const auto read = parse_line(line->text);
      if (!read) continue;
      const std::string_view kind = kind_of(read->text);
      // Messages about teams and groups are routine.
      if (read->severity == "INFO" && kind != "ready" && kind != "stopped") continue;
      if (++events > kMaxEvents) continue;
      sink.add("fabric_event", {{"line", int_value(line->number)},
                                {"byte_offset", int_value(line->offset)},
                                {"owner", optional_value(owner)},
                                {"severity", text_value(clean_utf8(read->severity, 20))},
                                {"kind", text_value(kind)},
                                {"time_raw_us", optional_value(read->time_us)},
                                {"text", text_value(clean_utf8(read->text, kMaxText))}});
    }
    finish_lines(lines, sink);
    return ok_status();
  }
};

}  // namespace

std::unique_ptr<Parser> make_fabric_manager_parser() {
  return std::make_unique<FabricManagerParser>();
}

}  // namespace tfpm
