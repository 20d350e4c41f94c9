// The output directory of `analyze`: complete or not there.
//
// Files are written into a temporary folder beside it and moved into place at the end. A run that
// fails, is interrupted or is killed leaves nothing under the final names.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace tfpm::cli {

class OutputDir {
 public:
  // Makes the temporary folder. `target` must not exist unless `force`; then it must be a
  // directory, of which only files with the names that are written here will be replaced.
  static Result<OutputDir> create(const std::string& target, bool force);
  // The check of create() alone, for failing before the work starts.
  static Status check(const std::string& target, bool force);

  OutputDir(OutputDir&& other) noexcept;
  OutputDir& operator=(OutputDir&&) = delete;
  ~OutputDir();  // removes the temporary folder

  // Where to write a file now.
  std::string path(const std::string& name) const { return temporary_ + "/" + name; }
  const std::string& temporary() const { return temporary_; }
  // Moves everything to the target, in place of what an earlier run left there (`names` lists all
  // files a run may write).
  Status commit(const std::vector<std::string>& names);

 private:
  OutputDir(std::string target, std::string temporary, bool exists)
      : target_(std::move(target)), temporary_(std::move(temporary)), exists_(exists) {}

  std::string target_;
  std::string temporary_;  // empty after a move
  bool exists_;
};

}  // namespace tfpm::cli
