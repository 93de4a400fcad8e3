// SPDX-License-Identifier: MIT
#include <exception>

#include "argument_errors.hpp"
#include "bindings.hpp"
#include "srgw/types.hpp"
#include "srgw/version.hpp"

namespace srgw::python {

namespace {

PyObject* exception_for(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::io: return PyExc_OSError;
    case Error::Kind::resource: return PyExc_MemoryError;
    case Error::Kind::stopped:
      return PyExc_TimeoutError;  // Ctrl-C raises what Python's handler does
    case Error::Kind::argument:
    case Error::Kind::format: return PyExc_ValueError;
  }
  return PyExc_ValueError;
}

void translate(const std::exception_ptr& error, void*) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& e) {
    PyErr_SetString(exception_for(e.kind()), e.what());
  }
}

}  // namespace

NB_MODULE(_srgw, module) {
  module.doc() = "Internal module of the srgw package.";
  module.attr("VERSION") = SRGW_VERSION;
#ifdef NDEBUG
  nb::set_leak_warnings(false);  // users keep results until the interpreter ends
#endif
  nb::register_exception_translator(translate);
  bind_watch(module);
  bind_structure(module);
  bind_solve(module);
  bind_graph(module);
  bind_transform(module);
  bind_io(module);
  bind_transport(module);
  bind_metrics(module);
  bind_generate(module);
  bind_barycenter(module);
  bind_partition(module);
  bind_samples(module);
  bind_dictionary(module);
  bind_templates(module);
  bind_clustering(module);
  bind_blocks(module);
  bind_draw(module);
  bind_baselines(module);
  bind_completion(module);
  name_wrong_arguments(module);
}

}  // namespace srgw::python
