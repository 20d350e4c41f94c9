// What a stream says about who wrote it: rows of claim_identity (log-formats.md section 1.2).
//
// Claims are kept, not judged: alignment weighs them. Each distinct (kind, value) is stored once,
// with the first place that says so.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tfpm {

struct IdentityClaim {
  std::string_view kind;  // as in schema/20_event.sql; a string literal
  std::string value;
  std::optional<std::uint64_t> line;  // absent: from the path
  std::optional<std::uint64_t> offset;
};

// Collects the claims of one stream. At most kMaxClaims a stream: a hostile log cannot grow it.
class IdentityClaims {
 public:
  void add(std::string_view kind, std::string_view value, std::uint64_t line, std::uint64_t offset);
  void add_from_path(std::string_view path);
  const std::vector<IdentityClaim>& claims() const { return claims_; }

 private:
  void insert(IdentityClaim claim);

  std::vector<IdentityClaim> claims_;
  std::set<std::pair<std::string_view, std::string>> seen_;
  std::pair<std::string_view, std::string> last_;  // added; most lines repeat it
};

// 'worker-1' from "... task_type = 'worker', task_id = 1, ..."; empty = not there.
std::string strategy_task(std::string_view message);
// 'worker-1' from "Using MirroredStrategy with devices ('/job:worker/task:1/device:...',)"; empty
// for local devices and for lists that span tasks.
std::string device_task(std::string_view message);
// 'host:port' from "Started server with target: grpc://host:port"; empty = not there.
std::string server_target(std::string_view message);
// 'worker-3' or 'rank-3' from 'logs/worker_3/stderr.log'; the last component that says so wins.
std::string task_of_path(std::string_view path);
// Whether a C++ source file logs from the main thread at start-up, so that its thread id is the
// process id (algorithms.md section 1.5).
bool is_startup_file(std::string_view file);

}  // namespace tfpm
