#include "parsers/checkpoint/keras_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "parsers/checkpoint/member_name.h"
#include "parsers/checkpoint/phrases.h"
#include "parsers/checkpoint/shard_reader.h"
#include "parsers/detail/hdf5_check.h"
#include "parsers/detail/zip_check.h"

namespace tfpm {
namespace {

// Keras keeps a copy of a backup as "NAME.bkp" while it writes a new one.
std::string_view without_backup(std::string_view name) {
  return name.ends_with(".bkp") ? name.substr(0, name.size() - 4) : name;
}

bool contains_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

bool is_weights(std::string_view member) {
  return member.ends_with(".weights.h5") || member.ends_with("model.weights.npz") ||
         member == "variables.h5";
}

void set(KerasReading& out, std::string_view completeness, std::string_view integrity,
         std::string_view code, std::string problem, std::uint64_t at) {
  out.verdict.completeness = completeness;
  out.verdict.integrity = integrity;
  out.verdict.code = code;
  out.verdict.problem = std::move(problem);
  out.fault_at = at;
}

std::string_view completeness_of(Hdf5State state) {
  switch (state) {
    case Hdf5State::kWhole:
      return "complete";
    case Hdf5State::kForeign:
    case Hdf5State::kBadSuperblock:
    case Hdf5State::kNoRoot:
      return "index-unreadable";
    case Hdf5State::kEmpty:
    case Hdf5State::kTruncated:
    case Hdf5State::kNotClosed:
    case Hdf5State::kOpen:
      break;
  }
  return "shard-short";
}

void judge_hdf5(std::string_view name, const Hdf5Finding& finding, KerasReading& out) {
  if (finding.state == Hdf5State::kWhole) return set(out, "complete", "unknown", {}, {}, 0);
  set(out, completeness_of(finding.state), "unknown", "keras-hdf5-damaged",
      fmt::format("{} {} (byte {})", name_of(name), finding.detail, finding.offset),
      finding.offset);
}

std::string names_of(const std::vector<const ZipMember*>& members) {
  std::vector<std::string> names;
  names.reserve(members.size());
  for (const ZipMember* member : members) names.push_back(printable(member->name));
  return join_some(names);
}

// A save that did not end: Keras writes in place, and the directory of a zip comes last.
void judge_cut(std::string_view name, const ZipFinding& zip, KerasReading& out) {
  std::vector<const ZipMember*> whole, cut;
  for (const ZipMember& m : zip.members) (m.whole ? whole : cut).push_back(&m);
  std::string text = fmt::format("{} has no central directory: the save was cut after {} bytes",
                                 name_of(name), zip.size);
  if (!whole.empty()) text += "; whole: " + names_of(whole);
  if (!cut.empty()) text += "; cut: " + names_of(cut);
  set(out, "shard-short", "unknown", "keras-zip-cut", std::move(text), zip.size);
}

bool judge_members(const ZipFinding& zip, KerasReading& out) {
  for (const ZipMember& m : zip.members) {
    const bool bad = m.whole && m.checked && !m.crc_ok;
    if (bad) {
      set(out, "complete", "crc-bad", "keras-member-damaged",
          fmt::format("member {} at byte {} does not have its stored checksum", printable(m.name),
                      m.offset),
          m.offset);
      return false;
    }
    if (m.hdf5 && m.hdf5->state != Hdf5State::kWhole) {
      set(out, completeness_of(m.hdf5->state), "unknown", "keras-hdf5-damaged",
          fmt::format("member {} at byte {} {}", printable(m.name), m.offset, m.hdf5->detail),
          m.offset + m.hdf5->offset);
      return false;
    }
  }
  return true;
}

void judge_zip(std::string_view name, const ZipFinding& zip, KerasReading& out) {
  if (!zip.has_end) return judge_cut(name, zip, out);
  const auto& members = zip.members;
  const bool weights = std::any_of(members.begin(), members.end(),
                                   [](const ZipMember& m) { return is_weights(m.name); });
  if (!judge_members(zip, out)) return;
  const bool all_met = !zip.promised || *zip.promised <= zip.seen;
  if (!weights && all_met) {
    return set(out, "shard-missing", "unknown", "keras-no-weights",
               name_of(name) + " holds no weights: the save was given up after the configuration",
               zip.size);
  }
  const bool all_checked =
      all_met && zip.seen == members.size() &&
      std::all_of(members.begin(), members.end(), [](const ZipMember& m) { return m.crc_ok; });
  if (!all_met && zip.lost_at > 0) {
    return set(out, "index-unreadable", "unknown", "keras-zip-damaged",
               fmt::format("no member begins at byte {} of {}: {} of {} were found", zip.lost_at,
                           name_of(name), zip.seen, *zip.promised),
               zip.lost_at);
  }
  set(out, "complete", all_checked ? "crc-ok" : "unknown", {}, {}, 0);
}

// By what it is called where its beginning was destroyed.
bool is_zip(std::string_view name, std::string_view first) {
  return ZipCheck::looks_like(first) ||
         (without_backup(name).ends_with(".keras") && !first.starts_with("\x89HDF"));
}

}  // namespace

bool is_keras_file(std::string_view name, std::string_view head, bool any_hdf5) {
  const std::string_view file = without_backup(base_name(name));
  if (file.ends_with(".keras") || file.ends_with(".weights.h5")) return true;
  if (!file.ends_with(".h5") && !file.ends_with(".hdf5")) return false;
  // Datasets are HDF5 too: those of a model say so in their path.
  return any_hdf5 || (Hdf5Check::looks_like(head) &&
                      contains_any(name, {"model", "weight", "ckpt", "checkpoint", "backup", "best",
                                          "epoch", "final", "save"}));
}

KerasReading read_keras_file(std::string_view name, ByteStream& in) {
  KerasReading out;
  out.verdict.health = "unknown";
  std::vector<char> chunk(kShardChunk);
  Hdf5Check hdf5;
  ZipCheck zip;
  std::array<char, 4> first{};  // the file's own signature
  std::string error;
  while (true) {
    const Result<std::size_t> got = in.read({chunk.data(), chunk.size()});
    if (!got.ok()) error = got.status().diagnostic().why;
    if (!got.ok() || *got == 0) break;
    const std::string_view bytes(chunk.data(), *got);
    if (out.bytes == 0) std::copy_n(chunk.begin(), std::min(*got, first.size()), first.begin());
    out.bytes += *got;
    if (is_zip(name, {first.data(), first.size()})) {
      zip.feed(bytes);
    } else {
      hdf5.feed(bytes);
    }
  }
  if (!error.empty()) {
    set(out, "complete", "unknown", "checkpoint-unreadable",
        fmt::format("reading {} failed at byte {}: {}", name_of(name), out.bytes, error),
        out.bytes);
    return out;
  }
  out.read = true;
  if (out.bytes > 0 && is_zip(name, {first.data(), first.size()})) {
    judge_zip(name, zip.finish(), out);
  } else {
    judge_hdf5(name, hdf5.finish(), out);
  }
  return out;
}

}  // namespace tfpm
