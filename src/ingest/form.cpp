#include "ingest/form.h"

#include <algorithm>

#include "ingest/number.h"

namespace tfpm {
namespace {

bool is_plain(std::string_view number) {
  return number.find_first_not_of("0123456789.+-") == std::string_view::npos;
}

TokenPlan bind(std::string_view text, const Skeleton& skeleton, const Token& token) {
  TokenPlan plan;
  plan.token = token;
  const auto* begin = skeleton.runs.data();
  const auto* end = begin + skeleton.count;
  const auto* first =
      std::find_if(begin, end, [&](const DigitRun& run) { return run.begin >= token.begin; });
  const auto* behind =
      std::find_if(first, end, [&](const DigitRun& run) { return run.end > token.end; });
  if (first == behind) return plan;
  const auto* last = behind - 1;
  plan.has_digits = true;
  plan.first_run = static_cast<std::uint16_t>(first - begin);
  plan.last_run = static_cast<std::uint16_t>(last - begin);
  plan.left = static_cast<std::uint16_t>(first->begin - token.begin);
  plan.right = static_cast<std::uint16_t>(token.end - last->end);
  plan.plain = token.kind == TokenKind::kNumber &&
               is_plain(text.substr(token.begin, token.end - token.begin));
  return plan;
}

}  // namespace

void bind_tokens(std::string_view text, const Skeleton& skeleton, const std::vector<Token>& tokens,
                 Form& form) {
  for (const Token& token : tokens) {
    if (token.kind == TokenKind::kInert) continue;
    (token.is_slot() ? form.slots : form.stamps).push_back(bind(text, skeleton, token));
  }
  if (form.stamps.size() > 1) form.stamps.resize(1);
}

Token read_token(std::string_view text, const Skeleton& skeleton, const TokenPlan& plan) {
  Token token = plan.token;
  if (!plan.has_digits) return token;
  token.begin = skeleton.runs[plan.first_run].begin - static_cast<std::uint32_t>(plan.left);
  token.end = skeleton.runs[plan.last_run].end + static_cast<std::uint32_t>(plan.right);
  if (plan.plain) {
    token.value = number_value(text.substr(token.begin, token.end - token.begin));
  } else {
    read_value(text, token);
  }
  return token;
}

}  // namespace tfpm
