#include "ingest/identity.h"

#include <array>
#include <charconv>

namespace tfpm {
namespace {

constexpr std::size_t kMaxClaims = 256;
constexpr std::size_t kMaxTaskDigits = 6;

constexpr std::array<std::string_view, 6> kTaskWords = {"evaluator", "worker", "master",
                                                        "chief",     "rank",   "ps"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_word(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string_view digits_at(std::string_view text, std::size_t from) {
  std::size_t to = from;
  while (to < text.size() && is_digit(text[to])) ++to;
  return text.substr(from, to - from);
}

// 'worker-3' of the type and a number as written: leading zeros dropped.
std::string task_name(std::string_view type, std::string_view digits) {
  if (type.empty() || digits.empty() || digits.size() > kMaxTaskDigits) return {};
  unsigned index = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), index);
  return std::string(type) + "-" + std::to_string(index);
}

std::string_view behind(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + mark.size());
}

// 'worker-3' of a component such as 'worker_3', 'train-worker-3.log', 'rank3.err'.
std::string task_of_component(std::string_view component) {
  for (const std::string_view word : kTaskWords) {
    for (std::size_t at = component.find(word); at != std::string_view::npos;
         at = component.find(word, at + 1)) {
      if (at > 0 && is_word(component[at - 1])) continue;
      std::size_t number = at + word.size();
      if (number < component.size() &&
          (component[number] == '-' || component[number] == '_' || component[number] == '.')) {
        ++number;
      }
      const std::string_view digits = digits_at(component, number);
      const std::size_t end = number + digits.size();
      if (digits.empty() || (end < component.size() && is_word(component[end]))) continue;
      return task_name(word, digits);
    }
  }
  return {};
}

}  // namespace

void IdentityClaims::insert(IdentityClaim claim) {
  if (claim.value.empty() || claims_.size() >= kMaxClaims) return;
  if (seen_.emplace(claim.kind, claim.value).second) claims_.push_back(std::move(claim));
}

void IdentityClaims::add(std::string_view kind, std::string_view value, std::uint64_t line,
                         std::uint64_t offset) {
  if (last_.first == kind && last_.second == value) return;
  last_ = {kind, std::string(value)};
  insert({kind, last_.second, line, offset});
}

void IdentityClaims::add_from_path(std::string_view path) {
  insert({"file", task_of_path(path), std::nullopt, std::nullopt});
}

std::string strategy_task(std::string_view message) {
  std::string_view rest = behind(message, "task_type = '");
  const std::string_view type = rest.substr(0, rest.find('\''));
  rest = behind(rest, "task_id = ");
  return task_name(type, digits_at(rest, 0));
}

std::string device_task(std::string_view message) {
  const std::string_view devices = behind(message, "Using MirroredStrategy with devices (");
  std::string found;
  for (std::string_view rest = behind(devices, "/job:"); !rest.empty();
       rest = behind(rest, "/job:")) {
    const std::string_view type = rest.substr(0, rest.find('/'));
    const std::string name = task_name(type, digits_at(behind(rest, "/task:"), 0));
    if (type == "localhost" || (!found.empty() && name != found)) return {};
    found = name;
  }
  return found;
}

std::string server_target(std::string_view message) {
  const std::string_view target = behind(message, "Started server with target: ");
  const std::string_view address = behind(target, "://");
  return std::string(address.substr(0, address.find_first_of(" \t\n,;")));
}

std::string task_of_path(std::string_view path) {
  while (true) {
    const std::size_t slash = path.rfind('/');
    const std::string task =
        task_of_component(slash == std::string_view::npos ? path : path.substr(slash + 1));
    if (!task.empty() || slash == std::string_view::npos) return task;
    path = path.substr(0, slash);
  }
}

bool is_startup_file(std::string_view file) {
  const std::size_t slash = file.rfind('/');
  const std::string_view base = slash == std::string_view::npos ? file : file.substr(slash + 1);
  return base == "cudart_stub.cc" || base == "cpu_feature_guard.cc" || base == "cuda_platform.cc" ||
         base == "grpc_server_lib.cc";
}

}  // namespace tfpm
