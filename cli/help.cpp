// SPDX-License-Identifier: MIT
#include "cli/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/option_list.hpp"

namespace srgw::cli {

namespace {

constexpr std::size_t text_column = 34;
constexpr std::size_t line_length = 100;

/// The options of `--help`, in the order of display. A command that is not listed shows all.
constexpr auto most_used = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"solve",
     "structure features alpha divergence start starts epsilon sparsity plan picture report seed "
     "time-limit json"},
    {"partition",
     "clusters output truth effort levels previous features picture report seed threads time-limit "
     "json"},
    {"coarsen",
     "nodes-coarse ratio output assignment structure features coarse-features picture seed threads "
     "time-limit json"},
    {"blockmodel",
     "blocks degree-corrected held-out output truth sample picture seed threads time-limit json"},
    {"graphon", "steps output values sample sample-nodes picture seed threads time-limit json"},
    {"barycenter",
     "size output divergence structure features alpha start seed threads time-limit json"},
    {"learn",
     "output size model atoms alpha sparsity features standardise for-completion checkpoint "
     "picture report seed time-limit json"},
    {"embed",
     "output coordinates search random-starts picture report seed threads time-limit json"},
    {"cluster",
     "clusters truth output embeddings size atoms model alpha features seed threads time-limit "
     "json"},
    {"complete",
     "nodes output labels features mask method threshold probabilities truth picture report seed "
     "time-limit json"},
    {"distances",
     "output structure features alpha epsilon random-starts seed threads time-limit json"},
    {"score", "graph json"},
    {"info", "from directed nodes json"},
    {"check", "labels features from directed nodes json"},
    {"convert",
     "to labels renumber lossy from directed symmetrize nodes weight-attribute max-memory json"},
    {"generate",
     "nodes blocks degree inside p-in p-out directed exponent graphs output labels seed json"},
    {"estimate solve", "structure features epsilon threads json"},
    {"estimate partition", "clusters structure features threads json"},
});

/// The command as it is typed after the name of the program.
std::string path_of(const CLI::App& app) {
  std::string path;
  for (const CLI::App* at = &app; at->get_parent() != nullptr; at = at->get_parent()) {
    path = at->get_name() + (path.empty() ? "" : " " + path);
  }
  return path;
}

/// Breaks text into lines of the second column; the first begins where `used` characters end.
std::string in_column(const std::string& text, std::size_t used) {
  const std::size_t width = line_length - text_column;
  std::string result = used <= text_column ? std::string(text_column - used, ' ')
                                           : "\n" + std::string(text_column, ' ');
  std::istringstream words(text);
  std::size_t length = 0;
  for (std::string word; words >> word;) {
    if (length > 0 && length + 1 + word.size() > width) {
      result += "\n" + std::string(text_column, ' ');
      length = 0;
    } else if (length > 0) {
      result += " ";
      ++length;
    }
    result += word;
    length += word.size();
  }
  return result + "\n";
}

std::string line_of(const OptionEntry& entry) {
  std::string names = fmt::format("  {}", fmt::join(entry.names, ", "));
  if (!entry.type.empty() && !entry.positional) names += " " + entry.type;
  if (entry.several) names += " ...";
  std::string text = entry.text;
  if (!entry.positional && entry.required) text += " (required)";
  if (!entry.fallback.empty()) text += ". Default: " + entry.fallback;
  if (names.size() <= text_column) names += ' ';
  return names + in_column(text, names.size());
}

class Help : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    std::string text = make_description(app) + make_usage(app, std::move(name));
    const std::string path = path_of(*app);
    const std::vector<OptionEntry> entries = option_list(*app);
    const auto* shown =
        std::ranges::find(most_used, path, [](const auto& row) { return row.first; });
    const bool all = mode == CLI::AppFormatMode::All || shown == most_used.end();
    text += group("Arguments", entries, [](const auto& entry) { return entry.positional; });
    text += all ? all_groups(entries) : short_list(*app, shown->second);
    const auto commands = command_list(*app);
    if (!commands.empty()) text += "\nCommands:\n";
    for (const CLI::App* command : commands) {
      text += "  " + command->get_name() +
              in_column(command->get_description(), command->get_name().size() + 2);
    }
    const std::string footer = make_footer(app);
    if (!footer.empty()) text += "\n" + footer;
    if (all) return text;
    const auto options = std::ranges::count(entries, false, &OptionEntry::positional);
    return text + fmt::format("\n`srgw {} --help-all` lists all {} options.\n", path, options);
  }

 private:
  template <class Test>
  static std::string group(const std::string& title, const std::vector<OptionEntry>& entries,
                           const Test& belongs) {
    std::string text;
    for (const OptionEntry& entry : entries) {
      if (belongs(entry)) text += line_of(entry);
    }
    return text.empty() ? "" : "\n" + title + ":\n" + text;
  }

  static std::string all_groups(const std::vector<OptionEntry>& entries) {
    std::string text;
    std::vector<std::string> seen;
    for (const OptionEntry& first : entries) {
      if (first.positional || std::ranges::find(seen, first.group) != seen.end()) continue;
      seen.push_back(first.group);
      text += group(first.group, entries, [&](const OptionEntry& entry) {
        return !entry.positional && entry.group == first.group;
      });
    }
    return text;
  }

  static std::string short_list(const CLI::App& app, std::string_view shown) {
    std::string text = "\nOptions:\n";
    std::istringstream names{std::string(shown)};
    for (std::string name; names >> name;) text += line_of(entry_of(*app.get_option("--" + name)));
    return text;
  }
};

}  // namespace

void add_help(CLI::App& program) {
  program.set_help_flag("-h,--help", "Show the most used options");
  program.set_help_all_flag("--help-all", "Show all options");
  program.formatter(std::make_shared<Help>());
}

}  // namespace srgw::cli
