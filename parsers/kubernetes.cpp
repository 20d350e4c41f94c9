// What Kubernetes recorded of pods, events and training jobs: API objects as JSON or YAML, and
// kubectl's describe and get output (log-formats.md 6.1).
#include <memory>
#include <optional>
#include <string>

#include "parsers/detail/json_text.h"
#include "parsers/detail/kube_object.h"
#include "parsers/detail/kube_tables.h"
#include "parsers/detail/line_reader.h"
#include "parsers/detail/object_split.h"
#include "parsers/detail/text.h"
#include "parsers/detail/text_locator.h"
#include "parsers/detail/yaml_text.h"
#include "parsers/parser.h"

namespace tfpm {
namespace {

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

// Objects of the API, as JSON or YAML, one at a time.
class ObjectReader {
 public:
  ObjectReader(bool json, Sink& sink)
      : is_json_(json),
        sink_(sink),
        json_([this](const ObjectPiece& piece) { read_json(piece); }),
        yaml_([this](const ObjectPiece& piece) { read_yaml(piece); }) {}
  ObjectReader(const ObjectReader&) = delete;
  ObjectReader& operator=(const ObjectReader&) = delete;

  void add(const TextLine& line) {
    if (is_json_) {
      json_.add(line);
    } else {
      yaml_.add(line);
    }
  }

  void finish() {
    yaml_.finish();
    if (is_json_ && !json_.complete()) {
      sink_.problem({"kubernetes-json", ProblemSeverity::kDataLoss, std::nullopt,
                     "not a complete JSON object: the text ends inside of it; " +
                         std::to_string(objects_) + " objects before that were read"});
    }
    if (const std::uint64_t skipped = json_.skipped() + yaml_.skipped(); skipped > 0) {
      sink_.problem({"kubernetes-limit", ProblemSeverity::kDataLoss, std::nullopt,
                     std::to_string(skipped) + " objects of more than 3 MiB were not read"});
    }
  }

 private:
  void read_json(const ObjectPiece& piece) {
    const JsonText parsed = parse_json_text(piece.text);
    if (!parsed.value) {
      sink_.problem({"kubernetes-json", ProblemSeverity::kDataLoss, piece.byte_offset,
                     "an object is not JSON: " + parsed.error});
      return;
    }
    emit(*parsed.value, piece);
  }

  void read_yaml(const ObjectPiece& piece) {
    const YamlText parsed = parse_yaml_text(piece.text);
    for (const OrderedJson& document : parsed.documents) {
      if (document.is_array() && document.size() == 1) {
        emit(document[0], piece);
      } else {
        emit(document, piece);
      }
    }
    if (!parsed.error.empty()) {
      sink_.problem({"kubernetes-yaml", ProblemSeverity::kDataLoss, piece.byte_offset,
                     "not complete YAML: " + parsed.error});
    }
  }

  void emit(const OrderedJson& object, const ObjectPiece& piece) {
    ++objects_;
    TextLocator locator(piece.text, piece.line, piece.byte_offset, piece.line_offset);
    emit_kube_object(object, locator, sink_);
  }

  bool is_json_ = false;
  Sink& sink_;
  JsonSplitter json_;
  YamlSplitter yaml_;
  std::uint64_t objects_ = 0;
};

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
    std::optional<ObjectReader> objects;
    char first = '\0';
    while (const auto line = lines.next()) {
      const std::string_view row = trim(line->text);
      if (first == '\0' && !row.empty()) first = first_of(row);
      if (first == 't') {
        tables.add(line->text, line->number, line->offset);
      } else if (first != '\0') {
        if (!objects) objects.emplace(first == '{', sink);
        objects->add(*line);
      }
    }
    tables.finish();
    if (objects) objects->finish();
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
