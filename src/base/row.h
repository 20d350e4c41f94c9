// Rows on their way to the store: what a parser emits, what the single writer inserts.
//
// Column and table names are those of schema/*.sql. A missing column is NULL: unknown values are
// left out, never written as "", 0 or -1. Rows of one source keep the order in which they were
// emitted; ids are given by the writer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tfpm {

// Points at a row emitted earlier for the same source: the n-th (from 0) row of `table`. The writer
// turns it into that row's id. `table` must outlive the row (a string literal).
struct RowRef {
  std::string_view table;
  std::int64_t index = 0;
};

using Value = std::variant<std::monostate, std::int64_t, double, std::string, RowRef>;

// Helpers that keep call sites short and free of narrowing.
inline Value null_value() {
  return std::monostate{};
}
inline Value int_value(std::uint64_t v) {
  return static_cast<std::int64_t>(v);
}
inline Value text_value(std::string_view v) {
  return std::string(v);
}

struct Field {
  std::string_view column;  // a string literal
  Value value;
};

struct Row {
  std::string_view table;  // a string literal
  std::vector<Field> fields;
};

// One line "table  column=value ...", used by golden tests; strings are quoted and escaped,
// references shown as @table#n.
std::string to_text(const Row& row);

}  // namespace tfpm
