// One stream of a log: assembles its records and hands them to the collectors.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/signature.h"
#include "ingest/chunk_arena.h"
#include "ingest/context_window.h"
#include "ingest/event.h"
#include "ingest/identity.h"
#include "ingest/kept_record.h"
#include "ingest/learner.h"
#include "ingest/record.h"
#include "ingest/shape_filter.h"
#include "ingest/stack_keeper.h"
#include "ingest/verdict_memo.h"
#include "parsers/detail/bfc.h"
#include "parsers/detail/collective_text.h"
#include "parsers/detail/tf_config.h"

namespace tfpm {

// Records of every kind, from the first and from the last on, whose neighbouring lines are kept.
inline constexpr std::size_t kContextEach = 6;

// What the streams of one source share.
struct LogShared {
  LogShared(const Matcher& matcher_, const std::vector<Signature>& signatures_)
      : matcher(matcher_), signatures(signatures_), memo(matcher_) {}

  const Matcher& matcher;
  const std::vector<Signature>& signatures;
  VerdictMemo memo;
  ContextWindow context;
  ChunkArena arena;
  std::size_t kept_bytes = 0;  // memory of all kept records; beyond limits fewer and less are kept
};

// Whether a record of the one family may repeat, by another logger, what one of the other says.
bool are_twin_families(HeaderFamily before, HeaderFamily after);

// Column values of `stream` that the reader learns on the way.
struct StreamFacts {
  std::string tag;  // empty = no tag
  std::string tag_kind;
  std::string channel;  // empty = unknown or both
  std::uint64_t records = 0;
  std::uint64_t first_line = 0;
  std::uint64_t last_line = 0;
  std::optional<std::int64_t> first_us, last_us;
  std::array<std::uint64_t, 6> stamps{};  // by StampBasis
  bool ends_torn = false;
};

// A fragment and what the source's pass knows of it.
struct StreamFragment {
  Fragment fragment;
  std::optional<std::int64_t> time_us;   // header's stamp, else the envelope's
  StampBasis basis = StampBasis::kNone;  // clock of time_us
  std::span<const std::uint32_t> hits;   // patterns whose literal lies in the fragment
  ChunkRange range;                      // its place in the chunk
  RecordMemo* memo = nullptr;            // of its text, until the chunk is left; null = none
  bool in_chunk = true;                  // false: its views die with the next fragment
};

class StreamLog {
 public:
  // `row` is the stream's row; all must outlive the stream. Reports of the allocator go to `sink`
  // as soon as they are complete.
  StreamLog(LogShared& shared, RowRef row, Sink& sink);

  // Whether the fragment begins a record. An empty one is a blank line.
  bool add(const StreamFragment& fragment);
  // Call once per chunk, before it is left.
  void end_chunk();
  // Call at the source's end, before the last end_chunk().
  void finish();

  StreamFacts& facts() { return facts_; }
  IdentityClaims& claims() { return claims_; }
  // TF_CONFIG values printed in the stream, each once, `place.stream` left out.
  const std::vector<std::pair<TfConfig, TfConfigPlace>>& tf_configs() const { return tf_configs_; }
  const StackKeeper& stacks() const { return stacks_; }
  StreamSeries take_series() { return learner_.take(); }
  // Events of all kinds in order of their place; call after the end.
  std::vector<Event> events() const;
  std::map<std::uint32_t, std::uint64_t> signature_counts() const;
  // Calls visit(kept record) for the first and the last few records of every kind of event: those
  // that have a context.
  template <typename Visit>
  void for_each_shown(const Visit& visit) const {
    for_each_group([&](EventKind kind, std::optional<std::uint32_t>, const CappedRecords& records) {
      // The tail of a stream is shown whole.
      const std::size_t limit = kind == EventKind::kTail ? records.kept() : kContextEach;
      std::size_t n = 0;
      records.for_each([&](const KeptRecord& kept) {
        if (n < limit || n + limit >= records.kept()) visit(kept);
        ++n;
      });
    });
  }

 private:
  // simple_records.cpp: records that are nothing but one line of no consequence, as nearly all are.
  // They are not assembled unless something turns out to belong to them.
  bool is_simple(const StreamFragment& in);
  void add_simple(const StreamFragment& in);
  void complete_simple();
  void assemble_simple();

  bool add_assembled(const StreamFragment& in);
  void begin_record(const StreamFragment& in);
  void learn(const StreamFragment& in, bool continuation);
  void note_time(const StreamFragment& fragment);
  void note_process(const Fragment& fragment);
  bool begins_record(const Fragment& fragment, const Record* before);
  void complete_record(const Record& record);
  void take_record(const Record& record);
  void note_collectives(const Record& record, RecordMemo* memo);
  bool is_frequent(std::string_view text, RecordMemo* memo);
  RecordRef keep(const Record& record);
  bool count_signatures(const RecordRef& record, RecordMemo* memo);
  const SignatureSet& verdict_of(const RecordRef& record, RecordMemo* memo);
  void note_literals(const RecordRef& record);
  void note_tf_config(const RecordRef& record);
  void keep_head();
  void settle(EventKind kind, CappedRecords& records);
  template <typename Visit>
  void for_each_group(const Visit& visit) const {
    for (const auto& [signature, records] : by_signature_) {
      visit(EventKind::kSignature, std::optional(signature), records);
    }
    visit(EventKind::kTraceback, std::nullopt, tracebacks_);
    visit(EventKind::kCrash, std::nullopt, crashes_);
    visit(EventKind::kError, std::nullopt, errors_);
    visit(EventKind::kTail, std::nullopt, tail_);
  }

  LogShared& shared_;
  StreamFacts facts_;
  IdentityClaims claims_;
  std::vector<std::pair<TfConfig, TfConfigPlace>> tf_configs_;
  SeriesLearner learner_;
  BfcReader allocator_;
  CollectiveReader collectives_;
  StackKeeper stacks_;
  ShapeFilter shapes_;
  RecordAssembler assembler_;
  bool record_open_ = false;
  bool simple_open_ = false;  // the open record is `simple_`, and the assembler has none
  Fragment simple_;
  std::vector<std::uint32_t> record_hits_;      // of the open record
  std::optional<std::int64_t> record_time_us_;  // its own stamp, else the last one before it
  bool record_own_time_ = false;
  RecordPlace record_place_;
  ChunkRange record_range_;
  ContextSnapshot record_head_;  // lines of it in the chunk before
  bool record_has_head_ = false;
  bool record_severe_ = false;
  RecordMemo* record_memo_ = nullptr;  // of its first line; null = none
  std::string copied_text_;  // of the record before, when the open one may be its copy; else empty
  std::optional<std::int64_t> last_us_;
  std::optional<std::uint64_t> banner_offset_;  // start-up banner nothing followed yet
  std::vector<std::int64_t> process_ids_;
  std::map<std::uint32_t, CappedRecords> by_signature_;
  CappedRecords tracebacks_;
  CappedRecords crashes_;
  CappedRecords errors_;
  CappedRecords tail_;
};

}  // namespace tfpm
