#include "base/signature.h"

namespace tfpm {

std::string_view to_string(SignatureRole role) {
  switch (role) {
    case SignatureRole::kRoot:
      return "root";
    case SignatureRole::kCascade:
      return "cascade";
    case SignatureRole::kProgress:
      return "progress";
    case SignatureRole::kLifecycle:
      return "lifecycle";
    case SignatureRole::kBenign:
      return "benign";
    case SignatureRole::kAccusation:
      return "accusation";
  }
  return "benign";
}

}  // namespace tfpm
