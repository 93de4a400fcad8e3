// SPDX-License-Identifier: MIT
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "arrays.hpp"
#include "bindings.hpp"
#include "srgw/generate.hpp"
#include "watch.hpp"

namespace srgw::python {

namespace {

using namespace nb::literals;

template <class Options>
nb::tuple draw(const Options& options, std::uint64_t seed) {
  PlantedGraph drawn = watched([&] { return generate(options, seed); });
  return nb::make_tuple(std::move(drawn.graph), to_numpy(std::move(drawn.blocks)));
}

}  // namespace

void bind_generate(nb::module_& module) {
  module.def(
      "planted",
      [](Index nodes, Index blocks, double mean_degree, double inside, std::uint64_t seed) {
        return draw(PlantedPartition{nodes, blocks, mean_degree, inside}, seed);
      },
      "nodes"_a, "blocks"_a, "mean_degree"_a, "inside"_a, "seed"_a);
  module.def(
      "stochastic_block_model",
      [](const std::vector<Index>& sizes, const Array2& probabilities, bool directed,
         std::uint64_t seed) {
        return draw(StochasticBlockModel{sizes, view(probabilities), directed}, seed);
      },
      "sizes"_a, "probabilities"_a, "directed"_a, "seed"_a);
  module.def(
      "degree_corrected",
      [](Index nodes, Index blocks, double mean_degree, double inside, double exponent,
         double largest_degree, std::uint64_t seed) {
        return draw(DegreeCorrected{nodes, blocks, mean_degree, inside, exponent, largest_degree},
                    seed);
      },
      "nodes"_a, "blocks"_a, "mean_degree"_a, "inside"_a, "exponent"_a, "largest_degree"_a,
      "seed"_a);
  module.def(
      "lfr",
      [](Index nodes, double mean_degree, double largest_degree, double mixing,
         double degree_exponent, double size_exponent, Index smallest_size, Index largest_size,
         std::uint64_t seed) {
        return draw(Lfr{nodes, mean_degree, largest_degree, mixing, degree_exponent, size_exponent,
                        smallest_size, largest_size},
                    seed);
      },
      "nodes"_a, "mean_degree"_a, "largest_degree"_a, "mixing"_a, "degree_exponent"_a,
      "size_exponent"_a, "smallest_size"_a, "largest_size"_a, "seed"_a);
  module.def(
      "abcd",
      [](Index nodes, double noise, double degree_exponent, Index smallest_degree,
         Index largest_degree, double size_exponent, Index smallest_size, Index largest_size,
         std::uint64_t seed) {
        return draw(Abcd{nodes, noise, degree_exponent, smallest_degree, largest_degree,
                         size_exponent, smallest_size, largest_size},
                    seed);
      },
      "nodes"_a, "noise"_a, "degree_exponent"_a, "smallest_degree"_a, "largest_degree"_a,
      "size_exponent"_a, "smallest_size"_a, "largest_size"_a, "seed"_a);
  module.def(
      "challenge",
      [](Index nodes, const std::string& overlap, const std::string& size_variation,
         std::uint64_t seed) {
        return draw(GraphChallenge{nodes, from_name<ChallengeLevel>(overlap, "overlap"),
                                   from_name<ChallengeLevel>(size_variation, "size_variation")},
                    seed);
      },
      "nodes"_a, "overlap"_a, "size_variation"_a, "seed"_a);
}

}  // namespace srgw::python
