#include "ingest/log_rows.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "parsers/detail/owner.h"

namespace tfpm {
namespace {

Value optional_int(const std::optional<std::int64_t>& value) {
  return value ? Value(*value) : null_value();
}

Value text_or_null(std::string_view text) {
  return text.empty() ? null_value() : text_value(text);
}

// Clock of most stamps, as in schema/20_event.sql; empty = no stamps.
std::string_view time_basis(const StreamFacts& facts) {
  constexpr std::array<std::string_view, 6> kNames = {"",          "local", "local",
                                                      "time-only", "epoch", "utc"};
  const auto most = std::max_element(facts.stamps.begin(), facts.stamps.end());
  return *most == 0 ? "" : kNames[static_cast<std::size_t>(most - facts.stamps.begin())];
}

void emit_stream(StreamLog& stream, Sink& sink) {
  const StreamFacts& f = stream.facts();
  const bool any = f.records > 0;
  sink.add("stream", {{"tag", text_or_null(f.tag)},
                      {"tag_kind", text_value(f.tag_kind)},
                      {"channel", text_or_null(f.channel)},
                      {"records", int_value(f.records)},
                      {"first_line", any ? int_value(f.first_line) : null_value()},
                      {"last_line", any ? int_value(f.last_line) : null_value()},
                      {"first_us", optional_int(f.first_us)},
                      {"last_us", optional_int(f.last_us)},
                      {"time_basis", text_or_null(time_basis(f))},
                      {"ends_torn", int_value(f.ends_torn ? 1U : 0U)}});
}

void emit_claims(StreamLog& stream, RowRef ref, Sink& sink) {
  for (const IdentityClaim& claim : stream.claims().claims()) {
    sink.add("claim_identity",
             {{"stream", ref},
              {"kind", text_value(claim.kind)},
              {"value", text_value(clean_utf8(claim.value, 200))},
              {"line", claim.line ? int_value(*claim.line) : null_value()},
              {"byte_offset", claim.offset ? int_value(*claim.offset) : null_value()}});
  }
}

void emit_tf_configs(const StreamLog& stream, RowRef ref, Sink& sink) {
  for (const auto& [config, found] : stream.tf_configs()) {
    TfConfigPlace place = found;
    place.stream = ref;
    emit_tf_config(config, place, sink);
  }
}

// The task a stream speaks for, by its surest claim; what a row outside the stream tables is owned
// by.
std::optional<std::string> owner_of(const IdentityClaims& claims) {
  for (const std::string_view kind : {"tf_config", "strategy", "device", "pod", "rank", "file"}) {
    for (const IdentityClaim& claim : claims.claims()) {
      if (claim.kind != kind) continue;
      if (kind == "rank") return "rank-" + claim.value;
      if (kind == "pod") return task_from_name(claim.value);
      return claim.value;
    }
  }
  return std::nullopt;
}

void emit_event(const Event& event, RowRef stream, const std::vector<Signature>& signatures,
                Sink& sink) {
  const Signature* signature = event.signature ? &signatures[*event.signature] : nullptr;
  const RowRef row = sink.add(
      "event",
      {{"byte_offset", int_value(event.cited.offset)},
       {"line", int_value(event.cited.line)},
       {"stream", stream},
       {"seq", int_value(event.record.offset)},
       {"time_raw_us", optional_int(event.time_us)},
       {"time_basis", event.time_us ? text_value(event.own_time ? "own" : "before") : null_value()},
       {"severity", text_value(to_string(event.severity))},
       {"kind", text_value(to_string(event.kind))},
       {"signature_id", signature ? text_value(signature->id) : null_value()},
       {"role", signature ? text_value(to_string(signature->role)) : null_value()},
       {"record_line", int_value(event.record.line)},
       {"text", text_value(event.text)}});
  for (const auto& [name, value] : event.captures) {
    sink.add("event_capture",
             {{"event_id", row}, {"name", text_value(name)}, {"value", text_value(value)}});
  }
  for (std::size_t i = 0; i < event.hops.size(); ++i) {
    const RemoteHop& hop = event.hops[i];
    sink.add("event_hop", {{"event_id", row},
                           {"n", int_value(i)},
                           {"job", text_value(hop.target.job)},
                           {"task", int_value(static_cast<std::uint64_t>(hop.target.task))},
                           {"method", hop.method.empty() ? null_value() : text_value(hop.method)}});
  }
}

void emit_events(const std::vector<std::unique_ptr<StreamLog>>& streams,
                 const std::vector<Signature>& signatures, Sink& sink) {
  struct Placed {
    Event event;
    std::int64_t stream;
  };
  std::vector<Placed> all;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    for (Event& event : streams[i]->events()) {
      all.push_back({std::move(event), static_cast<std::int64_t>(i)});
    }
  }
  // Streams are in a fixed order, and each stream's events are: a stable sort settles the rest.
  std::stable_sort(all.begin(), all.end(), [](const Placed& a, const Placed& b) {
    return a.event.record.offset < b.event.record.offset;
  });
  for (const Placed& placed : all) {
    emit_event(placed.event, {"stream", placed.stream}, signatures, sink);
  }
}

void emit_counts(const std::vector<std::unique_ptr<StreamLog>>& streams,
                 const std::vector<Signature>& signatures, Sink& sink) {
  for (std::size_t i = 0; i < streams.size(); ++i) {
    for (const auto& [signature, count] : streams[i]->signature_counts()) {
      sink.add("signature_count", {{"stream", RowRef{"stream", static_cast<std::int64_t>(i)}},
                                   {"signature_id", text_value(signatures[signature].id)},
                                   {"count", int_value(count)}});
    }
  }
}

void emit_index(const LogIndex& index, Sink& sink) {
  for (const BlockStart& block : index.blocks()) {
    sink.add("block_index", {{"byte_offset", int_value(block.offset)},
                             {"line", int_value(block.line)},
                             {"time_raw_us", optional_int(block.time_us)}});
  }
  for (const auto& [minute, counts] : index.minutes()) {
    for (std::size_t s = 0; s < counts.size(); ++s) {
      if (counts[s] == 0) continue;
      sink.add("minute_count", {{"minute", Value(minute)},
                                {"severity", text_value(to_string(static_cast<LogSeverity>(s)))},
                                {"count", int_value(counts[s])}});
    }
  }
}

// Of each kind the first and the last records keep the lines around them; evidence is taken from

// Bytes of a kept line that are stored.
constexpr std::size_t kContextLineBytes = 2000;

// Lines of all snapshots, each once.
class ContextLines {
 public:
  void add(const ContextSnapshot& snapshot) {
    const std::string_view text = snapshot.text;
    std::uint64_t line = snapshot.first_line;
    for (std::size_t at = 0; at < text.size(); ++line) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      add(line, snapshot.offset + at * snapshot.bytes_per_char, text.substr(at, end - at));
      at = end + 1;
    }
  }
  void emit(Sink& sink) const {
    for (const auto& [line, kept] : lines_) {
      std::string_view text = kept.second;
      if (text.ends_with('\r')) text.remove_suffix(1);
      sink.add("context_line", {{"line", int_value(line)},
                                {"byte_offset", int_value(kept.first)},
                                {"text", text_value(clean_utf8(text, kContextLineBytes))}});
    }
  }

 private:
  // Of several copies the one that begins first and is longest: others began inside the line or
  // were cut.
  void add(std::uint64_t line, std::uint64_t offset, std::string_view text) {
    const auto [it, fresh] = lines_.try_emplace(line, offset, text);
    auto& [have_offset, have] = it->second;
    if (fresh || offset > have_offset) return;
    if (offset < have_offset || text.size() > have.size()) it->second = {offset, text};
  }

  std::map<std::uint64_t, std::pair<std::uint64_t, std::string_view>> lines_;
};

void emit_context(const std::vector<std::unique_ptr<StreamLog>>& streams, Sink& sink) {
  ContextLines lines;
  for (const auto& stream : streams) {
    stream->for_each_shown([&](const KeptRecord& kept) { lines.add(kept.context); });
  }
  lines.emit(sink);
}

}  // namespace

void emit_log_rows(const std::vector<std::unique_ptr<StreamLog>>& streams, const LogIndex& index,
                   const std::vector<Signature>& signatures, Sink& sink) {
  for (const auto& stream : streams) emit_stream(*stream, sink);
  for (std::size_t i = 0; i < streams.size(); ++i) {
    const RowRef ref{"stream", static_cast<std::int64_t>(i)};
    emit_claims(*streams[i], ref, sink);
    emit_tf_configs(*streams[i], ref, sink);
    streams[i]->stacks().emit(owner_of(streams[i]->claims()), sink);
  }
  emit_counts(streams, signatures, sink);
  emit_events(streams, signatures, sink);
  emit_context(streams, sink);
  emit_index(index, sink);
}

}  // namespace tfpm
