// XSpace files of the TensorFlow and JAX profilers, *.xplane.pb (formats.md 6.2 to 6.7).
#include <fmt/format.h>

#include <memory>
#include <string>

#include "parsers/detail/text.h"
#include "parsers/profile/profile_file.h"
#include "parsers/profile/space_reader.h"
#include "parsers/profile/space_rows.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxNote = 500;

// A file starts with a plane: its length, then id or name; the name of a plane begins with a slash
// or is one of a few.
bool starts_with_plane(std::string_view head) {
  if (head.size() < 4 || head[0] != 0x0a) return false;
  head.remove_prefix(1);
  const std::optional<std::uint64_t> length = take_varint(head);
  if (!length || *length == 0) return false;
  WireReader plane(head.substr(0, *length));
  for (int i = 0; i < 2 && plane.next(); ++i) {
    if (plane.is(1, WireType::kVarint)) continue;
    if (!plane.is(2, WireType::kBytes)) return false;
    const std::string_view name = plane.bytes();
    return name.substr(0, 6) == "/host:" || name.substr(0, 8) == "/device:" ||
           name == "Task Environment" || name.substr(0, 5) == "#Chip";
  }
  return false;
}

std::string note_of(const SpaceReader& reader) {
  std::string note;
  for (const auto& [word, list] :
       {std::pair<std::string_view, const std::vector<std::string>&>("error", reader.errors()),
        {"warning", reader.warnings()}}) {
    for (const std::string& text : list) {
      note += fmt::format("{}{}: {}", note.empty() ? "" : "; ", word, text);
    }
  }
  return clean_utf8(note, kMaxNote);
}

void report(const SpaceReader& reader, SpaceReader::Outcome outcome, Sink& sink) {
  if (outcome == SpaceReader::Outcome::kCut) {
    sink.problem({"profile-truncated", ProblemSeverity::kDataLoss, reader.damage_offset(),
                  fmt::format("the profile ends inside a plane: {} planes and {} events before it "
                              "are good; names of the last plane may be missing",
                              reader.planes(), reader.events())});
  } else if (outcome == SpaceReader::Outcome::kDamaged) {
    sink.problem(
        {"profile-damaged", ProblemSeverity::kDataLoss, reader.damage_offset(),
         fmt::format("bytes that are no message of a profile; {} planes and {} events were "
                     "read around them",
                     reader.planes(), reader.events())});
  }
  if (!reader.status().ok()) {
    sink.problem({"read-failed", ProblemSeverity::kDataLoss, reader.damage_offset(),
                  reader.status().diagnostic().to_string()});
  }
  for (const std::string& text : reader.errors()) {
    sink.problem({"profile-collector-error", ProblemSeverity::kNotice, std::nullopt,
                  "the profiler itself reports: " + text});
  }
}

// A stream whose first bytes were looked at already.
class Replay : public ByteStream {
 public:
  Replay(std::string head, ByteStream& rest) : head_(std::move(head)), rest_(rest) {}
  Result<std::size_t> read(std::span<char> out) override {
    if (at_ >= head_.size()) return rest_.read(out);
    const std::size_t n = head_.copy(out.data(), out.size(), at_);
    at_ += n;
    return n;
  }

 private:
  std::string head_;
  std::size_t at_ = 0;
  ByteStream& rest_;
};

std::string read_head(ByteStream& in) {
  std::string head(kSniffBytes, '\0');
  std::size_t size = 0;
  while (size < head.size()) {
    const Result<std::size_t> got = in.read({head.data() + size, head.size() - size});
    if (!got.ok() || *got == 0) break;
    size += *got;
  }
  head.resize(size);
  return head;
}

class XplaneParser : public Parser {
 public:
  std::string_view name() const override { return "xplane"; }

  SniffScore sniff(const SniffInput& input) const override {
    const std::string_view head(input.head.data(), input.head.size());
    if (starts_with_plane(head)) return 92;
    if (input.path.find(".xplane.pb") == std::string_view::npos) return 0;
    return is_reencoded(head) ? 90 : 60;
  }

  Status parse(const MemberInfo& member, ByteStream& in, Sink& sink) const override {
    std::string head = read_head(in);
    const bool reencoded = is_reencoded(head);
    Replay replay(std::move(head), in);
    SpaceRows rows;
    SpaceReader reader(replay);
    SpaceReader::Outcome outcome = SpaceReader::Outcome::kComplete;
    if (reencoded) {
      sink.problem({"profile-reencoded", ProblemSeverity::kDataLoss, 0,
                    "the file was re-encoded as UTF-8 text on its way: every byte from 0x80 on was "
                    "replaced by U+FFFD and cannot be restored; copy the original as binary"});
    } else {
      outcome = reader.read([&](const Plane& plane) { rows.add(plane); });
    }
    emit_profile(member.path, reader, rows, reencoded, sink);
    rows.emit(sink);
    report(reader, outcome, sink);
    return ok_status();
  }

 private:
  static void emit_profile(const std::string& path, const SpaceReader& reader,
                           const SpaceRows& rows, bool reencoded, Sink& sink) {
    const auto host = reader.hosts().empty() ? profile_host(path) : reader.hosts().front();
    const std::string note = note_of(reader);
    const auto known = [&](std::uint64_t v) { return reencoded ? null_value() : int_value(v); };
    sink.add("profile",
             {{"kind", text_value("xplane")},
              {"owner", optional_value(profile_owner(path))},
              {"host", optional_value(host)},
              {"start_us", optional_value(rows.start_us())},
              {"window_us", optional_value(rows.window_us())},
              {"device", rows.device().empty() ? null_value() : text_value(rows.device())},
              {"planes", known(reader.planes())},
              {"lines", known(rows.lines())},
              {"events", known(reader.events())},
              {"unusable", known(rows.unusable() + reader.skipped())},
              {"resolution_us", reencoded ? null_value() : Value(rows.resolution_us())},
              {"note", note.empty() ? null_value() : Value(note)}});
  }
};

}  // namespace

std::unique_ptr<Parser> make_xplane_parser() {
  return std::make_unique<XplaneParser>();
}

}  // namespace tfpm
