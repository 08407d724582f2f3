// The Python module: the kernels of all bind_*.cpp files.

#include <exception>

#include <pybind11/eval.h>
#include <pybind11/gil_safe_call_once.h>

#include "bindings.hpp"
#include "limits.hpp"
#include "pulse.hpp"

#ifndef MTEVAL_STAMP
#error "define MTEVAL_STAMP, as setup.py does: the version and a digest of the sources"
#endif

namespace mteval::python {
namespace {

// Lets Python handle signals, which it does in the main thread only, and exceptions that another
// thread has raised in this one. It looks for these in the loops of functions.
void throw_what_is_pending() {
    const py::gil_scoped_acquire locked;
    if (PyErr_CheckSignals()) throw py::error_already_set();
    PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<py::object> loop;
    const auto make = [] { return py::eval("lambda: [None for _ in '12']", py::dict()); };
    loop.call_once_and_store_result(make).get_stored()();
}

void translate(std::exception_ptr thrown) {
    try {
        if (thrown) std::rethrow_exception(thrown);
    } catch (const SegmentTooLong& error) {
        const py::object type = py::module_::import("mteval_kernels.errors").attr("TooLongError");
        const auto arguments = py::make_tuple(error.segment, error.reason);
        PyErr_SetObject(type.ptr(), arguments.ptr());
    }
}

}  // namespace
}  // namespace mteval::python

PYBIND11_MODULE(_native, module, pybind11::mod_gil_not_used()) {
    module.doc() = "The kernels in C++; see mteval_kernels.";
    module.attr("_stamp") = pybind11::str(MTEVAL_STAMP);
    mteval::throw_pending = &mteval::python::throw_what_is_pending;
    pybind11::register_local_exception_translator(&mteval::python::translate);
    pybind11::options options;
    options.disable_function_signatures();
    for (const auto& [name, bind] : mteval::python::bindings()) bind(module);
}
