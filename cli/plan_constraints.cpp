// SPDX-License-Identifier: MIT
#include "cli/plan_constraints.hpp"

#include <utility>

#include "cli/exit_code.hpp"
#include "cli/options.hpp"
#include "srgw/io.hpp"

namespace srgw::cli {

namespace {

AllowedPairs read_allowed(const PlanConstraints& constraints, const ProblemGraphs& graphs) {
  const auto read = [&](const std::string& file) {
    return file.empty() ? std::vector<NodePair>()
                        : io::read_pairs(file, graphs.sources, graphs.targets);
  };
  const std::vector<NodePair> forbidden = read(constraints.forbidden);
  const std::vector<NodePair> anchors = read(constraints.anchors);
  try {
    return {graphs.sources.size(), graphs.targets.size(), forbidden, anchors,
            PairNames{.row = [&](Index i) { return graphs.sources[i]; },
                      .column = [&](Index k) { return graphs.targets[k]; }}};
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::argument) throw;
    const bool by_anchors = constraints.forbidden.empty();
    fail_input("{}: {}", by_anchors ? constraints.anchors : constraints.forbidden, error.what());
  }
}

void check_nodes(const std::string& file, const NodeNames& found, const NodeNames& expected) {
  if (found == expected) return;
  if (found.size() != expected.size()) {
    fail_input("--relation {}: {} nodes, expected the {} nodes of the first graph", file,
               found.size(), expected.size());
  }
  for (Index i = 0; i < found.size(); ++i) {
    if (found[i] == expected[i]) continue;
    fail_input("--relation {}: node {} is {}, expected {} as in the first graph", file, i, found[i],
               expected[i]);
  }
}

/// The structure of a graph on nodes that are known.
Structure read_relation(const std::string& text, const NodeNames& nodes,
                        const ProblemGraphs& graphs, bool may_be_identity) {
  if (may_be_identity) {
    const TargetWord word = target_from_text(text);
    if (word.is_identity()) {
      check_nodes(text, NodeNames::numbered(*word.size), NodeNames::numbered(nodes.size()));
      return Structure::scaled_identity(*word.size, word.scale);
    }
  }
  io::ReadOptions options = graphs.options;
  options.nodes.reset();
  options.index_base = 0;
  options.known_nodes = nodes;
  const io::NamedGraph read = io::read_graph(text, options);
  check_nodes(text, read.names, nodes);
  const WeightsWord own{.text = "auto"};  // weights are those of the first graph
  return make_source(read.graph, graphs.structure, own, {}, graphs.threads).structure;
}

}  // namespace

std::vector<std::string> PlanConstraints::files() const {
  std::vector<std::string> result;
  for (const std::string& file : {forbidden, anchors}) {
    if (!file.empty()) result.push_back(file);
  }
  for (const std::string& file : relations) {
    if (target_from_text(file).is_identity()) continue;
    result.push_back(file);
  }
  return result;
}

void PlanConstraints::count(Workload& work) const {
  // An array as large as that of costs.
  work.features = work.features || restrict_pairs();
  work.relations += static_cast<int>(relations.size() / 2);
  work.keeps_arrays = work.keeps_arrays || share < 1 || !relations.empty();
}

void add_plan_constraints(CLI::App& app, PlanConstraints& constraints) {
  Options options(app, "Problem");
  options.file("--forbidden", constraints.forbidden,
               "Pairs that must not be matched: lines of a source node and a target node");
  options.file("--anchors", constraints.anchors,
               "Source nodes whose target node is given: lines of both");
  options.number("--share", constraints.share,
                 "Share of the source weight that has to be matched, above 0; below 1 nodes may be "
                 "left out",
                 0, 1);
  app.add_option("--relation", constraints.relations,
                 "A further pair of graphs on the same nodes; can be repeated")
      ->type_name("SOURCE TARGET")
      ->type_size(2)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false)
      ->group("Problem");
  app.add_option("--relation-weight", constraints.relation_weights,
                 "Only with --relation: its weight. Default: 1 for each")
      ->type_name("X")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false)
      ->group("Problem")
      ->check(check_number(0, 1e300, false));
}

void check(const PlanConstraints& constraints, const Solving& solving) {
  if (!(constraints.share > 0)) {
    fail_usage("--share {}, expected a number above 0 and at most 1", constraints.share);
  }
  const std::size_t relations = constraints.relations.size() / 2;
  if (constraints.relations.size() % 2 != 0) {
    fail_usage("--relation {}, expected a source and a target", constraints.relations.back());
  }
  if (constraints.relation_weights.size() > relations) {
    fail_usage("--relation-weight has {} numbers for {} relations, expected one for each",
               constraints.relation_weights.size(), relations);
  }
  if (!constraints.relation_weights.empty() && constraints.relation_weights.size() < relations) {
    fail_usage("--relation-weight has {} numbers for {} relations, expected one for each or none",
               constraints.relation_weights.size(), relations);
  }
  if (!solving.balanced()) return;
  const auto refuse = [&](const char* option, bool given) {
    if (!given) return;
    fail_usage("{} with {}, expected srgw or srfgw: the target weights are fixed", option,
               solving.divergence);
  };
  refuse("--forbidden", !constraints.forbidden.empty());
  refuse("--anchors", !constraints.anchors.empty());
  refuse("--share", constraints.share < 1);
  refuse("--relation", relations > 0);
}

void add_plan_constraints(const PlanConstraints& constraints, const ProblemGraphs& graphs,
                          Problem& problem) {
  if (constraints.restrict_pairs()) problem.allowed = read_allowed(constraints, graphs);
  problem.share = constraints.share;
  for (std::size_t r = 0; 2 * r < constraints.relations.size(); ++r) {
    problem.relations.push_back(
        {read_relation(constraints.relations[2 * r], graphs.sources, graphs, false),
         read_relation(constraints.relations[2 * r + 1], graphs.targets, graphs, true),
         constraints.relation_weights.empty() ? 1.0 : constraints.relation_weights[r]});
  }
}

}  // namespace srgw::cli
