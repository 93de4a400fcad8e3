// SPDX-License-Identifier: MIT
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/message.hpp"
#include "srgw/completion_model.hpp"

namespace srgw {

namespace {

using nlohmann::json;

constexpr const char* key = "completion";
constexpr int newest = 1;

std::string array_name(const std::string& forest, const char* part) {
  return fmt::format("completion_{}_{}", forest, part);
}

json add_forest(const std::string& name, const Forest& forest, io::Archive& archive) {
  archive.add(array_name(name, "roots"), forest.roots);
  archive.add(array_name(name, "column"), forest.column);
  archive.add(array_name(name, "next"), forest.next);
  archive.add(array_name(name, "threshold"), forest.threshold);
  archive.add(array_name(name, "value"), forest.value);
  return {{"columns", forest.columns}, {"offset", forest.offset}};
}

template <class T>
std::vector<T> list(const io::Archive& archive, const std::string& name) {
  const auto& values = archive.values<T>(name);
  return {values.begin(), values.end()};
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
  if (!fine) {
    throw Error(Error::Kind::format,
                fmt::format("completion model: the trees '{}' are broken", name));
  }
}

Forest forest_of(const std::string& name, const json& header, const io::Archive& archive) {
  Forest forest{.columns = header.at(name).at("columns").get<Index>(),
                .offset = header.at(name).at("offset").get<double>(),
                .roots = list<std::int32_t>(archive, array_name(name, "roots")),
                .column = list<std::int32_t>(archive, array_name(name, "column")),
                .next = list<std::int32_t>(archive, array_name(name, "next")),
                .threshold = list<double>(archive, array_name(name, "threshold")),
                .value = list<double>(archive, array_name(name, "value"))};
  check_forest(name, forest);
  return forest;
}

EnvironmentMemory memory_of(const io::Archive& archive) {
  EnvironmentMemory memory{.codes = list<std::uint64_t>(archive, "completion_memory_codes"),
                           .ties = list<double>(archive, "completion_memory_ties"),
                           .pairs = list<double>(archive, "completion_memory_pairs")};
  if (memory.ties.size() != memory.codes.size() || memory.pairs.size() != memory.codes.size()) {
    throw Error(Error::Kind::format, "completion model: the memory of environments is broken");
  }
  return memory;
}

}  // namespace

void add_completion(const CompletionModel& model, io::Archive& archive) {
  json header = json::parse(archive.header());
  const CompletionEvidence& evidence = model.evidence;
  json& own = header[key];
  own = {{"version", newest},         {"one_hot", model.one_hot},        {"rate", evidence.rate},
         {"graphs", evidence.graphs}, {"half_seen", evidence.half_seen}, {"brier", evidence.brier}};
  own["hidden_edges"] = add_forest("hidden_edges", model.hidden_edges, archive);
  own["anchored_edges"] = add_forest("anchored_edges", model.anchored_edges, archive);
  own["hidden_pairs"] = add_forest("hidden_pairs", model.hidden_pairs, archive);
  own["links"] = add_forest("links", model.links, archive);
  archive.add("completion_memory_codes", model.memory.codes);
  archive.add("completion_memory_ties", model.memory.ties);
  archive.add("completion_memory_pairs", model.memory.pairs);
  archive.add("completion_reliability", evidence.reliability);
  if (model.feature_weights.size() > 0) {
    archive.add("completion_feature_weights", model.feature_weights);
  }
  archive.set_header(header.dump());
}

std::optional<CompletionModel> completion_from(const io::Archive& archive) {
  const json whole = json::parse(archive.header());
  const auto found = whole.find(key);
  if (found == whole.end()) return {};
  try {
    if (found->at("version").get<int>() > newest) {
      throw Error(Error::Kind::format,
                  fmt::format("completion model of version {}, expected {} at most",
                              found->at("version").get<int>(), newest));
    }
    CompletionModel model{.memory = memory_of(archive),
                          .hidden_edges = forest_of("hidden_edges", *found, archive),
                          .anchored_edges = forest_of("anchored_edges", *found, archive),
                          .hidden_pairs = forest_of("hidden_pairs", *found, archive),
                          .links = forest_of("links", *found, archive),
                          .one_hot = found->at("one_hot").get<bool>()};
    model.evidence = {.rate = found->at("rate").get<double>(),
                      .graphs = found->at("graphs").get<Index>(),
                      .half_seen = found->at("half_seen").get<Index>(),
                      .brier = found->at("brier").get<double>(),
                      .reliability = archive.matrix("completion_reliability")};
    if (archive.has("completion_feature_weights")) {
      model.feature_weights = archive.matrix("completion_feature_weights");
    }
    if (!model.feature_weights.allFinite()) {
      throw Error(Error::Kind::format, "completion model: weights of features are not all numbers");
    }
    return model;
  } catch (const json::exception& error) {
    throw Error(Error::Kind::format,
                fmt::format("header of the completion model: {}", error.what()));
  }
}

}  // namespace srgw
