// The forms of envelopes, one layer each. Internal to src/ingest.
#pragma once

#include <string_view>

#include "ingest/lines.h"

namespace tfpm {

// Peels one layer of `kind` off the line; false and `out` undefined when the line does not have
// it. Kubectl, stern and compose also take the collector's stamp behind the tag.
bool peel_layer(EnvelopeKind kind, std::string_view line, Envelope& out);

// The kJson layer (envelope_json.cpp).
bool peel_collector_json(std::string_view line, Envelope& out);

// True for kinds that hardly any other text looks like.
bool is_unambiguous(EnvelopeKind kind);
// True for kinds that name a writer.
bool is_tagging(EnvelopeKind kind);

}  // namespace tfpm
