// Kubernetes' reasons in terms of exit_record.what (log-formats.md 6.1).
#pragma once

#include <optional>
#include <string_view>

namespace tfpm {

// Reason of a terminated container ("OOMKilled", "Error", "DeadlineExceeded", ...).
std::string_view container_end(std::string_view reason);
// Reason of a pod as a whole ("Evicted", "Preempting", "NodeLost", ...); nullopt = says no end.
std::optional<std::string_view> pod_end(std::string_view reason);
// Reason a container waits ("ImagePullBackOff", ...) when it never ran; nullopt for passing states.
std::optional<std::string_view> waiting_state(std::string_view reason);
// Event: reason decides, the message only between image pulls and restarts. nullopt = no end, no
// start.
std::optional<std::string_view> event_meaning(std::string_view reason, std::string_view message);

}  // namespace tfpm
