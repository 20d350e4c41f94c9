#include "engine/sql_functions.h"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "store/database.h"

namespace tfpm {
namespace {

using Values = std::vector<double>;

// SQLite zeroes the aggregate's memory: it holds a pointer that the final call frees.
Values** slot(sqlite3_context* context) {
  return static_cast<Values**>(sqlite3_aggregate_context(context, sizeof(Values*)));
}

void collect(sqlite3_context* context, int, sqlite3_value** args) {
  if (sqlite3_value_type(args[0]) == SQLITE_NULL) return;
  Values** values = slot(context);
  if (values == nullptr) return;
  if (*values == nullptr) *values = std::make_unique<Values>().release();
  (*values)->push_back(sqlite3_value_double(args[0]));
}

double median_of(Values& v) {
  const auto mid = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  std::nth_element(v.begin(), mid, v.end());
  if (v.size() % 2 == 1) return *mid;
  return (*mid + *std::max_element(v.begin(), mid)) / 2;
}

std::unique_ptr<Values> take(sqlite3_context* context) {
  Values** values = slot(context);
  return std::unique_ptr<Values>(values == nullptr ? nullptr : *values);
}

void median_final(sqlite3_context* context) {
  const std::unique_ptr<Values> v = take(context);
  if (v == nullptr || v->empty()) return;
  sqlite3_result_double(context, median_of(*v));
}

void mad_final(sqlite3_context* context) {
  const std::unique_ptr<Values> v = take(context);
  if (v == nullptr || v->empty()) return;
  constexpr double kScale = 1.4826;  // makes it a standard deviation for normal data
  const double center = median_of(*v);
  for (double& x : *v) x = std::fabs(x - center);
  sqlite3_result_double(context, kScale * median_of(*v));
}

Status add(Database& db, const char* name, void (*final)(sqlite3_context*)) {
  const int rc =
      sqlite3_create_function_v2(db.handle(), name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nullptr,
                                 nullptr, collect, final, nullptr);
  if (rc == SQLITE_OK) return ok_status();
  return error(ErrorKind::kInternal, "cannot register an SQL function", name, sqlite3_errstr(rc));
}

}  // namespace

Status register_sql_functions(Database& db) {
  // json_each is a table that SQLite makes on first use; the authorizer of an analysis would refuse
  // that.
  TFPM_RETURN_IF_ERROR(db.execute("SELECT count(*) FROM json_each('[]')"));
  TFPM_RETURN_IF_ERROR(add(db, "median", median_final));
  return add(db, "mad", mad_final);
}

}  // namespace tfpm
