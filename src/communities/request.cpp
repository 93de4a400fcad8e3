// SPDX-License-Identifier: MIT
// What partition() runs: the one place that decides what the options leave open.
#include <cmath>
#include <limits>

#include "base/message.hpp"
#include "base/overloaded.hpp"
#include "solve/method.hpp"
#include "srgw/partition.hpp"

namespace srgw {

namespace {

using detail::fail_argument;
using Problems = PartitionProblem;
using Structures = StructureKind;
using Targets = PartitionTarget::Kind;
using Weights = PartitionWeights::Kind;

const StructureName* row_of(Structures kind) {
  for (const StructureName& row : structure_names()) {
    if (row.kind == kind) return &row;
  }
  return nullptr;
}

bool is_kernel(Structures kind) {
  return kind == Structures::heat || kind == Structures::stability;
}

bool fixes_weights(Structures kind) {
  const StructureName* const row = row_of(kind);
  return row != nullptr && row->fixes_weights;
}

std::string text_of(const PartitionStructure& structure) {
  const StructureName* const row = row_of(structure.kind);
  if (row == nullptr) return structure.kind == Structures::automatic ? "auto" : "other";
  return NamedStructure{row, structure.number}.text();
}

std::string text_of(const PartitionWeights& weights) {
  const std::string text(name(weights.kind));
  return weights.kind == Weights::power ? fmt::format("{}:{}", text, weights.exponent) : text;
}

std::string text_of(const PartitionTarget& target) {
  const std::string text(name(target.kind));
  return target.kind == Targets::scaled_identity ? fmt::format("{}:{}", text, target.scale) : text;
}

std::string text_of(const std::optional<PartitionStart>& start) {
  if (!start) return "auto";
  return std::visit(detail::Overloaded{[](Start named) { return std::string(name(named)); },
                                       [](const Assignment&) { return std::string("labels"); },
                                       [](const Matrix&) { return std::string("plan"); }},
                    *start);
}

/// The option that the search does not take; empty where there is none.
std::string obstacle_to_search(const PartitionOptions& options) {
  if (options.problem != Problems::srgw) return fmt::format("method {}", name(options.problem));
  if (options.structure.kind != Structures::automatic) {
    return "structure " + text_of(options.structure);
  }
  if (options.weights.kind != Weights::automatic && options.weights.kind != Weights::degree) {
    return "weights " + text_of(options.weights);
  }
  if (options.target.kind != Targets::automatic) return "target " + text_of(options.target);
  if (options.start) return "start " + text_of(options.start);
  if (options.loss != Loss::square) return fmt::format("loss {}", name(options.loss));
  if (options.entropy != 0) return "an entropy";
  if (options.select) return "select modularity";
  // Without a number of clusters the penalty is a path that begins at the search.
  if (options.sparsity != 0 && options.clusters) return "sparsity";
  return {};
}

/// gwl and specgwl in terms of the other options.
void spell_out_problem(PartitionOptions& options) {
  if (options.problem == Problems::srgw) return;
  if (options.target.kind != Targets::automatic && options.target.kind != Targets::interpolated) {
    fail_argument("target with {}, expected auto: it has its own", name(options.problem));
  }
  options.target.kind = Targets::interpolated;
  if (options.problem == Problems::gwl) return;
  PartitionStructure& structure = options.structure;
  if (structure.kind == Structures::automatic) structure.kind = Structures::heat;
  if (structure.kind != Structures::heat) {
    fail_argument("structure {} with specgwl, expected auto or heat:t", text_of(structure));
  }
  if (!structure.number && !options.select) options.select.emplace();
}

bool starts_by_split_merge(const PartitionOptions& options) {
  const auto* const start = options.start ? std::get_if<Start>(&*options.start) : nullptr;
  return start != nullptr && *start == Start::split_merge;
}

/// Whether split and merge, at the scale of the target as resolution, finds the number of clusters.
bool split_merge_finds_clusters(const ResolvedPartition& resolved) {
  const PartitionOptions& options = resolved.options;
  return starts_by_split_merge(options) && options.structure.kind == Structures::modularity &&
         refusal_on_ranks(resolved).empty();
}

/// The first option among previous, fixed, min_size and max_size; empty where there is none.
std::string constraint_of(const PartitionOptions& options) {
  if (options.previous) return "previous";
  if (options.fixed) return "fixed";
  if (options.min_size) return "min-size";
  return options.max_size ? "max-size" : "";
}

/// Options that only the search has: the first that was given, or nothing.
const char* given_of_search(const PartitionOptions& options) {
  if (options.levels) return "levels";
  if (options.min_cut != 0) return "min-cut";
  if (options.cuts) return "cuts";
  return options.split_disconnected ? "split-disconnected" : nullptr;
}

void check_connectivity(PartitionOptions& options, const std::string& obstacle) {
  if (!(options.min_cut >= 0) || std::isinf(options.min_cut)) {
    fail_argument("min-cut is {}, expected a finite number from 0", options.min_cut);
  }
  if (options.min_cut > 0 && options.clusters) {
    fail_argument("min-cut with {} clusters, expected auto: it splits clusters further",
                  *options.clusters);
  }
  if (options.min_cut > 0 && options.split_disconnected == false) {
    fail_argument("min-cut with split-disconnected no, expected auto or yes");
  }
  const char* given = given_of_search(options);
  if (given != nullptr && !obstacle.empty()) {
    fail_argument("{} with {}, expected the default search, which alone has this option", given,
                  obstacle);
  }
  const std::string constraint = constraint_of(options);
  if (given != nullptr && !constraint.empty()) {
    fail_argument("{} with {}, expected one of them: only the search without constraints has {}",
                  given, constraint, given);
  }
  if (options.min_cut > 0) options.cuts = true;
  if (obstacle.empty() && !options.split_disconnected) {
    options.split_disconnected = !options.features.has_value() || options.min_cut > 0;
  }
}

void choose_clusters(ResolvedPartition& resolved, const std::string& obstacle) {
  PartitionOptions& options = resolved.options;
  if (options.target.kind != Targets::given) {
    if (options.clusters || split_merge_finds_clusters(resolved)) return;
    fail_argument(
        "clusters auto with {}, expected a number: only the default search, and start split-merge "
        "with the modularity structure, find the number of clusters",
        obstacle);
  }
  if (!options.target.structure) return;  // partition() asks for it
  const Index size = options.target.structure->size();
  if (options.clusters.value_or(size) != size) {
    fail_argument("target of {} nodes for {} clusters, expected as many", size, *options.clusters);
  }
  options.clusters = size;
}

void check_weights(PartitionOptions& options) {
  PartitionWeights& weights = options.weights;
  if (!fixes_weights(options.structure.kind) || weights.kind == Weights::automatic) return;
  if (weights.kind != Weights::degree) {
    fail_argument("weights {} with the structure {}, expected auto or degree: it has its own",
                  text_of(weights), text_of(options.structure));
  }
  weights = {};
}

/// Fills the grid of `select` with the usual values of all that is left open.
void choose_grid(PartitionOptions& options, bool target_is_open) {
  PartitionStructure& structure = options.structure;
  const bool time_is_open = is_kernel(structure.kind) && !structure.number;
  if (!options.select) {
    if (!time_is_open) return;
    fail_argument("structure {}, expected its time as in {}:5, or select modularity",
                  text_of(structure), text_of(structure));
  }
  PartitionGrid& grid = *options.select;
  const auto is_empty = [&] {
    return grid.times.empty() && grid.scales.empty() && grid.exponents.empty() &&
           grid.epsilons.empty();
  };
  const bool given = !is_empty();
  if (time_is_open) {
    if (grid.times.empty()) grid.times = {1, 2, 5, 10, 20, 50, 100};
    structure.number = 1;
  }
  if (given) return;
  const bool scaled = fixes_weights(structure.kind);  // such structures have a scale of their own
  if (target_is_open && !scaled) grid.scales = {1, 0.3, 0.1, 0.03, 0.01};
  if (options.weights.kind == Weights::automatic && !scaled) grid.exponents = {0, 0.1, 0.5};
  if (const auto* mirror = std::get_if<MirrorDescent>(&options.method)) {
    grid.epsilons = {mirror->epsilon, mirror->epsilon / 10, mirror->epsilon / 100};
  }
  if (is_empty()) {
    fail_argument(
        "select modularity with nothing to choose, expected a structure such as heat or adjacency "
        "without a time, a target or weights");
  }
}

Start usual_start(const PartitionOptions& options) {
  if (options.target.kind == Targets::interpolated) return Start::product;
  if (options.target.kind == Targets::learned) return Start::spectral;
  return options.select || options.features ? Start::kmeans : Start::spectral;
}

void choose_starts(ResolvedPartition& resolved) {
  PartitionOptions& options = resolved.options;
  resolved.chooses_start = !options.start;
  if (!options.start) options.start = usual_start(options);
  const bool named = std::holds_alternative<Start>(*options.start);
  if (!named && options.starts.value_or(1) > 1) {
    fail_argument("starts {} from one start, {}, expected 1 or auto", *options.starts,
                  text_of(options.start));
  }
  const bool once =
      resolved.chooses_start && (options.select || options.target.kind == Targets::interpolated);
  if (!options.starts) options.starts = named && !once ? 3 : 1;
}

void check_constraints(const PartitionOptions& options, const std::string& obstacle) {
  if (!(options.keep >= 0) || options.keep == std::numeric_limits<double>::infinity()) {
    fail_argument("keep is {}, expected a finite number from 0", options.keep);
  }
  if (options.keep > 0 && !options.previous) {
    fail_argument("keep {} without previous labels, expected previous labels or keep 0",
                  options.keep);
  }
  for (const auto& [name, size] :
       {std::pair("min-size", options.min_size), std::pair("max-size", options.max_size)}) {
    if (size && *size < 1) fail_argument("{} is {}, expected at least 1", name, *size);
  }
  if (options.min_size && options.max_size && *options.min_size > *options.max_size) {
    fail_argument("min-size {} is above max-size {}, expected at most as many", *options.min_size,
                  *options.max_size);
  }
  const std::string constraint = constraint_of(options);
  if (constraint.empty()) return;
  const auto refuse = [&](const std::string& other) {
    fail_argument("{} with {}, expected one of them: only the default search takes {}", constraint,
                  other, constraint);
  };
  if (!obstacle.empty()) refuse(obstacle);
  if (options.features) refuse("features");
  if (options.effort == PartitionEffort::thorough) {
    fail_argument(
        "{} with effort thorough, expected normal or quick: its search starts from labels",
        constraint);
  }
  if (options.previous && options.starts) {
    fail_argument("starts {} with previous, expected auto: the search starts from the labels",
                  *options.starts);
  }
  if (options.sparsity != 0) refuse("sparsity");
  if (detail::conditional_gradient_of(options.method) == nullptr) refuse("epsilon");
}

}  // namespace

ResolvedPartition resolve(const PartitionOptions& given) {
  ResolvedPartition result{.options = given};
  if (const auto* automatic = std::get_if<Automatic>(&given.method)) {
    result.options.method = static_cast<const ConditionalGradient&>(*automatic);
  }
  PartitionOptions& options = result.options;
  if (options.clusters && *options.clusters < 1) {
    fail_argument("clusters is {}, expected at least 1", *options.clusters);
  }
  if (options.starts && *options.starts < 1) {
    fail_argument("starts is {}, expected at least 1", *options.starts);
  }
  if (options.clusters && options.criterion != PartitionCriterion::automatic) {
    fail_argument("criterion {} with {} clusters, expected auto: it chooses a free number",
                  name(options.criterion), *options.clusters);
  }
  const std::string obstacle = obstacle_to_search(options);
  result.searches = obstacle.empty();
  check_connectivity(options, obstacle);
  check_constraints(options, obstacle);
  spell_out_problem(options);
  result.symmetrises = options.structure.kind == Structures::automatic;
  if (result.symmetrises) {
    // A learned target fits blocks to the adjacency, diag(hbar) is made for it; a scaled identity
    // is a resolution of modularity.
    const bool plain =
        options.target.kind == Targets::learned || options.target.kind == Targets::interpolated;
    options.structure.kind = plain ? Structures::adjacency : Structures::modularity;
  }
  check_weights(options);
  if (result.searches && !options.clusters && options.effort == PartitionEffort::quick &&
      options.criterion == PartitionCriterion::automatic) {
    options.criterion = PartitionCriterion::modularity;  // the grid of resolutions takes longer
  }
  if (result.searches) return result;
  if (options.effort != PartitionEffort::normal) {
    fail_argument("effort {} with {}, expected normal: only the search uses it",
                  name(options.effort), obstacle);
  }
  // Split and merge is a search by modularity at a fixed resolution.
  const bool by_modularity =
      options.criterion == PartitionCriterion::modularity && starts_by_split_merge(options);
  if (options.criterion != PartitionCriterion::automatic && !by_modularity) {
    fail_argument("criterion {} with {}, expected auto: only the search uses it",
                  name(options.criterion), obstacle);
  }
  choose_clusters(result, obstacle);
  choose_grid(options, options.target.kind == Targets::automatic);
  if (options.target.kind == Targets::automatic) options.target.kind = Targets::scaled_identity;
  choose_starts(result);
  return result;
}

ResolvedPartition resolve_on_ranks(const PartitionOptions& given) {
  if (given.start) return resolve(given);
  // refusal_on_ranks() tells of these; resolve() would complain of a start that nobody gave.
  if (given_of_search(given) != nullptr || !constraint_of(given).empty()) return {.options = given};
  PartitionOptions options = given;
  options.start = Start::split_merge;
  // What ranks refuse comes first: it tells more than what a start needs.
  PartitionOptions counted = options;
  if (!counted.clusters) {
    counted.clusters = 1;
    counted.criterion = PartitionCriterion::automatic;
  }
  ResolvedPartition refused = resolve(counted);
  refused.options.criterion = given.criterion;
  if (!refusal_on_ranks(refused).empty()) return refused;
  ResolvedPartition result = resolve(options);
  result.chooses_start = true;
  return result;
}

std::string ResolvedPartition::structure_name() const { return text_of(options.structure); }

std::string refusal_on_ranks(const ResolvedPartition& resolved) {
  const PartitionOptions& options = resolved.options;
  const Structures structure = options.structure.kind;
  const Targets target = options.target.kind;
  const auto* start = options.start ? std::get_if<Start>(&*options.start) : nullptr;
  const bool starts = options.start && !std::holds_alternative<Matrix>(*options.start) &&
                      (start == nullptr || *start == Start::split_merge ||
                       *start == Start::random || *start == Start::random_labels);
  const struct {
    bool refused;
    std::string given;
    const char* expected;
  } rows[] = {
      {options.problem != Problems::srgw, fmt::format("method {}", name(options.problem)), "srgw"},
      {options.select.has_value(), "select modularity", "none"},
      {options.features.has_value(), "features", "none"},
      {options.sparsity != 0, "sparsity", "0"},
      {options.loss != Loss::square, fmt::format("loss {}", name(options.loss)), "square"},
      {detail::conditional_gradient_of(options.method) == nullptr, "epsilon", "0"},
      {options.entropy != 0, "entropy", "0"},
      {options.effort != PartitionEffort::normal, fmt::format("effort {}", name(options.effort)),
       "normal"},
      {options.weights.kind == Weights::given, "weights of one's own",
       "uniform, degree or power ones"},
      {structure != Structures::modularity && structure != Structures::adjacency,
       "structure " + text_of(options.structure), "modularity or adjacency"},
      {target != Targets::automatic && target != Targets::scaled_identity,
       "target " + text_of(options.target), "identity or scaled-identity:s"},
      {options.criterion == PartitionCriterion::description_length, "criterion description-length",
       "auto or modularity"},
      {!starts, "start " + text_of(options.start), "split-merge, random, random-labels or labels"},
  };
  const char* searching = given_of_search(options);
  const std::string only = searching != nullptr ? searching : constraint_of(options);
  if (!only.empty()) return fmt::format("{} on several ranks, expected one process", only);
  for (const auto& [refused, given, expected] : rows) {
    if (refused) return fmt::format("{} on several ranks, expected {}", given, expected);
  }
  return {};
}

std::string refusal_of_layers(const PartitionOptions& options) {
  const auto refuse = [](const std::string& given, const char* expected) {
    return fmt::format("{} with several layers, expected {}", given, expected);
  };
  if (const std::string obstacle = obstacle_to_search(options); !obstacle.empty()) {
    return refuse(obstacle, "the default search, which alone takes layers");
  }
  if (options.features) return refuse("features", "none");
  if (options.sparsity != 0) return refuse("sparsity", "0");
  if (detail::conditional_gradient_of(options.method) == nullptr) return refuse("epsilon", "0");
  if (options.criterion == PartitionCriterion::description_length) {
    return refuse("criterion description-length", "auto or modularity, which chooses there");
  }
  return {};
}

PartitionStructure parse_partition_structure(std::string_view text) {
  if (text == "auto") return {};
  for (const StructureName& row : structure_names()) {
    if (row.name == text) return {row.kind};
  }
  const NamedStructure named = parse_structure(text);
  return {named.row->kind, named.number};
}

PartitionWeights parse_partition_weights(std::string_view text) {
  const auto [word, number] = split_number(text, "weights");
  const bool power = word == "power";
  const bool known = power || word == "auto" || word == "uniform" || word == "degree";
  if (!known || power != number.has_value()) {
    fail_argument("weights '{}', expected auto, uniform, degree or power:b", text);
  }
  return {from_name<Weights>(word, "weights"), number.value_or(1)};
}

PartitionTarget parse_partition_target(std::string_view text) {
  const auto [word, number] = split_number(text, "target");
  if (word == "identity" && !number) return {Targets::scaled_identity};
  const bool scaled = word == "scaled-identity";
  const bool known = scaled || word == "auto" || word == "learned";
  if (!known || scaled != number.has_value() || number == 0.0) {
    fail_argument("target '{}', expected auto, identity, scaled-identity:s or learned", text);
  }
  return {from_name<Targets>(word, "target"), number.value_or(1)};
}

}  // namespace srgw
