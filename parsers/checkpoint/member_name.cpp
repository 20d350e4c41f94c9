#include "parsers/checkpoint/member_name.h"

#include <charconv>

namespace tfpm {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kHex = "0123456789abcdefABCDEF";

bool only(std::string_view text, std::string_view allowed) {
  return !text.empty() && text.find_first_not_of(allowed) == std::string_view::npos;
}

template <typename Int>
std::optional<Int> parse_number(std::string_view digits) {
  Int value = 0;
  if (!only(digits, kDigits)) return {};
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (failure != std::errc() || end != digits.data() + digits.size()) return {};
  return value;
}

// Takes "-00001-of-00004" (at least five digits each) off the end of `name`.
std::optional<ShardNumber> take_shard_number(std::string_view& name) {
  constexpr std::size_t kMinDigits = 5;
  const std::size_t of = name.rfind("-of-");
  if (of == std::string_view::npos) return {};
  const std::size_t dash = name.rfind('-', of - (of > 0 ? 1 : 0));
  if (dash == std::string_view::npos || dash >= of) return {};
  const std::string_view first = name.substr(dash + 1, of - dash - 1);
  const std::string_view second = name.substr(of + 4);
  if (first.size() < kMinDigits || second.size() < kMinDigits) return {};
  const auto number = parse_number<std::int32_t>(first);
  const auto count = parse_number<std::int32_t>(second);
  if (!number || !count || *number >= *count) return {};
  name = name.substr(0, dash);
  return ShardNumber{*number, *count};
}

// "ckpt-7_temp" or "ckpt-7_temp_<hex>" -> "ckpt-7"; nothing for other folders.
std::optional<std::string_view> temp_directory_prefix(std::string_view directory) {
  constexpr std::string_view kTemp = "_temp";
  const std::string_view name = base_name(directory);
  const std::size_t at = name.rfind(kTemp);
  if (at == std::string_view::npos || at == 0) return {};
  const std::string_view rest = name.substr(at + kTemp.size());
  if (!rest.empty() && (rest[0] != '_' || !only(rest.substr(1), kHex))) return {};
  return directory.substr(0, directory.size() - (name.size() - at));
}

// Shard number of "part-00000-of-00002" in front of the rest of a temp part's name.
std::optional<ShardNumber> part_number(std::string_view name) {
  std::string_view part = name.substr(0, name.find('.'));
  return take_shard_number(part);
}

std::optional<CheckpointFileName> classify_temp_part(std::string_view path) {
  CheckpointFileName out;
  out.kind = CheckpointFile::kTempPart;
  out.temp_index = path.ends_with(".index");
  const std::string_view name = base_name(path);
  const std::string_view directory = directory_of(path);
  if (const auto prefix = temp_directory_prefix(directory); prefix && name.starts_with("part-")) {
    out.prefix = *prefix;
    out.temp = directory;
    out.shard = part_number(name).value_or(ShardNumber{});
    return out;
  }
  // Stores without rename put the parts beside the prefix: PREFIX.part-00000-of-00002.index.
  const std::size_t dot = path.rfind(".part-");
  if (dot == std::string_view::npos || path.find('/', dot) != std::string_view::npos) return {};
  const auto number = part_number(path.substr(dot + 1));
  if (!number) return {};
  out.prefix = path.substr(0, dot);
  out.temp = out.prefix + ".part";
  out.shard = *number;
  return out;
}

// "X.tempstate123", "checkpoint.tmp<hex>": the file that would have become X.
std::optional<std::string_view> before_temp_suffix(std::string_view path) {
  constexpr std::string_view kTempState = ".tempstate";
  constexpr std::string_view kStateTemp = "checkpoint.tmp";
  const std::size_t at = path.rfind(kTempState);
  if (at != std::string_view::npos && only(path.substr(at + kTempState.size()), kDigits)) {
    return path.substr(0, at);
  }
  const std::string_view name = base_name(path);
  if (name.starts_with(kStateTemp) && only(name.substr(kStateTemp.size()), kHex)) {
    return path.substr(0, path.size() - name.size() + kStateTemp.find('.'));
  }
  return {};
}

CheckpointFileName classify_final(std::string_view path) {
  CheckpointFileName out;
  constexpr std::string_view kIndexSuffix = ".index";
  constexpr std::string_view kDataSuffix = ".data";
  std::string_view rest = path;
  if (base_name(path) == "checkpoint") {
    out.kind = CheckpointFile::kStateFile;
    out.prefix = directory_of(path);
  } else if (path.ends_with(kIndexSuffix) && base_name(path) != kIndexSuffix) {
    out.kind = CheckpointFile::kIndex;
    out.prefix = path.substr(0, path.size() - kIndexSuffix.size());
  } else if (const auto number = take_shard_number(rest)) {
    out.shard = *number;
    const bool v2 = rest.ends_with(kDataSuffix);
    out.kind = v2 ? CheckpointFile::kShard : CheckpointFile::kV1Shard;
    out.prefix = rest.substr(0, rest.size() - (v2 ? kDataSuffix.size() : 0));
  }
  return out;
}

}  // namespace

std::string_view directory_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

std::optional<std::int64_t> step_suffix(std::string_view prefix) {
  const std::string_view name = base_name(prefix);
  const std::size_t dash = name.rfind('-');
  if (dash == std::string_view::npos) return {};
  return parse_number<std::int64_t>(name.substr(dash + 1));
}

std::string_view worker_temp_directory(std::string_view path) {
  constexpr std::string_view kName = "workertemp_";
  std::size_t start = 0;
  while (start < path.size()) {
    const std::size_t end = path.find('/', start);
    if (end == std::string_view::npos) return {};  // the last component is the file
    const std::string_view folder = path.substr(start, end - start);
    if (folder.starts_with(kName) && only(folder.substr(kName.size()), kDigits)) {
      return path.substr(0, end);
    }
    start = end + 1;
  }
  return {};
}

CheckpointFileName classify_checkpoint_file(std::string_view path) {
  const std::optional<std::string_view> target = before_temp_suffix(path);
  const std::string_view name = target.value_or(path);
  if (auto part = classify_temp_part(name)) {
    part->unfinished = target.has_value();
    return std::move(*part);
  }
  CheckpointFileName out = classify_final(name);
  if (!target) return out;
  if (out.kind == CheckpointFile::kNone) out.prefix = name;
  if (out.kind == CheckpointFile::kStateFile) out.prefix.clear();
  out.kind = CheckpointFile::kTempState;
  return out;
}

}  // namespace tfpm
