// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <map>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "cli/command.hpp"
#include "cli/common.hpp"
#include "cli/config_file.hpp"
#include "cli/exit_code.hpp"
#include "cli/help.hpp"
#include "cli/job.hpp"
#include "cli/outputs.hpp"
#include "cli/stopping.hpp"
#include "srgw/version.hpp"

namespace {

using namespace srgw::cli;

constexpr auto commands = std::to_array<Command>({
    {"solve", "Divergence and plan between two graphs", add_solve},
    {"partition", "Cluster the nodes of a graph", add_partition, false, true},
    {"coarsen", "Coarse graph of a graph, whose nodes are sets of nodes", add_coarsen},
    {"blockmodel", "Fit a stochastic block model of any kind to a graph", add_blockmodel},
    {"graphon", "Estimate a step-function graphon from the graphs of a dataset", add_graphon},
    {"barycenter", "Mean of the graphs of a dataset", add_barycenter},
    {"learn", "Learn a dictionary of small target graphs from a dataset", add_learn, false, true},
    {"embed", "Embed the graphs of a dataset as vectors", add_embed, false, true},
    {"cluster", "Cluster the graphs of a dataset", add_cluster, false, true},
    {"complete", "Predict missing nodes and edges of a graph", add_complete},
    {"distances", "Divergences between the graphs of datasets", add_distances, false, true},
    {"draw", "Draw a saved result", add_draw},
    {"score", "Compare two labelings of nodes", add_score},
    {"info", "Show the contents of a file", add_info},
    {"check", "Find all errors in a file", add_check},
    {"convert", "Convert between file formats", add_convert},
    {"generate", "Generate random graphs and datasets", add_generate},
    {"estimate", "Estimate memory and time of a command, without running it", add_estimate},
    {"completions", "Print completions for a shell", add_completions},
    {"manual", "Print the manual page", add_manual, true},
});

/// Prints the error to stderr and, with --json, as an object to stdout.
int fail(const std::string& what, const char* kind, int code, bool json) {
  speak_for_all();
  const char* no_color = std::getenv("NO_COLOR");
  const bool color = ::isatty(STDERR_FILENO) == 1 && (no_color == nullptr || *no_color == '\0');
  std::fprintf(stderr, "%s %s\n", color ? "\033[1;31msrgw:\033[0m" : "srgw:", what.c_str());
  if (json) print_json({{"error", {{"kind", kind}, {"message", what}, {"exit_code", code}}}});
  end_all(code);
  return code;
}

int exit_code_of(srgw::Error::Kind kind) {
  switch (kind) {
    case srgw::Error::Kind::resource: return exit_resource;
    case srgw::Error::Kind::stopped: return was_signalled() ? exit_interrupted : exit_resource;
    default: return exit_bad_input;
  }
}

const char* name_of(srgw::Error::Kind kind) {
  switch (kind) {
    case srgw::Error::Kind::argument: return "argument";
    case srgw::Error::Kind::format: return "format";
    case srgw::Error::Kind::io: return "io";
    case srgw::Error::Kind::resource: return "resource";
    case srgw::Error::Kind::stopped: return "stopped";
  }
  return "internal";
}

/// The command line, quoted for a shell.
std::string joined(std::span<char*> arguments) {
  std::string line = "srgw";
  for (const char* argument : arguments.subspan(1)) {
    const std::string text = argument;
    const bool plain = text.find_first_of(" \t\n'\"\\$*?;&|<>()`") == std::string::npos;
    line += " ";
    if (plain && !text.empty()) {
      line += text;
    } else {
      line += "'";
      for (const char c : text) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
      line += "'";
    }
  }
  return line;
}

/// Names an unknown command; CLI11 would only say that one is missing.
void check_command(std::span<char*> arguments) {
  if (arguments.size() < 2 || arguments[1][0] == '-') return;
  std::string known;
  for (const Command& command : commands) {
    if (command.name == std::string_view(arguments[1])) return;
    if (!command.hidden) known += std::string(known.empty() ? "" : ", ") + command.name;
  }
  fail_usage("unknown command '{}', expected one of: {}", arguments[1], known);
}

/// The first task of a command: reading its files.
std::string reading_task(const CLI::App& command) {
  const CLI::App* app = &command;
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  std::string files;
  for (const CLI::Option* option : app->get_options()) {
    if (!option->get_positional()) continue;
    for (const std::string& file : option->results()) {
      const bool piped = file == "-";
      if (!piped && !std::filesystem::exists(file)) continue;
      files += (files.empty() ? "reading " : ", ") + (piped ? "stdin" : file);
    }
  }
  return files;
}

int run(std::span<char*> arguments) {
  CLI::App program("Semi-relaxed Gromov-Wasserstein optimal transport on graphs", "srgw");
  program.set_version_flag("--version", "srgw " SRGW_VERSION);
  program.require_subcommand(1);
  add_help(program);
  program.footer(
      "`srgw COMMAND --help` lists the options of a command.\n"
      "Example: srgw partition graph.txt -k 4 -o communities.tsv");
  add_config(program);
  struct Choice {
    const Command* command;
    Action action;
  };
  std::map<const CLI::App*, Choice> choices;
  for (const Command& command : commands) {
    CLI::App* app = program.add_subcommand(command.name, command.about);
    if (command.hidden) app->group("");
    app->fallthrough();  // --config is an option of the program
    choices[app] = {&command, command.add(*app)};
  }
  check_command(arguments);
  try {
    program.parse(static_cast<int>(arguments.size()), arguments.data());
  } catch (const CLI::Success& wish) {
    return program.exit(wish);  // prints help or version
  } catch (const CLI::FileError& error) {
    throw srgw::Error(srgw::Error::Kind::io, error.what());  // of --config
  } catch (const CLI::ConfigError& error) {
    throw UsageError(std::string("--config: ") + error.what());
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  check_outputs(*program.get_subcommands().front());
  const Choice& chosen = choices.at(program.get_subcommands().front());
  if (!chosen.command->spreads && !is_first_rank()) return exit_fine;
  begin_task(reading_task(*program.get_subcommands().front()));
  return chosen.action(joined(arguments));
}

/// Turns errors into exit codes.
int run_job(std::span<char*> arguments, bool json) {
  try {
    const int code = run(arguments);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      throw srgw::Error(srgw::Error::Kind::io, "stdout cannot be written");
    }
    return code;
  } catch (const UsageError& error) {
    return fail(error.what(), "usage", exit_usage, json);
  } catch (const srgw::Error& error) {
    const bool stopped = error.kind() == srgw::Error::Kind::stopped;
    const bool file = error.kind() == srgw::Error::Kind::io;
    const std::string what = file ? of_this_rank(error.what()) : error.what();
    return fail(stopped ? stop_message() : what, name_of(error.kind()), exit_code_of(error.kind()),
                json);
  } catch (const std::bad_alloc&) {
    return fail(
        of_this_rank(
            "out of memory; `srgw estimate` prints how much is needed, --max-memory sets a limit"),
        "resource", exit_resource, json);
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(of_this_rank(fmt::format("{}: {}", error.path1().string(), error.code().message())),
                "io", exit_bad_input, json);
  } catch (const std::system_error& error) {  // of a stream, or of the system's threads
    const bool memory = error.code() == std::errc::resource_unavailable_try_again;
    return fail(of_this_rank(error.what()), memory ? "resource" : "io",
                memory ? exit_resource : exit_bad_input, json);
  } catch (const std::exception& error) {
    return fail(of_this_rank(error.what()), "internal", exit_internal, json);
  } catch (...) {
    return fail(of_this_rank("an exception of unknown type"), "internal", exit_internal, json);
  }
}

}  // namespace

int main(int count, char** values) {
  const std::span<char*> arguments(values, count);
  bool json = false;
  for (const char* argument : arguments) json = json || std::string_view(argument) == "--json";
  open_standard_streams();
  listen_to_signals();
  try {
    const Job job;
    return run_job(arguments, json);
  } catch (const UsageError& error) {  // ranks without MPI
    return fail(error.what(), "usage", exit_usage, json);
  } catch (const srgw::Error& error) {  // of MPI itself
    return fail(error.what(), "resource", exit_resource, json);
  }
}
