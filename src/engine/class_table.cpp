#include "engine/class_table.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <span>

#include "base/embedded.h"
#include "engine/class_ids.h"

namespace tfpm {

std::span<const EmbeddedFile> embedded_classes();

namespace {

Result<ClassInfo> parse_class(const EmbeddedFile& file) {
  const auto doc = nlohmann::json::parse(file.text, nullptr, false);
  const auto broken = [&](std::string why) {
    return error(ErrorKind::kInternal, "a built-in class description is broken",
                 fmt::format("rules/classes/{}", file.name), std::move(why));
  };
  if (!doc.is_object()) return broken("not a JSON object");
  ClassInfo info;
  try {
    info.id = doc.at("id").get<std::string>();
    info.stage = doc.at("stage") == "remains" ? ClassStage::kRemains : ClassStage::kFailure;
    info.ends_process = doc.at("ends_process").get<bool>();
    info.starts_up = doc.at("starts_up").get<bool>();
    info.severity = doc.at("severity").get<std::string>();
    const auto by_cause = doc.value("cause_severity", nlohmann::json::object());
    for (const auto& [cause, word] : by_cause.items()) {
      info.cause_severity.emplace(cause, word.get<std::string>());
    }
    info.title = doc.at("title").get<std::string>();
    info.title_unnamed = doc.at("title_unnamed").get<std::string>();
    info.summary = doc.at("summary").get<std::string>();
    info.summary_unnamed = doc.value("summary_unnamed", info.summary);
    info.now = doc.at("now").get<std::vector<std::string>>();
    info.check = doc.at("check").get<std::vector<std::string>>();
    info.prevent = doc.at("prevent").get<std::vector<std::string>>();
    info.collect = doc.at("collect").get<std::vector<std::string>>();
    info.replaces = doc.at("replaces").get<std::vector<std::string>>();
  } catch (const nlohmann::json::exception& e) {
    return broken(e.what());
  }
  if (!is_class_id(info.id)) return broken("unknown class id " + info.id);
  return info;
}

}  // namespace

Result<ClassTable> load_class_table() {
  ClassTable table;
  for (const EmbeddedFile& file : embedded_classes()) {
    Result<ClassInfo> info = parse_class(file);
    if (!info.ok()) return info.status();
    std::string id = info->id;
    table.emplace(std::move(id), std::move(*info));
  }
  return table;
}

}  // namespace tfpm
