#include "parsers/detail/smi_reader.h"

#include "parsers/detail/text.h"
#include "parsers/detail/time_text.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxDetail = 500;

struct Failure {
  std::string_view part;
  std::string_view code;
};
// What nvidia-smi prints instead of its output.
constexpr Failure kFailures[] = {
    {"Unable to determine the device handle for GPU", "nvidia-smi-gpu-error"},
    {"No devices were found", "nvidia-smi-no-devices"},
    {"NVIDIA-SMI has failed because it couldn't communicate", "nvidia-smi-failed"},
    {"Failed to initialize NVML:", "nvidia-smi-failed"}};

}  // namespace

bool is_smi_command(std::string_view line) {
  line = trim(line);
  while (!line.empty() && (line[0] == '#' || line[0] == '$' || line[0] == '+' || line[0] == ' ')) {
    line.remove_prefix(1);
  }
  return line.starts_with("nvidia-smi") && (line.size() == 10 || line[10] == ' ');
}

bool SmiReader::add_failure(std::string_view line, const SmiPlace& place) {
  for (const Failure& failure : kFailures) {
    if (!contains(line, failure.part)) continue;
    rows_.problem(failure.code, place, "nvidia-smi says: " + clean_utf8(trim(line), kMaxDetail));
    return true;
  }
  return false;
}

bool SmiReader::add(std::string_view raw, std::uint64_t number, std::uint64_t byte_offset) {
  const std::string plain = contains(raw, "\x1b[") ? strip_ansi(raw) : std::string();
  const std::string_view line = plain.empty() ? raw : std::string_view(plain);
  const SmiPlace place{number, byte_offset};
  if (xml_.add(line, place)) return true;
  if (is_smi_command(line)) {
    query_.finish();
    table_.finish();
    links_.end_block();
    csv_.set_command(line);
    return true;
  }
  if (trim(line).empty()) {
    csv_.end_block();
    links_.end_block();
    return query_.add(line, place);
  }
  if (table_.add(line, place)) return true;
  if (query_.add(line, place)) return true;
  if (const auto stamp = leading_asctime(line); stamp && trim(line.substr(stamp->length)).empty()) {
    table_.set_time(stamp->time_us);
    return true;
  }
  return monitor_.add(line, place) || links_.add(line, place) || csv_.add(line, place) ||
         add_failure(line, place);
}

void SmiReader::finish() {
  table_.finish();
  query_.finish();
  xml_.finish();
}

}  // namespace tfpm
