// Keeps a bundle's manifest as it passes by, so that reading it costs no walk of its own.
#pragma once

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
  // Stops with an error where it meets a broken manifest: nothing behind it is read.
  Status for_each(const Visit& visit, const OnProblem& problem) override;
  BundleProgress progress() const override { return inner_.progress(); }

  // What a walk found; an empty manifest when there was none.
  const Manifest& manifest() const { return manifest_; }

 private:
  Status keep(Member& member, const Visit& visit);

  Bundle& inner_;
  Manifest manifest_;
};

}  // namespace tfpm
