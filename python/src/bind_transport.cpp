// SPDX-License-Identifier: MIT
#include "arrays.hpp"
#include "bindings.hpp"
#include "srgw/plan.hpp"
#include "watch.hpp"

namespace srgw::python {

void bind_transport(nb::module_& module) {
  using namespace nb::literals;
  module.def(
      "transport",
      [](const Array2& cost, const Array1<double>& rows, const Array1<double>& columns) {
        Transport found = watched([&] { return transport(view(cost), view(rows), view(columns)); });
        return nb::make_tuple(to_numpy(found.plan.dense()), found.cost,
                              to_numpy(std::move(found.row_potentials)),
                              to_numpy(std::move(found.column_potentials)));
      },
      "cost"_a, "row_masses"_a, "column_masses"_a,
      "Exact optimal transport: (plan, cost, u, v) with u_i + v_k <= cost_ik.");
}

}  // namespace srgw::python
