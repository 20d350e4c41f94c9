// Reads one signature file; every complaint names line and column.
#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "engine/class_ids.h"
#include "engine/rules.h"
#include "engine/text_position.h"

namespace tfpm {
namespace {

using nlohmann::json;

constexpr std::size_t kMinLiteral = 4;

constexpr std::array<std::string_view, 16> kKeys = {
    "id",       "title",   "role",  "class", "cause",  "severity", "needs",   "patterns",
    "captures", "accuses", "since", "until", "advice", "source",   "samples", "non_samples"};

constexpr std::array<std::pair<std::string_view, SignatureRole>, 6> kRoles = {{
    {"root", SignatureRole::kRoot},
    {"cascade", SignatureRole::kCascade},
    {"progress", SignatureRole::kProgress},
    {"lifecycle", SignatureRole::kLifecycle},
    {"benign", SignatureRole::kBenign},
    {"accusation", SignatureRole::kAccusation},
}};

class SignatureReader {
 public:
  SignatureReader(std::string_view text, const std::string& origin)
      : text_(text), origin_(origin) {}

  Result<Signature> read() {
    json doc;
    try {
      doc = json::parse(text_);
    } catch (const json::parse_error& e) {
      return fail_at(e.byte == 0 ? 0 : e.byte - 1, "not valid JSON", e.what());
    }
    if (!doc.is_object()) return fail_at(0, "a signature is one JSON object");
    TFPM_RETURN_IF_ERROR(check_keys(doc));
    sig_.origin = origin_;
    TFPM_RETURN_IF_ERROR(read_scalars(doc));
    TFPM_RETURN_IF_ERROR(read_patterns(doc));
    TFPM_RETURN_IF_ERROR(read_captures(doc));
    for (auto [key, out] : {std::pair{"needs", &sig_.needs},
                            {"advice", &sig_.advice},
                            {"samples", &sig_.samples},
                            {"non_samples", &sig_.non_samples}}) {
      TFPM_RETURN_IF_ERROR(read_list(doc, key, *out));
    }
    if (sig_.samples.empty()) {
      return fail("samples", "a signature needs at least one sample that it must match");
    }
    return sig_;
  }

 private:
  Status fail_at(std::size_t offset, std::string what, std::string why = {}) const {
    return rule_error(text_, origin_, offset, std::move(what), std::move(why),
                      "see rules/README.md for the format of a signature");
  }

  // Points at the key in the text.
  Status fail(std::string_view key, std::string what, std::string why = {}) const {
    const std::size_t at = text_.find(fmt::format("\"{}\"", key));
    return fail_at(at == std::string_view::npos ? 0 : at, std::move(what), std::move(why));
  }

  Status check_keys(const json& doc) const {
    for (const auto& [key, value] : doc.items()) {
      if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end()) {
        return fail(key, fmt::format("unknown key '{}'", key));
      }
    }
    for (const std::string_view key : {"id", "title", "role", "severity", "patterns", "samples"}) {
      if (!doc.contains(std::string(key))) return fail_at(0, fmt::format("missing key '{}'", key));
    }
    return ok_status();
  }

  Status read_text(const json& doc, const char* key, std::string& out) const {
    const auto it = doc.find(key);
    if (it == doc.end() || it->is_null()) return ok_status();
    if (!it->is_string()) return fail(key, fmt::format("'{}' must be a string or null", key));
    out = it->get<std::string>();
    return ok_status();
  }

  Status read_list(const json& doc, const char* key, std::vector<std::string>& out) const {
    const auto it = doc.find(key);
    if (it == doc.end() || it->is_null()) return ok_status();
    if (!it->is_array()) return fail(key, fmt::format("'{}' must be a list of strings", key));
    for (const json& item : *it) {
      if (!item.is_string()) return fail(key, fmt::format("'{}' must be a list of strings", key));
      out.push_back(item.get<std::string>());
    }
    return ok_status();
  }

  Status read_scalars(const json& doc) {
    std::string role;
    for (auto [key, out] : {std::pair{"id", &sig_.id},
                            {"title", &sig_.title},
                            {"role", &role},
                            {"class", &sig_.failure_class},
                            {"cause", &sig_.cause},
                            {"severity", &sig_.severity},
                            {"accuses", &sig_.accuses},
                            {"since", &sig_.since},
                            {"until", &sig_.until},
                            {"source", &sig_.source}}) {
      TFPM_RETURN_IF_ERROR(read_text(doc, key, *out));
    }
    if (!is_rule_id(sig_.id)) {
      return fail("id", "an id is lower-case letters, digits and '-'", sig_.id);
    }
    const auto* found = std::find_if(kRoles.begin(), kRoles.end(),
                                     [&](const auto& entry) { return entry.first == role; });
    if (found == kRoles.end()) {
      return fail("role", fmt::format("unknown role '{}'", role),
                  "root, cascade, progress, lifecycle, benign or accusation");
    }
    sig_.role = found->second;
    if (!sig_.failure_class.empty() && !is_class_id(sig_.failure_class)) {
      return fail("class", fmt::format("unknown failure class '{}'", sig_.failure_class));
    }
    constexpr std::array<std::string_view, 4> severities = {"critical", "error", "warning", "info"};
    if (std::find(severities.begin(), severities.end(), sig_.severity) == severities.end()) {
      return fail("severity", fmt::format("unknown severity '{}'", sig_.severity),
                  "critical, error, warning or info");
    }
    return ok_status();
  }

  Status read_patterns(const json& doc) {
    const json& list = doc.at("patterns");
    if (!list.is_array() || list.empty()) {
      return fail("patterns", "'patterns' must be a list of {\"re\": \"...\"}");
    }
    for (const json& item : list) {
      if (!item.is_object() || item.size() != 1 || !item.contains("re") ||
          !item.at("re").is_string()) {
        return fail("patterns", "each pattern is an object with the one key 're'");
      }
      SignaturePattern pattern;
      pattern.re = item.at("re").get<std::string>();
      RE2::Options quiet(RE2::Latin1);
      quiet.set_log_errors(false);  // RE2 would print the complaint that is returned here
      const RE2 compiled(pattern.re, quiet);
      if (!compiled.ok()) {
        return fail("patterns", "not a valid RE2 expression: " + pattern.re, compiled.error());
      }
      pattern.literal = necessary_literal(pattern.re);
      if (pattern.literal.size() < kMinLiteral) {
        return fail("patterns",
                    "no text of at least 4 bytes that every match contains: " + pattern.re,
                    "it would have to be tried on every line");
      }
      sig_.patterns.push_back(std::move(pattern));
    }
    return ok_status();
  }

  Status read_captures(const json& doc) {
    const auto it = doc.find("captures");
    if (it == doc.end() || it->is_null()) return check_accuses();
    if (!it->is_object()) return fail("captures", "'captures' must map names to descriptions");
    for (const auto& [name, value] : it->items()) {
      if (!value.is_string()) return fail("captures", "a capture's description must be a string");
      sig_.captures.emplace_back(name, value.get<std::string>());
    }
    for (const auto& [name, description] : sig_.captures) {
      const std::string group = fmt::format("(?P<{}>", name);
      const bool used = std::any_of(
          sig_.patterns.begin(), sig_.patterns.end(),
          [&](const SignaturePattern& p) { return p.re.find(group) != std::string::npos; });
      if (!used) return fail(name, fmt::format("no pattern has a group named '{}'", name));
    }
    return check_accuses();
  }

  Status check_accuses() const {
    if (sig_.accuses.empty()) return ok_status();
    const std::string group = fmt::format("(?P<{}>", sig_.accuses);
    for (const SignaturePattern& p : sig_.patterns) {
      if (p.re.find(group) != std::string::npos) return ok_status();
    }
    return fail("accuses", fmt::format("no pattern has a group named '{}'", sig_.accuses));
  }

  std::string_view text_;
  const std::string& origin_;
  Signature sig_;
};

}  // namespace

Result<Signature> parse_signature(std::string_view json, const std::string& origin) {
  return SignatureReader(json, origin).read();
}

Status check_samples(const Signature& signature) {
  const auto hits = [&](const std::string& text) {
    return std::any_of(signature.patterns.begin(), signature.patterns.end(),
                       [&](const SignaturePattern& p) {
                         return text.find(p.literal) != std::string::npos &&
                                RE2::PartialMatch(text, RE2(p.re, RE2::Latin1));
                       });
  };
  for (const std::string& sample : signature.samples) {
    if (!hits(sample)) {
      return error(ErrorKind::kRule,
                   fmt::format("signature '{}' misses its own sample", signature.id),
                   signature.origin, sample, "correct the pattern or the sample");
    }
  }
  for (const std::string& sample : signature.non_samples) {
    if (hits(sample)) {
      return error(ErrorKind::kRule, fmt::format("signature '{}' hits a non-sample", signature.id),
                   signature.origin, sample, "narrow the pattern or correct the non-sample");
    }
  }
  return ok_status();
}

}  // namespace tfpm
