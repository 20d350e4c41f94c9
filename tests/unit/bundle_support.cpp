#include "bundle_support.h"

#include <archive.h>
#include <archive_entry.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace tfpm::test {
namespace {

la_ssize_t append(archive*, void* out, const void* data, std::size_t size) {
  static_cast<std::string*>(out)->append(static_cast<const char*>(data), size);
  return static_cast<la_ssize_t>(size);
}

archive* start(const std::string& filter, std::string& out,
               const std::function<void(archive*)>& set_format) {
  archive* a = archive_write_new();
  set_format(a);
  if (!filter.empty()) REQUIRE(archive_write_add_filter_by_name(a, filter.c_str()) >= ARCHIVE_WARN);
  archive_write_set_bytes_in_last_block(a, 1);
  REQUIRE(archive_write_open(a, &out, nullptr, &append, nullptr) == ARCHIVE_OK);
  return a;
}

}  // namespace

TempDir::TempDir() {
  std::string name = (std::filesystem::temp_directory_path() / "tfpm-test-XXXXXX").string();
  REQUIRE(::mkdtemp(name.data()) != nullptr);
  root_ = name;
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

std::string TempDir::path(const std::string& name) const {
  return name.empty() ? root_ : root_ + "/" + name;
}

std::string TempDir::write(const std::string& name, const std::string& bytes) const {
  const std::filesystem::path full = path(name);
  std::filesystem::create_directories(full.parent_path());
  // A new file: some file systems flush one that is cut and written again, which is slow.
  std::filesystem::remove(full);
  std::ofstream(full, std::ios::binary) << bytes;
  return full.string();
}

std::string pack(const std::vector<PackEntry>& entries, const std::string& format,
                 const std::string& filter) {
  std::string out;
  archive* a = start(filter, out, [&](archive* w) {
    if (format == "zip") archive_write_set_format_zip(w);
    if (format == "tar") archive_write_set_format_ustar(w);
    if (format == "pax") archive_write_set_format_pax(w);
  });
  for (const PackEntry& e : entries) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, e.path.c_str());
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_filetype(entry, e.directory ? AE_IFDIR : AE_IFREG);
    archive_entry_set_size(entry, static_cast<la_int64_t>(e.bytes.size()));
    if (!e.symlink.empty()) {
      archive_entry_set_filetype(entry, AE_IFLNK);
      archive_entry_set_symlink(entry, e.symlink.c_str());
    }
    if (!e.hardlink.empty()) archive_entry_set_hardlink(entry, e.hardlink.c_str());
    REQUIRE(archive_write_header(a, entry) >= ARCHIVE_WARN);
    if (!e.bytes.empty()) archive_write_data(a, e.bytes.data(), e.bytes.size());
    archive_entry_free(entry);
  }
  archive_write_close(a);
  archive_write_free(a);
  return out;
}

std::string compress(const std::string& bytes, const std::string& filter) {
  std::string out;
  archive* a = start(filter, out, [](archive* w) { archive_write_set_format_raw(w); });
  archive_entry* entry = archive_entry_new();
  archive_entry_set_filetype(entry, AE_IFREG);
  REQUIRE(archive_write_header(a, entry) == ARCHIVE_OK);
  archive_write_data(a, bytes.data(), bytes.size());
  archive_entry_free(entry);
  archive_write_close(a);
  archive_write_free(a);
  return out;
}

bool Walked::has_problem(const std::string& code) const {
  return std::any_of(problems.begin(), problems.end(),
                     [&](const BundleProblem& p) { return p.code == code; });
}

Walked walk(Bundle& bundle) {
  Walked out;
  const auto visit = [&](Member& member) {
    out.order.push_back(member.path + (member.is_container ? "/" : ""));
    Member& copy = out.members[member.path] = member;
    copy.content = nullptr;
    if (!member.unread_reason.empty()) out.unread[member.path] = member.unread_reason;
    if (member.content == nullptr) return ok_status();
    std::string& bytes = out.content[member.path];
    std::vector<char> buffer(1000);
    for (;;) {
      const Result<std::size_t> n = member.content->read(buffer);
      if (!n.ok()) out.failed[member.path] = n.status().diagnostic().to_string();
      if (!n.ok() || *n == 0) break;
      bytes.append(buffer.data(), *n);
    }
    // The contract of ByteSource: nothing follows an end or an error.
    CHECK(member.content->read(buffer).value() == 0);
    return ok_status();
  };
  const Status status =
      bundle.for_each(visit, [&](const BundleProblem& p) { out.problems.push_back(p); });
  REQUIRE(status.ok());
  return out;
}

Walked walk(const std::vector<std::string>& paths, const BundleLimits& limits) {
  Result<std::unique_ptr<Bundle>> bundle = Bundle::open(paths, limits);
  if (!bundle.ok()) FAIL(bundle.status().diagnostic().to_string());
  return walk(**bundle);
}

}  // namespace tfpm::test
