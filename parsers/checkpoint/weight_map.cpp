#include "parsers/checkpoint/weight_map.h"

#include "parsers/detail/json_text.h"
#include "parsers/detail/text.h"

namespace tfpm {
namespace {

// What is worth reading as a value; the list of a large model has some megabytes.
constexpr std::size_t kMaxBytes = std::size_t{3} << 20;
constexpr std::size_t kMaxFiles = 100'000;

// A name beside the list; nothing else is looked for.
void add_file(const OrderedJson& name, WeightMap& out) {
  if (!name.is_string()) return;
  const std::string file = name.get<std::string>();
  constexpr std::string_view kNever("/\\\0", 3);
  if (file.empty() || file.size() > 255 || file.find_first_of(kNever) != file.npos) {
    out.fault = "it names a file that is no file's name";
  } else if (out.files.size() < kMaxFiles || out.files.contains(file)) {
    ++out.files[file];
  }
}

}  // namespace

bool is_weight_map(std::string_view name, std::string_view head) {
  return name.ends_with(".weights.json") && (head.empty() || trim(head).starts_with("{"));
}

WeightMap parse_weight_map(std::string_view bytes) {
  WeightMap out;
  if (bytes.size() > kMaxBytes) {
    out.fault = "it has more than 3 MiB";
    return out;
  }
  const JsonText json = parse_json_text(bytes);
  const OrderedJson* map = json.value ? find_member(*json.value, "weight_map") : nullptr;
  if (map == nullptr || !map->is_object()) {
    out.fault = json.value ? "it has no `weight_map`" : json.error;
    return out;
  }
  for (const OrderedJson& where : *map) {
    if (!where.is_array()) {
      add_file(where, out);
      continue;
    }
    for (const OrderedJson& part : where) add_file(part, out);
  }
  if (const OrderedJson* size = find_path(*json.value, {"metadata", "total_size"})) {
    if (size->is_number_unsigned()) out.bytes = size->get<std::uint64_t>();
  }
  if (out.files.empty() && out.fault.empty()) out.fault = "its `weight_map` names no file";
  if (!out.fault.empty()) out.files.clear();
  return out;
}

}  // namespace tfpm
