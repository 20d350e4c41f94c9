// Prometheus text exposition: dumps of DCGM's exporter, of node_exporter and of programs
// (log-formats.md 9.5). DCGM's fields become GPU samples as well.
#include <map>
#include <memory>
#include <optional>

#include "parsers/detail/exposition_line.h"
#include "parsers/detail/kernel_event.h"
#include "parsers/detail/line_share.h"
#include "parsers/detail/owner.h"
#include "parsers/detail/smi_health.h"
#include "parsers/detail/smi_rows.h"
#include "parsers/detail/text.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxSamples = 100'000;
constexpr std::size_t kMaxGpus = 4096;
constexpr std::size_t kMaxLabels = 1000;
// DCGM's marks for "not supported" and the like: dcgm_fields.h, 32 and 64 bits wide.
constexpr double kBlank32 = 2147483632.0;
constexpr double kBlank64 = 9223372036854775792.0;

bool is_blank_value(double value) {
  return (value >= kBlank32 && value <= kBlank32 + 15) || value >= kBlank64;
}

struct GpuFacts {
  GpuSample sample;
  GpuHealth health;
};

struct NumberField {
  std::string_view name;  // behind DCGM_FI_DEV_
  std::optional<double> GpuSample::*member;
};
constexpr NumberField kNumbers[] = {
    {"GPU_UTIL", &GpuSample::util_percent},        {"MEM_COPY_UTIL", &GpuSample::mem_util_percent},
    {"FB_USED", &GpuSample::mem_used_mib},         {"FB_TOTAL", &GpuSample::mem_total_mib},
    {"FB_RESERVED", &GpuSample::mem_reserved_mib}, {"GPU_TEMP", &GpuSample::temperature_c},
    {"POWER_USAGE", &GpuSample::power_w},          {"SM_CLOCK", &GpuSample::sm_clock_mhz},
    {"MEM_CLOCK", &GpuSample::mem_clock_mhz}};
struct CountField {
  std::string_view name;
  std::optional<std::int64_t> GpuHealth::*member;
};
constexpr CountField kCounts[] = {
    {"XID_ERRORS", &GpuHealth::last_xid},
    {"UNCORRECTABLE_REMAPPED_ROWS", &GpuHealth::remapped_uncorrectable},
    {"CORRECTABLE_REMAPPED_ROWS", &GpuHealth::remapped_correctable},
    {"PCIE_REPLAY_COUNTER", &GpuHealth::pcie_replays},
    {"ECC_DBE_AGG_TOTAL", &GpuHealth::ecc_uncorrected_total},
    {"ECC_SBE_AGG_TOTAL", &GpuHealth::ecc_corrected_total},
    {"RETIRED_DBE", &GpuHealth::retired_pages}};

void set_field(GpuFacts& gpu, std::string_view name, double value) {
  for (const NumberField& field : kNumbers) {
    if (field.name == name) gpu.sample.*field.member = value;
  }
  if (value < 0 || value > 9e15) return;
  const auto count = static_cast<std::int64_t>(value);
  if (name == "CLOCKS_EVENT_REASONS" || name == "CLOCK_THROTTLE_REASONS") {
    gpu.sample.throttle = throttle_reasons(count);
  } else if (name == "ECC_DBE_VOL_TOTAL") {
    gpu.sample.ecc_uncorrected = count;
  } else if (name == "ECC_SBE_VOL_TOTAL") {
    gpu.sample.ecc_corrected = count;
  } else if (name == "ROW_REMAP_FAILURE") {
    gpu.health.remap_failed = count != 0;
    gpu.health.any = true;
  } else if (name == "ROW_REMAP_PENDING") {
    gpu.health.remap_pending = count != 0;
    gpu.health.any = true;
  }
  for (const CountField& field : kCounts) {
    // No Xid yet is 0.
    if (field.name != name || (name == "XID_ERRORS" && count == 0)) continue;
    gpu.health.*field.member = count;
    gpu.health.any = true;
  }
}

class ExpositionRows {
 public:
  ExpositionRows(std::optional<std::string> owner, Sink& sink)
      : owner_(owner), sink_(sink), smi_(std::move(owner), sink) {}

  void add(const ExpositionSample& sample, const TextLine& line) {
    add_gpu(sample, line);
    if (++count_ > kMaxSamples) return;
    sink_.add("exposition_sample",
              {{"line", int_value(line.number)},
               {"byte_offset", int_value(line.offset)},
               {"owner", optional_value(owner_)},
               {"metric", text_value(clean_utf8(sample.metric, 200))},
               {"labels", text_value(clean_utf8(sample.labels, kMaxLabels))},
               {"value", optional_value(sample.value)},
               {"text", sample.value ? null_value() : text_value(clean_utf8(sample.number, 20))},
               {"time_raw_us", optional_value(sample.time_us)}});
  }

  void finish() {
    for (const auto& [key, gpu] : gpus_) {
      smi_.add(gpu.sample);
      if (gpu.health.any) smi_.add_row("gpu_health", health_fields(gpu.sample, gpu.health));
    }
    if (count_ > kMaxSamples) {
      sink_.problem({"exposition-flood", ProblemSeverity::kInfo, std::nullopt,
                     std::to_string(count_) + " samples; the first " + std::to_string(kMaxSamples) +
                         " are kept"});
    }
  }

 private:
  // Samples of one GPU stand in different families of metrics; several dumps in one file tell their
  // stamps.
  void add_gpu(const ExpositionSample& sample, const TextLine& line) {
    std::string_view field = sample.metric;
    if (!eat(field, "DCGM_FI_DEV_") || !sample.value || is_blank_value(*sample.value)) return;
    const auto index = exposition_label(sample.labels, "gpu");
    const std::string uuid = exposition_label(sample.labels, "UUID").value_or("");
    if (!index && uuid.empty()) return;
    if (gpus_.size() >= kMaxGpus) return;
    const auto key = std::tuple(sample.time_us.value_or(0), index.value_or(""), uuid);
    const auto [at, fresh] = gpus_.try_emplace(key);
    GpuFacts& gpu = at->second;
    if (fresh) {
      gpu.sample.place = {line.number, line.offset};
      if (index) gpu.sample.index = parse_int(*index);
      if (!uuid.empty()) gpu.sample.uuid = uuid;
      gpu.sample.name = exposition_label(sample.labels, "modelName");
      if (const auto bus = exposition_label(sample.labels, "pci_bus_id")) {
        gpu.sample.pci_bus = normalised_pci(*bus);
      }
      gpu.sample.time_us = sample.time_us;
    }
    set_field(gpu, field, *sample.value);
  }

  std::optional<std::string> owner_;
  Sink& sink_;
  SmiRows smi_;
  std::map<std::tuple<std::int64_t, std::string, std::string>, GpuFacts> gpus_;
  std::size_t count_ = 0;
};

class ExpositionParser : public Parser {
 public:
  std::string_view name() const override { return "exposition"; }

  // "step 12" of a program has the form of a sample without labels: labels or a TYPE line must be
  // there.
  SniffScore sniff(const SniffInput& input) const override {
    bool sure = false;
    const LineShare share = count_lines(input, 1000, [&](const TextLine& line) {
      if (line.text.starts_with("# TYPE ") || line.text.starts_with("# HELP ")) {
        sure = true;
        return true;
      }
      const auto sample = parse_exposition_line(line.text);
      sure = sure || (sample && !sample->labels.empty());
      return sample.has_value() || line.text == "# EOF";
    });
    return sure && share.hits >= 2 && share.is_whole() ? 80 : 0;
  }

  Status parse(const MemberInfo& member, ByteStream& in, Sink& sink) const override {
    ExpositionRows rows(owner_from_path(member.path), sink);
    LineReader lines(in);
    while (const auto line = lines.next()) {
      if (const auto sample = parse_exposition_line(line->text)) rows.add(*sample, *line);
    }
    rows.finish();
    finish_lines(lines, sink);
    return ok_status();
  }
};

}  // namespace

std::unique_ptr<Parser> make_exposition_parser() {
  return std::make_unique<ExpositionParser>();
}

}  // namespace tfpm
