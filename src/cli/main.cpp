#include <CLI/CLI.hpp>

#include "base/version.h"

int main(int argc, char** argv) {
  CLI::App app{"offline post-mortem of a distributed TensorFlow training job"};
  app.set_version_flag("--version", std::string(tfpm::version()));
  CLI11_PARSE(app, argc, argv);
  return 0;
}
