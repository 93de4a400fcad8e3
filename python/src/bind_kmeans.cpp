// SPDX-License-Identifier: MIT
#include "arrays.hpp"
#include "bindings.hpp"
#include "srgw/kmeans.hpp"
#include "watch.hpp"

namespace srgw::python {

void bind_kmeans(nb::module_& module) {
  using namespace nb::literals;
  module.def(
      "kmeans",
      [](const Array2& rows, int clusters, int tries, std::uint64_t seed) {
        KMeansResult found = watched([&] {
          return kmeans(view(rows), {.clusters = clusters, .tries = tries, .seed = seed});
        });
        return nb::make_tuple(to_numpy(std::move(found.labels)), to_numpy(std::move(found.centres)),
                              found.inertia);
      },
      "rows"_a, "clusters"_a, "tries"_a, "seed"_a, "(labels, centres, inertia)");
}

}  // namespace srgw::python
