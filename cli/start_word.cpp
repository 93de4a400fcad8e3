// SPDX-License-Identifier: MIT
#include "cli/start_word.hpp"

#include <algorithm>

#include "cli/exit_code.hpp"
#include "cli/reading.hpp"
#include "srgw/io.hpp"

namespace srgw::cli {

bool StartWord::is_hard() const {
  if (!start) return !is_plan;
  switch (*start) {
    case Start::product:
    case Start::product_literal:
    case Start::random:
    case Start::random_product:
    case Start::kmeans_soft:
    case Start::spectral_soft:
    case Start::fluid_soft:
    case Start::automatic: return false;
    default: return true;
  }
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
    fail_usage("--{}, labels:FILE, plan:FILE", error.what());
  }
}

std::string start_help() {
  std::string words;
  for (const StartName& name : start_names()) words += std::string(name.name) + ", ";
  return "Initial plan: " + words + "labels:FILE or plan:FILE";
}

std::optional<StartFile> read_start(const StartWord& word, const NodeNames& names) {
  if (word.start) return {};
  if (!word.is_plan) return StartFile{word.file, read_labels_of(word.file, names).labels, {}};
  return StartFile{word.file, {}, io::read_features(word.file, names)};
}

Assignment start_labels(const StartFile& start, Index columns) {
  const auto [least, most] = std::minmax_element(start.labels.begin(), start.labels.end());
  Assignment labels(start.labels.begin(), start.labels.end());
  // Labels are target nodes if they are valid indices; otherwise they are renumbered.
  if (*least < 0 || *most >= columns) labels = compact(start.labels);
  const auto used = *std::max_element(labels.begin(), labels.end()) + Index{1};
  if (used > columns) {
    fail_input("{}: {} different labels, expected at most {}: the target nodes", start.file, used,
               columns);
  }
  return labels;
}

void check_columns(const StartFile& start, Index columns) {
  if (start.plan.cols() == columns) return;
  fail_input("{}: a plan with {} columns, expected {}: the target nodes", start.file,
             start.plan.cols(), columns);
}

Plan start_plan(const StartFile& start, const Problem& problem) {
  const Vector weights = problem.weights;
  const Index columns = problem.columns();
  if (!start.labels.empty()) {
    return Plan::from_labels(weights, start_labels(start, columns), columns);
  }
  check_columns(start, columns);
  return Plan::from_dense(weights, start.plan);
}

}  // namespace srgw::cli
