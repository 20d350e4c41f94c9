// tfpm rules new: writes a signature from a real line.
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/command_line.h"
#include "cli/log_line.h"
#include "cli/pattern_from_line.h"
#include "cli/rules_commands.h"
#include "cli/terminal.h"
#include "engine/rules.h"

namespace tfpm::cli {
namespace {

constexpr std::size_t kMaxSample = 1000;
constexpr std::size_t kMaxTitle = 80;

struct NewOptions {
  std::string id;
  std::string from;
};

struct Sample {
  std::string text;
  LogSeverity severity = LogSeverity::kNone;
};

const char* rule_severity(LogSeverity severity) {
  switch (severity) {
    case LogSeverity::kFatal:
      return "critical";
    case LogSeverity::kWarning:
      return "warning";
    case LogSeverity::kInfo:
      return "info";
    case LogSeverity::kError:
    case LogSeverity::kNone:
      break;
  }
  return "error";
}

Result<Sample> read_sample(const std::string& from) {
  const std::size_t colon = from.rfind(':');
  std::uint64_t wanted = 0;
  const char* end = from.data() + from.size();
  const bool good = colon != std::string::npos && colon > 0 &&
                    std::from_chars(from.data() + colon + 1, end, wanted).ptr == end && wanted > 0;
  if (!good) {
    return error(ErrorKind::kUsage, "--from needs a file and a line number", from, {},
                 "for example --from train.log:8123");
  }
  Sample sample;
  bool found = false;
  std::uint64_t last = 0;
  TFPM_RETURN_IF_ERROR(read_log_lines(from.substr(0, colon), [&](const LogLine& line) {
    last = line.number;
    found = line.number == wanted;
    if (found) sample = {clean_utf8(line.message, kMaxSample), line.severity};
    return !found;
  }));
  if (!found) {
    return error(ErrorKind::kUsage, "no such line", from,
                 "the file has " + std::to_string(last) + " lines");
  }
  return sample;
}

// The file's text, keys in the order of rules/README.md.
std::string signature_text(const std::string& id, const Sample& sample) {
  nlohmann::ordered_json out;
  out["id"] = id;
  out["title"] = clean_utf8(sample.text, kMaxTitle);
  out["role"] = "root";
  out["class"] = nullptr;
  out["cause"] = nullptr;
  out["severity"] = rule_severity(sample.severity);
  out["needs"] = {"log"};
  out["patterns"] = nlohmann::ordered_json::array({{{"re", pattern_from_line(sample.text)}}});
  out["captures"] = nlohmann::ordered_json::object();
  out["accuses"] = nullptr;
  out["since"] = nullptr;
  out["until"] = nullptr;
  out["advice"] = nlohmann::ordered_json::array();
  out["source"] = nullptr;
  out["samples"] = {sample.text};
  out["non_samples"] = nlohmann::ordered_json::array();
  return out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Result<int> run(const NewOptions& options) {
  const Result<Sample> sample = read_sample(options.from);
  if (!sample.ok()) return sample.status();
  const std::string text = signature_text(options.id, *sample);
  // What is written must load: a line without four fixed characters cannot become a signature.
  const Result<Signature> signature = parse_signature(text, options.id + ".json");
  if (!signature.ok()) return signature.status();
  TFPM_RETURN_IF_ERROR(check_samples(*signature));
  TFPM_RETURN_IF_ERROR(write_stdout(text));
  return kExitOk;
}

}  // namespace

void add_rules_new(Command group, Context& context) {
  const Command command =
      group.add("new", "print a signature made from a line of a log, to be edited");
  auto options = std::make_shared<NewOptions>();
  command.option("ID", options->id, "lower-case letters, digits and '-'").required();
  command.option("--from", options->from, "the line to start from").required().type("FILE:LINE");
  command.footer(
      "Example: tfpm rules new my-error --from train.log:8123 > my-rules/my-error.json\n"
      "Then edit title, role and class, and run `tfpm rules check my-rules`.");
  command.action(context, [options] { return run(*options); });
}

}  // namespace tfpm::cli
