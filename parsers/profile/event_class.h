// What the name of a profiler event says it is (formats.md 6.6).
#pragma once

#include <string_view>

namespace tfpm {

enum class EventClass {
  kOther,
  kInputWait,   // somebody waits for the next batch: IteratorGetNext...
  kProducer,    // a stage of tf.data at work: Iterator::..., ParallelMapProduce, ...
  kCollective,  // all-reduce and its kin, transfer and waiting together
  kCopy,        // between host and device, or device and device
  kLaunch,      // the host hands work to a device
  kCompute,     // an op of the model on the host, or a kernel on a device
  kMemory,      // MemoryAllocation, MemoryDeallocation
};

std::string_view to_string(EventClass c);  // "input-wait", ...; "other"

// An event of a host plane.
EventClass classify_host(std::string_view name);
// An event of a device plane.
EventClass classify_device(std::string_view name);
// True for a device's line on which nothing but copies run ("Stream #20(MemcpyH2D)").
bool is_copy_line(std::string_view line);

// The op type of "name:Type"; empty when the name has no such form.
std::string_view op_type_of(std::string_view name);

// True for a line that other lines of the plane repeat (Steps, name scopes, modules): what stands
// there must not be counted as work again.
bool is_derived_line(std::string_view line);

}  // namespace tfpm
