// What a TensorFlow error text says once its wrappings are taken off: the innermost status, where
// it came from and whether it only reports that a peer went away (log-formats.md sections 2.3, 2.5
// and 7.1; algorithms.md section 4.4).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/task_name.h"

namespace tfpm {

// `Additional GRPC error information from remote target TASK while calling METHOD:`
struct RemoteHop {
  TaskName target;
  std::string method;  // '/tensorflow.WorkerService/RecvBuf'; empty in old versions
};

struct StatusInfo {
  std::string outer_status;    // first code of the text, upper case; empty = the text has no status
  std::string inner_status;    // code of the innermost status; equals outer_status without wrapping
  std::string inner_text;      // its text: wrappings, node trail, hops and payloads removed, cut at
                               // 2000 bytes
  std::string op;              // node the error is attributed to; empty = unknown
  bool wrapped = false;        // at least one wrapping was taken off
  bool derived = false;        // TensorFlow itself marks the status as derived: never a root
  bool communication = false;  // the innermost status says that a peer or a connection is gone.
                               // False for root statuses that merely travelled through a collective
  bool python_exception = false;          // inner_text is `SomeError: text` of a Python op
  std::optional<TaskName> reported_from;  // `Error reported from TASK`
  std::vector<TaskName> named;            // tasks listed one a line
  std::vector<RemoteHop> hops;            // innermost first: the first is the transport witness
};

// `text` is a log record's message or an exception's message. `exception_code` is the code that
// the exception's class stands for, used when the text itself names none.
StatusInfo parse_status(std::string_view text, std::string_view exception_code = {});

}  // namespace tfpm
