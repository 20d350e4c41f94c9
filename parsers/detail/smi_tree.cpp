#include "parsers/detail/smi_tree.h"

#include <algorithm>

#include "parsers/detail/kernel_event.h"
#include "parsers/detail/text.h"
#include "parsers/detail/time_text.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxGpus = 1024;
constexpr std::size_t kMaxProcesses = 100'000;

struct NumberField {
  std::string_view path;
  std::optional<double> GpuSample::*member;
};
// Newer and older names; the first one that comes is kept.
constexpr NumberField kNumbers[] = {
    {"fb_memory_usage/total", &GpuSample::mem_total_mib},
    {"fb_memory_usage/used", &GpuSample::mem_used_mib},
    {"fb_memory_usage/reserved", &GpuSample::mem_reserved_mib},
    {"utilization/gpu", &GpuSample::util_percent},
    {"utilization/gpu_util", &GpuSample::util_percent},
    {"utilization/memory", &GpuSample::mem_util_percent},
    {"utilization/memory_util", &GpuSample::mem_util_percent},
    {"temperature/gpu_current_temp", &GpuSample::temperature_c},
    {"temperature/gpu_temp", &GpuSample::temperature_c},
    {"gpu_power_readings/instantaneous_power_draw", &GpuSample::power_w},
    {"gpu_power_readings/instant_power_draw", &GpuSample::power_w},
    {"gpu_power_readings/average_power_draw", &GpuSample::power_w},
    {"gpu_power_readings/power_draw", &GpuSample::power_w},
    {"power_readings/power_draw", &GpuSample::power_w},
    {"gpu_power_readings/current_power_limit", &GpuSample::power_limit_w},
    {"power_readings/enforced_power_limit", &GpuSample::power_limit_w},
    {"power_readings/power_limit", &GpuSample::power_limit_w},
    {"clocks/sm", &GpuSample::sm_clock_mhz},
    {"clocks/sm_clock", &GpuSample::sm_clock_mhz},
    {"clocks/memory", &GpuSample::mem_clock_mhz},
    {"clocks/mem_clock", &GpuSample::mem_clock_mhz}};

std::string joined(const std::vector<std::string>& path) {
  std::string out;
  for (const std::string& key : path) out += (out.empty() ? "" : "/") + key;
  return out;
}

void add_count(std::optional<std::int64_t>& total, std::string_view value) {
  if (const auto count = smi_count(value)) total = total.value_or(0) + *count;
}

}  // namespace

std::string normalised_key(std::string_view key) {
  std::string out = to_lower(trim(key));
  std::replace(out.begin(), out.end(), ' ', '_');
  return out;
}

void SmiTree::start_log(const SmiPlace& place) {
  finish();
  open_ = true;
  place_ = place;
}

void SmiTree::start_gpu(std::string_view bus_id, const SmiPlace& place) {
  if (gpus_.size() >= kMaxGpus) return;
  GpuSample gpu;
  gpu.place = place;
  gpu.pci_bus = normalised_pci(bus_id);
  gpu.time_us = time_us_;
  gpu.driver = driver_;
  gpu.cuda = cuda_;
  gpus_.push_back(std::move(gpu));
  health_.emplace_back();
}

void SmiTree::log_value(const std::string& key, std::string_view value) {
  if (key == "timestamp") {
    if (const auto stamp = leading_asctime(value)) time_us_ = stamp->time_us;
  } else if (key == "driver_version") {
    driver_ = std::string(value);
  } else if (key == "cuda_version") {
    cuda_ = std::string(value);
  } else if (key == "attached_gpus") {
    attached_ = parse_int(value);
  }
}

bool SmiTree::gpu_number(const std::string& path, std::string_view value) {
  for (const NumberField& field : kNumbers) {
    if (path != field.path) continue;
    std::optional<double>& target = gpus_.back().*field.member;
    if (!target) target = smi_number(value);
    return true;
  }
  return false;
}

void SmiTree::gpu_text(const std::string& path, std::string_view value) {
  GpuSample& gpu = gpus_.back();
  if (path == "product_name") gpu.name = std::string(value);
  if (path == "gpu_uuid" || path == "uuid") gpu.uuid = std::string(value);
  if (path == "mig_mode/current" || path == "mig_mode/current_mig") {
    if (value == "Enabled") gpu.mig = true;
    if (value == "Disabled") gpu.mig = false;
  }
}

// Volatile counts. Ampere on: "sram_uncorrectable" and the like add up; before: the "total" of
// single and double bit errors.
void SmiTree::ecc(const std::string& path, std::string_view value) {
  std::string_view rest = path;
  if (!eat(rest, "ecc_errors/volatile/")) return;
  GpuSample& gpu = gpus_.back();
  if (rest.starts_with("double_bit/total")) add_count(gpu.ecc_uncorrected, value);
  if (rest.starts_with("single_bit/total")) add_count(gpu.ecc_corrected, value);
  if (rest.starts_with("sram_uncorrectable") || rest.starts_with("dram_uncorrectable")) {
    add_count(gpu.ecc_uncorrected, value);
  }
  if (rest == "sram_correctable" || rest == "dram_correctable") {
    add_count(gpu.ecc_corrected, value);
  }
}

void SmiTree::reason(const std::vector<std::string>& path, std::string_view value,
                     const SmiPlace& place) {
  std::optional<std::set<std::string>>& active = gpus_.back().throttle;
  const std::string name = throttle_name(path.back());
  if (name.empty()) {
    if (value == "Active" || value == "Not Active") {
      rows_.problem("nvidia-smi-unknown-field", place,
                    "'" + path.back() + "' is no clocks event reason this reader knows");
    }
    return;
  }
  if (value != "Active" && value != "Not Active") return;
  if (!active) active.emplace();
  if (value == "Active") active->insert(name);
}

void SmiTree::process(const std::string& key, std::string_view value, const SmiPlace& place) {
  if (key == "process_id" || key == "pid") {
    if (processes_.size() >= kMaxProcesses) return;
    GpuProcess process;
    process.place = place;
    process.pid = parse_int(value);
    process.uuid = gpus_.back().uuid;
    process.time_us = time_us_;
    processes_.push_back(std::move(process));
    return;
  }
  if (processes_.empty() || processes_.back().uuid != gpus_.back().uuid) return;
  GpuProcess& process = processes_.back();
  if (key == "type") process.type = std::string(value);
  if (key == "name" || key == "process_name") process.name = std::string(value);
  if (key == "used_gpu_memory" || key == "used_memory") process.mem_used_mib = smi_number(value);
}

void SmiTree::value(const std::vector<std::string>& path, std::string_view value,
                    const SmiPlace& place) {
  if (!open_ || path.empty()) return;
  value = trim(value);
  if (gpus_.empty()) {
    if (path.size() == 1) log_value(path[0], value);
    return;
  }
  const std::string& top = path[0];
  if (top == "mig_device" || top == "mig_devices") return;  // slices of this GPU
  if (top == "processes") {
    if (path.size() > 1) process(path.back(), value, place);
  } else if (top.starts_with("clocks_event_reasons") ||
             top.starts_with("clocks_throttle_reasons")) {
    if (!contains(top, "counters")) reason(path, value, place);
  } else {
    const std::string full = joined(path);
    if (!gpu_number(full, value)) {
      ecc(full, value);
      set_health(health_.back(), full, value);
      gpu_text(full, value);
    }
  }
}

void SmiTree::finish() {
  if (!open_) return;
  // GPUs are listed in the order of their indices; with -i only some are, and no index is said.
  const bool complete = attached_ && static_cast<std::size_t>(*attached_) == gpus_.size();
  std::int64_t index = 0;
  for (std::size_t i = 0; i < gpus_.size(); ++i) {
    if (complete) gpus_[i].index = index++;
    rows_.add(gpus_[i]);
    if (health_[i].any) rows_.add_row("gpu_health", health_fields(gpus_[i], health_[i]));
  }
  for (GpuProcess& process : processes_) {
    for (const GpuSample& gpu : gpus_) {
      if (gpu.uuid && gpu.uuid == process.uuid) process.index = gpu.index;
    }
    rows_.add(process);
  }
  if (attached_ && !complete) {
    rows_.problem("nvidia-smi-gpus-missing", place_,
                  std::to_string(*attached_) + " GPUs are attached, " +
                      std::to_string(gpus_.size()) + " are described: cut, or asked for some only");
  }
  gpus_.clear();
  health_.clear();
  processes_.clear();
  attached_.reset();
  time_us_.reset();
  driver_.reset();
  cuda_.reset();
  open_ = false;
}

bool SmiQueryReader::add(std::string_view line, const SmiPlace& place) {
  if (contains(line, "=NVSMI LOG=")) {
    tree_.start_log(place);
    open_ = true;
    in_gpu_ = false;
    path_.clear();
    return true;
  }
  if (!open_) return false;
  if (trim(line).empty()) return true;
  if (line.starts_with("GPU ") && normalised_pci(trim(line.substr(4)))) {
    tree_.start_gpu(trim(line.substr(4)), place);
    in_gpu_ = true;
    path_.clear();
    return true;
  }
  std::size_t indent = 0;
  while (indent < line.size() && line[indent] == ' ') ++indent;
  const std::size_t colon = line.find(" : ");
  const bool has_value = colon != std::string_view::npos;
  if (indent == 0 && !has_value) {
    finish();  // something else follows in the same file
    return false;
  }
  std::size_t depth = indent / 4;
  if (in_gpu_ && depth > 0) --depth;
  path_.resize(std::min(depth, path_.size()));
  path_.push_back(normalised_key(line.substr(indent, has_value ? colon - indent : line.npos)));
  if (has_value) tree_.value(path_, line.substr(colon + 3), place);
  return true;
}

void SmiQueryReader::finish() {
  tree_.finish();
  open_ = false;
}

}  // namespace tfpm
