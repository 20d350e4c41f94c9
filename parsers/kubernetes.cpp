// What Kubernetes recorded of pods, events and training jobs: API objects as JSON or YAML, and
// kubectl's describe and get output (log-formats.md 6.1).
#include <memory>

#include "parsers/detail/json_text.h"
#include "parsers/detail/kube_object.h"
#include "parsers/detail/kube_tables.h"
#include "parsers/detail/line_reader.h"
#include "parsers/detail/text.h"
#include "parsers/detail/text_locator.h"
#include "parsers/detail/yaml_text.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxText = std::size_t{64} << 20;

// Kinds that say how something started or ended.
bool names_known_kind(std::string_view head, std::string_view before) {
  for (const std::string_view kind :
       {"Pod", "PodList", "Event", "EventList", "List", "TFJob", "PyTorchJob", "MPIJob", "Job"}) {
    const std::string quoted = std::string(before) + std::string(kind);
    for (std::size_t at = head.find(quoted); at != std::string_view::npos;
         at = head.find(quoted, at + 1)) {
      const std::size_t end = at + quoted.size();
      if (end >= head.size() || !is_word(head[end])) return true;
    }
  }
  return false;
}

bool is_json(std::string_view head) {
  head = trim(head);
  return head.starts_with("{") && contains(head, "\"apiVersion\"") &&
         (names_known_kind(head, "\"kind\": \"") || names_known_kind(head, "\"kind\":\""));
}

bool is_yaml(std::string_view head) {
  head = trim(head);
  const bool start = head.starts_with("apiVersion:") || head.starts_with("---\napiVersion:") ||
                     head.starts_with("kind:");
  return start && names_known_kind(head, "kind: ");
}

// `kubectl describe pod` and not some other text that begins with a name.
bool is_table(std::string_view head) {
  head = trim(head);
  const std::string_view first = head.substr(0, head.find('\n'));
  if (first.starts_with("LAST SEEN")) return contains(first, "REASON") && contains(first, "OBJECT");
  if (first.starts_with("NAME ")) return contains(first, " READY ") && contains(first, "RESTARTS");
  return first.starts_with("Name:") && contains(head, "\nNamespace:") &&
         contains(head, "\nStatus:") && contains(head, "\nContainers:");
}

void parse_objects(std::string_view text, bool json, Sink& sink) {
  TextLocator locator(text);
  if (json) {
    const JsonText parsed = parse_json_text(text);
    if (parsed.value) {
      emit_kube_object(*parsed.value, locator, sink);
    } else {
      sink.problem({"kubernetes-json", ProblemSeverity::kDataLoss, std::nullopt,
                    "not a complete JSON object: " + parsed.error});
    }
    return;
  }
  const YamlText parsed = parse_yaml_text(text);
  for (const OrderedJson& document : parsed.documents) emit_kube_object(document, locator, sink);
  if (!parsed.error.empty()) {
    sink.problem({"kubernetes-yaml", ProblemSeverity::kDataLoss, std::nullopt,
                  "not complete YAML: " + parsed.error});
  }
}

class KubernetesParser : public Parser {
 public:
  std::string_view name() const override { return "kubernetes"; }

  SniffScore sniff(const SniffInput& input) const override {
    std::string_view head(input.head.data(), input.head.size());
    eat(head, "\xef\xbb\xbf");  // byte order mark
    if (is_json(head)) return 85;
    if (is_table(head)) return 85;
    return is_yaml(head) ? 75 : 0;
  }

  Status parse(const MemberInfo&, ByteStream& in, Sink& sink) const override {
    LineReader lines(in);
    KubeTableReader tables(sink);
    std::string text;  // of API objects, whole
    bool cut = false;
    char first = '\0';
    while (const auto line = lines.next()) {
      const std::string_view row = trim(line->text);
      if (first == '\0' && !row.empty()) first = first_of(row);
      if (first == 't') {
        tables.add(line->text, line->number, line->offset);
      } else if (text.size() < kMaxText) {
        append_whole_line(text, *line);
      } else {
        cut = true;
      }
    }
    tables.finish();
    if (first == '{' || first == 'y') parse_objects(text, first == '{', sink);
    if (cut) {
      sink.problem({"kubernetes-limit", ProblemSeverity::kDataLoss, kMaxText,
                    "more than 64 MiB of API objects; the rest was not read"});
    }
    finish_lines(lines, sink);
    return ok_status();
  }

 private:
  // '{' JSON, 'y' YAML, 't' a table or description.
  static char first_of(std::string_view row) {
    if (row[0] == '{') return '{';
    const bool yaml = row.starts_with("---") || row.starts_with("apiVersion:") ||
                      row.starts_with("kind:") || row[0] == '#';
    return yaml ? 'y' : 't';
  }
};

}  // namespace

std::unique_ptr<Parser> make_kubernetes_parser() {
  return std::make_unique<KubernetesParser>();
}

}  // namespace tfpm
