// Which envelopes a file uses: counted over its first lines, layer by layer.
#include <array>

#include "ingest/envelope_forms.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxLines = 200;
constexpr std::size_t kCertainShare = 5;     // percent that is enough for unambiguous kinds
constexpr std::size_t kAmbiguousShare = 60;  // for the others; platform lines are mixed in
constexpr std::size_t kBracketShare = 95;    // `[worker-2] step 5` may be the program's own
constexpr std::size_t kFewLines = 3;         // below this an ambiguous kind is not believed

// Most specific first: the first kind that is frequent enough wins.
constexpr std::array<EnvelopeKind, 12> kOrder = {
    EnvelopeKind::kKubectl, EnvelopeKind::kCri,  EnvelopeKind::kDockerJson, EnvelopeKind::kJson,
    EnvelopeKind::kMpi,     EnvelopeKind::kRay,  EnvelopeKind::kRunner,     EnvelopeKind::kSyslog,
    EnvelopeKind::kCompose, EnvelopeKind::kSrun, EnvelopeKind::kStern,      EnvelopeKind::kRfc3339};

// Lines of the head that carry text, as views.
struct Lines {
  std::array<std::string_view, kMaxLines> text{};
  std::size_t count = 0;
};

Lines split_head(std::string_view head) {
  Lines out;
  while (!head.empty() && out.count < kMaxLines) {
    const std::size_t end = head.find('\n');
    if (end == std::string_view::npos && out.count > 0) break;
    std::string_view line = head.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) out.text[out.count++] = line;
    head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
  }
  return out;
}

// A stamp in front is a collector's only if the program stamps or marks its lines itself;
// otherwise it is the program's own and stays in the header.
bool has_inner_headers(const Lines& lines) {
  for (std::size_t i = 0; i < lines.count; ++i) {
    Envelope envelope;
    if (!peel_layer(EnvelopeKind::kRfc3339, lines.text[i], envelope)) continue;
    if (parse_header(envelope.inner).family != HeaderFamily::kNone) return true;
  }
  return false;
}

bool is_used(EnvelopeKind kind, const Lines& lines) {
  std::size_t hits = 0;
  Envelope ignored;
  for (std::size_t i = 0; i < lines.count; ++i) {
    hits += peel_layer(kind, lines.text[i], ignored) ? 1U : 0U;
  }
  if (hits == 0) return false;
  if (is_unambiguous(kind)) return hits * 100 >= lines.count * kCertainShare;
  if (hits < kFewLines || hits * 100 < lines.count * kAmbiguousShare) return false;
  if (kind == EnvelopeKind::kStern && lines.text[0].starts_with('[') &&
      hits * 100 < lines.count * kBracketShare) {
    return false;
  }
  return kind != EnvelopeKind::kRfc3339 || has_inner_headers(lines);
}

EnvelopeKind outermost(const Lines& lines) {
  for (const EnvelopeKind kind : kOrder) {
    if (is_used(kind, lines)) return kind;
  }
  return EnvelopeKind::kNone;
}

// Keeps the inner text of the lines that have the layer. Escaped text is not looked into.
void peel_all(EnvelopeKind kind, Lines& lines) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < lines.count; ++i) {
    Envelope envelope;
    if (!peel_layer(kind, lines.text[i], envelope)) continue;
    if (!envelope.inner.empty() && !envelope.escaped) lines.text[kept++] = envelope.inner;
  }
  lines.count = kept;
}

// The inner layer speaks where it says something.
void merge(const Envelope& layer, Envelope& out) {
  if (out.kind == EnvelopeKind::kNone || is_tagging(layer.kind) || out.tag.empty()) {
    out.kind = layer.kind;
  }
  if (!layer.tag.empty()) out.tag = layer.tag;
  if (!layer.container.empty()) out.container = layer.container;
  if (!layer.channel.empty()) out.channel = layer.channel;
  if (layer.stamp.basis != StampBasis::kNone) out.stamp = layer.stamp;
  out.partial |= layer.partial;
  out.escaped |= layer.escaped;
  out.inner = layer.inner;
}

}  // namespace

EnvelopeDetector EnvelopeDetector::from_head(std::string_view head) {
  EnvelopeDetector out;
  Lines lines = split_head(head);
  for (EnvelopeKind& layer : out.layers_) {
    if (lines.count == 0) break;
    layer = outermost(lines);
    if (layer == EnvelopeKind::kNone) break;
    out.tagged_ |= is_tagging(layer);
    peel_all(layer, lines);
  }
  return out;
}

Envelope EnvelopeDetector::peel(std::string_view line) const {
  Envelope out;
  out.inner = line;
  for (const EnvelopeKind kind : layers_) {
    Envelope layer;
    if (kind == EnvelopeKind::kNone || !peel_layer(kind, out.inner, layer)) break;
    merge(layer, out);
  }
  return out;
}

}  // namespace tfpm
