#include "bundle/format.h"

#include <array>
#include <cctype>
#include <cstdint>
#include <utility>

namespace tfpm {
namespace {

using namespace std::string_view_literals;

struct Suffix {
  std::string_view text;
  Compression compression;
  std::string_view replacement;
};

constexpr std::array<Suffix, 11> kSuffixes = {{
    {".gz", Compression::kGzip, ""},
    {".tgz", Compression::kGzip, ".tar"},
    {".zst", Compression::kZstd, ""},
    {".zstd", Compression::kZstd, ""},
    {".tzst", Compression::kZstd, ".tar"},
    {".xz", Compression::kXz, ""},
    {".txz", Compression::kXz, ".tar"},
    {".bz2", Compression::kBzip2, ""},
    {".tbz2", Compression::kBzip2, ".tar"},
    {".tbz", Compression::kBzip2, ".tar"},
    {".lz4", Compression::kLz4, ""},
}};

// Zip files that are one document each: their parser wants the file, not its parts.
constexpr std::array kZipDocuments = {".npz"sv,  ".keras"sv, ".whl"sv, ".egg"sv,    ".jar"sv,
                                      ".pt"sv,   ".pth"sv,   ".apk"sv, ".tflite"sv, ".docx"sv,
                                      ".xlsx"sv, ".pptx"sv,  ".odt"sv, ".ods"sv,    ".mar"sv};

bool ends_with_nocase(std::string_view text, std::string_view suffix) {
  if (text.size() < suffix.size()) return false;
  text.remove_prefix(text.size() - suffix.size());
  for (std::size_t i = 0; i < suffix.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(text[i])) != suffix[i]) return false;
  }
  return true;
}

const Suffix* find_suffix(std::string_view name) {
  for (const Suffix& suffix : kSuffixes) {
    if (name.size() > suffix.text.size() && ends_with_nocase(name, suffix.text)) return &suffix;
  }
  return nullptr;
}

// The header checksum of a tar block: the sum of its bytes with the checksum field as spaces.
bool is_tar_header(std::string_view block) {
  constexpr std::size_t kField = 148;
  constexpr std::size_t kFieldSize = 8;
  if (block.size() < 512) return false;
  std::uint64_t stated = 0;
  bool digits = false;
  for (const char c : block.substr(kField, kFieldSize)) {
    if (c >= '0' && c <= '7') {
      stated = stated * 8 + static_cast<std::uint64_t>(c - '0');
      digits = true;
    } else if (digits || (c != ' ' && c != '\0')) {
      break;
    }
  }
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < 512; ++i) {
    const bool in_field = i >= kField && i < kField + kFieldSize;
    sum += in_field ? static_cast<unsigned char>(' ') : static_cast<unsigned char>(block[i]);
  }
  return digits && sum == stated && block[0] != '\0';
}

}  // namespace

Compression detect_compression(std::span<const char> head) {
  const std::string_view text(head.data(), head.size());
  // gzip: magic, method 8, and none of the reserved flag bits.
  if (text.size() >= 4 && text.starts_with("\x1f\x8b\x08"sv) &&
      (static_cast<unsigned char>(text[3]) & 0xe0) == 0) {
    return Compression::kGzip;
  }
  if (text.starts_with("\x28\xb5\x2f\xfd"sv)) return Compression::kZstd;
  if (text.starts_with("\xfd"
                       "7zXZ\0"sv)) {
    return Compression::kXz;
  }
  if (text.starts_with("\x04\x22\x4d\x18"sv)) return Compression::kLz4;
  // bzip2: block size digit, then the magic of the first block or of an empty stream.
  if (text.size() >= 10 && text.starts_with("BZh"sv) && text[3] >= '1' && text[3] <= '9' &&
      (text.substr(4, 6) == "1AY&SY"sv || text.substr(4, 6) == "\x17\x72\x45\x38\x50\x90"sv)) {
    return Compression::kBzip2;
  }
  return Compression::kNone;
}

ArchiveKind detect_archive(std::span<const char> head, std::string_view name) {
  const std::string_view text(head.data(), head.size());
  if (text.starts_with("PK\x03\x04"sv) || text.starts_with("PK\x05\x06"sv)) {
    for (const std::string_view suffix : kZipDocuments) {
      if (ends_with_nocase(name, suffix)) return ArchiveKind::kNone;
    }
    return ArchiveKind::kZip;
  }
  return is_tar_header(text) ? ArchiveKind::kTar : ArchiveKind::kNone;
}

Compression compression_of_name(std::string_view name) {
  const Suffix* suffix = find_suffix(name);
  return suffix == nullptr ? Compression::kNone : suffix->compression;
}

std::string strip_compression_suffix(std::string_view name) {
  const Suffix* suffix = find_suffix(name);
  if (suffix == nullptr) return std::string(name);
  name.remove_suffix(suffix->text.size());
  return std::string(name) + std::string(suffix->replacement);
}

std::string strip_archive_suffix(std::string_view name) {
  std::string out = strip_compression_suffix(name);
  for (const std::string_view suffix : {".tar"sv, ".zip"sv}) {
    if (out.size() > suffix.size() && ends_with_nocase(out, suffix)) {
      out.resize(out.size() - suffix.size());
      break;
    }
  }
  return out;
}

}  // namespace tfpm
