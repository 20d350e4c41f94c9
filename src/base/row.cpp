#include "base/row.h"

#include <fmt/format.h>

namespace tfpm {
namespace {

std::string quoted(std::string_view s) {
  std::string out = "\"";
  for (const char c : s) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (u < 0x20 || u == 0x7f) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(u));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

struct ValueText {
  std::string operator()(std::monostate) const { return "NULL"; }
  std::string operator()(std::int64_t v) const { return fmt::format("{}", v); }
  std::string operator()(double v) const { return fmt::format("{}", v); }
  std::string operator()(const std::string& v) const { return quoted(v); }
  std::string operator()(const RowRef& v) const { return fmt::format("@{}#{}", v.table, v.index); }
};

}  // namespace

std::string to_text(const Row& row) {
  std::string out(row.table);
  for (const Field& f : row.fields) {
    out += fmt::format("  {}={}", f.column, std::visit(ValueText{}, f.value));
  }
  return out;
}

}  // namespace tfpm
