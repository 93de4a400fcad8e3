// SPDX-License-Identifier: MIT
//
// nanobind answers arguments of a wrong type with the C++ signatures of a function. Here such an
// error becomes one that names the argument as the caller of the package knows it.
#pragma once

#include <nanobind/nanobind.h>

namespace srgw::python {

namespace nb = nanobind;

/// Leads the calls of all functions and methods of the module through srgw._argument_errors, which
/// is asked for a message where a call fails because no signature fits.
void name_wrong_arguments(nb::module_& module);

}  // namespace srgw::python
