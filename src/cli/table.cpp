#include "cli/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/terminal.h"

namespace tfpm::cli {
namespace {

// A value for people and for csv; `null_text` for NULL.
std::string plain(const Value& value, std::string_view null_text) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return std::string(null_text);
}

bool is_number(const Value& value) {
  return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
}

// One line, whatever the value holds.
std::string one_line(const Value& value) {
  return printable(plain(value, "NULL"));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::size_t have = display_width(text);
  const std::string fill(width > have ? width - have : 0, ' ');
  return right ? fill + text : text + fill;
}

void end_line(std::string& out) {
  while (!out.empty() && out.back() == ' ') out.pop_back();
  out += '\n';
}

std::string aligned(const Table& table) {
  std::vector<std::size_t> widths;
  std::vector<bool> numbers(table.columns.size(), true);
  for (const std::string& column : table.columns) widths.push_back(display_width(column));
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(one_line(row[i])));
      const bool null = std::holds_alternative<std::monostate>(row[i]);
      if (!null && !is_number(row[i])) numbers[i] = false;
    }
  }
  std::string out;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    out += (i == 0 ? "" : "  ") + padded(printable(table.columns[i]), widths[i], numbers[i]);
  }
  end_line(out);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    out += (i == 0 ? "" : "  ") + std::string(widths[i], '-');
  }
  end_line(out);
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      out += (i == 0 ? "" : "  ") + padded(one_line(row[i]), widths[i], numbers[i]);
    }
    end_line(out);
  }
  return out;
}

// RFC 4180: quoted when needed, quotes doubled. Line ends are \n, as tools on Linux expect.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string csv(const Table& table) {
  std::string out;
  const auto add = [&out](std::size_t i, const std::string& text) {
    if (i > 0) out += ',';
    out += csv_field(text);
  };
  for (std::size_t i = 0; i < table.columns.size(); ++i) add(i, table.columns[i]);
  out += '\n';
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) add(i, plain(row[i], ""));
    out += '\n';
  }
  return out;
}

std::string json(const Table& table) {
  auto out = nlohmann::ordered_json::array();
  for (const auto& row : table.rows) {
    auto object = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < row.size(); ++i) {
      auto& slot = object[table.columns[i]];
      if (const auto* number = std::get_if<std::int64_t>(&row[i])) slot = *number;
      if (const auto* real = std::get_if<double>(&row[i])) slot = *real;
      if (const auto* text = std::get_if<std::string>(&row[i])) slot = *text;
    }
    out.push_back(std::move(object));
  }
  return out.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

// Text of a bundle must not end a cell, start markup or open a tag.
std::string markdown_cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
      continue;
    }
    if (std::string_view("|\\`*_[]~").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string markdown(const Table& table) {
  std::string out = "|";
  for (const std::string& column : table.columns) {
    out += " " + markdown_cell(printable(column)) + " |";
  }
  out += "\n|";
  for (std::size_t i = 0; i < table.columns.size(); ++i) out += "---|";
  out += '\n';
  for (const auto& row : table.rows) {
    out += '|';
    for (const Value& value : row) out += " " + markdown_cell(one_line(value)) + " |";
    out += '\n';
  }
  return out;
}

// Blocks that East Asian terminals and emoji fonts draw two columns wide.
bool is_wide(std::uint32_t c) {
  return (c >= 0x1100 && c <= 0x115f) || (c >= 0x2e80 && c <= 0xa4cf) ||
         (c >= 0xac00 && c <= 0xd7a3) || (c >= 0xf900 && c <= 0xfaff) ||
         (c >= 0xfe30 && c <= 0xfe6f) || (c >= 0xff00 && c <= 0xff60) ||
         (c >= 0x1f300 && c <= 0x1faff) || (c >= 0x20000 && c <= 0x3fffd);
}

bool is_combining(std::uint32_t c) {
  return (c >= 0x300 && c <= 0x36f) || (c >= 0x200b && c <= 0x200f) || (c >= 0xfe00 && c <= 0xfe0f);
}

}  // namespace

std::optional<TableFormat> table_format(std::string_view name) {
  if (name == "table") return TableFormat::kTable;
  if (name == "csv") return TableFormat::kCsv;
  if (name == "json") return TableFormat::kJson;
  if (name == "md") return TableFormat::kMarkdown;
  return std::nullopt;
}

std::string to_text(const Table& table, TableFormat format) {
  switch (format) {
    case TableFormat::kTable:
      return aligned(table);
    case TableFormat::kCsv:
      return csv(table);
    case TableFormat::kJson:
      return json(table);
    case TableFormat::kMarkdown:
      return markdown(table);
  }
  return {};
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    std::uint32_t c = length == 1 ? first : first & (0xffU >> (length + 1));
    for (std::size_t k = 1; k < length && i + k < text.size(); ++k) {
      c = (c << 6) | (static_cast<unsigned char>(text[i + k]) & 0x3fU);
    }
    width += is_combining(c) ? 0 : is_wide(c) ? 2 : 1;
    i += length;
  }
  return width;
}

}  // namespace tfpm::cli
