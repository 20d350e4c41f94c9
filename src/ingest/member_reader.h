// Reads one member: identify, parse, fingerprint.
#pragma once

#include <memory>
#include <vector>

#include "base/signature.h"
#include "bundle/bundle.h"
#include "ingest/checkpoint_intake.h"
#include "ingest/identify.h"
#include "ingest/log_reader.h"
#include "ingest/matcher.h"
#include "ingest/member_result.h"
#include "ingest/utf16.h"

namespace tfpm {

// One reader per thread. Parsers are shared: they have no state.
class MemberReader {
 public:
  // All must outlive the reader.
  MemberReader(const std::vector<std::unique_ptr<Parser>>& parsers, const Matcher& matcher,
               const std::vector<Signature>& signatures, CheckpointIntake& checkpoints)
      : parsers_(parsers), log_reader_(matcher, signatures), checkpoints_(checkpoints) {}

  // Never fails: what cannot be read is said in the result.
  MemberResult read(const Member& member);

 private:
  void read_content(const Member& member, MemberResult& result);
  Choice identify_wide(const SniffInput& bytes, Utf16 order, const Choice& narrow) const;
  Status parse(const Choice& choice, const MemberInfo& info, std::string_view head, ByteStream& in,
               MemberResult& result);

  const std::vector<std::unique_ptr<Parser>>& parsers_;
  LogReader log_reader_;
  CheckpointIntake& checkpoints_;
};

}  // namespace tfpm
