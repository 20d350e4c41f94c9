// What the name of a printed number says it is.
#include "align/scalar_kind.h"

#include <catch2/catch.hpp>

namespace tfpm {

TEST_CASE("a duration's name says what a step waits for", "[markers]") {
  for (const char* name : {"data_wait_ms", "dataTime", "t_load", "input wait", "batch_fetch_s"}) {
    INFO(name);
    CHECK(time_part(name) == TimePart::kInput);
  }
  for (const char* name : {"allreduce_ms", "comm", "nccl_time", "grad_exchange"}) {
    INFO(name);
    CHECK(time_part(name) == TimePart::kCommunication);
  }
  // Another part of it, a sum over the run, or its own time, which the reader of steps knows.
  for (const char* name : {"step_ms", "fwd_bwd_ms", "data_total_s", "elapsed", "eta", ""}) {
    INFO(name);
    CHECK(time_part(name) == TimePart::kNone);
  }
  CHECK(time_part("time") == TimePart::kWhole);
}

}  // namespace tfpm
