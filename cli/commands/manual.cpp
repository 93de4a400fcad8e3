// SPDX-License-Identifier: MIT
#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/exit_code.hpp"
#include "cli/option_list.hpp"
#include "srgw/version.hpp"

namespace srgw::cli {

namespace {

/// Escapes text for roff.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n')) {
      result += "\\&" + std::string(1, c);
    } else {
      result += c;
    }
  }
  return result;
}

void print_options(const CLI::App& app) {
  std::string group;
  for (const OptionEntry& entry : option_list(app)) {
    if (!entry.positional && entry.group != group) {
      group = entry.group;
      fmt::print(".PP\n{}:\n", roff(group));
    }
    std::string names;
    for (const std::string& name : entry.names) {
      names += (names.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
    }
    if (!entry.type.empty()) names += " \\fI" + roff(entry.type) + "\\fR";
    const std::string fallback = entry.fallback.empty() ? "" : " [" + entry.fallback + "]";
    fmt::print(".TP\n{}\n{}\n", names, roff(entry.text + fallback));
  }
}

void print_command(const CLI::App& app, const std::string& name) {
  fmt::print(".SS {}\n{}.\n", roff(name), roff(app.get_description()));
  print_options(app);
  if (!app.get_footer().empty()) fmt::print(".PP\n{}\n", roff(app.get_footer()));
}

}  // namespace

Action add_manual(CLI::App& app) {
  return [&app](const std::string&) {
    const CLI::App& program = *app.get_parent();
    fmt::print(".TH SRGW 1 \"\" \"srgw {}\" \"User Commands\"\n", SRGW_VERSION);
    fmt::print(".SH NAME\nsrgw \\- optimal transport on graphs\n");
    fmt::print(".SH SYNOPSIS\n.B srgw\n.I command\n[\\fIinputs\\fR] [\\fIoptions\\fR]\n");
    fmt::print(".SH DESCRIPTION\n{}.\n", roff(program.get_description()));
    fmt::print("Results go to stdout, messages to stderr.\n");
    fmt::print(".SH COMMANDS\n");
    for (const CLI::App* command : command_list(program)) {
      print_command(*command, command->get_name());
    }
    fmt::print(
        ".SH FILES\nThe file extension gives the format of a graph file; each may be gzipped "
        "(.gz).\n"
        "The file of \\fB\\-\\-config\\fR is TOML: its keys are long options, those in a section\n"
        "are read by the command of that name.\n"
        ".SH EXIT STATUS\n"
        ".TP\n0\nfine\n.TP\n1\ninternal error\n.TP\n2\nusage\n"
        ".TP\n3\nbad input, an option that does not fit it, or unwritable output\n"
        ".TP\n4\nnot converged, with \\fB\\-\\-strict\\fR\n"
        ".TP\n5\na limit on time or memory\n"
        ".TP\n130\nstopped by a signal; the best so far was saved if there was a result\n"
        ".SH ENVIRONMENT\n.TP\nNO_COLOR\nno colour in messages\n");
    return exit_fine;
  };
}

}  // namespace srgw::cli
