// SPDX-License-Identifier: MIT
#include "cli/completion_scripts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/option_list.hpp"

namespace srgw::cli {

namespace {

/// Commands inside a command (estimate) are words like its options.
std::string words_of(const CLI::App& app) {
  std::string words;
  for (const CLI::App* command : command_list(app)) words += command->get_name() + " ";
  for (const OptionEntry& entry : option_list(app, true)) {
    if (entry.positional) continue;
    for (const std::string& name : entry.names) words += name + " ";
  }
  return words + "--config";
}

/// Text inside the single quotes and brackets of zsh.
std::string zsh_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
      result += c;
    }
  }
  return result;
}

std::string zsh_option(const OptionEntry& entry) {
  std::string value;
  if (!entry.choices().empty()) {
    value = fmt::format(":{}:({})", "word", fmt::join(entry.choices(), " "));
  } else if (!entry.type.empty()) {
    value = fmt::format(":{}:{}", entry.type, entry.type == "FILE" ? "_files" : " ");
  }
  const std::string rest = "[" + zsh_text(entry.text) + "]" + value + "'";
  if (entry.names.size() == 1) return "'" + entry.names[0] + rest;
  const std::string all = fmt::format("{}", fmt::join(entry.names, " "));
  return fmt::format("'({})'{{{}}}'{}", all, fmt::join(entry.names, ","), rest);
}

}  // namespace

void print_bash_completions(const CLI::App& program) {
  std::string names, cases, values;
  std::vector<std::string> known;
  for (const CLI::App* command : command_list(program)) {
    names += command->get_name() + " ";
    cases += fmt::format("    {}) words=\"{}\" ;;\n", command->get_name(), words_of(*command));
    for (const OptionEntry& entry : option_list(*command, true)) {
      const std::string& flag = entry.names.back();
      if (entry.choices().empty() || std::find(known.begin(), known.end(), flag) != known.end()) {
        continue;
      }
      known.push_back(flag);
      values += fmt::format("    {}) COMPREPLY=($(compgen -W \"{}\" -- \"$current\")); return ;;\n",
                            flag, fmt::join(entry.choices(), " "));
    }
  }
  fmt::print(R"(# bash completion of srgw
_srgw() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} former=${{COMP_WORDS[COMP_CWORD - 1]}} words=
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W "{}--help --version" -- "$current"))
    return
  fi
  case $former in
{}  esac
  case ${{COMP_WORDS[1]}} in
{}  esac
  case $current in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}}
complete -o filenames -F _srgw srgw
)",
             names, values, cases);
}

void print_zsh_completions(const CLI::App& program) {
  std::string names, cases;
  for (const CLI::App* command : command_list(program)) {
    names +=
        fmt::format("    '{}:{}'\n", command->get_name(), zsh_text(command->get_description()));
    cases += fmt::format("    {})\n      _arguments \\\n", command->get_name());
    for (const OptionEntry& entry : option_list(*command, true)) {
      if (!entry.positional) cases += "        " + zsh_option(entry) + " \\\n";
    }
    cases += "        '*:file:_files'\n      ;;\n";
  }
  fmt::print(R"(#compdef srgw
_srgw() {{
  local -a commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
_srgw "$@"
)",
             names, cases);
}

}  // namespace srgw::cli
