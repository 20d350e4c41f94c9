// `docker inspect` (podman alike): how each container ended, and TF_CONFIG in its environment
// (formats.md 8.6).
#include <memory>

#include "parsers/detail/exit_lines.h"
#include "parsers/detail/json_text.h"
#include "parsers/detail/line_reader.h"
#include "parsers/detail/object_split.h"
#include "parsers/detail/owner.h"
#include "parsers/detail/text.h"
#include "parsers/detail/text_locator.h"
#include "parsers/detail/tf_config.h"
#include "parsers/detail/time_text.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

// A container that never ended has this as its FinishedAt.
constexpr std::string_view kNever = "0001-01-01T";

void emit_environment(const OrderedJson& container, const std::optional<std::string>& task,
                      TextLocator& locator, Sink& sink) {
  const OrderedJson* env = find_path(container, {"Config", "Env"});
  if (env == nullptr || !env->is_array()) return;
  for (const OrderedJson& variable : *env) {
    if (!variable.is_string()) continue;
    const std::string text = variable.get<std::string>();
    std::string_view value = text;
    if (!eat(value, "TF_CONFIG=")) continue;
    const TextPlace place = locator.find("TF_CONFIG=", "");
    emit_tf_config(parse_tf_config(value, TfConfigForm::kEnv),
                   {std::nullopt, place.line, place.byte_offset, task}, sink);
  }
}

void emit_container(const OrderedJson& container, TextLocator& locator, Sink& sink) {
  const std::string name = string_member(container, "Name").value_or("");
  const std::optional<std::string> task =
      task_from_name(std::string_view(name).substr(name.starts_with("/") ? 1 : 0));
  // State comes before Config in docker's output.
  if (const OrderedJson* state = find_member(container, "State")) {
    const auto code = int_member(*state, "ExitCode");
    const auto finished = string_member(*state, "FinishedAt");
    const OrderedJson* oom = find_member(*state, "OOMKilled");
    const bool killed = oom != nullptr && oom->is_boolean() && oom->get<bool>();
    if (finished && !finished->starts_with(kNever) && code) {
      ExitRecord record(killed ? "oom" : "exited");
      record.task = task;
      set_exit_code(record, *code);
      if (killed) record.reason = "OOMKilled";
      if (const auto stamp = leading_iso_time(*finished)) record.time_us = stamp->time_us;
      const TextPlace place = locator.find("\"ExitCode\"", std::to_string(*code));
      emit_exit_record(record, place.text, place.line, place.byte_offset, sink);
    }
  }
  emit_environment(container, task, locator, sink);
}

class DockerInspectParser : public Parser {
 public:
  std::string_view name() const override { return "docker-inspect"; }

  SniffScore sniff(const SniffInput& input) const override {
    const std::string_view head = trim({input.head.data(), input.head.size()});
    const bool object = head.starts_with("[") && contains(head.substr(0, 400), "\"Id\"");
    return object && contains(head, "\"State\"") && contains(head, "\"ExitCode\"") ? 85 : 0;
  }

  Status parse(const MemberInfo&, ByteStream& in, Sink& sink) const override {
    LineReader lines(in);
    std::uint64_t containers = 0;
    JsonSplitter splitter([&](const ObjectPiece& piece) {
      const JsonText json = parse_json_text(piece.text);
      if (!json.value) {
        sink.problem({"docker-inspect-json", ProblemSeverity::kDataLoss, piece.byte_offset,
                      "a container is not JSON: " + json.error});
        return;
      }
      ++containers;
      TextLocator locator(piece.text, piece.line, piece.byte_offset, piece.line_offset);
      emit_container(*json.value, locator, sink);
    });
    while (const auto line = lines.next()) splitter.add(*line);
    if (!splitter.complete() || splitter.skipped() > 0) {
      sink.problem({"docker-inspect-json", ProblemSeverity::kDataLoss, std::nullopt,
                    "not a complete JSON array of containers; " + std::to_string(containers) +
                        " of them were read"});
    }
    finish_lines(lines, sink);
    return ok_status();
  }
};

}  // namespace

std::unique_ptr<Parser> make_docker_inspect_parser() {
  return std::make_unique<DockerInspectParser>();
}

}  // namespace tfpm
