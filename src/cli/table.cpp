#include "cli/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/text.h"
#include "cli/terminal.h"

namespace tfpm::cli {
namespace {

constexpr std::size_t kFlushBytes = std::size_t{64} << 10;

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

// DEL or a C1 control, two bytes of UTF-8, at text[i].
bool is_late_control(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  return byte(i) == 0x7f || (byte(i) == 0xc2 && i + 1 < text.size() && byte(i + 1) < 0xa0);
}

// Control characters as \xNN, but for the three that a quoted csv field may hold.
std::string csv_text(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool early = static_cast<unsigned char>(c) < 0x20;
    if (is_late_control(text, i)) {
      i += c == '\x7f' ? 0 : 1;
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
    } else if (early && c != '\t' && c != '\n' && c != '\r') {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}

// RFC 4180: quoted when needed, quotes doubled. Line ends are \n, as tools on Linux expect.
std::string csv_field(std::string_view raw) {
  const std::string text = csv_text(raw);
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

// Names that a JSON object can hold side by side.
std::vector<std::string> distinct(const std::vector<std::string>& columns) {
  std::vector<std::string> out;
  const std::set<std::string> given(columns.begin(), columns.end());
  std::set<std::string> seen;
  for (const std::string& column : columns) {
    std::string name = column;
    for (int n = 2; seen.count(name) > 0 || (n > 2 && given.count(name) > 0); ++n) {
      name = column + "_" + std::to_string(n);
    }
    seen.insert(name);
    out.push_back(std::move(name));
  }
  return out;
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

TableWriter::TableWriter(TableFormat format, std::vector<std::string> columns, Output output)
    : format_(format),
      columns_(format == TableFormat::kJson ? distinct(columns) : std::move(columns)),
      output_(std::move(output)) {
  if (format_ != TableFormat::kTable) write_heading();
}

void TableWriter::write_heading() {
  const std::size_t count = columns_.size();
  if (format_ == TableFormat::kCsv) {
    for (std::size_t i = 0; i < count; ++i) pending_ += (i > 0 ? "," : "") + csv_field(columns_[i]);
    pending_ += '\n';
  } else if (format_ == TableFormat::kJson) {
    pending_ += '[';
  } else if (format_ == TableFormat::kMarkdown) {
    pending_ += '|';
    for (const std::string& name : columns_)
      pending_ += " " + markdown_cell(printable(name)) + " |";
    pending_ += "\n|";
    for (std::size_t i = 0; i < count; ++i) pending_ += "---|";
    pending_ += '\n';
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      pending_ += (i == 0 ? "" : "  ") + padded(printable(columns_[i]), widths_[i], numbers_[i]);
    }
    end_line(pending_);
    for (std::size_t i = 0; i < count; ++i) {
      pending_ += (i == 0 ? "" : "  ") + std::string(widths_[i], '-');
    }
    end_line(pending_);
  }
}

void TableWriter::measure() {
  measured_ = true;
  numbers_.assign(columns_.size(), true);
  for (const std::string& column : columns_) widths_.push_back(display_width(printable(column)));
  for (const auto& row : first_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths_[i] = std::max(widths_[i], display_width(one_line(row[i])));
      const bool null = std::holds_alternative<std::monostate>(row[i]);
      if (!null && !is_number(row[i])) numbers_[i] = false;
    }
  }
  write_heading();
  for (const auto& row : first_) aligned_row(row);
  first_.clear();
}

void TableWriter::aligned_row(const std::vector<Value>& row) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    pending_ += (i == 0 ? "" : "  ") + padded(one_line(row[i]), widths_[i], numbers_[i]);
  }
  end_line(pending_);
}

void TableWriter::csv_row(const std::vector<Value>& row) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    pending_ += (i > 0 ? "," : "") + csv_field(plain(row[i], ""));
  }
  pending_ += '\n';
}

void TableWriter::json_row(const std::vector<Value>& row) {
  auto object = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < row.size(); ++i) {
    auto& slot = object[columns_[i]];
    if (const auto* number = std::get_if<std::int64_t>(&row[i])) slot = *number;
    if (const auto* real = std::get_if<double>(&row[i])) slot = *real;
    if (const auto* text = std::get_if<std::string>(&row[i])) slot = *text;
  }
  pending_ += any_row_ ? ",\n " : "\n ";
  // Line ends inside of texts are escaped: those of the dump are its own. JSON lets DEL and C1
  // pass.
  const std::string dump =
      object.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  for (std::size_t i = 0; i < dump.size(); ++i) {
    if (is_late_control(dump, i)) {
      i += dump[i] == '\x7f' ? 0 : 1;
      pending_ += fmt::format("\\u00{:02x}", static_cast<unsigned char>(dump[i]));
      continue;
    }
    pending_ += dump[i];
    if (dump[i] == '\n') pending_ += ' ';
  }
}

void TableWriter::markdown_row(const std::vector<Value>& row) {
  pending_ += '|';
  for (const Value& value : row) pending_ += " " + markdown_cell(one_line(value)) + " |";
  pending_ += '\n';
}

Status TableWriter::add(std::vector<Value> row) {
  if (format_ == TableFormat::kTable) {
    if (measured_) {
      aligned_row(row);
    } else {
      first_.push_back(std::move(row));
      if (first_.size() == kMeasuredRows) measure();
    }
  } else if (format_ == TableFormat::kCsv) {
    csv_row(row);
  } else if (format_ == TableFormat::kJson) {
    json_row(row);
  } else {
    markdown_row(row);
  }
  any_row_ = true;
  return flush(kFlushBytes);
}

Status TableWriter::finish() {
  if (format_ == TableFormat::kTable && !measured_) measure();
  if (format_ == TableFormat::kJson) pending_ += any_row_ ? "\n]\n" : "]\n";
  return flush(1);
}

Status TableWriter::flush(std::size_t at_least) {
  if (pending_.size() < at_least) return ok_status();
  const Status written = output_(pending_);
  pending_.clear();
  return written;
}

std::string to_text(const Table& table, TableFormat format) {
  std::string out;
  TableWriter writer(format, table.columns, [&out](std::string_view text) {
    out += text;
    return ok_status();
  });
  // Writing to a string cannot fail.
  for (const auto& row : table.rows) (void)writer.add(row);
  (void)writer.finish();
  return out;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t size = utf8_size(text, i);
    const std::uint32_t c = size == 0 ? 0 : utf8_code(text.substr(i, size));
    width += is_combining(c) ? 0 : is_wide(c) ? 2 : 1;
    i += std::max<std::size_t>(size, 1);
  }
  return width;
}

}  // namespace tfpm::cli
