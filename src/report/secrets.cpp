#include "report/secrets.h"

#include <re2/re2.h>

#include <array>
#include <memory>

#include "base/status.h"

namespace tfpm::report {
namespace {

struct MaskRule {
  const char* re;
  const char* replacement;
};

// Broad enough for what environment dumps and client libraries print, narrow enough to keep
// diagnostics readable: `KeyError: 'label'`, `Key: image. Can't parse` and `tokens=4096` stay.
constexpr std::array kMaskRules = {
    // Assignments whose name ends in a word for a secret; the value may be quoted.
    MaskRule{
        R"re((?i)([\w.-]*(?:secret|passwd|password|passphrase|credentials?|)re"
        R"re((?:api|access|private|secret|account|auth|signing|encryption)[_-]?key(?:[_-]?id)?))re"
        R"re(["']?\s*(?:=|:)\s*["']?)([^\s"',;&}]{3,}))re",
        "\\1***"},
    // Upper-case names as of environment variables.
    MaskRule{R"re(((?:[A-Z][A-Z0-9]*_)+KEY["']?\s*(?:=|:)\s*["']?)([^\s"',;&}]{6,}))re", "\\1***"},
    // A token that is a number counts tokens.
    MaskRule{R"re((?i)([\w.-]*token["']?\s*(?:=|:)\s*["']?))re"
             R"re(([0-9.]*[A-Za-z_+/~-][\w.+/~-]{5,}=*))re",
             "\\1***"},
    MaskRule{R"re((?i)(\bbearer\s+)[\w.~+/-]{12,}=*)re", "\\1***"},
    MaskRule{
        R"re((?i)(authorization["']?\s*[:=]\s*["']?(?:basic|digest|negotiate)\s+)[^\s"',;]{6,})re",
        "\\1***"},
    MaskRule{R"re(([A-Za-z][A-Za-z0-9+.-]*://)[^/\s:@"']+:[^/\s@"']+@)re", "\\1***@"},
    MaskRule{R"re(\b(?:AKIA|ASIA)[0-9A-Z]{16}\b)re", "***"},
    MaskRule{R"re(\b(?:gh[pousr]_|hf_|glpat-|xox[abprs]-|sk-)[A-Za-z0-9_-]{20,})re", "***"},
    MaskRule{R"re(\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*)re", "***"},
    MaskRule{R"re((?i)([?&](?:sig|signature|x-amz-signature|x-goog-signature)=)[^\s&"']+)re",
             "\\1***"},
    MaskRule{R"re((-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*)re", "\\1***"},
};

using CompiledRules = std::array<std::unique_ptr<RE2>, kMaskRules.size()>;

CompiledRules compile_rules() {
  CompiledRules compiled;
  for (std::size_t i = 0; i < compiled.size(); ++i) {
    compiled[i] = std::make_unique<RE2>(kMaskRules[i].re);
    TFPM_CHECK(compiled[i]->ok());
  }
  return compiled;
}

}  // namespace

std::string mask_secrets(std::string_view text) {
  static const CompiledRules rules = compile_rules();  // constant after construction
  std::string out(text);
  for (std::size_t i = 0; i < rules.size(); ++i) {
    RE2::GlobalReplace(&out, *rules[i], kMaskRules[i].replacement);
  }
  return out;
}

}  // namespace tfpm::report
