// DCGM's command line tool: dcgmi dmon, diag, health (log-formats.md 9.5).
#include <memory>
#include <optional>

#include "parsers/detail/line_share.h"
#include "parsers/detail/null_sink.h"
#include "parsers/detail/owner.h"
#include "parsers/detail/smi_rows.h"
#include "parsers/detail/text.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxRows = 100'000;
constexpr std::size_t kMaxText = 500;

struct NumberField {
  std::string_view name;  // dmon's short names
  std::optional<double> GpuSample::*member;
};
constexpr NumberField kNumbers[] = {
    {"GPUTL", &GpuSample::util_percent},  {"MCUTL", &GpuSample::mem_util_percent},
    {"FBUSD", &GpuSample::mem_used_mib},  {"FBTTL", &GpuSample::mem_total_mib},
    {"TMPTR", &GpuSample::temperature_c}, {"POWER", &GpuSample::power_w},
    {"SMCLK", &GpuSample::sm_clock_mhz},  {"MMCLK", &GpuSample::mem_clock_mhz}};

bool is_result(std::string_view word) {
  for (const std::string_view result :
       {"Pass", "Fail", "Skip", "Warn", "Healthy", "Warning", "Failure"}) {
    if (word == result) return true;
  }
  return false;
}

class DcgmReader {
 public:
  DcgmReader(std::optional<std::string> owner, Sink& sink) : rows_(std::move(owner), sink) {}

  bool add(const TextLine& line) {
    const std::string_view text = trim(line.text);
    if (!command_line(text).empty()) return command_line(text).starts_with("dcgmi");
    return monitor(text, line) || box(text, line);
  }
  // The tool named itself.
  bool sure() const { return sure_; }

 private:
  // "#Entity   GPUTL  FBUSD", "ID", "GPU 0      98     78410"
  bool monitor(std::string_view text, const TextLine& line) {
    const auto words = split_blanks(text);
    if (words.empty()) return false;
    if (words[0] == "#Entity" || (words[0] == "#" && words.size() > 1 && words[1] == "Entity")) {
      columns_.assign(words.begin() + (words[0] == "#" ? 2 : 1), words.end());
      sure_ = true;
      return true;
    }
    if (words[0] == "ID" && !columns_.empty()) return true;
    if (columns_.empty() || words.size() != columns_.size() + 2 || words[0] != "GPU") return false;
    GpuSample gpu;
    gpu.place = {line.number, line.offset};
    gpu.index = parse_int(words[1]);
    if (!gpu.index) return false;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      for (const NumberField& field : kNumbers) {
        if (field.name == columns_[i]) gpu.*field.member = smi_number(words[i + 2]);
      }
      if (columns_[i] == "DBVOL") gpu.ecc_uncorrected = smi_count(words[i + 2]);
      if (columns_[i] == "SBVOL") gpu.ecc_corrected = smi_count(words[i + 2]);
    }
    if (++count_ <= kMaxRows) rows_.add(gpu);
    return true;
  }

  // "| Memory                    | Pass - All                                     |", details of a
  // test below it with an empty first cell or a word such as "Warning".
  bool box(std::string_view text, const TextLine& line) {
    if (text.starts_with("+-") || text.starts_with("+=") || text.starts_with("|==")) return true;
    if (text.starts_with("Successfully ran diagnostic") || text == "Health Monitor Report") {
      sure_ = true;
      return true;
    }
    if (!text.starts_with("|") || !text.ends_with("|") || text.size() < 3) return false;
    if (text.starts_with("|-----")) return true;  // a group of tests
    const auto cells = split(text.substr(1, text.size() - 2), '|');
    if (cells.size() != 2) return false;
    if (cells[0] == "Diagnostic" || cells[0] == "Overall Health") sure_ = true;
    std::string_view rest = cells[1];
    const std::string_view word = rest.substr(0, rest.find_first_of(" -:"));
    if (is_result(word)) return result(cells[0], cells[1], word, line);
    return true;  // a detail that goes on
  }

  // The health report nests: "| -> 2 | Failure |" below "| GPU |", then "|    -> Memory system |
  // ...".
  bool result(std::string_view test, std::string_view cell, std::string_view word,
              const TextLine& line) {
    const bool nested = eat(test, "-> ");
    if (nested && parse_int(trim(test))) {
      health_gpu_ = parse_int(trim(test));
      test = "GPU health";
    } else if (!nested) {
      health_gpu_.reset();
    }
    if (++count_ > kMaxRows) return true;
    std::vector<Field> fields = {{"line", int_value(line.number)},
                                 {"byte_offset", int_value(line.offset)},
                                 {"test", text_value(clean_utf8(test, kMaxText))},
                                 {"result", text_value(word)}};
    std::string_view detail = cell.substr(word.size());
    while (!detail.empty() && (detail[0] == ' ' || detail[0] == '-' || detail[0] == ':')) {
      detail.remove_prefix(1);
    }
    if (!detail.empty()) fields.push_back({"detail", text_value(clean_utf8(detail, kMaxText))});
    if (health_gpu_) fields.push_back({"gpu_index", Value(*health_gpu_)});
    std::string_view gpu = contains(cell, "GPU") ? cell.substr(cell.find("GPU") + 3) : test;
    if (!health_gpu_ && (contains(cell, "GPU") || eat(gpu, "GPU"))) {
      while (!gpu.empty() && (gpu[0] == ' ' || gpu[0] == ':')) gpu.remove_prefix(1);
      if (const auto index = parse_int(eat_digits(gpu))) {
        fields.push_back({"gpu_index", Value(*index)});
      }
    }
    rows_.add_row("gpu_check", std::move(fields));
    return true;
  }

  SmiRows rows_;
  std::vector<std::string> columns_;
  std::optional<std::int64_t> health_gpu_;  // of the rows of the health report below it
  bool sure_ = false;
  std::size_t count_ = 0;
};

class DcgmParser : public Parser {
 public:
  std::string_view name() const override { return "dcgm"; }

  SniffScore sniff(const SniffInput& input) const override {
    NullSink sink;
    DcgmReader reader(std::nullopt, sink);
    const LineShare share =
        count_lines(input, 500, [&](const TextLine& line) { return reader.add(line); });
    return reader.sure() && share.hits >= 2 && share.is_whole() ? 85 : 0;
  }

  Status parse(const MemberInfo& member, ByteStream& in, Sink& sink) const override {
    DcgmReader reader(owner_from_path(member.path), sink);
    LineReader lines(in);
    while (const auto line = lines.next()) {
      if (!trim(line->text).empty()) reader.add(*line);
    }
    finish_lines(lines, sink);
    return ok_status();
  }
};

}  // namespace

std::unique_ptr<Parser> make_dcgm_parser() {
  return std::make_unique<DcgmParser>();
}

}  // namespace tfpm
