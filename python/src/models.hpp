// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "arrays.hpp"
#include "srgw/dictionary.hpp"

namespace srgw::python {

/// (structure, features).
inline nb::tuple to_python(const Atom& atom) {
  return nb::make_tuple(to_numpy(atom.structure), to_numpy(atom.features));
}

inline Atom atom_from(nb::handle given) {
  return {.structure = view(nb::cast<Array2>(given[0])),
          .features = view(nb::cast<Array2>(given[1]))};
}

inline std::vector<Atom> atoms_from(const nb::list& given) {
  std::vector<Atom> atoms;
  for (const nb::handle atom : given) atoms.push_back(atom_from(atom));
  return atoms;
}

/// A model of graphs, with what every such model has: atoms, the data that it was learned from,
/// and a file.
template <class Model>
nb::class_<Model> bind_model(nb::module_& module, const char* name, const char* doc) {
  return nb::class_<Model>(module, name, doc)
      .def_prop_ro("atoms",
                   [](const Model& self) {
                     nb::list atoms;
                     for (const Atom& atom : self.atoms) atoms.append(to_python(atom));
                     return atoms;
                   })
      .def_prop_ro("columns", [](const Model& self) { return self.columns(); })
      .def_ro("features", &Model::features)
      .def_ro("structure", &Model::structure)
      .def_ro("node_weights", &Model::node_weights)
      .def(
          "save", [](const Model& self, const std::string& path) { save(self, path); },
          nb::arg("path"));
}

}  // namespace srgw::python
