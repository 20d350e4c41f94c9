// Reads a text log: the hot path of an analysis (architecture.md section 3, performance.md section
// 2).
//
// Chunk by chunk: literal automaton, split, envelope and header of every fragment, records per
// stream. What is kept is bounded whatever the size of the log: capped events with exact counts,
// series of step markers, one index entry per 64 KiB, records per minute.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/series.h"
#include "base/signature.h"
#include "base/status.h"
#include "ingest/matcher.h"
#include "parsers/parser.h"

namespace tfpm {

class LogPass;
struct LogShared;

// A log that is given line by line, because it stands in its member in a frame of its own.
class LogLines {
 public:
  // `sink` must outlive it; `path` is the member's.
  LogLines(const Matcher& matcher, const std::vector<Signature>& signatures,
           Matcher::Scratch& scratch, std::string path, Sink& sink);
  ~LogLines();

  // `line` has no line end inside.
  void add(std::string_view line);
  // Emits what LogReader::read() emits. Call once, after the last line.
  Status finish(std::vector<StreamSeries>& series);

 private:
  void read_chunk();

  const std::vector<Signature>& signatures_;
  Matcher::Scratch& scratch_;
  std::string path_;
  Sink& sink_;
  std::unique_ptr<LogShared> shared_;
  std::unique_ptr<LogPass> pass_;  // once the first lines are there, which decide the envelopes
  std::string chunk_;
  std::uint64_t offset_ = 0;  // of chunk_ in the text of all lines
  Status status_;
};

// One reader per thread; it may be used for one log after the other.
class LogReader {
 public:
  // Both must outlive the reader; the matcher must have been compiled with kReaderLiterals.
  LogReader(const Matcher& matcher, const std::vector<Signature>& signatures)
      : matcher_(matcher), signatures_(signatures), scratch_(matcher) {}

  // Reads `in` to its end and emits all rows of the source. `head` is its first bytes (up to
  // kSniffBytes), from which envelopes are decided. `series` gets one entry per stream that may
  // count steps; their `stream` is the index among the source's stream rows. A reading error ends
  // the log early and is returned after the rows of what came before.
  Status read(const MemberInfo& member, std::string_view head, ByteStream& in, Sink& sink,
              std::vector<StreamSeries>& series);
  // The same for lines that are to come; must be done with before the reader is used again.
  std::unique_ptr<LogLines> lines(const std::string& path, Sink& sink) {
    return std::make_unique<LogLines>(matcher_, signatures_, scratch_, path, sink);
  }

 private:
  const Matcher& matcher_;
  const std::vector<Signature>& signatures_;
  Matcher::Scratch scratch_;
};

// Whether bytes look like text a log could be made of; binary formats are not.
bool looks_like_text(std::string_view head);

}  // namespace tfpm
