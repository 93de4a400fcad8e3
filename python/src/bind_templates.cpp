// SPDX-License-Identifier: MIT
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "srgw/dictionary.hpp"
#include "watch.hpp"
#include "words.hpp"

namespace srgw::python {

namespace {

using namespace nb::literals;

/// Graphs and templates, copied, and the matches of both.
struct Matched {
  std::vector<Sample> graphs;
  std::vector<Template> templates;
  std::vector<std::size_t> slots;  // of edges; empty: entries are in their order
  TemplateOptions options;
  TemplateMatches matches;
  Matrix cost;  // that templates look at
};

using Reals = Array1<double>;
using Whole = Array1<std::int64_t>;

std::vector<Structure> dense_structures(const Reals& values, const Whole& sizes) {
  std::vector<Structure> structures;
  const double* at = values.data();
  for (const std::int64_t n : span(sizes)) {
    structures.push_back(Structure::dense(Eigen::Map<const Matrix>(at, n, n)));
    at += n * n;
  }
  return structures;
}

Matrix rows_of(const std::optional<Array2>& rows, Index first, Index count) {
  if (!rows) return {};
  return view(*rows).middleRows(first, count);
}

void make_graphs(std::vector<Structure> structures, const Reals& weights,
                 const std::optional<Array2>& features, Matched& matched) {
  Index first = 0;
  for (Structure& structure : structures) {
    const Index n = structure.size();
    matched.graphs.push_back(
        {.source = {.structure = std::move(structure), .weights = view(weights).segment(first, n)},
         .features = rows_of(features, first, n)});
    if (!features) matched.graphs.back().features = Matrix(n, 0);
    first += n;
  }
}

void make_templates(const Reals& structures, const Whole& sizes,
                    const std::optional<Array2>& features, const std::optional<Reals>& weights,
                    const Reals& alpha, Matched& matched) {
  const double* entries = structures.data();
  Index first = 0, number = 0;
  Index column = 0;
  for (const std::int64_t m : span(sizes)) {
    Template target{.structure = Eigen::Map<const Matrix>(entries, m, m),
                    .features = rows_of(features, first, m),
                    .alpha = view(alpha)[number++]};
    if (!features) target.features = Matrix(m, 0);
    if (weights) target.weights = view(*weights).segment(first, m);
    if (matched.cost.cols() > 0) {
      target.cost.emplace(MatrixSpan(Matrix(matched.cost.middleCols(column, m))));
      column += m;
    }
    matched.templates.push_back(std::move(target));
    entries += m * m;
    first += m;
  }
}

/// Arrays of one kind, one after the other.
template <class Value>
Vector joined(const std::vector<Value>& values) {
  Index size = 0, at = 0;
  for (const Value& value : values) size += value.size();
  Vector result(size);
  for (const Value& value : values) {
    std::copy_n(value.data(), value.size(), result.data() + at);
    at += value.size();
  }
  return result;
}

Matched match(const std::optional<std::pair<Whole, Whole>>& edges,
              const std::optional<Reals>& values, const Whole& sizes, const Reals& weights,
              const std::optional<Array2>& features, const Reals& structures,
              const Whole& template_sizes, const std::optional<Array2>& template_features,
              const std::optional<Reals>& template_weights, const Reals& alpha,
              const std::optional<Array2>& cost, bool kl, double entropy, const Method& method,
              const std::string& start, int count, const RunGiven& given_run) {
  Matched matched;
  matched.options = {
      .loss = kl ? Loss::kl : Loss::square, .entropy = entropy, .method = method, .count = count};
  if (start != "auto") matched.options.start = start_from_name(start);
  if (cost) matched.cost = view(*cost);
  watched(given_run, [&](const Run& run) {
    if (edges) {
      SplitEdges split =
          split_edges(span(edges->first), span(edges->second),
                      values ? span(*values) : std::span<const double>(), span(sizes));
      matched.slots = std::move(split.slots);
      make_graphs(std::move(split.structures), weights, features, matched);
    } else {
      make_graphs(dense_structures(*values, sizes), weights, features, matched);
    }
    make_templates(structures, template_sizes, template_features, template_weights, alpha, matched);
    matched.matches = match_templates(matched.graphs, matched.templates, matched.options, run);
  });
  return matched;
}

/// Entries, h, x, B, y, hbar, alpha, M: None for what was not asked for.
nb::tuple gradients(const Matched& self, const Array2& factors, const std::vector<bool>& wanted,
                    const RunGiven& given_run) {
  const TemplateParts parts{.entries = wanted[0],
                            .weights = wanted[1],
                            .features = wanted[2],
                            .structures = wanted[3],
                            .template_features = wanted[4],
                            .template_weights = wanted[5],
                            .alpha = wanted[6],
                            .costs = wanted[7]};
  Vector entries;
  Matrix costs;
  TemplateGradients found = watched(given_run, [&](const Run& run) {
    TemplateGradients result = template_gradients(self.graphs, self.templates, self.options,
                                                  self.matches, view(factors), parts, run);
    if (parts.entries && !self.slots.empty()) {
      entries.resize(std::ssize(self.slots));
      for (std::size_t e = 0; e < self.slots.size(); ++e) {
        entries[static_cast<Index>(e)] = result.entries[self.slots[e]];
      }
    } else if (parts.entries) {
      entries = Eigen::Map<const Vector>(result.entries.data(), std::ssize(result.entries));
    }
    if (parts.costs) {
      costs.resize(self.cost.rows(), self.cost.cols());
      Index column = 0;
      for (const Matrix& cost : result.costs) {
        costs.middleCols(column, cost.cols()) = cost;
        column += cost.cols();
      }
    }
    return result;
  });
  const auto given = [](bool is_wanted, auto&& array) {
    return is_wanted ? nb::cast(to_numpy(std::forward<decltype(array)>(array))) : nb::none();
  };
  return nb::make_tuple(
      given(parts.entries, std::move(entries)), given(parts.weights, std::move(found.weights)),
      given(parts.features, std::move(found.features)),
      given(parts.structures, joined(found.structures)),
      given(parts.template_features, joined(found.template_features)),
      given(parts.template_weights, joined(found.template_weights)),
      given(parts.alpha, std::move(found.alpha)), given(parts.costs, std::move(costs)));
}

}  // namespace

void bind_templates(nb::module_& module) {
  // The graph of a loss that is alive when Python ends holds one, which is no leak.
  nb::set_leak_warnings(false);
  nb::class_<Matched>(module, "Matched", "Graphs matched with templates; see docs/torch.md.")
      .def_prop_ro(
          "values", [](const Matched& self) { return to_numpy(self.matches.values); },
          nb::rv_policy::automatic, "Objectives, (graphs, templates).")
      .def_prop_ro("unconverged", [](const Matched& self) { return self.matches.unconverged; })
      .def(
          "plan",
          [](const Matched& self, Index graph, Index number) {
            if (graph < 0 || graph >= self.matches.values.rows() || number < 0 ||
                number >= self.matches.values.cols()) {
              throw nb::index_error("no such graph or template");
            }
            return to_numpy(self.matches.plan(graph, number).dense());
          },
          "graph"_a, "template"_a)
      .def("gradients", &gradients, "factors"_a, "wanted"_a, "run"_a,
           "Derivatives of the sum of factors times values with the plans held fixed, in entries, "
           "weights, features, template structures, template features, template weights, alpha "
           "and costs; None for what is not wanted.");
  module.def("match_templates", &match, "edges"_a.none(), "values"_a.none(), "sizes"_a, "weights"_a,
             "features"_a.none(), "structures"_a, "template_sizes"_a, "template_features"_a.none(),
             "template_weights"_a.none(), "alpha"_a, "cost"_a.none(), "kl"_a, "entropy"_a,
             "method"_a, "start"_a, "count"_a, "run"_a);
}

}  // namespace srgw::python
