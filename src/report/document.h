// A report as a tree of blocks, built once and rendered as Markdown or HTML.
//
// Every text in it is plain: renderers escape it, so no text can become markup. Only the structure
// decides what is bold or code.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tfpm::report {

enum class Style { kPlain, kStrong, kCode };

struct Span {
  Style style = Style::kPlain;
  std::string text;
};
using Inline = std::vector<Span>;

struct Heading {
  int level = 1;  // 1..3
  Inline text;
};
struct Paragraph {
  Inline text;
};
struct Table {
  std::vector<std::string> header;  // may be all empty, as in a table of facts
  std::vector<std::vector<Inline>> rows;
};
struct List {
  bool ordered = false;
  std::vector<Inline> items;
};
struct CodeBlock {
  std::string text;  // lines separated by '\n'
  std::string language = "text";
};
// Text that opens on demand: a summary line and the code behind it.
struct Details {
  std::string summary;
  CodeBlock code;
};

using Block = std::variant<Heading, Paragraph, Table, List, CodeBlock, Details>;

struct Document {
  std::string title;
  std::vector<Block> blocks;

  template <typename B>
  void add(B block) {
    blocks.emplace_back(std::move(block));
  }
};

inline Span plain(std::string text) {
  return {Style::kPlain, std::move(text)};
}
inline Span strong(std::string text) {
  return {Style::kStrong, std::move(text)};
}
inline Span code(std::string text) {
  return {Style::kCode, std::move(text)};
}
// Text in which pairs of backticks mark code, as rules write it; a lone backtick stays one.
Inline prose(const std::string& text);

// The two forms. Both end with a newline.
std::string to_markdown(const Document& document);
std::string to_html(const Document& document);

}  // namespace tfpm::report
