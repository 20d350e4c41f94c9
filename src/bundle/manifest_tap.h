// Keeps a bundle's manifest as it passes by, so that reading it costs no walk of its own.
#pragma once

#include <optional>
#include <string>

#include "bundle/bundle.h"

namespace tfpm {

// A manifest is 'bundle.json' at the bundle's top with at least one of its keys (parse_manifest);
// another program's file of that name, one that cannot be read and one larger than 1 MiB are left
// alone.
class ManifestTap : public Bundle {
 public:
  // `inner` must outlive the tap.
  explicit ManifestTap(Bundle& inner) : inner_(inner) {}

  std::string name() const override { return inner_.name(); }
  Status for_each(const Visit& visit, const OnProblem& problem) override;
  BundleProgress progress() const override { return inner_.progress(); }

  // What a walk found; an empty manifest when there was none.
  Result<Manifest> manifest() const;

 private:
  Status keep(Member& member, const Visit& visit);

  Bundle& inner_;
  std::optional<std::string> text_;
};

}  // namespace tfpm
