// A signature: one known message, as loaded from rules/signatures/*.json (architecture.md section
// 8). Loading and checking is src/engine's; matching is src/ingest's; both see only this.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tfpm {

enum class SignatureRole { kRoot, kCascade, kProgress, kLifecycle, kBenign, kAccusation };
std::string_view to_string(SignatureRole role);

struct SignaturePattern {
  std::string re;  // RE2 syntax, matched against a record's message (header and envelope removed)
  std::string
      literal;  // case-sensitive text of >= 4 bytes that every match contains; found by the loader
};

struct Signature {
  std::string id;
  std::string title;
  SignatureRole role = SignatureRole::kBenign;
  std::string failure_class;  // contract.md section 3; empty = none
  std::string cause;          // empty = none
  std::string severity;       // 'critical', 'error', 'warning', 'info'
  std::vector<std::string> needs;
  std::vector<SignaturePattern> patterns;                     // a record is hit when any matches
  std::vector<std::pair<std::string, std::string>> captures;  // name -> what it is
  std::string accuses;  // capture that names a peer; empty = none
  std::string since, until;
  std::vector<std::string> advice;
  std::string source;
  std::vector<std::string> samples, non_samples;
  std::string origin;  // file it came from, for messages
};

}  // namespace tfpm
