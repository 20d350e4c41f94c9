// One pass over one log: from chunks to fragments of streams. Internal to log_reader.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/chunk_reader.h"
#include "ingest/line_shape.h"
#include "ingest/lines.h"
#include "ingest/log_clock.h"
#include "ingest/log_index.h"
#include "ingest/matcher.h"
#include "ingest/splitter.h"
#include "ingest/stream_log.h"
#include "parsers/detail/exit_lines.h"

namespace tfpm {

class LogPass {
 public:
  // All must outlive the pass. `head` decides the envelopes. What launchers and schedulers say of
  // exits goes to `sink` at once.
  LogPass(LogShared& shared, Matcher::Scratch& scratch, std::string_view path,
          std::string_view head, Sink& sink);

  Status add_chunk(const Chunk& chunk);
  void finish();

  std::uint64_t lines() const { return line_ - (at_line_start_ ? 1 : 0); }
  const std::vector<std::unique_ptr<StreamLog>>& streams() const { return streams_; }
  const LogIndex& index() const { return index_; }

 private:
  // A part of a line, envelope removed.
  struct Part {
    std::string_view text;
    std::uint64_t offset = 0;  // in the source
    std::span<const std::uint32_t> patterns;
    std::span<const LiteralHit> hits;  // beside patterns; positions count from `hit_base`
    std::uint32_t hit_base = 0;
    bool stable = false;  // text lives until the chunk is left
    bool scanned = true;  // `hits` are known
  };

  void add_piece(const Piece& piece);
  void begin_line(std::string_view text);
  void add_part(Part part);
  bool add_shaped(Part& part);
  void add_plain(const Part& part);
  void find_hits(LineShape& shape, Part& part);
  void scan_part(Part& part);
  Part cut(const Part& part, std::size_t begin, std::size_t end) const;
  void add_unescaped(const Part& part);
  void read_exit_line(const Part& part);
  void add_fragment(const Part& part, const LineHeader& header);
  void add_headed(const Part& part, RecordMemo* memo);
  void add_lines(std::string_view text, const Part& part, StreamFragment out);
  void add_json_trace(const Part& part, StreamFragment out);
  Part rescan(std::string_view text, std::uint64_t offset);
  StreamLog& stream_of(const Envelope& envelope);
  StreamLog& new_stream(const Envelope& envelope, std::string_view kind);

  LogShared& shared_;
  Matcher::Scratch& scratch_;
  Sink& sink_;
  EnvelopeDetector detector_;
  // A task's own file in syslog's form: the host on some of its lines splits nothing.
  bool one_writer_;
  LogClock clock_;
  LogIndex index_;
  Splitter splitter_;
  std::vector<std::unique_ptr<StreamLog>> streams_;
  std::map<std::string, StreamLog*, std::less<>> by_tag_;
  const Chunk* chunk_ = nullptr;
  std::vector<LiteralHit> hits_;
  std::vector<std::uint32_t> patterns_;  // hits_[i].pattern
  std::size_t next_hit_ = 0;
  // The chunk was not searched as a whole: most of its lines are known to the shapes, the others
  // are searched one by one.
  bool line_by_line_ = false;
  LineShapes shapes_;
  Piece piece_;  // of the chunk, being read
  bool chunk_has_escape_ = false;
  std::uint64_t line_ = 1;  // line being read
  bool at_line_start_ = true;
  std::uint64_t line_offset_ = 0;
  Envelope envelope_;             // of the line being read
  StreamLog* current_ = nullptr;  // stream of the line being read
  bool platform_ = true;          // that stream may hold lines of a launcher or scheduler
  ExitLineReader exit_lines_;
  StreamFragment fragment_;        // work space: the one being added
  std::string plain_, unescaped_;  // work space: text without ANSI codes, without JSON escapes
  std::vector<LiteralHit> part_hits_;
  std::vector<std::uint32_t> part_patterns_;
};

}  // namespace tfpm
