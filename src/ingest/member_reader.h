// Reads one member: identify, parse, fingerprint.
#pragma once

#include <memory>
#include <vector>

#include "base/signature.h"
#include "bundle/bundle.h"
#include "ingest/log_reader.h"
#include "ingest/matcher.h"
#include "ingest/member_result.h"

namespace tfpm {

// One reader per thread. Parsers are shared: they have no state.
class MemberReader {
 public:
  // All must outlive the reader.
  MemberReader(const std::vector<std::unique_ptr<Parser>>& parsers, const Matcher& matcher,
               const std::vector<Signature>& signatures)
      : parsers_(parsers), log_reader_(matcher, signatures) {}

  // Never fails: what cannot be read is said in the result.
  MemberResult read(const Member& member);

 private:
  void parse(const Member& member, ByteSource& content, MemberResult& result);

  const std::vector<std::unique_ptr<Parser>>& parsers_;
  LogReader log_reader_;
};

}  // namespace tfpm
