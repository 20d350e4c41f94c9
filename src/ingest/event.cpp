#include "ingest/event.h"

namespace tfpm {

std::string_view to_string(EventKind kind) {
  switch (kind) {
    case EventKind::kSignature:
      return "signature";
    case EventKind::kTraceback:
      return "traceback";
    case EventKind::kCrash:
      return "crash";
    case EventKind::kError:
      return "error";
    case EventKind::kTail:
      return "tail";
  }
  return "tail";
}

}  // namespace tfpm
