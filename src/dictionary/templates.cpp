// SPDX-License-Identifier: MIT
#include "srgw/dictionary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "dictionary/projector.hpp"
#include "dictionary/templates_problems.hpp"
#include "solve/closed_form.hpp"

namespace srgw {

namespace {

using detail::fail_argument;

// Row descent squares entries as they are; the solvers bring them to size 1 before.
constexpr double smallest_entry = 1e-100, largest_entry = 1e100;

bool is_moderate(double largest) {
  return largest == 0 || (largest >= smallest_entry && largest <= largest_entry);
}

bool is_moderate(const Sample& graph) {
  return is_moderate(graph.source.structure.largest_entry()) &&
         (graph.features.size() == 0 || is_moderate(graph.features.cwiseAbs().maxCoeff()));
}

bool is_moderate(const Template& target) {
  return is_moderate(target.structure.cwiseAbs().maxCoeff()) &&
         (target.features.size() == 0 || is_moderate(target.features.cwiseAbs().maxCoeff()));
}

void check_template(const Template& target, std::size_t number, Index nodes, Index columns) {
  const Index m = target.structure.rows();
  if (m == 0 || target.structure.cols() != m) {
    fail_argument("template {} has a {} x {} structure, expected a square matrix", number, m,
                  target.structure.cols());
  }
  if (!target.structure.allFinite() || !target.features.allFinite()) {
    fail_argument("template {} has a number that is not finite", number);
  }
  if (target.weights && target.weights->size() != m) {
    fail_argument("template {} has {} weights, expected {}", number, target.weights->size(), m);
  }
  if (!(target.alpha >= 0 && target.alpha <= 1)) {
    fail_argument("template {} has alpha {}, expected a number from 0 to 1", number, target.alpha);
  }
  if (target.cost) {
    if (target.cost->rows() != nodes || target.cost->cols() != m) {
      fail_argument("the cost of template {} is {} x {}, expected {} x {}", number,
                    target.cost->rows(), target.cost->cols(), nodes, m);
    }
    if (columns > 0) fail_argument("template {} has a cost, but the graphs have features", number);
    return;
  }
  if (target.features.cols() != columns || (columns > 0 && target.features.rows() != m)) {
    fail_argument("template {} has {} x {} features, expected {} x {}", number,
                  target.features.rows(), target.features.cols(), m, columns);
  }
}

/// Matches graphs with one template by row descent. False where that does not serve.
class RowMatcher {
 public:
  RowMatcher(const Template& target, const TemplateOptions& options, int threads)
      : projector_({.alpha = target.alpha, .method = options.method}, threads, true) {
    projector_.set_atom({.structure = target.structure, .features = target.features});
  }

  bool match(int worker, const Sample& graph, double& value, Plan& plan) {
    if (!is_moderate(graph)) return false;
    const detail::RowDescent* found = projector_.descend(worker, graph);
    if (found == nullptr) return false;
    const Vector& h = graph.source.weights;
    value = found->value();
    plan = found->labels().empty()
               ? Plan::from_dense(h, found->plan())
               : Plan::from_labels(h, found->labels(), found->target_weights().size());
    return true;
  }

 private:
  detail::Projector projector_;
};

bool rows_serve(const Template& target, const TemplateOptions& options) {
  return !options.start && !target.weights && !target.cost && options.loss == Loss::square &&
         options.entropy == 0 && std::holds_alternative<ConditionalGradient>(options.method) &&
         is_moderate(target);
}

Start start_of(const Template& target, const TemplateOptions& options) {
  if (options.start) return *options.start;
  return target.weights || options.entropy > 0 ? Start::product : Start::automatic;
}

}  // namespace

TemplateMatches match_templates(std::span<const Sample> graphs, std::span<const Template> templates,
                                const TemplateOptions& options, const Run& run) {
  const StopScope scope(run);
  if (options.count < 1) fail_argument("starts is {}, expected at least 1", options.count);
  const Index count = std::ssize(graphs), columns = std::ssize(templates);
  const Index width = graphs.empty() ? 0 : graphs.front().features.cols();
  check(graphs, width);
  const std::vector<Index> offsets = detail::node_offsets(graphs);
  for (std::size_t k = 0; k < templates.size() && !graphs.empty(); ++k) {
    check_template(templates[k], k, offsets.back(), width);
  }
  const int threads = detail::resolve_threads(run.threads);
  TemplateMatches result{.values = Matrix(count, columns),
                         .plans = std::vector<Plan>(graphs.size() * templates.size())};
  const Run inner{.threads = threads, .seed = run.seed};
  for (Index k = 0; k < columns; ++k) {
    const Template& target = templates[k];
    const auto plan = [&](Index g) -> Plan& { return result.plans[g * columns + k]; };
    std::vector<char> done(graphs.size(), 0);
    if (rows_serve(target, options)) {
      RowMatcher matcher(target, options, threads);
      detail::parallel_for(count, threads, [&](Index g, int worker) {
        const std::size_t at = g;
        done[at] = matcher.match(worker, graphs[at], result.values(g, k), plan(g)) ? 1 : 0;
      });
    }
    // What is left, and random starts besides row descent, which has but one.
    const auto solve_these = [&](const std::vector<Index>& which, Start start, int starts) {
      if (which.empty()) return;
      detail::TemplateProblems problems(graphs, target, offsets, options);
      problems.prepare(which, threads);
      std::vector<Problem> all;
      all.reserve(which.size());
      for (const Index g : which) all.push_back(problems.problem(g));
      auto found = solve_all(all, options.method, start, starts, inner);
      for (std::size_t p = 0; p < which.size(); ++p) {
        const Index g = which[p];
        result.unconverged += found[p].status == Status::converged ? 0 : 1;
        if (done[g] != 0 && found[p].value >= result.values(g, k)) {
          continue;
        }
        result.values(g, k) = found[p].value;
        plan(g) = std::move(found[p].plan);
      }
    };
    std::vector<Index> left, others;
    for (Index g = 0; g < count; ++g) {
      (done[g] != 0 ? others : left).push_back(g);
    }
    solve_these(left, start_of(target, options), options.count);
    if (options.count > 1) solve_these(others, Start::random_labels, options.count - 1);
    detail::throw_if_stopped();  // a solve that was cut short would leave a trace
  }
  return result;
}

}  // namespace srgw
