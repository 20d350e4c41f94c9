#include "ingest/json_line.h"

#include "ingest/bytes.h"

namespace tfpm {
namespace {

constexpr int kMaxDepth = 64;  // deeper nesting is no log line

}  // namespace

JsonLine::JsonLine(std::string_view text) : text_(text) {
  skip_blanks();
  if (pos_ < text_.size() && text_[pos_] == '{') {
    ++pos_;
  } else {
    done_ = true;
  }
}

void JsonLine::skip_blanks() {
  while (pos_ < text_.size() && (is_blank(text_[pos_]) || text_[pos_] == '\r')) ++pos_;
}

// pos_ is at the opening quote; afterwards behind the closing one.
bool JsonLine::read_string(std::string_view& inside) {
  if (pos_ >= text_.size() || text_[pos_] != '"') return false;
  std::size_t end = pos_ + 1;
  while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
  if (end >= text_.size()) return false;
  inside = text_.substr(pos_ + 1, end - pos_ - 1);
  pos_ = end + 1;
  return true;
}

// pos_ is at '{' or '['; brackets are counted, not matched by kind.
bool JsonLine::read_nested(JsonField& field) {
  field.type = text_[pos_] == '{' ? JsonType::kObject : JsonType::kArray;
  const std::size_t begin = pos_;
  int depth = 0;
  while (pos_ < text_.size()) {
    const char c = text_[pos_];
    if (c == '"') {
      std::string_view ignored;
      if (!read_string(ignored)) return false;
      continue;
    }
    ++pos_;
    if (c == '{' || c == '[') {
      if (++depth > kMaxDepth) return false;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      field.value = text_.substr(begin, pos_ - begin);
      return true;
    }
  }
  return false;
}

bool JsonLine::read_value(JsonField& field) {
  if (pos_ >= text_.size()) return false;
  const char c = text_[pos_];
  if (c == '"') {
    field.type = JsonType::kString;
    return read_string(field.value);
  }
  if (c == '{' || c == '[') return read_nested(field);
  const std::size_t begin = pos_;
  while (pos_ < text_.size() &&
         (is_word(text_[pos_]) || text_[pos_] == '+' || text_[pos_] == '-' || text_[pos_] == '.')) {
    ++pos_;
  }
  field.value = text_.substr(begin, pos_ - begin);
  if (field.value.empty()) return false;
  const char sign = field.value[0];
  const char head = sign == '-' && field.value.size() > 1 ? field.value[1] : sign;
  const bool number = is_digit(head) || head == 'N' || head == 'I';  // NaN, Infinity
  field.type = number ? JsonType::kNumber : JsonType::kWord;
  return true;
}

void JsonLine::close() {
  ++pos_;
  skip_blanks();
  complete_ = pos_ == text_.size();
  done_ = true;
}

bool JsonLine::next(JsonField& field) {
  if (done_) return false;
  skip_blanks();
  const char c = pos_ < text_.size() ? text_[pos_] : '\0';
  if (c == '}') {
    close();
    return false;
  }
  done_ = true;  // until this field turns out to be whole
  if (!first_) {
    if (c != ',') return false;
    ++pos_;
    skip_blanks();
  }
  first_ = false;
  if (!read_string(field.key)) return false;
  skip_blanks();
  if (pos_ >= text_.size() || text_[pos_] != ':') return false;
  ++pos_;
  skip_blanks();
  if (!read_value(field)) return false;
  done_ = false;
  return true;
}

JsonField find_json_field(std::string_view object, std::string_view key) {
  JsonLine line(object);
  JsonField field;
  while (line.next(field)) {
    if (field.key == key) return field;
  }
  return {};
}

}  // namespace tfpm
