#include "ingest/unread_reason.h"

#include <cstdint>
#include <optional>

#include "base/text.h"
#include "ingest/file_kind.h"

namespace tfpm {
namespace {

// ELF64, little-endian (formats.md 8.5).
constexpr std::size_t kElfHeader = 64;
constexpr std::size_t kProgramHeader = 56;
constexpr std::uint32_t kNoteSegment = 4;
constexpr std::uint32_t kProcessStatus = 1;  // NT_PRSTATUS
constexpr std::uint32_t kProcessInfo = 3;    // NT_PRPSINFO

// A little-endian number of `size` bytes; nullopt beyond the end.
std::optional<std::uint64_t> number_at(std::string_view data, std::uint64_t at, std::size_t size) {
  if (at > data.size() || data.size() - at < size) return std::nullopt;
  std::uint64_t out = 0;
  for (std::size_t i = size; i-- > 0;) {
    out = (out << 8) | static_cast<unsigned char>(data[static_cast<std::size_t>(at) + i]);
  }
  return out;
}

struct CoreFacts {
  std::string program;
  std::optional<std::uint64_t> signal, pid;
};

// Notes are name and description, each padded to four bytes.
void read_notes(std::string_view notes, CoreFacts& out) {
  std::size_t at = 0;
  while (at + 12 <= notes.size()) {
    const std::uint64_t name = *number_at(notes, at, 4);
    const std::uint64_t size = *number_at(notes, at + 4, 4);
    const std::uint64_t type = *number_at(notes, at + 8, 4);
    const std::uint64_t begin = at + 12 + ((name + 3) & ~std::uint64_t{3});
    if (begin > notes.size() || size > notes.size() - begin) return;
    const std::string_view note =
        notes.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(size));
    // The first status is of the thread that crashed; offsets as on x86-64 and arm64.
    if (type == kProcessStatus && !out.signal) out.signal = number_at(note, 12, 2);
    if (type == kProcessInfo && note.size() >= 56) {
      out.pid = number_at(note, 24, 4);
      const std::string_view name_field = note.substr(40, 16);
      out.program = clean_utf8(name_field.substr(0, name_field.find('\0')), 16);
    }
    at = static_cast<std::size_t>(begin + ((size + 3) & ~std::uint64_t{3}));
  }
}

CoreFacts read_core(std::string_view head) {
  CoreFacts out;
  if (head.size() < kElfHeader || head[4] != 2 || head[5] != 1) return out;
  const std::uint64_t table = *number_at(head, 32, 8);
  const std::uint64_t count = *number_at(head, 56, 2);
  for (std::uint64_t i = 0; i < count && table < head.size(); ++i) {
    const std::uint64_t at = table + i * kProgramHeader;
    const auto type = number_at(head, at, 4);
    const auto offset = number_at(head, at + 8, 8);
    const auto size = number_at(head, at + 32, 8);
    if (!type || !offset || !size) break;
    if (*type != kNoteSegment || *offset >= head.size()) continue;
    read_notes(head.substr(static_cast<std::size_t>(*offset), static_cast<std::size_t>(*size)),
               out);
    break;
  }
  return out;
}

std::string describe_core(std::string_view head) {
  const CoreFacts core = read_core(head);
  std::string out = "core file";
  if (!core.program.empty()) out += " of " + core.program;
  if (core.pid) out += ", pid " + std::to_string(*core.pid);
  if (core.signal && *core.signal > 0) out += ", signal " + std::to_string(*core.signal);
  return out +
         ": not parsed; `gdb PROGRAM CORE -batch -ex 'thread apply all bt'` on a host with the "
         "same "
         "libraries gives a text that is";
}

// What a person needs to find out the rest: how the file begins.
std::string describe_bytes(std::string_view head) {
  constexpr std::size_t kShown = 16;
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out = "binary of no known format; it begins with";
  for (const char c : head.substr(0, kShown)) {
    const auto byte = static_cast<unsigned char>(c);
    out += {' ', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return out;
}

}  // namespace

bool is_lfs_pointer(std::string_view head) {
  return head.starts_with("version https://git-lfs");
}

std::string describe_unread(std::string_view head, std::string_view path, bool text) {
  if (head.empty()) return "empty file";
  if (is_lfs_pointer(head)) {
    return "a Git LFS pointer: the file itself was never fetched (`git lfs pull`)";
  }
  if (head.starts_with("\x7f"
                       "ELF")) {
    return head.size() > 16 && head[16] == 4 ? describe_core(head) : "ELF binary: not parsed";
  }
  if (head.starts_with("MDMP")) return "minidump of a crash reporter: not parsed";
  if (head.find_first_not_of('\0') == std::string_view::npos) {
    return "begins with NUL bytes only: never written, or lost by the file system";
  }
  if (const std::string_view kind = describe_file_kind(head, path); !kind.empty()) {
    return std::string(kind);
  }
  return text ? "text of no known format: no log header, and no dump that is known"
              : describe_bytes(head);
}

}  // namespace tfpm
