// The Python module: the kernels of all bind_*.cpp files.

#include "bindings.hpp"

PYBIND11_MODULE(_native, module) {
    module.doc() = "The kernels in C++; see mteval_core.kernels.";
    pybind11::options options;
    options.disable_function_signatures();
    for (const auto& [name, bind] : mteval::python::bindings()) bind(module);
}
