// SPDX-License-Identifier: MIT
#include <cmath>

#include "base/message.hpp"
#include "dictionary/model_parts.hpp"
#include "srgw/completion.hpp"

namespace srgw {

namespace {

using nlohmann::json;

constexpr const char* key = "completion";
constexpr int newest = 1;

[[noreturn]] void fail_format(const std::string& what) {
  throw Error(Error::Kind::format, "completion model: " + what);
}

void describe_forest(auto& parts, const char* name, auto& forest) {
  auto numbers = parts.inside(name);
  numbers.value("columns", forest.columns);
  numbers.value("offset", forest.offset);
  const std::string array = fmt::format("completion_{}_", name);
  parts.array(array + "roots", forest.roots);
  parts.array(array + "column", forest.column);
  parts.array(array + "next", forest.next);
  parts.array(array + "threshold", forest.threshold);
  parts.array(array + "value", forest.value);
}

void describe(auto& parts, auto& model) {
  auto& evidence = model.evidence;
  parts.value("one_hot", model.one_hot);
  parts.value("rate", evidence.rate);
  parts.value("graphs", evidence.graphs);
  parts.value("half_seen", evidence.half_seen);
  parts.value("brier", evidence.brier);
  parts.array("completion_reliability", evidence.reliability);
  describe_forest(parts, "hidden_edges", model.hidden_edges);
  describe_forest(parts, "anchored_edges", model.anchored_edges);
  describe_forest(parts, "hidden_pairs", model.hidden_pairs);
  describe_forest(parts, "links", model.links);
  parts.array("completion_memory_codes", model.memory.codes);
  parts.array("completion_memory_ties", model.memory.ties);
  parts.array("completion_memory_pairs", model.memory.pairs);
  parts.optional_array("completion_feature_weights", model.feature_weights);
}

/// Trees that lead anywhere but down would not end, and what is no number would reach users.
void check_forest(const std::string& name, const Forest& forest) {
  const std::size_t nodes = forest.column.size();
  bool fine = forest.next.size() == nodes && forest.threshold.size() == nodes &&
              forest.value.size() == nodes && std::isfinite(forest.offset);
  for (std::size_t k = 0; fine && k < nodes; ++k) {
    const bool leaf = forest.column[k] < 0;
    fine = leaf ? std::isfinite(forest.value[k])
                : (forest.column[k] < forest.columns &&
                   forest.next[k] > static_cast<std::int32_t>(k) &&
                   static_cast<std::size_t>(forest.next[k]) + 1 < nodes);
  }
  for (const std::int32_t root : forest.roots) {
    fine = fine && root >= 0 && static_cast<std::size_t>(root) < nodes;
  }
  if (!fine) fail_format(fmt::format("the trees '{}' are broken", name));
}

void check(const CompletionModel& model) {
  check_forest("hidden_edges", model.hidden_edges);
  check_forest("anchored_edges", model.anchored_edges);
  check_forest("hidden_pairs", model.hidden_pairs);
  check_forest("links", model.links);
  const auto& [codes, ties, pairs] = model.memory;
  if (ties.size() != codes.size() || pairs.size() != codes.size()) {
    fail_format("the memory of environments is broken");
  }
  if (!model.feature_weights.allFinite()) fail_format("weights of features are not all numbers");
}

}  // namespace

void add_completion(const CompletionModel& model, io::Archive& archive) {
  json header = json::parse(archive.header());
  json& own = header[key] = {{"version", newest}};
  detail::PartsWriter parts(archive, own);
  describe(parts, model);
  archive.set_header(header.dump());
}

std::optional<CompletionModel> completion_from(const io::Archive& archive) {
  const json header = json::parse(archive.header());
  const auto found = header.find(key);
  if (found == header.end()) return {};
  CompletionModel model;
  try {
    if (const int version = found->at("version").get<int>(); version > newest) {
      fail_format(fmt::format("version {}, expected {} at most", version, newest));
    }
    detail::PartsReader parts(archive, *found);
    describe(parts, model);
  } catch (const json::exception& error) {
    throw Error(Error::Kind::format,
                fmt::format("header of the completion model: {}", error.what()));
  }
  check(model);
  return model;
}

}  // namespace srgw
