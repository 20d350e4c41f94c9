#include "parsers/detail/smi_table.h"

#include <algorithm>

#include "parsers/detail/kernel_event.h"
#include "parsers/detail/text.h"

namespace tfpm {
namespace {

// "  10240MiB / 11019MiB" or "312W / 400W": the two numbers.
struct Pair {
  std::optional<double> first, second;
};
Pair parse_pair(std::string_view text) {
  const std::size_t slash = text.find(" / ");
  if (slash == std::string_view::npos) return {};
  std::string_view left = trim(text.substr(0, slash));
  const std::size_t blank = left.rfind(' ');
  if (blank != std::string_view::npos) left = left.substr(blank + 1);
  return {smi_number(left), smi_number(trim(text.substr(slash + 3)))};
}

std::optional<std::string> word_after(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = line.substr(at + key.size());
  const std::string_view word = eat_token(rest);
  if (word.empty() || word == "|") return std::nullopt;
  return std::string(word);
}

bool is_process_type(std::string_view word) {
  return word == "C" || word == "G" || word == "C+G" || word == "M" || word == "M+C";
}

}  // namespace

bool SmiTableReader::add(std::string_view line, const SmiPlace& place) {
  line = trim(line);
  if (line.empty() || (line[0] != '|' && line[0] != '+')) return false;
  if (line[0] == '+') {
    in_table_ = in_table_ || line.starts_with("+--") || line.starts_with("+==");
    finish();  // a border ends the rows of one GPU
    return in_table_;
  }
  in_table_ = in_table_ || contains(line, "NVIDIA-SMI") || contains(line, "Processes:") ||
              contains(line, "Bus-Id");
  if (in_table_) add_row(line, place);
  return in_table_;
}

void SmiTableReader::add_row(std::string_view line, const SmiPlace& place) {
  if (contains(line, "NVIDIA-SMI")) {
    section_ = Section::kHeader;
    driver_ = word_after(line, "Driver Version:");
    cuda_ = word_after(line, "CUDA Version:");
    return;
  }
  if (contains(line, "|===") || contains(line, "===|")) return;
  if (contains(line, "MIG devices:")) {
    section_ = Section::kMig;
    return;
  }
  if (contains(line, "Processes:")) {
    section_ = Section::kProcesses;
    return;
  }
  if (contains(line, "Bus-Id")) section_ = Section::kGpus;
  std::vector<std::string_view> cells = split(line, '|');
  // split() gives an empty part before the first and behind the last bar.
  if (cells.size() < 3) return;
  cells.erase(cells.begin());
  cells.pop_back();
  if (section_ == Section::kGpus) add_gpu_row(cells, place);
  if (section_ == Section::kMig) add_mig_row(cells, place);
  if (section_ == Section::kProcesses) add_process(cells[0], place);
}

// First row: index, name, persistence | bus id, display | ECC. Second: fan, temperature, state,
// power | memory | utilisation, compute mode. Third, since MIG: mode.
void SmiTableReader::add_gpu_row(const std::vector<std::string_view>& cells,
                                 const SmiPlace& place) {
  if (cells.size() < 3) return;
  if (!gpu_) {
    std::vector<std::string_view> words = split_blanks(cells[0]);
    const auto index = words.empty() ? std::nullopt : parse_int(words[0]);
    std::string_view bus_cell = cells[1];
    const auto bus = normalised_pci(eat_token(bus_cell));
    if (!index || !bus || words.size() < 2) return;
    gpu_.emplace();
    gpu_->place = place;
    gpu_->index = index;
    gpu_->pci_bus = bus;
    gpu_->time_us = time_us_;
    gpu_->driver = driver_;
    gpu_->cuda = cuda_;
    std::string_view name = trim(cells[0].substr(words[0].size()));
    if (words.size() > 2) name = trim(name.substr(0, name.size() - words.back().size()));
    gpu_->name = std::string(name);
    gpu_->ecc_uncorrected = smi_count(cells[2]);
    gpu_rows_ = 1;
    return;
  }
  if (++gpu_rows_ == 2) {
    for (const std::string_view word : split_blanks(cells[0])) {
      if (word.size() > 1 && word.back() == 'C') gpu_->temperature_c = smi_number(word);
    }
    const Pair power = parse_pair(cells[0]);
    gpu_->power_w = power.first;
    gpu_->power_limit_w = power.second;
    const Pair memory = parse_pair(cells[1]);
    gpu_->mem_used_mib = memory.first;
    gpu_->mem_total_mib = memory.second;
    const std::vector<std::string_view> words = split_blanks(cells[2]);
    if (!words.empty() && words[0].ends_with("%")) gpu_->util_percent = smi_number(words[0]);
    if (contains(cells[0], "ERR!") || contains(cells[1], "ERR!") || contains(cells[2], "ERR!")) {
      rows_.problem("nvidia-smi-gpu-error", place,
                    "nvidia-smi shows ERR! for GPU " + std::to_string(*gpu_->index) + " (" +
                        *gpu_->pci_bus + "): the driver cannot read it");
    }
    return;
  }
  if (cells[2] == "Enabled") gpu_->mig = true;
  if (cells[2] == "Disabled") gpu_->mig = false;
}

// "  0    2   0   0  |  11091MiB / 40448MiB | 60  0 | ...": GPU, GPU instance, compute instance,
// device.
void SmiTableReader::add_mig_row(const std::vector<std::string_view>& cells,
                                 const SmiPlace& place) {
  const std::vector<std::string_view> ids = split_blanks(cells[0]);
  if (cells.size() < 2 || ids.size() != 4 || !parse_int(ids[0]) || !parse_int(ids[3])) return;
  GpuSample sample;
  sample.place = place;
  sample.index = parse_int(ids[0]);
  sample.name = "MIG device " + std::string(ids[3]) + " (instance " + std::string(ids[1]) + "/" +
                std::string(ids[2]) + ")";
  sample.time_us = time_us_;
  sample.driver = driver_;
  sample.cuda = cuda_;
  sample.mig = true;
  const Pair memory = parse_pair(cells[1]);
  sample.mem_used_mib = memory.first;
  sample.mem_total_mib = memory.second;
  rows_.add(sample);
}

// "0   N/A  N/A   4242   C   python3   78390MiB"; old drivers have no instance columns.
void SmiTableReader::add_process(std::string_view cell, const SmiPlace& place) {
  const std::vector<std::string_view> words = split_blanks(cell);
  std::size_t type = 0;
  for (const std::size_t at : {std::size_t{2}, std::size_t{4}}) {
    if (words.size() > at && is_process_type(words[at])) type = at;
  }
  if (type == 0 || !parse_int(words[0]) || !parse_int(words[type - 1])) return;
  GpuProcess process;
  process.place = place;
  process.index = parse_int(words[0]);
  process.pid = parse_int(words[type - 1]);
  process.type = std::string(words[type]);
  process.time_us = time_us_;
  std::size_t last = words.size();
  if (last > type + 1 && (words[last - 1].ends_with("MiB") || words[last - 1] == "N/A")) {
    process.mem_used_mib = smi_number(words[--last]);
  }
  std::string name;
  for (std::size_t i = type + 1; i < last; ++i) {
    name.append(name.empty() ? "" : " ").append(words[i]);
  }
  if (!name.empty()) process.name = name;
  rows_.add(process);
}

void SmiTableReader::finish() {
  if (gpu_) rows_.add(*gpu_);
  gpu_.reset();
  gpu_rows_ = 0;
}

}  // namespace tfpm
