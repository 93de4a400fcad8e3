// SPDX-License-Identifier: MIT
#include "cli/constraint_labels.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace srgw::cli {

namespace {

using Json = nlohmann::ordered_json;

std::string class_text(const io::SomeLabels& read, std::int64_t label) {
  return read.classes.empty() ? std::to_string(label) : read.classes.at(label);
}

/// Names of the clusters by their ids; empty where ids are numbers.
std::vector<std::string> names_of_ids(const Partition& found, const ConstraintLabels& labels) {
  if (labels.classes.empty()) return {};
  std::vector<std::string> names = labels.classes;
  std::set<std::string> taken(names.begin(), names.end());
  std::int64_t largest = 0, number = 0;
  for (const std::int64_t id : found.ids) largest = std::max(largest, id);
  while (std::ssize(names) <= largest) {
    while (taken.contains(std::to_string(number))) ++number;
    names.push_back(std::to_string(number++));
  }
  return names;
}

}  // namespace

ConstraintLabels read_constraints(const std::string& previous, const std::string& fixed,
                                  const NodeNames& names) {
  ConstraintLabels result;
  io::SomeLabels before, held;
  if (!previous.empty()) before = io::read_some_labels(previous, names, false);
  if (!fixed.empty()) held = io::read_some_labels(fixed, names, true);
  result.vanished = before.unknown;
  result.previous = std::move(before.labels);
  result.fixed = std::move(held.labels);
  if (before.classes.empty() && held.classes.empty()) return result;
  // Names, or names beside numbers: all are names then, and those in use are numbered in turn.
  std::map<std::string, std::int64_t> numbers;
  const auto number = [&](const io::SomeLabels& read, std::vector<std::int64_t>& labels) {
    for (std::int64_t& label : labels) {
      if (label < 0) continue;
      const std::string text = class_text(read, label);
      const auto [known, is_new] = numbers.emplace(text, std::ssize(result.classes));
      if (is_new) result.classes.push_back(text);
      label = known->second;
    }
  };
  number(before, result.previous);
  number(held, result.fixed);
  return result;
}

io::NodeLabels labels_to_write(const Partition& found, const ConstraintLabels& labels,
                               const NodeNames& names) {
  return {.names = names, .labels = found.node_ids(), .classes = names_of_ids(found, labels)};
}

PreviousLabels previous_for_report(const Partition& found, const ConstraintLabels& labels) {
  return {
      .ids = labels.previous, .names = names_of_ids(found, labels), .vanished = labels.vanished};
}

void note_update(const Partition& found, const std::string& file, const Common& common) {
  if (!found.update || found.update->covers_half()) return;
  note(common, "{}: previous labels cover {} of {} nodes, less than half", file,
       found.update->known, found.update->known + found.update->added);
}

void add_update(nlohmann::ordered_json& json, const Partition& found,
                const ConstraintLabels& labels) {
  if (!found.ids.empty()) {
    Json& list = json["ids"] = Json::array();
    const auto names = names_of_ids(found, labels);
    for (const std::int64_t id : found.ids) {
      names.empty() ? list.push_back(id) : list.push_back(names.at(id));
    }
  }
  if (found.update) {
    Json fresh = Json::array(), gone = Json::array();
    const auto names = names_of_ids(found, labels);
    for (const ClusterChange& change : cluster_changes(found, labels.previous)) {
      if (change.before > 0 && change.now > 0) continue;
      Json& list = change.now > 0 ? fresh : gone;
      names.empty() ? list.push_back(change.id) : list.push_back(names.at(change.id));
    }
    json["update"] = {{"known", found.update->known},
                      {"added", found.update->added},
                      {"vanished", labels.vanished},
                      {"moved", found.update->moved},
                      {"share_moved", found.update->share()},
                      {"ami", found.update->ami},
                      {"new_clusters", fresh},
                      {"vanished_clusters", gone}};
  }
  for (const PartitionCost& cost : found.costs) {
    json["costs"].push_back({{"constraint", cost.constraint},
                             {"modularity_with", cost.with},
                             {"modularity_without", cost.without},
                             {"cost", cost.without - cost.with}});
  }
}

void print_update(const Partition& found, const ConstraintLabels& labels) {
  if (found.update) {
    fmt::print("moved         {} of {} nodes ({:.2f} %), {} new, {} vanished\n",
               found.update->moved, found.update->known, 100 * found.update->share(),
               found.update->added, labels.vanished);
    fmt::print("previous AMI  {:.4f}\n", found.update->ami);
  }
  for (const PartitionCost& cost : found.costs) {
    fmt::print("{:<13} costs {:.6f} of modularity at resolution {:.3g}\n", cost.constraint,
               cost.without - cost.with, found.resolution);
  }
}

}  // namespace srgw::cli
