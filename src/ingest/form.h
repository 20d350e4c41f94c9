// A form of line: where its values stand, in terms of its runs of digits.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ingest/skeleton.h"
#include "ingest/slots.h"

namespace tfpm {

// One token of a form. With `has_digits` the token runs from `left` bytes before its first run to
// `right` bytes behind its last; without, its value never changes (nan, inf, null).
struct TokenPlan {
  Token token;
  std::uint16_t first_run = 0, last_run = 0;
  std::uint16_t left = 0, right = 0;
  bool has_digits = false;
  bool plain = false;  // digits with at most a sign and a point: the fast reading does
};

// What the learner remembers of a skeleton.
struct Form {
  std::int32_t series = -1;       // index of the template; -1 = nothing to learn here
  bool may_be_heads = false;      // no slots: perhaps column heads
  std::vector<TokenPlan> slots;   // in order
  std::vector<TokenPlan> stamps;  // at most one: the record's own time
};

// Binds tokens (find_tokens of `text`) to the runs of the skeleton of the same text. Inert tokens
// are left out.
void bind_tokens(std::string_view text, const Skeleton& skeleton, const std::vector<Token>& tokens,
                 Form& form);

// The token of another record with the same skeleton.
Token read_token(std::string_view text, const Skeleton& skeleton, const TokenPlan& plan);

}  // namespace tfpm
