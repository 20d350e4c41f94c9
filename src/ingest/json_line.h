// Walks the top level of one JSON object on one line, without building anything.
//
// Lenient where logs are: Python's bare NaN, Infinity and -Infinity are values (log-formats.md
// section 1). Nested values are skipped as a whole; walk them with a reader of their own.
#pragma once

#include <cstddef>
#include <string_view>

namespace tfpm {

enum class JsonType { kString, kNumber, kWord, kObject, kArray };

struct JsonField {
  std::string_view key;    // inside of the quotes, escapes kept
  std::string_view value;  // strings: inside of the quotes, escapes kept; others: as written
  JsonType type = JsonType::kWord;
};

class JsonLine {
 public:
  // `text` should begin with '{' (blanks before it are fine).
  explicit JsonLine(std::string_view text);
  // False at the end of the object and at the first byte that is no JSON.
  bool next(JsonField& field);
  // True once the closing brace was reached with nothing but blanks behind it.
  bool complete() const { return complete_; }

 private:
  void skip_blanks();
  bool read_string(std::string_view& inside);
  bool read_value(JsonField& field);
  bool read_nested(JsonField& field);
  void close();

  std::string_view text_;
  std::size_t pos_ = 0;
  bool first_ = true;
  bool complete_ = false;
  bool done_ = false;
};

// The field `key` of an object; type kWord and empty value when it has none.
JsonField find_json_field(std::string_view object, std::string_view key);

}  // namespace tfpm
