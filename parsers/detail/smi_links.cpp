#include "parsers/detail/smi_links.h"

#include <algorithm>

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxDevices = 256;
constexpr std::size_t kMaxUuid = 100;

// "GPU0", "NIC3", "mlx5_0".
bool is_device(std::string_view word) {
  if (word.size() < 4 || word.size() > 20 || !is_digit(word.back())) return false;
  return word.starts_with("GPU") || word.starts_with("NIC") || word.starts_with("mlx");
}

bool is_path(std::string_view cell) {
  for (const std::string_view path : {"X", "SYS", "NODE", "PHB", "PXB", "PIX"}) {
    if (cell == path) return true;
  }
  return cell.size() > 2 && cell.starts_with("NV") &&
         std::all_of(cell.begin() + 2, cell.end(), [](char c) { return is_digit(c); });
}

// "  NODE = Connection traversing ...", "Legend:", "NIC Legend:", "  NIC0: mlx5_0".
bool is_legend(std::string_view text) {
  if (text == "Legend:" || text == "NIC Legend:") return true;
  const std::string_view head = text.substr(0, text.find_first_of(" ="));
  if ((is_path(head) || head == "NV#") && contains(text, "= ")) return true;
  return text.starts_with("NIC") && contains(text, ": mlx");
}

}  // namespace

// "GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-...)"; "  MIG 1g.10gb     Device  0: (UUID: MIG-...)".
bool SmiLinksReader::add_gpu(std::string_view text) {
  if (text.starts_with("MIG ") && contains(text, "(UUID: MIG-")) return true;
  std::string_view rest = text;
  if (!eat(rest, "GPU ")) return false;
  const auto index = parse_int(eat_digits(rest));
  if (!index || !eat(rest, ": ")) return false;
  const auto uuid = between(rest, "(UUID: ", ")");
  if (!uuid) return false;
  gpu_ = index;
  uuid_ = clean_utf8(*uuid, kMaxUuid);
  return true;
}

// "Link 3: 25 GB/s", "Link 3: <inactive>", "Link 0: Replay Errors: 0", "Link 0, P2P is supported:
// true".
bool SmiLinksReader::add_link(std::string_view text, const SmiPlace& place) {
  std::string_view rest = text;
  if (!gpu_ || !eat(rest, "Link ")) return false;
  const auto link = parse_int(eat_digits(rest));
  if (!link) return false;
  if (rest.starts_with(", ")) return true;  // capabilities
  if (!eat(rest, ":")) return false;
  rest = trim(rest);
  std::vector<Field> fields = {{"line", int_value(place.line)},
                               {"byte_offset", int_value(place.byte_offset)},
                               {"gpu_index", Value(*gpu_)},
                               {"uuid", optional_value(uuid_)},
                               {"link", Value(*link)}};
  const std::size_t colon = rest.rfind(": ");
  if (contains(rest, "inactive")) {
    fields.push_back({"active", int_value(0)});
  } else if (rest.ends_with("GB/s")) {
    fields.push_back({"active", int_value(1)});
    fields.push_back({"gb_per_s", optional_value(smi_number(rest))});
  } else if (colon != std::string_view::npos && smi_count(rest.substr(colon + 2))) {
    fields.push_back({"counter", text_value(clean_utf8(rest.substr(0, colon), 100))});
    fields.push_back({"value", optional_value(smi_count(rest.substr(colon + 2)))});
  } else {
    return true;  // a capability or a counter that is not supported
  }
  rows_.add_row("gpu_link", std::move(fields));
  return true;
}

bool SmiLinksReader::add_matrix(std::string_view text, const SmiPlace& place) {
  const auto words = split_blanks(text);
  if (words.empty()) return false;
  if (is_device(words[0]) && contains(text, "CPU Affinity")) {
    devices_.clear();
    for (const std::string_view word : words) {
      if (is_device(word) && devices_.size() < kMaxDevices) devices_.emplace_back(word);
    }
    return true;
  }
  if (is_legend(text)) return true;
  if (devices_.empty() || !is_device(words[0])) return false;
  const auto own = std::find(devices_.begin(), devices_.end(), words[0]);
  if (own == devices_.end() || words.size() < 2) return false;
  // Each pair once: the columns before the device's own.
  const auto before = static_cast<std::size_t>(own - devices_.begin());
  for (std::size_t i = 0; i < before && i + 1 < words.size(); ++i) {
    if (!is_path(words[i + 1])) break;
    rows_.add_row("gpu_topology", {{"line", int_value(place.line)},
                                   {"byte_offset", int_value(place.byte_offset)},
                                   {"device", text_value(words[0])},
                                   {"peer", text_value(devices_[i])},
                                   {"path", text_value(words[i + 1])}});
  }
  return true;
}

bool SmiLinksReader::add(std::string_view line, const SmiPlace& place) {
  const std::string_view text = trim(line);
  return add_gpu(text) || add_link(text, place) || add_matrix(text, place);
}

}  // namespace tfpm
