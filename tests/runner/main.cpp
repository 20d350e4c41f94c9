// The main() of every Catch2 program. Catch2 2.13 wants its runner in exactly one file; it takes
// longer to compile than any test, so all programs share this one.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
