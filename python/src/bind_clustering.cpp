// SPDX-License-Identifier: MIT
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "srgw/cluster_recipe.hpp"

namespace srgw::python {

namespace {

using namespace nb::literals;

/// Keywords of SRGWDictionary, the scale, and whether alpha is balanced.
nb::tuple recipe_words() {
  const ClusterRecipe recipe;
  nb::list coordinates;
  for (const Coordinate coordinate : recipe.coordinates) {
    coordinates.append(std::string(name(coordinate)));
  }
  nb::dict keywords;
  keywords["n_nodes"] = recipe.size;
  keywords["features"] = std::string(name(recipe.features.take));
  keywords["standardise"] = std::string(name(recipe.features.standardisation));
  keywords["atom_start"] = std::string(name(recipe.start));
  keywords["n_atoms"] = recipe.atoms;
  keywords["coordinates"] = coordinates;
  keywords["random_starts"] = recipe.random_starts;
  return nb::make_tuple(keywords, std::string(name(recipe.scaling)), recipe.balanced_alpha);
}

}  // namespace

void bind_clustering(nb::module_& module) {
  module.def("cluster_recipe", &recipe_words, "How graphs become points when nothing is said.");
  module.def(
      "row_scale",
      [](const Array2& rows, const std::vector<Index>& blocks, const std::string& scaling) {
        RowScale scale = row_scale(view(rows), blocks, row_scaling_from_name(scaling));
        return nb::make_tuple(to_numpy(std::move(scale.sorted)), to_numpy(std::move(scale.means)),
                              to_numpy(std::move(scale.factors)));
      },
      "rows"_a, "blocks"_a, "scaling"_a, "What scaled_rows() takes.");
  module.def(
      "scaled_rows",
      [](const Array2& rows, const Array2& sorted, const Array1<double>& means,
         const Array1<double>& factors) {
        return to_numpy(RowScale{view(sorted), view(means), view(factors)}.apply(view(rows)));
      },
      "rows"_a, "sorted"_a, "means"_a, "factors"_a);
}

}  // namespace srgw::python
