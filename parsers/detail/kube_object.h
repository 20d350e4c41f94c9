// Objects of the Kubernetes API as exit records (log-formats.md 6.1). For .cpp files of this room
// only.
#pragma once

#include "parsers/detail/json_text.h"
#include "parsers/detail/text_locator.h"
#include "parsers/parser.h"

namespace tfpm {

// Pods (container ends and starts, evictions, TF_CONFIG in their environment), Events, training
// jobs' conditions, and Lists of them; other kinds say nothing. `locator` walks the text the object
// was read from.
void emit_kube_object(const OrderedJson& object, TextLocator& locator, Sink& sink);

}  // namespace tfpm
