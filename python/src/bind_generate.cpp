// SPDX-License-Identifier: MIT
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "interruptible.hpp"
#include "srgw/generate.hpp"

namespace srgw::python {

namespace {

using namespace nb::literals;

template <class Options>
nb::tuple draw(const Options& options, std::uint64_t seed) {
  PlantedGraph drawn = interruptible([&] { return generate(options, seed); });
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
}

}  // namespace srgw::python
