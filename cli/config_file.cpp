// SPDX-License-Identifier: MIT
#include "cli/config_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "cli/option_list.hpp"

namespace srgw::cli {

namespace {

/// Reads the file and refuses lines that are neither sections, assignments nor comments, which the
/// parser would misread.
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

/// The line number of a key.
std::size_t line_of_key(const std::string& key, const std::string& text) {
  std::istringstream lines(text);
  std::size_t number = 1;
  for (std::string line; std::getline(lines, line); ++number) {
    const std::string before = line.substr(0, line.find('='));
    const auto begin = before.find(key);
    const auto end = before.find_last_not_of(" \t");
    if (begin != std::string::npos && begin + key.size() == end + 1) return number;
  }
  return number;
}

class ConfigOfCommand : public CLI::ConfigTOML {
 public:
  explicit ConfigOfCommand(const CLI::App& program) : program_(program) {}

  std::vector<CLI::ConfigItem> from_config(std::istream& input) const override {
    // The chain of commands at hand: `partition`, or `estimate` and `partition`.
    std::vector<std::string> chain;
    const CLI::App* command = &program_;
    while (!command->get_subcommands().empty()) {
      command = command->get_subcommands().front();
      chain.push_back(command->get_name());
    }
    std::vector<CLI::ConfigItem> meant;
    const std::string text = checked(input);
    std::istringstream lines(text);
    for (CLI::ConfigItem& item : CLI::ConfigTOML::from_config(lines)) {
      if (item.name == "++" || item.name == "--") continue;  // where sections begin and end
      const bool own = item.parents.empty() || item.parents == std::vector{chain.back()};
      check_key(item, own ? *command : section_of(item), text);
      if (!own) continue;
      item.parents = chain;
      meant.push_back(std::move(item));
    }
    return meant;
  }

 private:
  /// The command that a section is for.
  [[nodiscard]] const CLI::App& section_of(const CLI::ConfigItem& item) const {
    const auto named = program_.get_subcommands(
        [&](const CLI::App* app) { return app->get_name() == item.parents.front(); });
    if (item.parents.size() == 1 && !named.empty()) return *named.front();
    std::vector<std::string> known;
    for (const CLI::App* app : command_list(program_)) known.push_back(app->get_name());
    std::string section = item.fullname();
    section.resize(section.rfind('.'));
    throw CLI::ConfigError(fmt::format("{}: [{}] is not a command, did you mean [{}]?", file(),
                                       section, closest_word(section, known)));
  }

  void check_key(const CLI::ConfigItem& item, const CLI::App& app, const std::string& text) const {
    std::vector<std::string> known;
    for (const OptionEntry& entry : option_list(app, true)) {
      const std::string& name = entry.names.back();
      known.push_back(name.substr(std::min(name.find_first_not_of('-'), name.size())));
    }
    if (std::ranges::find(known, item.name) != known.end()) return;
    throw CLI::ConfigError(fmt::format("{}:{}: '{}' is not an option of {}, did you mean '{}'?",
                                       file(), line_of_key(item.name, text), item.name,
                                       app.get_name(), closest_word(item.name, known)));
  }

  [[nodiscard]] std::string file() const { return program_.get_config_ptr()->as<std::string>(); }

  const CLI::App& program_;
};

}  // namespace

void add_config(CLI::App& program) {
  program.set_config("--config", "", "Read options from a TOML file")->type_name("FILE");
  program.config_formatter(std::make_shared<ConfigOfCommand>(program));
  program.allow_config_extras(CLI::config_extras_mode::error);
}

}  // namespace srgw::cli
