#include "base/slot_names.h"

#include <string_view>

#include "base/ascii.h"

namespace tfpm {
namespace {

struct Word {
  std::string_view text;
  std::size_t begin = 0;  // in the piece
};

bool is_segment_end(char c) {
  return c == ',' || c == ';' || c == '|' || c == ')' || c == ']' || c == '}';
}

// Letters of any script: bytes of multi-byte characters count.
bool is_letter(char c) {
  return is_alpha(c) || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

// Characters of a key; joints count only between two others: "examples/sec", "warm-up", "np.float".
bool is_key_char(char c) {
  return is_letter(c) || is_digit(c) || c == '_';
}
bool is_joint(char c) {
  return c == '/' || c == '-' || c == '.';
}

std::vector<Word> split_words(std::string_view text) {
  std::vector<Word> words;
  std::size_t i = 0;
  while (i < text.size()) {
    if (!is_key_char(text[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    bool letters = false;
    while (end < text.size()) {
      const bool joins =
          is_joint(text[end]) && end > i && end + 1 < text.size() && is_key_char(text[end + 1]);
      if (!is_key_char(text[end]) && !joins) break;
      letters = letters || is_letter(text[end]);
      ++end;
    }
    if (letters) words.push_back({text.substr(i, end - i), i});
    i = end;
  }
  return words;
}

bool is_filler(std::string_view word) {
  const std::uint32_t classes = word_classes(word);
  constexpr std::uint32_t kMeant = kWordStep | kWordLoss | kWordEpoch | kWordSamples | kWordTokens;
  if ((classes & kWordFiller) != 0) return (classes & kMeant) == 0;
  // np.float32, tf.Tensor: wrappers that printing a value leaves behind.
  return word.starts_with("np.") || word.starts_with("tf.") || word.starts_with("jnp.") ||
         word.starts_with("numpy.");
}

std::string_view last_segment(std::string_view piece) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < piece.size(); ++i)
    if (is_segment_end(piece[i])) begin = i + 1;
  return piece.substr(begin);
}

std::string_view first_segment(std::string_view piece) {
  for (std::size_t i = 0; i < piece.size(); ++i)
    if (is_segment_end(piece[i])) return piece.substr(0, i);
  return piece;
}

// A name of several words: "val loss", "step time", "samples seen", "seconds per step".
std::string join_words(const std::vector<Word>& words, std::size_t base) {
  std::string key(words[base].text);
  std::uint32_t classes = word_classes(words[base].text);
  for (std::size_t i = base; i-- > 0;) {
    const std::uint32_t before = word_classes(words[i].text);
    const bool count_only =
        classes != 0 && (classes & ~(kWordCount | kWordFiller | kWordDone)) == 0;
    const bool modifies = (classes & kWordLoss) && (before & (kWordNotLoss | kWordAux));
    const bool step_time = (classes & kWordTime) && !(classes & kWordWait) && (before & kWordStep);
    const bool ratio = words[i].text == "per" || (i + 1 <= base && words[i + 1].text == "per");
    if (!count_only && !modifies && !step_time && !ratio) break;
    key.insert(0, " ").insert(0, words[i].text);
    classes |= before;
  }
  return key;
}

// The nearest word before slot i: its place in piece i, or npos.
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// Nothing but a blank or a letter of a script without blanks stands between the last word and the
// number.
bool is_sentence(std::string_view piece) {
  const std::size_t last = piece.find_last_not_of(' ');
  return last != std::string_view::npos && is_letter(piece[last]);
}

struct Before {
  std::string key;
  std::size_t begin = kNone;  // in the piece
};

Before word_before(std::string_view piece) {
  // An ordinal's mark: the word it belongs to stands behind the number.
  if (piece.ends_with("\u7b2c")) return {};
  const std::string_view segment = last_segment(piece);
  const std::vector<Word> words = split_words(segment);
  std::size_t named = words.size();
  for (std::size_t i = words.size(); i-- > 0;) {
    if (is_filler(words[i].text)) continue;
    if (named == words.size()) named = i;
    // `the loss amounts to 0.51`: in a sentence the verb is no name.
    if (word_classes(words[i].text) == 0 && is_sentence(piece)) continue;
    const bool meant = (word_classes(words[i].text) & (kWordStep | kWordLoss)) != 0;
    if (meant) named = i;
    break;
  }
  if (named == words.size()) return {};
  return {join_words(words, named), piece.size() - segment.size() + words[named].begin};
}

// A wrapper such as `<tf.Variable 'v' shape=(), numpy=` hides the key in an earlier segment.
Before word_before_wrapper(std::string_view piece) {
  if (piece.find("numpy=") == std::string_view::npos) return {};
  const std::size_t open = piece.find('<');
  return open == std::string_view::npos ? Before{} : word_before(piece.substr(0, open));
}

std::string word_after(std::string_view piece, std::size_t next_key) {
  for (const Word& word : split_words(first_segment(piece))) {
    if (is_filler(word.text)) continue;
    return word.begin == next_key ? std::string() : std::string(word.text);
  }
  return {};
}

// A unit that stands directly behind the number: "ms/step", "MB", "sec".
std::string unit_behind(std::string_view piece, std::size_t next_key) {
  const std::vector<Word> words = split_words(first_segment(piece));
  if (words.empty() || words[0].begin > 1 || words[0].begin == next_key) return {};
  std::string unit(words[0].text);
  if (words[0].begin == 1) {
    if (piece[0] != '/') return {};
    return "/" + unit;
  }
  if (words.size() >= 3 && words[1].text == "per") unit += " per " + std::string(words[2].text);
  return unit;
}

bool claims(Quantity quantity) {
  return quantity == Quantity::kTime || quantity == Quantity::kStepTime ||
         quantity == Quantity::kRate || quantity == Quantity::kOther;
}

KeyMeaning judge_with_unit(const std::string& key, const std::string& unit) {
  KeyMeaning meaning = judge_key(key);
  if (unit.empty()) return meaning;
  // 118ms/step: the duration took its own unit along, the word behind the slash says of what.
  const KeyMeaning behind = unit[0] == '/' ? judge_key("time" + unit) : judge_key(unit);
  if (!claims(behind.quantity)) return meaning;
  if (unit[0] == '/' && behind.quantity != Quantity::kStepTime) return meaning;
  if (meaning.quantity == Quantity::kUnknown || meaning.quantity == Quantity::kTime) {
    if (meaning.quantity != Quantity::kTime || behind.quantity == Quantity::kStepTime)
      meaning.quantity = behind.quantity;
  }
  if (meaning.unit_seconds == 0) meaning.unit_seconds = behind.unit_seconds;
  return meaning;
}

// `s 12`: a unit stands behind its number; before a whole one the letter is short for something.
bool is_lone_unit(std::string_view key) {
  return key == "s" || key == "S";
}

std::vector<SlotName> read_forward(const std::vector<std::string>& pieces,
                                   const std::vector<SlotFacts>& facts) {
  std::vector<SlotName> names(facts.size());
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const bool last = i + 1 == facts.size();
    const std::size_t next_key = last ? kNone : word_before(pieces[i + 1]).begin;
    Before before = word_before_wrapper(pieces[i]);
    if (before.key.empty()) before = word_before(pieces[i]);
    const std::string unit = unit_behind(pieces[i + 1], next_key);
    names[i].key = before.key;
    names[i].meaning = judge_with_unit(before.key, unit);
    if (is_lone_unit(before.key) && facts[i].integral) names[i].meaning = {};
    if (!before.key.empty() || claims(names[i].meaning.quantity)) continue;
    names[i].key = word_after(pieces[i + 1], next_key);
    names[i].meaning = judge_key(names[i].key);
  }
  // `iter 100-200`: the line is written when the range is through, so its end has the name.
  for (std::size_t i = 0; i + 1 < facts.size(); ++i) {
    if (!facts[i].opens_range) continue;
    if (names[i + 1].key.empty()) names[i + 1] = names[i];
    names[i] = {"from " + names[i].key, {}};
    names[i].meaning.quantity = Quantity::kOther;
  }
  // `12/40 batches`: a count and its total have one name.
  for (std::size_t i = 0; i + 1 < facts.size(); ++i)
    if (names[i].key.empty() && pieces[i + 1] == "/") names[i] = names[i + 1];
  return names;
}

std::vector<SlotName> read_backward(const std::vector<std::string>& pieces,
                                    const std::vector<SlotFacts>& facts) {
  std::vector<SlotName> names(facts.size());
  for (std::size_t i = 0; i < facts.size(); ++i) {
    names[i].key = word_after(pieces[i + 1], kNone);
    names[i].meaning = judge_key(names[i].key);
  }
  return names;
}

// `key=` and `key:` leave no doubt whose name the word is.
bool is_bound(std::string_view piece) {
  const std::size_t last = piece.find_last_not_of(' ');
  return last != std::string_view::npos && last > 0 && (piece[last] == '=' || piece[last] == ':');
}

// Counts that are fractional and losses that are whole: how often a reading contradicts the values.
// Names that the line binds itself are not in question (`ppl=12` is a rounded perplexity).
int contradictions(const std::vector<SlotName>& names, const std::vector<SlotFacts>& facts,
                   const std::vector<std::string>& pieces) {
  int count = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (is_bound(pieces[i])) continue;
    const Quantity q = names[i].meaning.quantity;
    const bool counts = q == Quantity::kStep || q == Quantity::kSamples || q == Quantity::kTokens;
    if (counts && !facts[i].integral) ++count;
    if (q == Quantity::kLoss && facts[i].integral && facts[i].varies) ++count;
  }
  return count;
}

}  // namespace

std::vector<SlotName> name_slots(const std::vector<std::string>& pieces,
                                 const std::vector<SlotFacts>& facts) {
  std::vector<SlotName> names = read_forward(pieces, facts);
  const int forward = contradictions(names, facts, pieces);
  if (forward > 0) {
    std::vector<SlotName> backward = read_backward(pieces, facts);
    if (contradictions(backward, facts, pieces) < forward) names = std::move(backward);
  }
  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (facts[i].head.empty()) continue;
    names[i].key = facts[i].head;
    names[i].meaning = judge_key(facts[i].head);
  }
  return names;
}

}  // namespace tfpm
