#include "base/version.h"

namespace tfpm {

std::string_view version() {
  return TFPM_VERSION;
}

}  // namespace tfpm
