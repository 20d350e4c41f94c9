#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <utility>

namespace tfpm::cli {

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
  option_->check(CLI::NonNegativeNumber);
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

void Command::flag(const std::string& names, bool& value, const std::string& help) const {
  app_->add_flag(names, value, help);
}

void Command::footer(const std::string& text) const {
  app_->footer(text);
}

void Command::action(Context& context, Action chosen) const {
  app_->callback([&context, chosen = std::move(chosen)] { context.action = chosen; });
}

}  // namespace tfpm::cli
