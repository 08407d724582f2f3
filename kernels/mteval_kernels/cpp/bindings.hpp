// How bind_*.cpp files add kernels to the Python module.
#pragma once

#include <pybind11/pybind11.h>

#include <map>
#include <string>

namespace mteval::python {

namespace py = pybind11;

// The functions that add kernels to the module, by their first kernel. Classes,
// with a capital, come before the functions that take them.
using Bind = void (*)(py::module_&);

inline std::map<std::string, Bind>& bindings() {
    static std::map<std::string, Bind> all;
    return all;
}

// Registers such a function. The bind_*.cpp have constants of this type: each file takes ten seconds
// to compile, most of them for pybind11, so there are few.
struct Binding {
    Binding(const char* first_kernel, Bind bind) { bindings().emplace(first_kernel, bind); }
};

// The docstring of a kernel, or of one of its methods: it names the plain-Python twin, which is not
// imported for it.
inline std::string documentation(const std::string& kernel, const char* method = nullptr) {
    const std::string twin = "mteval_kernels.table.twin('" + kernel + "')";
    return "Do in C++ what " + twin + (method ? std::string(".") + method : "") + " documents.";
}

// Adds a kernel to the module. `arguments` are the names and defaults of its parameters.
template <class Function, class... Arguments>
void add_kernel(py::module_& module, const char* name, Function function,
                const Arguments&... arguments) {
    module.def(name, function, arguments..., documentation(name).c_str());
}

}  // namespace mteval::python
