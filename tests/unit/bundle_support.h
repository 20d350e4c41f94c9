// Bundles made on the fly: temporary folders, archives of every kind, and what a walk delivers.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bundle/bundle.h"

namespace tfpm::test {

// A folder that goes away with the object.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  std::string path(const std::string& name = "") const;
  // Writes a file, with its folders; returns its path.
  std::string write(const std::string& name, const std::string& bytes) const;

 private:
  std::string root_;
};

struct PackEntry {
  std::string path;
  std::string bytes;
  std::string symlink = {};
  std::string hardlink = {};
  bool directory = false;
};

// `format`: "tar", "pax", "zip"; `filter`: "", "gzip", "zstd", "xz", "bzip2".
std::string pack(const std::vector<PackEntry>& entries, const std::string& format,
                 const std::string& filter);
// One compressed stream of the bytes.
std::string compress(const std::string& bytes, const std::string& filter);

struct Walked {
  std::vector<std::string> order;              // paths as delivered, containers with a trailing '/'
  std::map<std::string, std::string> content;  // by path
  std::map<std::string, std::string> unread;   // reasons by path
  std::map<std::string, std::string> failed;   // read errors by path; content has the prefix
  std::map<std::string, Member> members;       // without content
  std::vector<BundleProblem> problems;
  bool has_problem(const std::string& code) const;
};
// Walks with everything read. The walk must succeed.
Walked walk(Bundle& bundle);
// Opens and walks. Opening must succeed.
Walked walk(const std::vector<std::string>& paths, const BundleLimits& limits = {});

}  // namespace tfpm::test
