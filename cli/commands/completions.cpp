// SPDX-License-Identifier: MIT
#include <memory>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/completion_scripts.hpp"
#include "cli/exit_code.hpp"
#include "cli/options.hpp"

namespace srgw::cli {

Action add_completions(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  Options(app).argument("SHELL", *shell, "bash or zsh")->check(check_choice({"bash", "zsh"}));
  app.footer("Example: srgw completions bash > ~/.local/share/bash-completion/completions/srgw");
  return [shell, &app](const std::string&) {
    const CLI::App& program = *app.get_parent();
    *shell == "bash" ? print_bash_completions(program) : print_zsh_completions(program);
    return exit_fine;
  };
}

}  // namespace srgw::cli
