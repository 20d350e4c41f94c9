// Secrets in texts of a bundle, masked before anything is shown (architecture.md section 7).
#pragma once

#include <string>
#include <string_view>

namespace tfpm::report {

// Values of TOKEN/SECRET/PASSWORD/..._KEY assignments, bearer tokens, credentials in URLs and
// well-known key forms become "***"; the names stay, so that a reader knows what was there.
// `text` is valid UTF-8.
std::string mask_secrets(std::string_view text);

}  // namespace tfpm::report
