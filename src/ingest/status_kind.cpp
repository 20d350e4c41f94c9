#include "ingest/status_kind.h"

#include <array>
#include <cstddef>

#include "base/ascii.h"

namespace tfpm {
namespace {

template <std::size_t N>
bool contains_any(std::string_view text, const std::array<std::string_view, N>& needles) {
  for (const std::string_view needle : needles) {
    if (text.find(needle) != std::string_view::npos) return true;
  }
  return false;
}

// Statuses that are the fault itself although a collective or a peer passed them on.
bool is_root_text(std::string_view text) {
  constexpr std::array<std::string_view, 27> kRoots = {"Shape mismatch in the collective instance",
                                                       "expected type ",
                                                       "is joining a group",
                                                       "that group has size",
                                                       "that group has type",
                                                       "but that group doesn't contain that device",
                                                       "Tensor Size Mismatch",
                                                       "found no source for broadcast",
                                                       "already has source ",
                                                       "does not support datatype",
                                                       "Checksum does not match",
                                                       "corrupted record",
                                                       "truncated record",
                                                       "End of sequence",
                                                       "OOM when allocating",
                                                       "Detected Infinity or NaN",
                                                       "Tensor had NaN",
                                                       "Tensor had Inf",
                                                       "No space left on device",
                                                       "No such file or directory",
                                                       "message larger than max",
                                                       "Permission denied",
                                                       "Stale file handle",
                                                       "isk quota exceeded",
                                                       "Read-only file system",
                                                       "Input/output error",
                                                       "Could not append to the internal"};
  return contains_any(text, kRoots);
}

bool is_communication_text(std::string_view text) {
  constexpr std::array<std::string_view, 34> kTexts = {"Socket closed",
                                                       "Connection reset",
                                                       "Connection refused",
                                                       "Connection timed out",
                                                       "Broken pipe",
                                                       "failed to connect to all addresses",
                                                       "Failed to connect to remote host",
                                                       "Failed to pick subchannel",
                                                       "No route to host",
                                                       "Network is unreachable",
                                                       "Deadline Exceeded",
                                                       "Endpoint read failed",
                                                       "Stream removed",
                                                       "GOAWAY",
                                                       "RST_STREAM",
                                                       "keepalive watchdog timeout",
                                                       "tasks are unhealthy",
                                                       "heartbeat",
                                                       "Heartbeat",
                                                       "seems down",
                                                       "is down",
                                                       "has restarted",
                                                       "probably restarted",
                                                       "incarnation",
                                                       "coordination service",
                                                       "Coordination service",
                                                       "RPC Request was cancelled",
                                                       "RecvFromRemoteAsync is cancelled",
                                                       "op cancelled",
                                                       "collective ops already aborted",
                                                       "Collective has timed out",
                                                       "Barrier timed out",
                                                       "is not alive",
                                                       "originally returned UnavailableError"};
  return contains_any(text, kTexts);
}

// UNAVAILABLE and its like also come from storage and name services: no peer of the job.
bool is_storage_text(std::string_view text) {
  constexpr std::array<std::string_view, 6> kTexts = {"HTTP request", "gs://",   "s3://",
                                                      "hdfs://",      "libcurl", "credentials"};
  return contains_any(text, kTexts);
}

// The end of a step on a server: its rendezvous is thrown away, nobody failed.
bool is_cleanup_of_step(std::string_view text) {
  constexpr std::string_view kCleanup = "Cleanup ";
  if (!text.starts_with(kCleanup)) return false;
  text.remove_prefix(kCleanup.size());
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && is_digit(text[0]);
}

}  // namespace

bool is_communication(std::string_view code, std::string_view text) {
  if (is_root_text(text) || is_cleanup_of_step(text)) return false;
  if (is_communication_text(text)) return true;
  const bool peer_code = code == "UNAVAILABLE" || code == "DEADLINE_EXCEEDED" ||
                         code == "ABORTED" || code == "CANCELLED";
  return peer_code && !is_storage_text(text);
}

}  // namespace tfpm
