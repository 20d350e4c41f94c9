// Finds the numbers of a record and what kind each is (algorithms.md section 1.9, rule 2).
//
// This is the exact, slow reading of a record; the learner runs it once per form of line and reuses
// the result for every line that differs in digits only (skeleton.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tfpm {

enum class TokenKind : std::uint8_t {
  kNumber,
  kDuration,  // 118ms, 1h02m; value in seconds
  kMissing,   // null, None where a value is expected
  kStamp,     // a number in the range of epoch seconds, ms, us or ns; value in seconds
  kInert,     // dates, clock times, addresses, versions, hex blobs, counts such as 1.2k
};

// How a comma inside a number was read; what it means is known once more values were seen.
enum class Comma : std::uint8_t {
  kNone,
  kAmbiguous,  // 1,234: read as 1234
  kDecimal,    // 0,512 or 12,5: certainly a decimal comma
};

struct Token {
  std::uint32_t begin = 0, end = 0;  // in the text, sign and unit included
  TokenKind kind = TokenKind::kNumber;
  Comma comma = Comma::kNone;
  bool percent = false;
  double value = 0;  // NaN and infinities as printed

  bool is_slot() const { return kind != TokenKind::kStamp && kind != TokenKind::kInert; }
};

// A progress bar in brackets, `[==>..]` or `|###  |`, brackets included and no digits inside.
struct BarRange {
  std::size_t begin = 0, end = 0;
  bool empty() const { return begin == end; }
};
// The first one of a text that has a blank outside of it: what it is drawn with then changes
// neither the tokens of the text nor its pieces. Empty when there is none.
BarRange find_bar(std::string_view text);

// All tokens of the text in order. `out` is cleared first. Never fails; text without tokens gives
// none.
void find_tokens(std::string_view text, std::vector<Token>& out);

// Reads the value of a token again from its text, for a token of the same kind in another record of
// the same form. Updates value and comma only.
void read_value(std::string_view text, Token& token);

// The texts around the slots: slot count + 1 pieces, inert tokens masked as '~', white space and
// bars collapsed, every piece cut at 200 bytes.
std::vector<std::string> template_pieces(std::string_view text, const std::vector<Token>& tokens);

}  // namespace tfpm
