// The description of a subcommand, in plain types: CLI11's templates are compiled once, in
// command_line.cpp, and not in every command.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tfpm::cli {

// What more is to be said of an option; refers to one that its Command holds.
class OptionTraits {
 public:
  explicit OptionTraits(CLI::Option* option) : option_(option) {}

  OptionTraits& required();
  OptionTraits& type(const std::string& name);                   // in the help: 'DIR', 'FILE', 'N'
  OptionTraits& one_of(const std::vector<std::string>& words);   // any other value is refused
  OptionTraits& between(std::int64_t least, std::int64_t most);  // closed
  OptionTraits& not_negative();
  OptionTraits& preset(const std::string& text);  // the default that the help shows

 private:
  CLI::Option* option_;
};

// A subcommand of the program, which owns it. Variables that options fill must outlive the
// program's parsing: commands keep them in a shared_ptr that their action holds.
class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}

  // A command below this one; options of this one may stand behind it.
  Command add(const std::string& name, const std::string& help) const;
  void require_command() const;  // one of those below must be given

  // `names` as CLI11 takes them: "BUNDLE" by position, "-o,--output" by name.
  OptionTraits option(const std::string& names, std::string& value, const std::string& help) const;
  OptionTraits option(const std::string& names, std::optional<std::string>& value,
                      const std::string& help) const;
  OptionTraits option(const std::string& names, std::vector<std::string>& value,
                      const std::string& help) const;  // may be repeated
  OptionTraits option(const std::string& names, std::int64_t& value, const std::string& help) const;
  OptionTraits option(const std::string& names, std::optional<std::int64_t>& value,
                      const std::string& help) const;
  OptionTraits option(const std::string& names, unsigned& value, const std::string& help) const;
  void flag(const std::string& names, bool& value, const std::string& help) const;
  void version_flag(const std::string& name, const std::string& text,
                    const std::string& help) const;
  void footer(const std::string& text) const;  // below the help

  // What to do when this command is the one that was given.
  void action(Context& context, Action chosen) const;

 private:
  CLI::App* app_;
};

// Parses the arguments of a program that `describe` describes, then does what the given command is
// there for. The exit code, or an error to be shown: of the command, or how it was used wrongly.
// --help and --version print what they are asked for.
Result<int> run_command_line(int argc, char** argv, const std::string& about,
                             const std::function<void(Command, Context&)>& describe,
                             Context& context);

}  // namespace tfpm::cli
