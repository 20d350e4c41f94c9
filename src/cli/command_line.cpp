#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <utility>

namespace tfpm::cli {
namespace {

Status usage_error(const CLI::App& app, const CLI::ParseError& failure) {
  const CLI::App* last = &app;  // the innermost command that was given
  std::string command = app.get_name();
  while (!last->get_subcommands().empty()) {
    last = last->get_subcommands().front();
    command += " " + last->get_name();
  }
  const std::string help = "`" + command + " --help` lists what it takes";
  // CLI11 asks for a command even where one was given that it does not know.
  const auto rest = app.remaining(true);
  const bool group = !last->get_subcommands({}).empty();
  const bool unknown = group && !rest.empty() &&
                       failure.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError);
  return unknown ? error(ErrorKind::kUsage, "no such command", rest.front(), {}, help)
                 : error(ErrorKind::kUsage, failure.what(), {}, {}, help);
}

}  // namespace

OptionTraits& OptionTraits::required() {
  option_->required();
  return *this;
}

OptionTraits& OptionTraits::type(const std::string& name) {
  option_->type_name(name);
  return *this;
}

OptionTraits& OptionTraits::one_of(const std::vector<std::string>& words) {
  option_->check(CLI::IsMember(words));
  return *this;
}

OptionTraits& OptionTraits::between(std::int64_t least, std::int64_t most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

OptionTraits& OptionTraits::not_negative() {
  // CLI11's own validator quotes the largest number there is.
  option_->check([](const std::string& text) {
    return text.rfind('-', 0) == 0 ? text + " is negative" : std::string();
  });
  return *this;
}

OptionTraits& OptionTraits::preset(const std::string& text) {
  option_->default_str(text);
  return *this;
}

Command Command::add(const std::string& name, const std::string& help) const {
  CLI::App* below = app_->add_subcommand(name, help);
  below->fallthrough();
  return Command(below);
}

void Command::require_command() const {
  app_->require_subcommand(1);
}

OptionTraits Command::option(const std::string& names, std::string& value,
                             const std::string& help) const {
  return OptionTraits(app_->add_option(names, value, help));
}

OptionTraits Command::option(const std::string& names, std::optional<std::string>& value,
                             const std::string& help) const {
  return OptionTraits(app_->add_option(names, value, help));
}

OptionTraits Command::option(const std::string& names, std::vector<std::string>& value,
                             const std::string& help) const {
  return OptionTraits(app_->add_option(names, value, help));
}

OptionTraits Command::option(const std::string& names, std::int64_t& value,
                             const std::string& help) const {
  return OptionTraits(app_->add_option(names, value, help));
}

OptionTraits Command::option(const std::string& names, std::optional<std::int64_t>& value,
                             const std::string& help) const {
  return OptionTraits(app_->add_option(names, value, help));
}

OptionTraits Command::option(const std::string& names, unsigned& value,
                             const std::string& help) const {
  return OptionTraits(app_->add_option(names, value, help));
}

void Command::version_flag(const std::string& name, const std::string& text,
                           const std::string& help) const {
  app_->set_version_flag(name, text, help);
}

void Command::flag(const std::string& names, bool& value, const std::string& help) const {
  app_->add_flag(names, value, help);
}

void Command::footer(const std::string& text) const {
  app_->footer(text);
}

void Command::action(Context& context, Action chosen) const {
  app_->callback([&context, chosen = std::move(chosen)] { context.action = chosen; });
}

Result<int> run_command_line(int argc, char** argv, const std::string& about,
                             const std::function<void(Command, Context&)>& describe,
                             Context& context) {
  CLI::App app{about, "tfpm"};
  describe(Command(&app), context);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);  // --help, --version
  } catch (const CLI::ParseError& failure) {
    return usage_error(app, failure);
  }
  return context.action();
}

}  // namespace tfpm::cli
