// SPDX-License-Identifier: MIT
#include "cli/outputs.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/exit_code.hpp"

namespace srgw::cli {

namespace {

/// Whether an option names a file that its command writes.
bool is_output(const CLI::App& command, const std::string& option) {
  constexpr std::array known{"--output",     "OUT",
                             "--save",       "--plan",
                             "--picture",    "--report",
                             "--embedding",  "--probabilities",
                             "--checkpoint", "--completed-features",
                             "--assignment", "--means",
                             "--sample",     "--coarse-features",
                             "--values"};
  return std::find(known.begin(), known.end(), option) != known.end() ||
         (option == "--labels" &&
          (command.get_name() == "generate" || command.get_name() == "graphon"));
}

/// A file of an option, compared by identity rather than by name.
struct NamedFile {
  std::string option, text;
  std::filesystem::path path;  ///< without links, as far as it exists
  struct stat status {};
  bool exists = false;

  NamedFile(std::string of, const std::string& name) : option(std::move(of)), text(name) {
    std::error_code ignored;
    path = std::filesystem::weakly_canonical(name, ignored);
    exists = ::stat(name.c_str(), &status) == 0;
  }
  [[nodiscard]] bool is_same(const NamedFile& other) const {
    if (exists != other.exists) return false;
    return exists ? status.st_dev == other.status.st_dev && status.st_ino == other.status.st_ino
                  : path == other.path;
  }
  /// Devices and pipes store nothing.
  [[nodiscard]] bool can_be_lost() const {
    return !exists || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);
  }
};

}  // namespace

void check_outputs(const CLI::App& command) {
  std::vector<NamedFile> inputs, outputs;
  std::string piped;  // what reads stdin
  for (const CLI::Option* option : command.get_options()) {
    const bool writes = is_output(command, option->get_name());
    for (const std::string& text : option->results()) {
      if (writes && text.empty()) {
        fail_usage("{} is empty, expected the name of a file", option->get_name());
      }
      if (text == "-" && !writes) {
        if (!piped.empty()) {
          fail_usage("{} - and {} - are both stdin, expected one of them", piped,
                     option->get_name());
        }
        piped = option->get_name();
      }
      if (text.empty() || text == "-") continue;
      (writes ? outputs : inputs).emplace_back(option->get_name(), text);
    }
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const NamedFile& output = outputs[i];
    if (!output.can_be_lost()) continue;
    for (std::size_t k = 0; k < i; ++k) {
      if (!output.is_same(outputs[k])) continue;
      fail_usage("{} {} and {} {} are one file, expected different ones", outputs[k].option,
                 outputs[k].text, output.option, output.text);
    }
    for (const NamedFile& input : inputs) {
      // A run goes on from its checkpoint, and writes the next one there.
      const bool goes_on = output.option == "--checkpoint" && input.option == "--resume";
      if (!input.exists || !output.exists || goes_on) continue;
      // Files of a folder of graphs are read, too.
      const bool inside = S_ISDIR(input.status.st_mode) && output.path.parent_path() == input.path;
      if (!inside && !output.is_same(input)) continue;
      fail_usage("{} {} would replace the input {}, expected another file", output.option,
                 output.text, input.text);
    }
  }
}

void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number is that of the stream; reading and writing the wrong way fail.
    static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
}

}  // namespace srgw::cli
