// SPDX-License-Identifier: MIT
#include "cli/start_word.hpp"

#include <algorithm>

#include "cli/exit_code.hpp"
#include "cli/reading.hpp"
#include "srgw/io.hpp"

namespace srgw::cli {

bool StartWord::is_hard() const {
  if (!start) return !is_plan;
  return *start == Start::random_labels || *start == Start::kmeans || *start == Start::spectral ||
         *start == Start::split_merge || *start == Start::multilevel;
}

StartWord start_from_text(const std::string& text) {
  for (const bool is_plan : {false, true}) {
    const std::string prefix = is_plan ? "plan:" : "labels:";
    if (text.starts_with(prefix) && text.size() > prefix.size()) {
      return {.file = text.substr(prefix.size()), .is_plan = is_plan};
    }
  }
  try {
    return {.start = start_from_name(text)};
  } catch (const Error& error) {
    fail_usage("{}, labels:FILE, plan:FILE", error.what());
  }
}

std::string start_help() {
  std::string words;
  for (const StartName& name : start_names()) words += std::string(name.name) + ", ";
  return "First plan: " + words + "labels:FILE or plan:FILE";
}

std::optional<StartFile> read_start(const StartWord& word, const NodeNames& names) {
  if (word.start) return {};
  if (!word.is_plan) return StartFile{word.file, read_labels_of(word.file, names).labels, {}};
  return StartFile{word.file, {}, io::read_features(word.file, names)};
}

Plan start_plan(const StartFile& start, const Problem& problem) {
  const Vector weights = problem.weights;
  const Index columns = problem.columns();
  if (start.labels.empty()) {
    if (start.plan.cols() != columns) {
      fail_input("{}: a plan with {} columns, expected {}: the target nodes", start.file,
                 start.plan.cols(), columns);
    }
    return Plan::from_dense(weights, start.plan);
  }
  const auto [least, most] = std::minmax_element(start.labels.begin(), start.labels.end());
  Assignment labels(start.labels.begin(), start.labels.end());
  // Labels are target nodes where they can be; elsewhere only which nodes share one matters.
  if (*least < 0 || *most >= columns) labels = compact(start.labels);
  const auto used = *std::max_element(labels.begin(), labels.end()) + Index{1};
  if (used > columns) {
    fail_input("{}: {} different labels, expected at most {}: the target nodes", start.file, used,
               columns);
  }
  return Plan::from_labels(weights, labels, columns);
}

}  // namespace srgw::cli
