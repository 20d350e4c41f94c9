#include "ingest/shape_filter.h"

#include <catch2/catch.hpp>

namespace tfpm {

TEST_CASE("an empty message without an address has a shape too") {
  ShapeFilter filter;
  CHECK_FALSE(filter.frequent(std::string_view()));
  CHECK_FALSE(filter.frequent("x"));
}

}  // namespace tfpm
