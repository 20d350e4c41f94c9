#include "parsers/detail/object_split.h"

#include "parsers/detail/text.h"

namespace tfpm {
namespace {

constexpr std::size_t kMaxKey = 8;  // as much as tells "items" from others

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// A byte of a byte order mark.
bool is_mark(char c) {
  return c == '\xef' || c == '\xbb' || c == '\xbf';
}

// Where a line's text begins: behind a byte order mark.
std::uint64_t text_offset(const TextLine& line) {
  constexpr std::uint64_t kByteOrderMark = 3;
  return line.offset + (line.marked ? kByteOrderMark : 0);
}

}  // namespace

void PieceBuffer::begin(std::uint64_t line, std::uint64_t byte_offset, std::uint64_t line_offset) {
  text_.clear();
  place_ = {{}, line, byte_offset, line_offset};
  open_ = true;
  over_ = false;
}

void PieceBuffer::append(std::string_view text) {
  if (!open_ || over_) return;
  if (text_.size() + text.size() > kMaxObject) {
    over_ = true;
  } else {
    text_.append(text);
  }
}

void PieceBuffer::finish(const VisitPiece& visit) {
  if (!open_) return;
  open_ = false;
  if (over_) {
    ++skipped_;
  } else {
    place_.text = text_;
    visit(place_);
  }
}

void JsonSplitter::add(const TextLine& line) {
  add_part(line);
  if (line.carriage) piece_.append("\r");
  piece_.append("\n");
}

void JsonSplitter::add_part(const TextLine& line) {
  std::size_t copied = 0;
  const auto copy_to = [&](std::size_t end) {
    piece_.append(line.text.substr(copied, end - copied));
    copied = end;
  };
  for (std::size_t i = 0; i < line.text.size(); ++i) {
    const char c = line.text[i];
    if (in_string_) {
      if (escaped_) {
        escaped_ = false;
      } else if (c == '\\') {
        escaped_ = true;
      } else if (c == '"') {
        in_string_ = false;
      } else if (depth_ == 1 && key_.size() < kMaxKey) {
        key_ += c;
      }
      continue;
    }
    const bool opens = c == '{' || c == '[';
    const bool closes = c == '}' || c == ']';
    if (opens) copy_to(i);
    if (closes) copy_to(i + 1);
    add_structure(c, line, i);
  }
  copy_to(line.text.size());
}

void JsonSplitter::add_structure(char c, const TextLine& line, std::size_t at) {
  if (c == '"') {
    in_string_ = true;
    if (depth_ == 1) key_.clear();
  } else if (c == '{' || c == '[') {
    open(c, line, at);
  } else if (c == '}' || c == ']') {
    close();
  } else if (depth_ == 0 && !is_space(c) && !is_mark(c)) {
    broken_ = true;
  }
}

void JsonSplitter::open(char c, const TextLine& line, std::size_t at) {
  ++depth_;
  const bool outer_list = depth_ == 1 && c == '[';
  const bool items = depth_ == 2 && c == '[' && elements_ == 0 && key_ == "items";
  if (outer_list || items) {
    elements_ = depth_;
    piece_.drop();
  } else if (depth_ == elements_ + 1 && (elements_ > 0 || c == '{')) {
    piece_.begin(line.number, text_offset(line) + at, line.offset);
  }
}

void JsonSplitter::close() {
  if (depth_ == 0) {
    broken_ = true;
    return;
  }
  --depth_;
  if (depth_ == elements_) piece_.finish(visit_);
  if (depth_ < elements_) elements_ = -1;
  if (depth_ == 0) elements_ = 0;
}

void YamlSplitter::add(const TextLine& line) {
  std::string_view row = line.text;
  const std::size_t indent = row.find_first_not_of(' ');
  const bool blank = indent == std::string_view::npos || row[indent] == '#';
  if (row.starts_with("---")) {
    piece_.finish(visit_);
    in_items_ = indent_known_ = behind_items_ = false;
    return;
  }
  if (indent == 0 && trim(row) == "items:") {
    piece_.drop();
    in_items_ = true;
    return;
  }
  if (in_items_ && !blank) {
    const bool dash = row[indent] == '-' && (row.size() == indent + 1 || row[indent + 1] == ' ');
    if (dash && !indent_known_) {
      indent_ = indent;
      indent_known_ = true;
    }
    if (dash && indent == indent_) {
      piece_.finish(visit_);
      piece_.begin(line.number, text_offset(line), line.offset);
    } else if (indent == 0) {
      // What describes the list stands behind it.
      piece_.finish(visit_);
      in_items_ = false;
      behind_items_ = true;
    }
  }
  if (!piece_.open() && !in_items_ && !behind_items_ && !blank) {
    piece_.begin(line.number, text_offset(line), line.offset);
  }
  piece_.append(row);
  piece_.append(line.carriage ? "\r\n" : "\n");
}

}  // namespace tfpm
