// SPDX-License-Identifier: MIT
#include "cli/config_file.hpp"

#include <memory>

namespace srgw::cli {

namespace {

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
    for (CLI::ConfigItem& item : CLI::ConfigTOML::from_config(input)) {
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
