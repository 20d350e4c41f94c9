#include "ingest/slots.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/log_words.h"
#include "ingest/number.h"

namespace tfpm {
namespace {

bool is_alnum(char c) {
  return is_alpha(c) || is_digit(c);
}

// Words whose digits are a value even without anything between them: "step12", "loss0.5".
constexpr std::uint32_t kValued = kWordStep | kWordLoss | kWordEpoch | kWordSamples | kWordTokens;

// Separators of thousands besides the comma, in UTF-8.
constexpr std::array<std::string_view, 5> kThousands = {"_", "'", "\u2009", "\u202f", "\u00a0"};

class Tokenizer {
 public:
  Tokenizer(std::string_view text, std::vector<Token>& out) : text_(text), out_(out) {}

  void run() {
    lists_numbers_ = is_number_list();
    std::size_t i = 0;
    while (i < text_.size()) {
      const char c = text_[i];
      if (is_digit(c)) {
        i = at_number(i, i);
      } else if ((c == '-' || c == '+' || c == '.') && may_start_number(i)) {
        i = at_number(i, i + 1);
      } else if (is_alpha(c)) {
        i = at_word(i);
      } else if (c == '|' && i > 0 && text_[i - 1] == '%') {
        i = behind_bar(i);
      } else {
        ++i;
      }
    }
  }

 private:
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }
  char before(std::size_t i) const { return i > 0 ? text_[i - 1] : '\0'; }
  std::size_t digits_end(std::size_t i) const {
    while (is_digit(at(i))) ++i;
    return i;
  }
  std::size_t alnum_end(std::size_t i) const {
    while (is_alnum(at(i))) ++i;
    return i;
  }
  std::size_t letters_end(std::size_t i) const {
    while (is_alpha(at(i))) ++i;
    return i;
  }

  // Comma-separated fields without blanks: there commas never belong to numbers.
  bool is_number_list() const {
    if (text_.find_first_of(" ;|\t=") != std::string_view::npos) return false;
    const auto commas = std::count(text_.begin(), text_.end(), ',');
    if (commas >= 2) return true;
    return commas == 1 &&
           text_.find_first_not_of("0123456789.,+-eEnaifNAIF") == std::string_view::npos;
  }

  bool may_start_number(std::size_t i) const {
    const char p = before(i);
    if (is_alnum(p) || is_high(p) || p == '_' || p == ')' || p == ']' || p == '.') return false;
    if (is_digit(at(i + 1))) return true;
    if (text_[i] == '.') return false;
    return at(i + 1) == '.' && is_digit(at(i + 2));
  }

  // `|#2        |` of tqdm's plain bar holds digits that are no numbers.
  std::size_t behind_bar(std::size_t i) const {
    std::size_t end = i + 1;
    while (is_digit(at(end)) || at(end) == '#' || at(end) == ' ') ++end;
    return at(end) == '|' && end > i + 1 ? end : i + 1;
  }

  void emit(std::size_t begin, std::size_t end, TokenKind kind) {
    Token token;
    token.begin = static_cast<std::uint32_t>(begin);
    token.end = static_cast<std::uint32_t>(end);
    token.kind = kind;
    const std::size_t sign = at(end) == ' ' ? end + 1 : end;
    token.percent = kind == TokenKind::kNumber && at(sign) == '%';
    read_value(text_, token);
    out_.push_back(token);
  }

  std::size_t at_word(std::size_t i) {
    const std::size_t end = letters_end(i);
    if (const std::size_t next = nonfinite_at(i); next != 0) return next;
    if (is_missing_at(i, end)) {
      emit(i, end, TokenKind::kMissing);
      return end;
    }
    const std::size_t all = alnum_end(i);
    if (all > end && is_hex_blob(i, all)) {
      emit(i, all, TokenKind::kInert);
      return all;
    }
    if (!is_digit(at(end))) return glued_nonfinite(i, end);
    if (is_valued_word(i, end)) return at_number(end, end);
    // An identifier with a digit inside stays text, a version with it.
    std::size_t last = end;
    while (is_alnum(at(last)) || at(last) == '_' || (at(last) == '.' && is_digit(at(last + 1))))
      ++last;
    return last;
  }

  std::size_t nonfinite_at(std::size_t i) {
    const auto found = nonfinite_at_start(text_.substr(i));
    if (!found) return 0;
    const std::size_t end = i + found->length;
    if (at(end) == '_' || at(end) == '=') return 0;  // the key of a counter: nan_grads=0
    if (at(end) == ':' && is_digit(at(at(end + 1) == ' ' ? end + 2 : end + 1))) return 0;
    std::size_t begin = i;
    const bool signed_word = i > 0 && (text_[i - 1] == '-' || text_[i - 1] == '+');
    if (signed_word && !is_alnum(before(i - 1))) begin = i - 1;
    emit(begin, end, TokenKind::kNumber);
    return end;
  }

  // "lossnan", where "loss0.5" stands on other lines.
  std::size_t glued_nonfinite(std::size_t begin, std::size_t end) {
    for (const std::size_t length : {std::size_t{3}, std::size_t{8}}) {
      if (end - begin <= length || !nonfinite_at_start(text_.substr(end - length))) continue;
      if ((word_classes(text_.substr(begin, end - begin - length)) & kWordLoss) == 0) continue;
      emit(end - length, end, TokenKind::kNumber);
      break;
    }
    return end;
  }

  bool is_missing_at(std::size_t begin, std::size_t end) const {
    const std::string_view word = text_.substr(begin, end - begin);
    if (word != "null" && word != "None" && word != "none" && word != "NULL") return false;
    std::size_t i = begin;
    while (i > 0 && (text_[i - 1] == ' ' || text_[i - 1] == '"')) --i;
    const char p = before(i);
    return p == '=' || p == ':' || p == '|' || p == ',';
  }

  bool is_hex_blob(std::size_t begin, std::size_t end) const {
    if (end - begin < 8) return false;
    const std::string_view word = text_.substr(begin, end - begin);
    return std::all_of(word.begin(), word.end(), is_hex) &&
           std::any_of(word.begin(), word.end(), is_digit);
  }

  bool is_valued_word(std::size_t begin, std::size_t end) const {
    if (is_high(before(begin))) return true;
    std::size_t last = digits_end(end);
    if (at(last) == '.' && is_digit(at(last + 1))) last = digits_end(last + 1);
    const char next = at(last);
    if (next == '=' || is_alpha(next)) return false;
    if (end - begin == 1) return next != '_' && next != '.';
    return (word_classes(text_.substr(begin, end - begin)) & kValued) != 0;
  }

  // "0000nan": a field of fixed width is filled with zeros whatever the value. 0 when it is not
  // one.
  std::size_t padded_nonfinite_end(std::size_t i) const {
    std::size_t word = i;
    while (at(word) == '0') ++word;
    if (word == i || !is_alpha(at(word))) return 0;
    const auto found = nonfinite_at_start(text_.substr(word));
    return found ? word + found->length : 0;
  }

  // `begin` is where the token starts (a sign, perhaps), `i` its first digit or point.
  std::size_t at_number(std::size_t begin, std::size_t i) {
    if (const std::size_t end = padded_nonfinite_end(i); end != 0) {
      emit(begin, end, TokenKind::kNumber);
      return end;
    }
    if (const std::size_t end = inert_end(i); end != 0) {
      emit(begin, end, TokenKind::kInert);
      return end;
    }
    if (at(i) == '0' && (at(i + 1) | 0x20) == 'x' && is_hex(at(i + 2))) return at_hex(begin, i);
    if (const auto duration = duration_at(text_.substr(i))) {
      const std::size_t end = i + duration->length;
      if (!is_alnum(at(end)) && !is_high(at(end))) {
        emit(begin, end, TokenKind::kDuration);
        return end;
      }
    }
    const std::size_t end = number_end(i);
    const std::size_t suffix = alnum_end(end);
    if (suffix == end) return plain_number(begin, end);
    const std::string_view letters = text_.substr(end, suffix - end);
    const bool mixed = std::any_of(letters.begin(), letters.end(), is_digit);
    if (mixed || is_size_suffix(letters)) {
      emit(begin, suffix, TokenKind::kInert);
      return suffix;
    }
    return plain_number(begin, end);
  }

  std::size_t plain_number(std::size_t begin, std::size_t end) {
    emit(begin, end, is_stamp(begin, end) ? TokenKind::kStamp : TokenKind::kNumber);
    return end;
  }

  std::size_t at_hex(std::size_t begin, std::size_t i) {
    const std::size_t end = alnum_end(i);
    const bool address = end - i >= 10;
    emit(begin, end, address ? TokenKind::kInert : TokenKind::kNumber);
    return end;
  }

  static bool is_size_suffix(std::string_view s) {
    std::size_t i = 0;
    if (i < s.size() && std::string_view("kKMGTP").find(s[i]) != std::string_view::npos) ++i;
    if (i > 0 && i < s.size() && s[i] == 'i') ++i;
    if (i < s.size() && (s[i] == 'B' || s[i] == 'b')) ++i;
    return i == s.size();
  }

  // Seconds, ms, us or ns since 1970, from 2001 to 2040.
  bool is_stamp(std::size_t begin, std::size_t end) const {
    const std::size_t digits = digits_end(begin) - begin;
    if (digits != 10 && digits != 13 && digits != 16 && digits != 19) return false;
    if (begin + digits != end && text_[begin + digits] != '.') return false;
    const double value = number_value(text_.substr(begin, 10));
    return value >= 1.0e9 && value < 2.2e9;
  }

  std::size_t inert_end(std::size_t i) const {
    if (is_digit(before(i))) return 0;
    if (const std::size_t end = date_end(i); end != 0) return end;
    if (const std::size_t end = clock_end(i); end != 0) return end;
    if (const std::size_t end = version_end(i); end != 0) return end;
    const std::size_t all = alnum_end(i);
    return all - digits_end(i) > 0 && is_hex_blob(i, all) ? all : 0;
  }

  // 2026-03-05, 2026/3/5, 05-03-2026, with a clock time behind a T.
  std::size_t date_end(std::size_t i) const {
    const std::size_t a = digits_end(i);
    const char sep = at(a);
    if (sep != '-' && sep != '/') return 0;
    const std::size_t b = digits_end(a + 1);
    if (b == a + 1 || b > a + 3 || at(b) != sep) return 0;
    const std::size_t c = digits_end(b + 1);
    const std::size_t first = a - i, last = c - b - 1;
    if (!(first == 4 && last >= 1 && last <= 2) && !(first <= 2 && last == 4)) return 0;
    if (at(c) == 'T' && is_digit(at(c + 1)))
      if (const std::size_t end = clock_end(c + 1); end != 0) return end;
    return c;
  }

  // h:mm, h:mm:ss, with fraction and zone.
  std::size_t clock_end(std::size_t i) const {
    if (before(i) == ':' && i > 1 && is_digit(text_[i - 2])) return 0;
    std::size_t end = digits_end(i);
    if (end - i > 3 || end == i) return 0;
    int groups = 0;
    while (at(end) == ':' && digits_end(end + 1) == end + 3 && at(end + 1) < '6') {
      end += 3;
      ++groups;
    }
    if (groups == 0 || groups > 2 || (at(end) == ':' && is_digit(at(end + 1)))) return 0;
    if ((at(end) == '.' || at(end) == ',') && is_digit(at(end + 1)) && groups == 2)
      end = digits_end(end + 1);
    if (at(end) == 'Z') return end + 1;
    if ((at(end) == '+' || at(end) == '-') && digits_end(end + 1) == end + 3) {
      end += 3;
      if (at(end) == ':' && digits_end(end + 1) == end + 3) end += 3;
    }
    return end;
  }

  // 10.0.0.7, 2.21.0rc1
  std::size_t version_end(std::size_t i) const {
    std::size_t end = digits_end(i);
    int points = 0;
    while (at(end) == '.' && is_digit(at(end + 1))) {
      end = digits_end(end + 1);
      ++points;
    }
    if (points < 2) return 0;
    return alnum_end(end);
  }

  std::size_t number_end(std::size_t i) const {
    std::size_t end = digits_end(i);
    const std::size_t grouped = end > i && end - i <= 3 ? groups_end(end) : 0;
    if (grouped != 0) end = grouped;
    if (at(end) == '.' && is_digit(at(end + 1))) {
      end = digits_end(end + 1);
    } else if (grouped == 0 && at(end) == ',' && is_decimal_comma(end)) {
      return digits_end(end + 1);
    }
    if ((at(end) | 0x20) == 'e') {
      std::size_t exponent = end + 1;
      if (at(exponent) == '-' || at(exponent) == '+') ++exponent;
      if (is_digit(at(exponent)) && !is_alpha(at(digits_end(exponent))))
        return digits_end(exponent);
    }
    return end;
  }

  // Behind a group of one to three digits: the end of the three-digit groups that follow, 0 = none.
  std::size_t groups_end(std::size_t i) const {
    for (const std::string_view separator : kThousands)
      if (const std::size_t end = groups_with(i, separator); end != 0) return end;
    if (lists_numbers_) return 0;
    const std::size_t end = groups_with(i, ",");
    // 12,345,6: a list, not one number
    return end != 0 && at(end) == ',' && is_digit(at(end + 1)) ? 0 : end;
  }

  std::size_t groups_with(std::size_t i, std::string_view separator) const {
    std::size_t end = i;
    while (text_.substr(std::min(end, text_.size())).starts_with(separator)) {
      const std::size_t group = end + separator.size();
      if (digits_end(group) != group + 3) break;
      end = group + 3;
    }
    return end == i ? 0 : end;
  }

  bool is_decimal_comma(std::size_t comma) const {
    if (lists_numbers_ || !is_digit(at(comma + 1))) return false;
    const std::size_t end = digits_end(comma + 1);
    const char next = at(end);
    return next != '.' && !(next == ',' && is_digit(at(end + 1)));
  }

  std::string_view text_;
  std::vector<Token>& out_;
  bool lists_numbers_ = false;
};

bool is_bar_byte(char c) {
  return c == '=' || c == '-' || c == '#' || c == '*' || c == '.' || c == '>' || c == '<' ||
         c == '~';
}

// Length of the bar character at i: ASCII, box drawing, blocks, shapes, Braille spinners; 0 = none.
std::size_t bar_char(std::string_view text, std::size_t i) {
  if (is_bar_byte(text[i])) return 1;
  if (text[i] != '\xE2' || i + 2 >= text.size()) return 0;
  const auto second = static_cast<unsigned char>(text[i + 1]);
  const bool drawn = second >= 0x94 && second <= 0x97;
  const bool braille = second >= 0xA0 && second <= 0xA3;
  return drawn || braille ? 3 : 0;
}

// End of a bar that starts at i, 0 = none: a run of three or more bar characters, or anything of
// bar characters and blanks in brackets.
std::size_t bar_end(std::string_view text, std::size_t i) {
  const char open = text[i];
  const bool enclosed = open == '[' || open == '|';
  const bool digits = open == '|' && i > 0 && text[i - 1] == '%';
  std::size_t end = enclosed ? i + 1 : i;
  std::size_t count = 0;
  while (end < text.size()) {
    std::size_t n = bar_char(text, end);
    if (n == 0 && enclosed && text[end] == ' ') n = 1;
    if (n == 0 && digits && is_digit(text[end])) n = 1;
    if (n == 0) break;
    end += n;
    ++count;
  }
  if (!enclosed) return count >= 3 || (count >= 1 && text[i] == '\xE2') ? end : 0;
  const char close = open == '[' ? ']' : '|';
  return count >= 3 && end < text.size() && text[end] == close ? end + 1 : 0;
}

constexpr std::size_t kMaxPiece = 200;

void append_normal(std::string& piece, std::string_view text, std::size_t begin, std::size_t end) {
  std::size_t i = begin;
  while (i < end && piece.size() < kMaxPiece) {
    const std::size_t bar = bar_end(text, i);
    if (bar != 0 && bar <= end) {
      piece += text[i] == '[' ? "[=]" : text[i] == '|' ? "|=|" : "=";
      i = bar;
      continue;
    }
    const char c = text[i++];
    if (c != ' ' && c != '\t') {
      piece += c;
    } else if (!piece.empty() && piece.back() != ' ') {
      piece += ' ';
    }
  }
}

void trim_right(std::string& piece) {
  while (!piece.empty() && piece.back() == ' ') piece.pop_back();
}

std::string without_grouping(std::string_view text, Comma comma) {
  std::string digits;
  for (const char c : text) {
    if (is_digit(c) || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E') digits += c;
    if (c == ',' && comma == Comma::kDecimal) digits += '.';
  }
  return digits;
}

Comma judge_comma(std::string_view number) {
  const std::size_t first = number.find(',');
  if (first == std::string_view::npos) return Comma::kNone;
  const bool single = number.find(',', first + 1) == std::string_view::npos;
  const std::string_view behind = number.substr(first + 1);
  const bool fraction_too = behind.find('.') != std::string_view::npos;
  if (!single || fraction_too) return Comma::kNone;  // 1,234,567 and 1,234.5
  const std::size_t start = number[0] == '-' || number[0] == '+' ? 1 : 0;
  const bool no_group = number[start] == '0' || first - start > 3 || behind.size() != 3;
  return no_group ? Comma::kDecimal : Comma::kAmbiguous;
}

double read_number(std::string_view number, Token& token) {
  const std::size_t sign = number[0] == '-' || number[0] == '+' ? 1 : 0;
  const std::size_t word = std::min(number.find_first_not_of('0', sign), number.size());
  if (word < number.size() && (number[word] | 0x20) != 'x' && (number[word] | 0x20) != 'e' &&
      is_alpha(number[word])) {
    const auto found = nonfinite_at_start(number.substr(word));
    const double value = found ? found->value : 0;
    return number[0] == '-' ? -value : value;
  }
  if (number.size() > 2 && (number[1] | 0x20) == 'x') return hex_value(number.substr(2));
  if (number.find_first_not_of("0123456789.+-eE") == std::string_view::npos)
    return number_value(number);
  token.comma = judge_comma(number);
  return number_value(without_grouping(number, token.comma));
}

}  // namespace

BarRange find_bar(std::string_view text) {
  for (std::size_t i = text.find_first_of("[|"); i != std::string_view::npos;
       i = text.find_first_of("[|", i + 1)) {
    const std::size_t end = bar_end(text, i);
    if (end == 0) continue;
    const std::string_view bar = text.substr(i, end - i);
    if (bar.find_first_of("0123456789") != std::string_view::npos) return {};
    const bool blank = text.substr(0, i).find(' ') != std::string_view::npos ||
                       text.find(' ', end) != std::string_view::npos;
    return blank ? BarRange{i, end} : BarRange{};
  }
  return {};
}

void find_tokens(std::string_view text, std::vector<Token>& out) {
  out.clear();
  Tokenizer(text, out).run();
}

void read_value(std::string_view text, Token& token) {
  const std::string_view number = text.substr(token.begin, token.end - token.begin);
  token.comma = Comma::kNone;
  token.value = 0;
  switch (token.kind) {
    case TokenKind::kNumber:
      token.value = read_number(number, token);
      break;
    case TokenKind::kDuration: {
      const std::size_t sign = number[0] == '-' || number[0] == '+' ? 1 : 0;
      if (const auto duration = duration_at(number.substr(sign)))
        token.value = number[0] == '-' ? -duration->seconds : duration->seconds;
      break;
    }
    case TokenKind::kStamp: {
      const std::size_t digits = std::min(number.find('.'), number.size());
      token.value = number_value(number) / std::pow(10.0, static_cast<double>(digits) - 10.0);
      break;
    }
    case TokenKind::kMissing:
    case TokenKind::kInert:
      break;
  }
}

std::vector<std::string> template_pieces(std::string_view text, const std::vector<Token>& tokens) {
  std::vector<std::string> pieces(1);
  std::size_t from = 0;
  for (const Token& token : tokens) {
    append_normal(pieces.back(), text, from, token.begin);
    from = token.end;
    if (token.is_slot()) {
      trim_right(pieces.back());
      pieces.emplace_back();
    } else if (pieces.back().empty() || pieces.back().back() != '~') {
      pieces.back() += '~';
    }
  }
  append_normal(pieces.back(), text, from, text.size());
  trim_right(pieces.back());
  return pieces;
}

}  // namespace tfpm
