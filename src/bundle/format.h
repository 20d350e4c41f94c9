// What stored bytes are packed in. Content decides; names only settle what content leaves open.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tfpm {

enum class Compression { kNone, kGzip, kZstd, kXz, kBzip2, kLz4 };
enum class ArchiveKind { kNone, kTar, kZip };

// Bytes that detection wants to see.
inline constexpr std::size_t kDetectBytes = 512;

Compression detect_compression(std::span<const char> head);
// `name` keeps zip files that are documents of another kind (.npz, .keras, .whl) from being opened
// as archives.
ArchiveKind detect_archive(std::span<const char> head, std::string_view name);

// The compression that the name's suffix announces: '.gz', '.tgz', ...; kNone otherwise.
Compression compression_of_name(std::string_view name);
// 'worker-3.log.gz' -> 'worker-3.log', 'x.tgz' -> 'x.tar'; unchanged when there is no such suffix.
std::string strip_compression_suffix(std::string_view name);
// 'x.tar.gz', 'x.tgz', 'x.zip' -> 'x'.
std::string strip_archive_suffix(std::string_view name);

}  // namespace tfpm
