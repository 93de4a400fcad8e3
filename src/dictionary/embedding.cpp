// SPDX-License-Identifier: MIT
#include "srgw/dictionary.hpp"

#include "base/message.hpp"
#include "base/parallel.hpp"
#include "dictionary/embedding_coordinates.hpp"
#include "dictionary/projector.hpp"
#include "dictionary/sample_scale.hpp"

namespace srgw {

namespace {

using detail::fail_argument;

void check_kind(const Dictionary& dictionary, std::span<const Sample> samples, std::size_t first) {
  const Index columns = dictionary.columns();
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const Index found = samples[s].features.cols();
    if (columns == 0 && found > 0) {
      fail_argument("graph {} has {} feature columns, but the dictionary has no features",
                    first + s, found);
    }
    if (columns > 0 && found == 0) {
      fail_argument("graph {} has no features, but the dictionary has {} feature columns",
                    first + s, columns);
    }
  }
  check(samples, columns, first);
}

struct Projected {
  double value = 0;
  Vector weights;  // of the target
};

// Projects a graph that is seen once: by row descent where that serves, otherwise by the method of
// the dictionary from the product. With random starts the method is tried besides, from the product
// and from these. The lowest value is kept, the first of equals.
void project(detail::Projector& projector, int worker, const Sample& sample, int random,
             std::uint64_t seed, std::uint64_t item, Projected& found) {
  const auto keep = [&](double value, const Vector& weights) {
    found.value = value;
    found.weights = weights;
  };
  const detail::RowDescent* rows = projector.descend(worker, sample);
  if (rows != nullptr) keep(rows->value(), rows->target_weights());
  if (random > 0) {
    const Solution solution =
        projector.best(worker, sample, {.random = random, .seed = seed, .item = item});
    if (rows == nullptr || solution.value < found.value) {
      keep(solution.value, solution.target_weights);
    }
  } else if (rows == nullptr) {
    const Solution& solution = projector.solve(worker, sample);
    keep(solution.value, solution.target_weights);
  }
}

}  // namespace

Embedding embed(const Dictionary& dictionary, std::span<const Sample> given,
                const EmbedOptions& options, const Run& run) {
  const StopScope scope(run);
  check(dictionary);
  check_kind(dictionary, given, options.first);
  if (options.random_starts < 0) {
    fail_argument("random starts is {}, expected 0 or more", options.random_starts);
  }
  const int exponent = detail::extreme_exponent(dictionary, dictionary.projection.alpha);
  std::vector<Sample> scaled;
  if (exponent != 0) scaled = detail::times_power_of_two(given, -exponent);
  const std::span<const Sample> samples = exponent != 0 ? scaled : given;
  const Index graphs = std::ssize(samples), atoms = std::ssize(dictionary.atoms);
  Embedding result{.coordinates = Matrix(graphs, embedding_columns(dictionary, options)),
                   .values = Matrix(graphs, atoms)};
  const int threads = detail::resolve_threads(run.threads);
  detail::Projector projector(detail::times_power_of_two(dictionary.projection, -exponent), threads,
                              options.search == EmbedSearch::rows);
  std::vector<Projected> projected(threads);
  Index column = 0;
  for (Index a = 0; a < atoms; ++a) {
    const Atom& atom = dictionary.atoms[a];
    projector.set_atom(detail::times_power_of_two(atom, -exponent));
    std::vector<detail::CoordinateWriter> writers(
        threads, detail::CoordinateWriter(atom, options.coordinates));
    detail::parallel_for(graphs, threads, [&](Index g, int worker) {
      Projected& found = projected[worker];
      project(projector, worker, samples[g], options.random_starts, run.seed,
              options.first + static_cast<std::uint64_t>(g), found);
      result.values(g, a) = std::ldexp(found.value, 2 * exponent);
      writers[worker].write(result.values(g, a), found.weights,
                            result.coordinates.row(g).data() + column);
    });
    column += writers.front().columns();
  }
  for (Index g = 0; column < result.coordinates.cols() && g < graphs; ++g) {
    const Index n = samples[g].source.structure.size();
    result.coordinates(g, column) = std::log(static_cast<double>(n));
  }
  if (graphs > 0) result.mean_value = result.values.mean();
  return result;
}

}  // namespace srgw
