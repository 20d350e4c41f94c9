// Literal automaton over a chunk, RE2 on records with hits (architecture.md section 3, items 3 and
// 5).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/signature.h"
#include "base/status.h"
#include "ingest/slots.h"

namespace tfpm {

// A literal found in a chunk.
struct LiteralHit {
  std::uint32_t end = 0;      // offset behind the literal in the chunk
  std::uint32_t pattern = 0;  // index of (signature, pattern) or of an extra literal
};

// A confirmed signature in one record.
struct SignatureMatch {
  std::uint32_t signature = 0;  // index into the loaded signatures
  std::uint32_t begin = 0;      // where the match begins in the record's text
  std::vector<std::pair<std::string, std::string>> captures;  // merged over the matching patterns
};

// Compiled signatures, shared by all threads (immutable after compile).
class Matcher {
 public:
  // The expressions are valid, as parse_signature() makes sure; each is compiled when it is needed.
  // `extra_literals` are plain texts searched in the same pass, for the reader's own recognisers;
  // their hits have pattern >= pattern_count(), in the order given.
  static Result<Matcher> compile(const std::vector<Signature>& signatures,
                                 std::span<const std::string_view> extra_literals = {});
  Matcher(Matcher&&) noexcept;
  ~Matcher();

  // Per-thread work space.
  class Scratch {
   public:
    explicit Scratch(const Matcher& matcher);
    Scratch(Scratch&&) noexcept;
    ~Scratch();

   private:
    friend class Matcher;
    struct Impl;
    std::unique_ptr<Impl> impl_;
  };

  // All literals of the chunk, sorted by end. `hits` is cleared first.
  Status scan(std::string_view chunk, Scratch& scratch, std::vector<LiteralHit>& hits) const;
  // Whether a literal holds a delimiter of lines (\n, \r, \b): lines searched one by one would not
  // show it.
  bool spans_lines() const;
  // Whether lines that differ from this one in the values of their digits, and in what is drawn in
  // `bar` (find_bar), may have other hits; true when in doubt.
  bool hits_may_differ(std::string_view line, const BarRange& bar, Scratch& scratch) const;
  // Confirms candidate patterns (indices from hits that fall into the record) against the record's
  // text; extra literals among them are ignored. `out` is cleared first and sorted by signature.
  // With captures=false only signature and begin are set (cheaper, for capped signatures).
  void confirm(std::string_view text, std::span<const std::uint32_t> patterns, bool captures,
               std::vector<SignatureMatch>& out) const;
  // The signatures that any of the candidate patterns confirms, sorted. Says no more than that, at
  // a fraction of the cost of confirm(). `out` is cleared first.
  void judge(std::string_view text, std::span<const std::uint32_t> patterns,
             std::vector<std::uint32_t>& out) const;
  std::uint32_t signature_of(std::uint32_t pattern) const;
  std::uint32_t pattern_count() const;
  // Whether the verdict on a record depends on its digits only through their number, so that
  // records equal but for digits may share it.
  bool memoisable(std::uint32_t pattern) const;

 private:
  Matcher();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Whether an RE2 expression treats all digits alike; false when in doubt.
bool ignores_digit_values(std::string_view re);

}  // namespace tfpm
