// SPDX-License-Identifier: MIT
#include "cli/option_list.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>
#include <utility>

namespace srgw::cli {

std::vector<std::string> OptionEntry::choices() const {
  std::vector<std::string> words;
  if (type.find('|') == std::string::npos) return words;
  std::istringstream stream(type);
  for (std::string word; std::getline(stream, word, '|');) words.push_back(word);
  return words;
}

OptionEntry entry_of(const CLI::Option& option) {
  OptionEntry entry{.names = {},
                    .type = option.get_type_name(),
                    .text = option.get_description(),
                    .fallback = option.get_default_str(),
                    .group = option.get_group(),
                    .positional = option.get_positional(),
                    .required = option.get_required(),
                    .several = option.get_expected_max() == CLI::detail::expected_max_vector_size};
  for (const auto& name : option.get_snames()) entry.names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) entry.names.push_back("--" + name);
  if (entry.positional) entry.names = {option.get_name()};
  if (option.get_expected_max() == 0) entry.type.clear();
  return entry;
}

std::vector<OptionEntry> option_list(const CLI::App& app, bool nested) {
  std::vector<OptionEntry> positionals, options;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    OptionEntry entry = entry_of(*option);
    (entry.positional ? positionals : options).push_back(std::move(entry));
  }
  positionals.insert(positionals.end(), options.begin(), options.end());
  if (!nested) return positionals;
  for (const CLI::App* command : command_list(app)) {
    for (OptionEntry& entry : option_list(*command)) {
      const bool known =
          std::any_of(positionals.begin(), positionals.end(),
                      [&](const OptionEntry& other) { return other.names == entry.names; });
      if (!known) positionals.push_back(std::move(entry));
    }
  }
  return positionals;
}

std::string closest_word(const std::string& word, const std::vector<std::string>& words) {
  const auto changes = [&](const std::string& other) {
    std::vector<std::size_t> row(other.size() + 1);  // Levenshtein's distances to its beginnings
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < word.size(); ++i) {
      std::size_t diagonal = std::exchange(row[0], i + 1);
      for (std::size_t j = 0; j < other.size(); ++j) {
        const std::size_t replaced = diagonal + (word[i] == other[j] ? 0 : 1);
        diagonal = row[j + 1];
        row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, replaced});
      }
    }
    return row.back();
  };
  return *std::ranges::min_element(words, {}, changes);
}

std::vector<const CLI::App*> command_list(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

}  // namespace srgw::cli
