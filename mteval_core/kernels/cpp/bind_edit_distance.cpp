// The Python face of edit_distance.hpp and shift_edit_distance.hpp.

#include <pybind11/pybind11.h>

#include <algorithm>

#include "arguments.hpp"
#include "edit_distance.hpp"
#include "shift_edit_distance.hpp"

namespace mteval::python {
namespace {

Vector<double> edit_distance(const py::object& hypotheses, const py::object& references) {
    const Arguments arguments(hypotheses, references);
    Vector<double> distances(arguments.reference_bounds.count());
    double* data = distances.mutable_data();
    const py::gil_scoped_release unlocked;
    mteval::edit_distance(arguments.segments(), data);
    return distances;
}

Vector<double> shift_edit_distance(const py::object& hypotheses, const py::object& references,
                                   py::ssize_t max_size, py::ssize_t max_distance,
                                   py::ssize_t beam) {
    const auto check = [](const char* name, py::ssize_t limit) {
        if (limit < 0) throw py::value_error(message(name, " is ", limit, "; expected at least 0"));
    };
    check("max_size", max_size);
    check("max_distance", max_distance);
    check("beam", beam);
    const Arguments arguments(hypotheses, references);
    arguments.check_lengths();
    Vector<double> rows({arguments.reference_bounds.count(), py::ssize_t(5)});
    double* data = rows.mutable_data();
    const py::gil_scoped_release unlocked;
    mteval::shift_edit_distance(arguments.segments(), {max_size, max_distance, beam}, data);
    return rows;
}

}  // namespace

void bind_edit_distance(py::module_& module) {
    using namespace py::literals;
    const auto twin = [](const char* name) {
        return documentation(("mteval_core.kernels.twins." + std::string(name)).c_str(), name);
    };
    module.def("edit_distance", &edit_distance, "hypotheses"_a, "references"_a,
               twin("edit_distance").c_str());
    module.def("shift_edit_distance", &shift_edit_distance, "hypotheses"_a, "references"_a,
               "max_size"_a, "max_distance"_a, "beam"_a, twin("shift_edit_distance").c_str());
}

}  // namespace mteval::python
