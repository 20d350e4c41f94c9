// One function per envelope form (log-formats.md sections 1 and 6).
#include <array>

#include "ingest/bytes.h"
#include "ingest/envelope_forms.h"
#include "ingest/json_line.h"
#include "ingest/stamp.h"

namespace tfpm {
namespace {

// A zoned stamp and a blank at the start of `text`; moves both off.
bool take_zoned_stamp(std::string_view& text, Stamp& stamp) {
  const StampMatch match = parse_iso_stamp(text);
  if (!match || match.stamp.basis != StampBasis::kZoned || text[10] != 'T') return false;
  if (match.length < text.size() && text[match.length] != ' ') return false;
  stamp = match.stamp;
  text.remove_prefix(match.length < text.size() ? match.length + 1 : match.length);
  return true;
}

// `[2026-03-05T14:05:42Z] ` of a collector; moves it off `text`.
void take_bracketed_stamp(std::string_view& text, Stamp& stamp) {
  if (!text.starts_with('[')) return;
  const StampMatch match = parse_iso_stamp(text.substr(1));
  if (!match || match.stamp.basis != StampBasis::kZoned) return;
  if (!text.substr(match.length + 1).starts_with("] ")) return;
  stamp = match.stamp;
  text.remove_prefix(match.length + 3);
}

bool is_kube_name(std::string_view name) {
  if (name.empty() || name.size() > 253 || !(is_alpha(name[0]) || is_digit(name[0]))) return false;
  for (const char c : name) {
    if (is_upper(c) || c == '_' || !(is_word(c) || c == '-' || c == '.')) return false;
  }
  return true;
}

bool peel_kubectl(std::string_view line, Envelope& out) {
  constexpr std::string_view kMark = "[pod/";
  if (!line.starts_with(kMark)) return false;
  const std::size_t end = line.find(']');
  const std::size_t slash = line.find('/', kMark.size());
  if (end == std::string_view::npos || slash == std::string_view::npos || slash > end) return false;
  out.tag = line.substr(kMark.size(), slash - kMark.size());
  out.container = line.substr(slash + 1, end - slash - 1);
  out.inner = line.substr(end + 1);
  if (out.inner.starts_with(' ')) out.inner.remove_prefix(1);
  take_zoned_stamp(out.inner, out.stamp);
  return true;
}

bool peel_cri(std::string_view line, Envelope& out) {
  if (!take_zoned_stamp(line, out.stamp)) return false;
  for (const std::string_view channel : {"stdout", "stderr"}) {
    if (!line.starts_with(channel) || line.size() < channel.size() + 2) continue;
    const char mark = line[channel.size() + 1];
    if (line[channel.size()] != ' ' || (mark != 'F' && mark != 'P')) return false;
    out.channel = line.substr(0, channel.size());
    out.partial = mark == 'P';
    out.inner = line.substr(channel.size() + 2);
    if (out.inner.starts_with(' ')) out.inner.remove_prefix(1);
    return true;
  }
  return false;
}

// A blank-separated word with the colour codes around it removed; moves it off `text`.
std::string_view take_word(std::string_view& text) {
  text.remove_prefix(count_ansi(text));
  const std::size_t end = text.find(' ');
  std::string_view word = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return word.substr(0, word.find('\x1b'));
}

// `resnet-worker-2`, `web-5d4f7c-x8k2p`: a dash and a digit, which English words lack.
bool is_pod_name(std::string_view name) {
  return is_kube_name(name) && name.find('-') != std::string_view::npos &&
         name.find_first_of("0123456789") != std::string_view::npos;
}

// kubetail's `[POD] msg` and `[POD CONTAINER] msg`.
bool peel_kubetail(std::string_view line, Envelope& out) {
  const std::size_t end = line.substr(0, 320).find("] ");
  if (end == std::string_view::npos) return false;
  std::string_view rest = line.substr(1, end - 1);
  out.tag = take_word(rest);
  out.container = rest;
  if (!is_pod_name(out.tag) || (!rest.empty() && !is_kube_name(rest))) return false;
  out.inner = line.substr(end + 2);
  return true;
}

// Pods have a dash in their name, name spaces need not: that tells the two forms apart.
bool peel_stern(std::string_view line, Envelope& out) {
  if (line.starts_with('[')) return peel_kubetail(line, out);
  std::string_view rest = line;
  std::string_view pod = take_word(rest);
  if (!is_kube_name(pod)) return false;
  if (!is_pod_name(pod)) {
    pod = take_word(rest);
    if (!is_pod_name(pod)) return false;
  }
  const std::string_view container = take_word(rest);
  if (!is_kube_name(container) || !is_alpha(container[0])) return false;
  out.tag = pod;
  out.container = container;
  out.inner = rest;
  take_zoned_stamp(out.inner, out.stamp);
  return true;
}

bool peel_srun(std::string_view line, Envelope& out) {
  const std::size_t blanks = count_blanks(line);
  const std::size_t digits = count_digits(line.substr(blanks));
  const std::size_t colon = blanks + digits;
  if (blanks > 6 || digits == 0 || digits > 7 || colon >= line.size() || line[colon] != ':') {
    return false;
  }
  if (colon + 1 < line.size() && line[colon + 1] != ' ') return false;
  out.tag = line.substr(blanks, digits);
  out.inner = line.substr(colon + 1 < line.size() ? colon + 2 : colon + 1);
  return true;
}

bool peel_mpi(std::string_view line, Envelope& out) {
  if (const StampMatch stamp = parse_asctime_stamp(line)) {
    out.stamp = stamp.stamp;
    line.remove_prefix(stamp.length);
  }
  if (line.size() < 4 || line[0] != '[' || !is_digit(line[1])) return false;
  const std::size_t end = line.substr(0, 64).find(']');
  if (end == std::string_view::npos) return false;
  std::string_view rest = line.substr(end + 1);
  for (const std::string_view channel : {"<stdout>:", "<stderr>:"}) {
    if (!rest.starts_with(channel)) continue;
    out.tag = line.substr(0, end + 1);
    out.channel = rest.substr(1, 6);
    out.inner = rest.substr(channel.size());
    return true;
  }
  return false;
}

bool peel_ray(std::string_view line, Envelope& out) {
  if (!line.starts_with('(')) return false;
  const std::size_t end = line.substr(0, 200).find(") ");
  if (end == std::string_view::npos) return false;
  const std::string_view tag = line.substr(1, end - 1);
  if (tag.find("pid=") == std::string_view::npos && tag != "raylet") return false;
  out.tag = tag;
  out.inner = line.substr(end + 2);
  return true;
}

bool peel_runner(std::string_view line, Envelope& out) {
  if (line.size() < 6 || line[0] != '[' || !is_alpha(line[1])) return false;
  const std::size_t end = line.substr(0, 64).find("]:");
  if (end == std::string_view::npos) return false;
  const std::string_view tag = line.substr(1, end - 1);
  const std::size_t dash = tag.rfind('-');
  if (dash == std::string_view::npos || !to_int(tag.substr(dash + 1))) return false;
  out.tag = tag;
  out.inner = line.substr(end + 2);
  constexpr std::size_t kPad = 4;  // more blanks belong to the text
  for (std::size_t i = 0; i < kPad && out.inner.starts_with(' '); ++i) out.inner.remove_prefix(1);
  return true;
}

bool peel_compose(std::string_view line, Envelope& out) {
  line.remove_prefix(count_ansi(line));
  std::size_t name = 0;
  while (name < line.size() && (is_word(line[name]) || line[name] == '-' || line[name] == '.')) {
    ++name;
  }
  // A service may begin with a job number: `1469.worker.1  | msg`.
  const bool numbered =
      name > 0 && is_digit(line[0]) &&
      line.substr(0, name).find_first_of("abcdefghijklmnopqrstuvwxyz") != line.npos;
  if (name == 0 || !(is_alpha(line[0]) || numbered)) return false;
  std::size_t bar = name + count_blanks(line.substr(name));
  if (bar >= line.size() || line[bar] != '|') return false;
  out.tag = line.substr(0, name);
  ++bar;
  bar += count_ansi(line.substr(bar));
  if (bar < line.size() && line[bar] != ' ') return false;
  out.inner = line.substr(bar < line.size() ? bar + 1 : bar);
  if (!take_zoned_stamp(out.inner, out.stamp)) take_bracketed_stamp(out.inner, out.stamp);
  return true;
}

// `Mar  5 14:05:42 HOST IDENT[PID]: msg`, rsyslog's RFC 3339 stamp in front as well.
bool peel_syslog(std::string_view line, Envelope& out) {
  StampMatch stamp = parse_syslog_stamp(line);
  if (!stamp) stamp = parse_iso_stamp(line);
  if (!stamp || stamp.length >= line.size() || line[stamp.length] != ' ') return false;
  std::string_view rest = line.substr(stamp.length + 1);
  const std::string_view host = take_word(rest);
  const std::size_t end = rest.substr(0, 128).find(": ");
  if (host.empty() || end == std::string_view::npos) return false;
  const std::string_view ident = rest.substr(0, end);
  if (ident.empty() || ident.find(' ') != std::string_view::npos) return false;
  const bool iso = stamp.stamp.basis != StampBasis::kNoYear;
  if (iso && !ident.ends_with(']') && ident != "kernel") return false;
  out.tag = host;
  out.container = ident.substr(0, ident.find('['));
  out.stamp = stamp.stamp;
  out.inner = rest.substr(end + 2);
  return true;
}

// `INFO|2026-03-05T14:05:42|/opt/launcher.py|27| msg`: a launcher that logs what its child writes.
bool peel_piped_header(std::string_view line, Envelope& out) {
  if (!is_upper(line[0])) return false;
  const std::size_t level = line.substr(0, 10).find('|');
  if (level == std::string_view::npos || level < 4) return false;
  std::string_view rest = line.substr(level + 1);
  const StampMatch stamp = parse_iso_stamp(rest);
  if (!stamp || stamp.length >= rest.size() || rest[stamp.length] != '|') return false;
  rest.remove_prefix(stamp.length + 1);
  const std::size_t place = rest.substr(0, 300).find('|');
  if (place == std::string_view::npos) return false;
  rest.remove_prefix(place + 1);
  const std::size_t digits = count_digits(rest);
  if (digits == 0 || digits >= rest.size() || rest[digits] != '|') return false;
  out.stamp = stamp.stamp;
  out.inner = rest.substr(digits + 1);
  if (out.inner.starts_with(' ')) out.inner.remove_prefix(1);
  return true;
}

bool peel_rfc3339(std::string_view line, Envelope& out) {
  if (!line.empty() && peel_piped_header(line, out)) return true;
  out.inner = line;
  return take_zoned_stamp(out.inner, out.stamp);
}

void set_escaped_inner(std::string_view text, Envelope& out) {
  out.inner = text;
  out.escaped = text.find('\\') != std::string_view::npos;
}

bool peel_docker(std::string_view line, Envelope& out) {
  if (!line.starts_with("{\"log\":")) return false;
  JsonLine reader(line);
  JsonField field;
  int known = 0;
  while (reader.next(field)) {
    if (field.key == "log") {
      std::string_view text = field.value;
      out.partial = !text.ends_with("\\n");
      if (!out.partial) text.remove_suffix(2);
      if (text.ends_with("\\r")) text.remove_suffix(2);
      set_escaped_inner(text, out);
    } else if (field.key == "stream") {
      out.channel = field.value;
      ++known;
    } else if (field.key == "time") {
      out.stamp = parse_iso_stamp(field.value).stamp;
      ++known;
    } else if (field.key == "kubernetes" || field.key == "kubernetes_namespace") {
      return false;  // a collector's record
    }
  }
  return known > 0 && reader.complete();
}

}  // namespace

bool peel_layer(EnvelopeKind kind, std::string_view line, Envelope& out) {
  using Peeler = bool (*)(std::string_view, Envelope&);
  constexpr std::array<Peeler, 13> kPeelers = {
      nullptr,      peel_kubectl, peel_cri,           peel_stern,   peel_srun,
      peel_mpi,     peel_ray,     peel_runner,        peel_compose, peel_syslog,
      peel_rfc3339, peel_docker,  peel_collector_json};
  const Peeler peeler = kPeelers[static_cast<std::size_t>(kind)];
  if (peeler == nullptr) return false;
  out = {};
  out.kind = kind;
  return peeler(line, out);
}

bool is_unambiguous(EnvelopeKind kind) {
  return kind != EnvelopeKind::kNone && kind != EnvelopeKind::kStern &&
         kind != EnvelopeKind::kSrun && kind != EnvelopeKind::kCompose &&
         kind != EnvelopeKind::kRfc3339;
}

bool is_tagging(EnvelopeKind kind) {
  return kind != EnvelopeKind::kNone && kind != EnvelopeKind::kCri &&
         kind != EnvelopeKind::kRfc3339 && kind != EnvelopeKind::kDockerJson;
}

std::optional<std::int64_t> rank_of(const Envelope& envelope) {
  std::string_view tag = envelope.tag;
  if (envelope.kind == EnvelopeKind::kMpi && tag.size() > 2) {
    tag = tag.substr(1, tag.size() - 2);
    if (const std::size_t mark = tag.find("mpirank:"); mark != std::string_view::npos) {
      tag.remove_prefix(mark + 8);  // SageMaker: [1,mpirank:3,algo-2]
      tag = tag.substr(0, tag.find(','));
    } else if (const std::size_t comma = tag.rfind(','); comma != std::string_view::npos) {
      tag.remove_prefix(comma + 1);
    }
  } else if (envelope.kind != EnvelopeKind::kSrun) {
    return std::nullopt;
  }
  return to_int(tag);
}

std::string_view to_string(EnvelopeKind kind) {
  constexpr std::array<std::string_view, 13> kNames = {
      "none",   "kubectl", "cri",    "stern",   "srun",        "mpi", "ray",
      "runner", "compose", "syslog", "rfc3339", "docker-json", "json"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace tfpm
