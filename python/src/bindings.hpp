// SPDX-License-Identifier: MIT
//
// The internal module _srgw, which converts arrays and calls the library. Users see python/srgw.
#pragma once

#include <nanobind/nanobind.h>

namespace srgw::python {

namespace nb = nanobind;

void bind_watch(nb::module_& module);
void bind_structure(nb::module_& module);
void bind_solve(nb::module_& module);
void bind_graph(nb::module_& module);
void bind_transform(nb::module_& module);
void bind_io(nb::module_& module);
void bind_transport(nb::module_& module);
void bind_clustering(nb::module_& module);
void bind_metrics(nb::module_& module);
void bind_generate(nb::module_& module);
void bind_barycenter(nb::module_& module);
void bind_partition(nb::module_& module);
void bind_samples(nb::module_& module);
void bind_dictionary(nb::module_& module);
void bind_draw(nb::module_& module);
void bind_baselines(nb::module_& module);
void bind_templates(nb::module_& module);
void bind_blocks(nb::module_& module);
void bind_completion(nb::module_& module);

}  // namespace srgw::python
