// SPDX-License-Identifier: MIT
#include "cli/config_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <memory>
#include <sstream>
#include <string>

namespace srgw::cli {

namespace {

/// The text of a file whose lines are sections, assignments and comments: what the parser would
/// take for something else is refused here.
std::string checked(std::istream& input) {
  std::string text, line;
  for (std::size_t number = 1; std::getline(input, line); ++number) {
    text += line + "\n";
    const auto begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || line[begin] == '#') continue;
    line = line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
    const auto equals = line.find('=');
    const bool section = line.front() == '[' && line.find(']') != std::string::npos;
    std::string value = equals == std::string::npos ? "" : line.substr(equals + 1);
    value.erase(0, value.find_first_not_of(" \t"));
    const bool open = value.starts_with('[') && value.find(']') == std::string::npos;
    const auto quotes = std::count(value.begin(), value.end(), '"');
    if (!section && (equals == 0 || value.empty() || open || quotes % 2 != 0)) {
      throw CLI::ConfigError(
          fmt::format("line {}: '{}', expected option = value or [command]", number, line));
    }
  }
  return text;
}

class ConfigOfCommand : public CLI::ConfigTOML {
 public:
  explicit ConfigOfCommand(const CLI::App& program) : program_(program) {}

  std::vector<CLI::ConfigItem> from_config(std::istream& input) const override {
    // The chain of commands at hand: `partition`, or `estimate` and `partition`.
    std::vector<std::string> chain;
    for (const CLI::App* app = &program_; !app->get_subcommands().empty();) {
      app = app->get_subcommands().front();
      chain.push_back(app->get_name());
    }
    std::vector<CLI::ConfigItem> meant;
    std::istringstream lines(checked(input));
    for (CLI::ConfigItem& item : CLI::ConfigTOML::from_config(lines)) {
      if (item.name == "++" || item.name == "--") continue;  // where sections begin and end
      if (!item.parents.empty() && item.parents != std::vector{chain.back()}) {
        check_section(item);
        continue;
      }
      item.parents = chain;
      meant.push_back(std::move(item));
    }
    return meant;
  }

 private:
  /// A section that no command has is a slip of the pen.
  void check_section(const CLI::ConfigItem& item) const {
    const auto named = program_.get_subcommands(
        [&](const CLI::App* app) { return app->get_name() == item.parents.front(); });
    if (item.parents.size() != 1 || named.empty()) throw CLI::ConfigError::Extras(item.fullname());
  }

  const CLI::App& program_;
};

}  // namespace

void add_config(CLI::App& program) {
  program.set_config("--config", "", "Read options from a TOML file")->type_name("FILE");
  program.config_formatter(std::make_shared<ConfigOfCommand>(program));
  program.allow_config_extras(CLI::config_extras_mode::error);
}

}  // namespace srgw::cli
