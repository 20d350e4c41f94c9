// Document -> GitHub flavoured Markdown. No text may become markup, whatever it holds.
#include <algorithm>

#include "report/document.h"
#include "report/text.h"

namespace tfpm::report {
namespace {

enum class Context { kBlock, kTable };

bool is_alnum(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool alnum_at(const std::string& text, std::size_t i) {
  return i < text.size() && is_alnum(text[i]);
}

// Inside a word an underscore means nothing; elsewhere it may begin emphasis.
bool is_harmless_underscore(const std::string& text, std::size_t i) {
  return i > 0 && is_alnum(text[i - 1]) && alnum_at(text, i + 1);
}

// "://" and "www." become links by themselves.
bool begins_link(const std::string& text, std::size_t i) {
  return (text[i] == ':' && text.compare(i, 3, "://") == 0) ||
         (text[i] == '.' && i >= 3 && (text.compare(i - 3, 3, "www") == 0));
}

std::string escape_text(const std::string& raw) {
  const std::string text = visible(raw);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '<') {
      out += "&lt;";
      continue;
    }
    if (c == '&' && (alnum_at(text, i + 1) || (i + 1 < text.size() && text[i + 1] == '#'))) {
      out += "&amp;";
      continue;
    }
    const bool special = c == '\\' || c == '`' || c == '*' || c == '[' || c == '|' || c == '~' ||
                         c == '$' || c == '@' || (c == '_' && !is_harmless_underscore(text, i)) ||
                         begins_link(text, i);
    if (special) out += '\\';
    out += c;
  }
  return out;
}

// The first character of a block may make it a list, a quote, a heading or a rule.
std::string guard_start(std::string text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  text.erase(0, first);
  const char c = text.front();
  if (c == '#' || c == '-' || c == '+' || c == '=' || c == '>' || c == ':') return "\\" + text;
  const std::size_t digits = text.find_first_not_of("0123456789");
  if (digits != 0 && digits != std::string::npos && (text[digits] == '.' || text[digits] == ')'))
    text.insert(digits, "\\");
  return text;
}

std::size_t longest_run(const std::string& text, char wanted) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == wanted ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

std::string code_span(const std::string& raw, Context context) {
  std::string text = visible(raw);
  if (text.find_first_not_of(' ') == std::string::npos) return {};
  const bool padded = text.front() == '`' || text.back() == '`' || text.front() == ' ';
  if (context == Context::kTable) {
    // In a table a pipe ends the cell even inside code.
    std::string escaped;
    for (const char c : text) escaped += c == '|' ? "\\|" : std::string(1, c);
    text = escaped;
  }
  const std::string fence(longest_run(text, '`') + 1, '`');
  return padded ? fence + " " + text + " " + fence : fence + text + fence;
}

// `**` needs a character that is no space on its inner sides; spaces move outside.
std::string strong_text(const std::string& raw) {
  const std::string text = escape_text(raw);
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return text;
  const std::size_t end = text.find_last_not_of(' ') + 1;
  return text.substr(0, first) + "**" + text.substr(first, end - first) + "**" + text.substr(end);
}

std::string inline_text(const Inline& spans, Context context) {
  std::string out;
  for (const Span& span : spans) {
    switch (span.style) {
      case Style::kPlain:
        out += escape_text(span.text);
        break;
      case Style::kStrong:
        out += strong_text(span.text);
        break;
      case Style::kCode:
        out += code_span(span.text, context);
        break;
    }
  }
  return context == Context::kBlock ? guard_start(out) : out;
}

std::string html_text(const std::string& raw) {
  std::string out;
  for (const char c : visible(raw)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

struct MarkdownWriter {
  std::string out;

  void operator()(const Heading& heading) {
    out += std::string(static_cast<std::size_t>(heading.level), '#') + " " +
           inline_text(heading.text, Context::kBlock) + "\n\n";
  }
  void operator()(const Paragraph& paragraph) {
    out += inline_text(paragraph.text, Context::kBlock) + "\n\n";
  }
  void operator()(const Table& table) {
    out += "|";
    for (const std::string& cell : table.header)
      out += (cell.empty() ? "" : " " + escape_text(cell)) + " |";
    out += "\n|";
    for (std::size_t i = 0; i < table.header.size(); ++i) out += "---|";
    out += "\n";
    for (const auto& row : table.rows) {
      out += "|";
      for (const Inline& cell : row) out += " " + inline_text(cell, Context::kTable) + " |";
      out += "\n";
    }
    out += "\n";
  }
  void operator()(const List& list) {
    std::size_t n = 0;
    for (const Inline& item : list.items) {
      out += list.ordered ? std::to_string(++n) + ". " : "- ";
      out += inline_text(item, Context::kBlock) + "\n";
    }
    out += "\n";
  }
  void operator()(const CodeBlock& block) {
    const std::string text = visible(block.text, Lines::kKeep);
    const std::string fence(std::max<std::size_t>(3, longest_run(text, '`') + 1), '`');
    out += fence + block.language + "\n" + text;
    if (text.empty() || text.back() != '\n') out += "\n";
    out += fence + "\n\n";
  }
  void operator()(const Details& details) {
    out += "<details><summary>" + html_text(details.summary) + "</summary>\n\n";
    (*this)(details.code);
    out += "</details>\n\n";
  }
};

}  // namespace

std::string to_markdown(const Document& document) {
  MarkdownWriter writer;
  for (const Block& block : document.blocks) std::visit(writer, block);
  while (writer.out.size() > 1 && writer.out.ends_with("\n\n")) writer.out.pop_back();
  return writer.out;
}

}  // namespace tfpm::report
