// Built-in rules and the overlay of a user's directory.
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <sstream>

#include "base/embedded.h"
#include "engine/rules.h"

namespace tfpm {

std::span<const EmbeddedFile> embedded_signatures();
std::span<const EmbeddedFile> embedded_analyses();

namespace {

namespace fs = std::filesystem;

struct RuleFile {
  std::string text;
  std::string origin;
};

// By id: a user's file replaces the built-in one.
struct Collected {
  std::map<std::string, Signature> signatures;
  std::map<std::string, Analysis> analyses;
  std::map<std::string, std::string> texts;
  std::map<std::string, std::string> origins;  // of rules of the user's directory
};

// A directory must not say two things of one rule: file names would decide which one counts.
Status claim_id(const RuleFile& file, const std::string& key, Collected& all) {
  const auto [first, added] = all.origins.emplace(key, file.origin);
  if (added) return ok_status();
  return error(ErrorKind::kRule, "two rules of one id", file.origin,
               fmt::format("'{}' is in {}, too", key.substr(2), first->second),
               "give one of them another id");
}

Status add_signature(const RuleFile& file, bool overlay, Collected& all) {
  Result<Signature> sig = parse_signature(file.text, file.origin);
  if (!sig.ok()) return sig.status();
  if (overlay) {
    TFPM_RETURN_IF_ERROR(check_samples(*sig));
    TFPM_RETURN_IF_ERROR(claim_id(file, "s:" + sig->id, all));
  }
  all.texts["s:" + sig->id] = file.text;
  std::string id = sig->id;
  all.signatures.insert_or_assign(std::move(id), std::move(*sig));
  return ok_status();
}

Status add_analysis(const RuleFile& file, bool overlay, Collected& all) {
  Result<Analysis> analysis = parse_analysis(file.text, file.origin);
  if (!analysis.ok()) return analysis.status();
  if (overlay) TFPM_RETURN_IF_ERROR(claim_id(file, "a:" + analysis->id, all));
  all.texts["a:" + analysis->id] = file.text;
  std::string id = analysis->id;
  all.analyses.insert_or_assign(std::move(id), std::move(*analysis));
  return ok_status();
}

Status add_directory(const std::string& dir, Collected& all) {
  std::error_code ec;
  if (!fs::is_directory(dir, ec)) {
    return error(ErrorKind::kRule, "no such rules directory", dir, ec ? ec.message() : "",
                 "give a directory with .json signatures and .sql analyses");
  }
  std::vector<fs::path> files;
  for (auto it = fs::recursive_directory_iterator(dir, ec); !ec && it != fs::end(it);
       it.increment(ec)) {
    const std::string ext = it->path().extension().string();
    if (it->is_regular_file(ec) && (ext == ".json" || ext == ".sql")) files.push_back(it->path());
  }
  if (ec) return error(ErrorKind::kRule, "cannot read the rules directory", dir, ec.message());
  std::sort(files.begin(), files.end());
  for (const fs::path& path : files) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in) return error(ErrorKind::kRule, "cannot read a rule file", path.string());
    const RuleFile file{text.str(), path.string()};
    TFPM_RETURN_IF_ERROR(path.extension() == ".json" ? add_signature(file, true, all)
                                                     : add_analysis(file, true, all));
  }
  return ok_status();
}

}  // namespace

Result<RuleSet> load_rules(const std::optional<std::string>& dir) {
  Collected all;
  for (const EmbeddedFile& f : embedded_signatures()) {
    const RuleFile file{std::string(f.text), fmt::format("rules/signatures/{}", f.name)};
    TFPM_RETURN_IF_ERROR(add_signature(file, false, all));
  }
  for (const EmbeddedFile& f : embedded_analyses()) {
    const RuleFile file{std::string(f.text), fmt::format("rules/analyses/{}", f.name)};
    TFPM_RETURN_IF_ERROR(add_analysis(file, false, all));
  }
  if (dir) TFPM_RETURN_IF_ERROR(add_directory(*dir, all));
  RuleSet rules;
  std::string digest_input;
  for (const auto& [id, text] : all.texts) digest_input.append(id).append("\n").append(text);
  rules.hash = fmt::format("{:016x}", XXH3_64bits(digest_input.data(), digest_input.size()));
  for (auto& [id, sig] : all.signatures) rules.signatures.push_back(std::move(sig));
  for (auto& [id, analysis] : all.analyses) rules.analyses.push_back(std::move(analysis));
  return rules;
}

}  // namespace tfpm
