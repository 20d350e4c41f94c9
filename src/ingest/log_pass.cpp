#include "ingest/log_pass.h"

#include <algorithm>
#include <cstring>

#include "base/text.h"
#include "ingest/json_line.h"
#include "ingest/text_lines.h"

namespace tfpm {
namespace {

// Streams of one source: a file whose tags are all different cannot grow without bound.
constexpr std::size_t kMaxStreams = 20'000;
constexpr std::string_view kPlatform = "platform";

bool contains(std::string_view text, char c) {
  return !text.empty() && std::memchr(text.data(), c, text.size()) != nullptr;
}

// Whether an escaped text is the byte values that journald writes instead: "[27,91,51]". A string
// with escapes has a backslash.
bool is_byte_array(std::string_view text) {
  return text.starts_with('[') && text.find_first_not_of("[]0123456789, ") == text.npos;
}

void append_byte_array(std::string_view text, std::string& out) {
  unsigned value = 0;
  bool digits = false;
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      value = (value * 10 + static_cast<unsigned>(c - '0')) & 0xfff;
      digits = true;
    } else if (digits) {
      out += static_cast<char>(value & 0xff);
      value = 0;
      digits = false;
    }
  }
}

// The name a stream's tag gives to its writer, as a claim.
void add_tag_claim(const Envelope& envelope, IdentityClaims& claims, std::uint64_t line,
                   std::uint64_t offset) {
  if (const auto rank = rank_of(envelope)) {
    claims.add("rank", std::to_string(*rank), line, offset);
  } else if (envelope.kind == EnvelopeKind::kSyslog) {
    claims.add("host", envelope.tag, line, offset);
  } else if (envelope.kind == EnvelopeKind::kRunner) {
    claims.add("strategy", envelope.tag, line, offset);
  } else if (!envelope.tag.empty()) {
    claims.add("pod", envelope.tag, line, offset);
  }
}

}  // namespace

LogPass::LogPass(LogShared& shared, Matcher::Scratch& scratch, std::string_view path,
                 std::string_view head, Sink& sink)
    : shared_(shared),
      scratch_(scratch),
      sink_(sink),
      detector_(EnvelopeDetector::from_head(head)),
      one_writer_(detector_.kind() == EnvelopeKind::kSyslog && !task_of_path(path).empty()),
      clock_(!detector_.tagged() || one_writer_) {
  platform_ = !one_writer_;
  if (!detector_.tagged() || one_writer_) {
    current_ = &new_stream({}, to_string(EnvelopeKind::kNone));
    current_->claims().add_from_path(path);
  }
}

StreamLog& LogPass::new_stream(const Envelope& envelope, std::string_view kind) {
  const RowRef row{"stream", static_cast<std::int64_t>(streams_.size())};
  StreamLog& stream = *streams_.emplace_back(std::make_unique<StreamLog>(shared_, row, sink_));
  stream.facts().tag = envelope.tag;
  stream.facts().tag_kind = kind;
  stream.facts().channel = envelope.channel;
  return stream;
}

StreamLog& LogPass::stream_of(const Envelope& envelope) {
  const bool platform = envelope.kind == EnvelopeKind::kNone || envelope.tag.empty() ||
                        streams_.size() >= kMaxStreams;
  const std::string_view key = platform ? std::string_view() : envelope.tag;
  auto it = by_tag_.find(key);
  if (it == by_tag_.end()) {
    StreamLog& stream =
        platform ? new_stream({}, kPlatform) : new_stream(envelope, to_string(envelope.kind));
    if (!platform) add_tag_claim(envelope, stream.claims(), line_, line_offset_);
    it = by_tag_.emplace(std::string(key), &stream).first;
  }
  StreamFacts& facts = it->second->facts();
  if (facts.channel != envelope.channel) facts.channel.clear();
  return *it->second;
}

Status LogPass::add_chunk(const Chunk& chunk) {
  chunk_ = &chunk;
  shapes_.begin_chunk();
  line_by_line_ =
      shapes_.steady() && detector_.kind() == EnvelopeKind::kNone && !shared_.matcher.spans_lines();
  hits_.clear();
  if (!line_by_line_) TFPM_RETURN_IF_ERROR(shared_.matcher.scan(chunk.text, scratch_, hits_));
  patterns_.clear();
  for (const LiteralHit& hit : hits_) patterns_.push_back(hit.pattern);
  next_hit_ = 0;
  chunk_has_escape_ = contains(chunk.text, '\x1b');
  shared_.context.begin_chunk(chunk);
  shared_.arena.begin_chunk(chunk.text);
  splitter_.reset(chunk.text);
  for (Piece piece; splitter_.next(piece);) {
    piece_ = piece;
    add_piece(piece);
  }
  for (const auto& stream : streams_) stream->end_chunk();
  shared_.context.end_chunk(line_);
  shared_.arena.end_chunk();
  return ok_status();
}

void LogPass::finish() {
  // An empty last chunk, so that records still open are settled like all others.
  const Chunk nothing;
  shared_.context.begin_chunk(nothing);
  shared_.arena.begin_chunk({});
  for (const auto& stream : streams_) stream->finish();
  for (const auto& stream : streams_) stream->end_chunk();
  shared_.context.end_chunk(line_);
  shared_.arena.end_chunk();
  if (!at_line_start_ && current_ != nullptr) current_->facts().ends_torn = true;
}

void LogPass::begin_line(std::string_view text) {
  if (detector_.kind() == EnvelopeKind::kNone) return;
  envelope_ = detector_.peel(text);
  if (!detector_.tagged()) return;
  if (one_writer_) {
    if (!envelope_.tag.empty()) current_->claims().add("host", envelope_.tag, line_, line_offset_);
    return;
  }
  current_ = &stream_of(envelope_);
  platform_ = envelope_.kind == EnvelopeKind::kNone;
}

void LogPass::add_piece(const Piece& piece) {
  const std::size_t first_hit = next_hit_;
  while (next_hit_ < hits_.size() && hits_[next_hit_].end <= piece.end) ++next_hit_;
  Part part;
  part.text = chunk_->text.substr(piece.begin, piece.end - piece.begin);
  part.offset = chunk_->source_offset(piece.begin);
  const bool line_start = at_line_start_;
  if (line_start) {
    line_offset_ = part.offset;
    begin_line(part.text);
  }
  part.hits = {hits_.data() + first_hit, next_hit_ - first_hit};
  part.patterns = {patterns_.data() + first_hit, part.hits.size()};
  part.hit_base = piece.begin;
  part.stable = true;
  part.scanned = !line_by_line_;
  if (line_start && envelope_.kind != EnvelopeKind::kNone) {
    const auto peeled = static_cast<std::uint32_t>(envelope_.inner.data() - part.text.data());
    part.text = envelope_.inner;
    part.hit_base += peeled;
  }
  if (!part.text.empty()) {
    if (envelope_.escaped) {
      add_unescaped(part);
    } else {
      add_part(part);
    }
  } else if (line_start && piece.ends_line) {
    add_fragment(part, {});
  }
  at_line_start_ = piece.ends_line;
  if (piece.ends_line) ++line_;
}

// Text that is not as it stands in the chunk has to be searched by itself.
LogPass::Part LogPass::rescan(std::string_view text, std::uint64_t offset) {
  Part part;
  part.text = text;
  part.offset = offset;
  // The chunk was searched with the same automaton and scratch: it cannot fail here only.
  if (!shared_.matcher.scan(text, scratch_, part_hits_).ok()) part_hits_.clear();
  part_patterns_.clear();
  for (const LiteralHit& hit : part_hits_) part_patterns_.push_back(hit.pattern);
  part.hits = part_hits_;
  part.patterns = part_patterns_;
  return part;
}

// The inside of a JSON string: escapes are undone, then it is cut like the chunk itself.
void LogPass::add_unescaped(const Part& part) {
  std::string text;
  if (is_byte_array(part.text)) {
    append_byte_array(part.text, text);
  } else {
    unescape_json(part.text, text);
  }
  Splitter splitter;
  splitter.reset(text);
  for (Piece piece; splitter.next(piece);) {
    const std::string_view inner =
        std::string_view(text).substr(piece.begin, piece.end - piece.begin);
    if (!inner.empty()) add_part(rescan(inner, part.offset + piece.begin));
  }
}

void LogPass::add_part(Part part) {
  if (part.text.front() == '\0') {
    // A hole left by copytruncate.
    const std::size_t skip = std::min(part.text.find_first_not_of('\0'), part.text.size());
    part.text.remove_prefix(skip);
    part.hit_base += static_cast<std::uint32_t>(skip);
  }
  if (chunk_has_escape_ && contains(part.text, '\x1b')) {
    plain_.clear();
    append_without_ansi(part.text, plain_);
    part = rescan(plain_, part.offset);
  }
  if (part.text.empty()) return;
  if (platform_) read_exit_line(part);
  if (add_shaped(part)) return;
  if (!part.scanned) scan_part(part);
  add_plain(part);
}

// The rest of a part: its text from `begin` to `end` and what of its hits ends there.
LogPass::Part LogPass::cut(const Part& part, std::size_t begin, std::size_t end) const {
  Part out = part;
  const auto behind = [&](std::size_t at) {
    return static_cast<std::size_t>(
        std::find_if(part.hits.begin(), part.hits.end(),
                     [&](const LiteralHit& hit) { return hit.end > part.hit_base + at; }) -
        part.hits.begin());
  };
  const std::size_t first = begin == 0 ? 0 : behind(begin);
  const std::size_t last = end == part.text.size() ? part.hits.size() : behind(end);
  out.text = part.text.substr(begin, end - begin);
  out.offset += begin;
  out.hit_base += static_cast<std::uint32_t>(begin);
  out.hits = part.hits.subspan(first, last - first);
  out.patterns = part.patterns.subspan(first, last - first);
  return out;
}

// A line that looks like one before it: nothing of it has to be found out again but its time. False
// when it does not.
bool LogPass::add_shaped(Part& part) {
  if (!part.stable || !shapes_.active()) return false;
  LineShape* shape = shapes_.of(part.text);
  if (shape == nullptr) return false;
  if (!part.scanned) find_hits(*shape, part);
  std::array<Stamp, 2> stamps;
  for (std::size_t i = 0; i < shape->part_count; ++i) {
    const std::optional<Stamp> stamp = stamp_of(shape->parts[i], part.text);
    if (!stamp) return false;
    stamps[i] = *stamp;
  }
  for (std::size_t i = 0; i < shape->part_count; ++i) {
    ShapePart& known = shape->parts[i];
    Part fragment = shape->part_count == 1 ? part : cut(part, known.begin, known.end);
    if (line_by_line_ && shape->hits == LineShape::Hits::kFixed) fragment.patterns = known.patterns;
    header_of(*shape, known, part.text, stamps[i], fragment_.fragment.header);
    add_headed(fragment, &known.memo);
  }
  return shape->part_count > 0;
}

// The hits of a line in a chunk that was not searched.
void LogPass::find_hits(LineShape& shape, Part& part) {
  if (shape.hits == LineShape::Hits::kFixed && shape.part_count > 0) return;
  scan_part(part);
  if (shape.hits != LineShape::Hits::kUnknown || shape.part_count == 0) return;
  if (shared_.matcher.hits_may_differ(part.text, shape.bar, scratch_)) {
    shape.hits = LineShape::Hits::kVarying;
    return;
  }
  shape.hits = LineShape::Hits::kFixed;
  for (std::size_t i = 0; i < shape.part_count; ++i) {
    ShapePart& known = shape.parts[i];
    const Part fragment = cut(part, known.begin, known.end);
    known.patterns.assign(fragment.patterns.begin(), fragment.patterns.end());
    known.memo.fixed_hits = true;
  }
}

// Searches a part of a chunk that was not searched as a whole.
void LogPass::scan_part(Part& part) {
  const std::uint32_t base = part.hit_base;
  const Part found = rescan(part.text, part.offset);
  for (LiteralHit& hit : part_hits_) hit.end += base;
  part.hits = found.hits;
  part.patterns = found.patterns;
  part.scanned = true;
}

void LogPass::add_plain(const Part& part) {
  const LineHeader header = parse_header(part.text);
  const std::size_t glued =
      header.family == HeaderFamily::kNone ? find_glued_header(part.text) : std::string_view::npos;
  if (glued == std::string_view::npos) {
    add_fragment(part, header);
    return;
  }
  LineHeader none;
  none.message = part.text.substr(0, glued);
  add_fragment(cut(part, 0, glued), none);
  const Part rest = cut(part, glued, part.text.size());
  add_fragment(rest, parse_header(rest.text));
}

// A file without tags may be a launcher's or a task's own: the first bytes tell for nearly all.
void LogPass::read_exit_line(const Part& part) {
  if (!detector_.tagged() && !may_be_exit_line(part.text)) return;
  emit_exit_line(exit_lines_, part.text, line_, part.offset, sink_);
}

void LogPass::add_fragment(const Part& part, const LineHeader& header) {
  fragment_.fragment.header = header;
  add_headed(part, nullptr);
}

// The header stands in fragment_.
void LogPass::add_headed(const Part& part, RecordMemo* memo) {
  StreamFragment& out = fragment_;
  LineHeader& header = out.fragment.header;
  out.fragment.offset = part.offset;
  out.fragment.line = line_;
  out.fragment.text = part.text;
  out.memo = memo;
  out.hits = part.patterns;
  out.in_chunk = part.stable;
  // A record behind a progress bar begins inside its line.
  out.range = {part.stable ? part.hit_base : piece_.begin, piece_.end};
  const Stamp& stamp = header.stamp.basis != StampBasis::kNone ? header.stamp : envelope_.stamp;
  out.time_us = clock_.resolve(stamp);
  out.basis = stamp.basis;
  if (!header.host.empty()) current_->claims().add("host", header.host, line_, part.offset);
  const bool json_error =
      header.family == HeaderFamily::kJson && header.severity >= LogSeverity::kError;
  if (header.escaped && contains(header.message, '\\')) {
    unescape_json(header.message, unescaped_);
    header.file = {};
    add_lines(unescaped_, part, out);
  } else if (current_->add(out)) {
    index_.add(part.offset, line_, out.time_us, header.severity);
  }
  if (json_error) add_json_trace(part, out);
}

// The text of a JSON string as the lines a plain log would hold: a traceback in it is one.
void LogPass::add_lines(std::string_view text, const Part& part, StreamFragment out) {
  const LineHeader header = out.fragment.header;
  bool first = header.family != HeaderFamily::kNone;
  std::string_view rest = text;
  for (std::string_view line; next_line(rest, line); first = false) {
    out.fragment.offset = part.offset + static_cast<std::size_t>(line.data() - text.data());
    out.fragment.text = line;
    // A traceback has no header: the one before it says when and how severe.
    out.fragment.header = first && !line.starts_with("Traceback (") ? header : LineHeader{};
    out.fragment.header.message = line;
    out.hits = rescan(line, part.offset).patterns;
    out.in_chunk = false;
    if (current_->add(out)) {
      index_.add(out.fragment.offset, line_, out.time_us, header.severity);
    }
  }
}

// Formatters put the traceback of logging.exception() into a field of its own.
void LogPass::add_json_trace(const Part& part, StreamFragment out) {
  for (const std::string_view key :
       {"exc_info", "exc_text", "stack_trace", "exception", "traceback", "error.stack_trace"}) {
    const JsonField field = find_json_field(part.text, key);
    if (field.type != JsonType::kString || field.value.find("\\n") == field.value.npos) continue;
    unescape_json(field.value, unescaped_);
    out.fragment.header = {};
    add_lines(unescaped_, part, out);
    return;
  }
}

}  // namespace tfpm
