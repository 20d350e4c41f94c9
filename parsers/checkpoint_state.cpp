// `checkpoint` state files: which checkpoint a directory holds as its latest (formats.md 2).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "parsers/checkpoint/member_name.h"
#include "parsers/checkpoint/phrases.h"
#include "parsers/checkpoint/state_file.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

// Microseconds of a stamp in seconds; nothing when it is no plausible time.
std::optional<std::int64_t> micros(double seconds) {
  constexpr double kMaxSeconds = 253402300799.0;  // the end of year 9999
  if (!(seconds >= 0 && seconds <= kMaxSeconds)) return {};
  return static_cast<std::int64_t>(std::llround(seconds * 1e6));
}

Result<std::string> read_all(ByteStream& in, std::size_t limit) {
  std::string text;
  std::size_t filled = 0;
  for (;;) {
    constexpr std::size_t kStep = std::size_t{64} * 1024;
    text.resize(filled + kStep);
    const Result<std::size_t> got = in.read({text.data() + filled, kStep});
    if (!got.ok()) return got.status();
    filled += *got;
    if (*got == 0 || filled > limit) break;
  }
  text.resize(std::min(filled, limit));
  return text;
}

void emit(const MemberInfo& member, const StateFile& state, Sink& sink) {
  std::vector<Field> fields{{"directory", text_value(printable(directory_of(member.path)))}};
  if (state.latest) {
    fields.push_back({"latest", text_value(printable(*state.latest))});
    fields.push_back({"line", int_value(state.latest_line)});
  }
  const RowRef row = sink.add("checkpoint_state", std::move(fields));
  const bool stamped = state.saved_at.size() == state.paths.size();
  for (std::size_t i = 0; i < state.paths.size(); ++i) {
    std::vector<Field> path{
        {"state_id", row}, {"n", int_value(i)}, {"path", text_value(printable(state.paths[i]))}};
    const auto saved = stamped ? micros(state.saved_at[i]) : std::nullopt;
    if (saved) path.push_back({"saved_us", *saved});
    sink.add("checkpoint_state_path", std::move(path));
  }
}

class CheckpointStateParser final : public Parser {
 public:
  std::string_view name() const override { return "checkpoint-state"; }

  SniffScore sniff(const SniffInput& input) const override {
    constexpr SniffScore kFirstField = 90;
    constexpr SniffScore kEmptyByName = 40;
    if (looks_like_state_file({input.head.data(), input.head.size()})) return kFirstField;
    const bool named = classify_checkpoint_file(input.path).kind == CheckpointFile::kStateFile;
    return named && input.head.empty() ? kEmptyByName : 0;
  }

  Status parse(const MemberInfo& member, ByteStream& in, Sink& sink) const override {
    const Result<std::string> text = read_all(in, kMaxStateFile);
    if (!text.ok()) return text.status();
    const StateFile state = parse_state_file(*text);
    if (text->empty()) {
      sink.problem({"checkpoint-state-empty", ProblemSeverity::kNotice, 0,
                    "the checkpoint state file is empty: the disk was full, or the file system "
                    "does not rename atomically"});
    }
    if (state.fault) {
      sink.problem({"checkpoint-state-damaged", ProblemSeverity::kNotice, state.fault->byte_offset,
                    fmt::format("{}; {} path{} before it could be read", state.fault->detail,
                                state.paths.size(), state.paths.size() == 1 ? "" : "s")});
    }
    emit(member, state, sink);
    sink.set_lines(static_cast<std::uint64_t>(std::count(text->begin(), text->end(), '\n')));
    return ok_status();
  }
};

}  // namespace

std::unique_ptr<Parser> make_checkpoint_state_parser() {
  return std::make_unique<CheckpointStateParser>();
}

}  // namespace tfpm
