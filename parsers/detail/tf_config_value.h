// The decoded value of a TF_CONFIG. For .cpp files of this room only.
#pragma once

#include <string>

#include "parsers/detail/json_text.h"
#include "parsers/detail/tf_config.h"

namespace tfpm {

// Sets the error unless one is known already: the first thing wrong is what matters.
void note_error(TfConfig& config, std::string error);
// Task and cluster of the whole value; wrong shapes become errors, the rest is read.
void read_tf_config_value(TfConfig& config, const OrderedJson& root);
// The cluster alone: jobs with lists of addresses, or with objects from index to address (sparse).
void read_cluster(TfConfig& config, const OrderedJson& cluster);

}  // namespace tfpm
