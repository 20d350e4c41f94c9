// Status and Result: how every room reports that it could not do what was asked.
//
// Exceptions never cross a room. A Status carries a Diagnostic: what happened, where, why, and what
// to do next; it is the text a user reads at 3 a.m., so write it for them. Damaged *evidence* is
// not an error: it becomes a `problem` row (parsers/parser.h) and reading goes on.
#pragma once

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace tfpm {

// Coarse kind of an error; decides the exit code (contract.md section 1), nothing else.
enum class ErrorKind {
  kUsage,       // bad flag or argument
  kNotFound,    // a path that does not exist
  kUnreadable,  // exists, cannot be read
  kDamaged,     // read, but is not what it should be
  kExists,      // output is already there
  kIo,          // write failed, disk full
  kRule,        // a rule file is broken
  kLimit,       // a hostile-input limit was hit
  kInternal,    // our own bug, reported instead of crashing
};

// One message for a person. `where` is "path", "path:line" or "path:line:column"; empty when there
// is no place.
struct Diagnostic {
  ErrorKind kind = ErrorKind::kInternal;
  std::string what;     // one sentence: what could not be done
  std::string where;    // the place it is about
  std::string why;      // the reason found, e.g. strerror text
  std::string help;     // what to do next
  std::string snippet;  // source lines with a caret, for rule files; may be empty

  // "error: what (where): why" and a "help:" line; no colour, no trailing newline.
  std::string to_string() const;
};

class [[nodiscard]] Status {
 public:
  Status() = default;  // OK
  Status(Diagnostic d) : diagnostic_(std::make_shared<const Diagnostic>(std::move(d))) {}
  bool ok() const { return diagnostic_ == nullptr; }
  // Must not be called on an OK status.
  const Diagnostic& diagnostic() const { return *diagnostic_; }

 private:
  std::shared_ptr<const Diagnostic> diagnostic_;
};

inline Status ok_status() {
  return {};
}
Status error(ErrorKind kind, std::string what, std::string where = {}, std::string why = {},
             std::string help = {});

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Status status) : value_(std::move(status)) {}
  Result(Diagnostic d) : value_(Status(std::move(d))) {}
  bool ok() const { return std::holds_alternative<T>(value_); }
  explicit operator bool() const { return ok(); }
  // Must not be called on an error.
  T& value() & { return std::get<T>(value_); }
  const T& value() const& { return std::get<T>(value_); }
  T&& value() && { return std::get<T>(std::move(value_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  Status status() const { return ok() ? Status() : std::get<Status>(value_); }

 private:
  std::variant<T, Status> value_;
};

// Our own bugs only: prints the condition with its place and aborts.
[[noreturn]] void check_failed(const char* condition, const char* file, int line);

}  // namespace tfpm

#define TFPM_CHECK(cond)                                          \
  do {                                                            \
    if (!(cond)) ::tfpm::check_failed(#cond, __FILE__, __LINE__); \
  } while (false)

#define TFPM_RETURN_IF_ERROR(expr)                                   \
  do {                                                               \
    if (::tfpm::Status tfpm_s = (expr); !tfpm_s.ok()) return tfpm_s; \
  } while (false)
