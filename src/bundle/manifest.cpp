#include <cmath>

#include "bundle/bundle.h"
#include "bundle/located_json.h"

namespace tfpm {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxGlob = 4095;  // PATH_MAX without its end
constexpr double kMaxOffset = 1e9;      // seconds, 30 years: more is no clock

// Reads one manifest; the first thing that is wrong ends it.
class ManifestReader {
 public:
  ManifestReader(const LocatedJson& document, const std::string& path)
      : document_(document), path_(path) {}

  Result<Manifest> read();

 private:
  using At = json::json_pointer;

  // An error at `at`, once; later ones are dropped.
  void fail(const At& at, const std::string& why);
  const json* member(const json& object, const char* key) const;
  bool is_object(const json& value, const At& at, std::initializer_list<const char*> keys);
  std::string text(const json& object, const char* key, const At& at);
  void task(const json& value, const At& at);
  void marker(const json& value, const At& at);
  void framework(const json& object, const At& at);
  template <typename Item>
  void each(const json& object, const char* key, const At& at, Item item);

  const LocatedJson& document_;
  std::string path_;
  Manifest out_;
  std::optional<Status> failure_;
};

void ManifestReader::fail(const At& at, const std::string& why) {
  if (failure_.has_value()) return;
  failure_ = error(ErrorKind::kDamaged, "the manifest is not valid",
                   path_ + ":" + document_.place(at).to_string(), why,
                   "keys are job, tasks, framework, markers, notes; see docs/what-to-collect.md");
}

const json* ManifestReader::member(const json& object, const char* key) const {
  const auto it = object.find(key);
  return it == object.end() || it->is_null() ? nullptr : &*it;
}

bool ManifestReader::is_object(const json& value, const At& at,
                               std::initializer_list<const char*> keys) {
  if (!value.is_object()) {
    fail(at, "expected an object");
    return false;
  }
  for (const auto& [key, unused] : value.items()) {
    bool known = false;
    for (const char* name : keys) known = known || key == name;
    if (!known) fail(at / key, "unknown key '" + key + "'");
  }
  return true;
}

std::string ManifestReader::text(const json& object, const char* key, const At& at) {
  const json* value = member(object, key);
  if (value == nullptr) return {};
  if (!value->is_string()) {
    fail(at / key, std::string("'") + key + "' must be a string");
    return {};
  }
  return value->get<std::string>();
}

template <typename Item>
void ManifestReader::each(const json& object, const char* key, const At& at, Item item) {
  const json* array = member(object, key);
  if (array == nullptr) return;
  if (!array->is_array()) return fail(at / key, std::string("'") + key + "' must be an array");
  for (std::size_t i = 0; i < array->size(); ++i) item((*array)[i], at / key / i);
}

void ManifestReader::task(const json& value, const At& at) {
  if (!is_object(value, at, {"task", "host", "attempt", "paths", "clock"})) return;
  ManifestTask task;
  task.task = text(value, "task", at);
  task.host = text(value, "host", at);
  if (const json* attempt = member(value, "attempt")) {
    if (!attempt->is_number_integer() || attempt->get<std::int64_t>() < 0) {
      return fail(at / "attempt", "'attempt' must be a whole number from 0");
    }
    task.attempt = attempt->get<std::int64_t>();
  }
  each(value, "paths", at, [&](const json& path, const At& here) {
    if (!path.is_string()) return fail(here, "a path must be a string");
    task.paths.push_back(path.get<std::string>());
    if (task.paths.back().size() > kMaxGlob) fail(here, "a path must be shorter than 4096 bytes");
  });
  if (const json* clock = member(value, "clock")) {
    if (!is_object(*clock, at / "clock", {"utc_offset_s"})) return;
    if (const json* offset = member(*clock, "utc_offset_s")) {
      if (!offset->is_number() || std::fabs(offset->get<double>()) > kMaxOffset) {
        return fail(at / "clock" / "utc_offset_s", "'utc_offset_s' must be a number of seconds");
      }
      task.utc_offset_s = offset->get<double>();
    }
  }
  out_.tasks.push_back(std::move(task));
}

void ManifestReader::marker(const json& value, const At& at) {
  if (!is_object(value, at, {"re", "edge"})) return;
  ManifestMarker marker{text(value, "re", at), text(value, "edge", at)};
  if (marker.re.empty()) return fail(at, "a marker needs 're'");
  if (marker.edge.empty()) marker.edge = "unknown";
  if (marker.edge != "begin" && marker.edge != "end" && marker.edge != "unknown") {
    return fail(at / "edge", "'edge' must be begin, end or unknown");
  }
  out_.markers.push_back(std::move(marker));
}

void ManifestReader::framework(const json& object, const At& at) {
  if (!object.is_object()) return fail(at, "'framework' must be an object of versions");
  for (const auto& [name, version] : object.items()) {
    if (!version.is_string()) return fail(at / name, "a version must be a string");
    out_.framework.emplace_back(name, version.get<std::string>());
  }
}

Result<Manifest> ManifestReader::read() {
  const json& root = document_.root();
  const At top;
  if (is_object(root, top, {"job", "tasks", "framework", "markers", "notes"})) {
    out_.job = text(root, "job", top);
    out_.notes = text(root, "notes", top);
    each(root, "tasks", top, [this](const json& v, const At& at) { task(v, at); });
    each(root, "markers", top, [this](const json& v, const At& at) { marker(v, at); });
    if (const json* versions = member(root, "framework")) framework(*versions, top / "framework");
  }
  if (failure_.has_value()) return *failure_;
  return std::move(out_);
}

}  // namespace

Result<Manifest> parse_manifest(std::string_view text, const std::string& path) {
  const Result<LocatedJson> document = LocatedJson::parse(text, path);
  if (!document.ok()) return document.status();
  return ManifestReader(*document, path).read();
}

}  // namespace tfpm
