#include "engine/class_table.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <span>

#include "base/embedded.h"
#include "engine/class_ids.h"

namespace tfpm {

std::span<const EmbeddedFile> embedded_classes();

namespace {

void read_texts(const nlohmann::json& doc, ClassTexts& texts) {
  texts.severity = doc.at("severity").get<std::string>();
  texts.title = doc.at("title").get<std::string>();
  texts.title_unnamed = doc.at("title_unnamed").get<std::string>();
  texts.summary = doc.at("summary").get<std::string>();
  texts.summary_unnamed = doc.value("summary_unnamed", texts.summary);
  texts.now = doc.at("now").get<std::vector<std::string>>();
  texts.check = doc.at("check").get<std::vector<std::string>>();
  texts.prevent = doc.at("prevent").get<std::vector<std::string>>();
  texts.collect = doc.at("collect").get<std::vector<std::string>>();
}

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
    // Somebody failed and nobody knows who, or it is nobody's own fault.
    info.unnamed_workers =
        doc.value("unnamed_workers", info.ends_process ? "the task at fault" : "no single task");
    info.unnamed_host =
        doc.value("unnamed_host", info.ends_process ? "the host at fault" : "its host");
    read_texts(doc, info.texts);
    const auto causes = doc.value("causes", nlohmann::json::object());
    for (const auto& [cause, own] : causes.items()) {
      auto merged = doc;
      merged.update(own);
      if (own.contains("summary") && !own.contains("summary_unnamed")) {
        merged.erase("summary_unnamed");
      }
      read_texts(merged, info.by_cause[cause]);
    }
    info.replaces = doc.at("replaces").get<std::vector<std::string>>();
  } catch (const nlohmann::json::exception& e) {
    return broken(e.what());
  }
  if (!is_class_id(info.id)) return broken("unknown class id " + info.id);
  return info;
}

}  // namespace

const ClassTexts& ClassInfo::texts_for(std::string_view cause) const {
  const auto own = by_cause.find(cause);
  return own == by_cause.end() ? texts : own->second;
}

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
