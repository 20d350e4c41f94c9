// Catch2 2.13 wants its own main in exactly one file.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
