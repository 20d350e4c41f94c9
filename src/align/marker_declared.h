// Markers that the user declares in bundle.json (algorithms.md section 1.9, rule 10).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "align/marker_family.h"
#include "base/series.h"
#include "base/status.h"

namespace tfpm {

class DeclaredMarkers {
 public:
  // An expression that does not compile, or has no group `step`, is an error that names it.
  static Result<DeclaredMarkers> compile(const std::vector<DeclaredMarker>& declared);
  DeclaredMarkers(DeclaredMarkers&&) noexcept;
  ~DeclaredMarkers();

  bool empty() const;
  // The slots that the expressions name, as one family: an expression is matched against one record
  // of each template, header removed. nullopt when none of the stream's templates matches.
  std::optional<Family> find(const NamedStream& stream) const;

 private:
  DeclaredMarkers();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tfpm
