// Document -> one HTML file that needs nothing beside it: no script, no font, no network.
#include "report/document.h"
#include "report/text.h"

namespace tfpm::report {
namespace {

constexpr std::string_view kCss =
    ":root{color-scheme:light dark}"
    "body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}"
    "h1{font-size:1.5rem;line-height:1.3}h2{font-size:1.15rem;margin-top:2rem}"
    "table{border-collapse:collapse;margin:.5rem 0;display:block;overflow-x:auto}"
    "th,td{border:1px solid #8886;padding:.3rem .6rem;text-align:left;vertical-align:top}"
    "th{background:#8882}code,pre{font:13px/1.45 ui-monospace,monospace}"
    "code{background:#8882;padding:.1em .3em;border-radius:3px;overflow-wrap:anywhere}"
    "pre{background:#8882;padding:.7rem;border-radius:5px;overflow-x:auto}"
    "details{margin:.3rem 0}summary{cursor:pointer;font-family:ui-monospace,monospace;"
    "font-size:13px}";

std::string escape(const std::string& raw, Lines lines = Lines::kJoin) {
  std::string out;
  for (const char c : visible(raw, lines)) {
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
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string element(const std::string& tag, const std::string& inner) {
  return "<" + tag + ">" + inner + "</" + tag + ">";
}

std::string inline_html(const Inline& spans) {
  std::string out;
  for (const Span& span : spans) {
    const std::string text = escape(span.text);
    switch (span.style) {
      case Style::kPlain:
        out += text;
        break;
      case Style::kStrong:
        out += element("strong", text);
        break;
      case Style::kCode:
        out += element("code", text);
        break;
    }
  }
  return out;
}

struct HtmlWriter {
  std::string out;

  void operator()(const Heading& heading) {
    out += element("h" + std::to_string(heading.level), inline_html(heading.text)) + "\n";
  }
  void operator()(const Paragraph& paragraph) {
    out += element("p", inline_html(paragraph.text)) + "\n";
  }
  void operator()(const Table& table) {
    bool named = false;
    std::string head;
    for (const std::string& cell : table.header) {
      named = named || !cell.empty();
      head += element("th", escape(cell));
    }
    out += "<table>\n";
    if (named) out += element("thead", element("tr", head)) + "\n";
    out += "<tbody>\n";
    for (const auto& row : table.rows) {
      std::string cells;
      for (const Inline& cell : row) cells += element("td", inline_html(cell));
      out += element("tr", cells) + "\n";
    }
    out += "</tbody></table>\n";
  }
  void operator()(const List& list) {
    std::string items;
    for (const Inline& item : list.items) items += element("li", inline_html(item)) + "\n";
    out += element(list.ordered ? "ol" : "ul", "\n" + items) + "\n";
  }
  void operator()(const CodeBlock& block) {
    out += element("pre", escape(block.text, Lines::kKeep)) + "\n";
  }
  void operator()(const Details& details) {
    out += "<details>" + element("summary", escape(details.summary)) + "\n";
    (*this)(details.code);
    out += "</details>\n";
  }
};

}  // namespace

std::string to_html(const Document& document) {
  HtmlWriter writer;
  writer.out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">\n";
  writer.out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  writer.out += element("title", escape(document.title)) + "\n";
  writer.out += element("style", std::string(kCss)) + "</head>\n<body>\n";
  for (const Block& block : document.blocks) std::visit(writer, block);
  return writer.out + "</body>\n</html>\n";
}

}  // namespace tfpm::report
