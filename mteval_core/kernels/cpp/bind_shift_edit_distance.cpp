// The Python function of shift_edit_distance.hpp.

#include "arguments.hpp"
#include "bindings.hpp"
#include "shift_edit_distance.hpp"

namespace mteval::python {
namespace {

void check_limit(const char* name, py::ssize_t limit) {
    if (limit < 0) throw py::value_error(message(name, " is ", limit, "; expected at least 0"));
}

Vector<double> shift_edit_distance(const py::object& hypotheses, const py::object& references,
                                   py::ssize_t max_size, py::ssize_t max_distance,
                                   py::ssize_t beam) {
    check_limit("max_size", max_size);
    check_limit("max_distance", max_distance);
    check_limit("beam", beam);
    const Arguments arguments(hypotheses, references);
    arguments.check_lengths();
    Vector<double> rows({arguments.reference_bounds.count(), py::ssize_t(5)});
    double* data = rows.mutable_data();
    const py::gil_scoped_release unlocked;
    mteval::shift_edit_distance(arguments.segments(), {max_size, max_distance, beam}, data);
    return rows;
}

const Binding binding("shift_edit_distance", [](py::module_& module) {
    using namespace py::literals;
    add_kernel(module, "shift_edit_distance", &shift_edit_distance, "hypotheses"_a,
               "references"_a, py::kw_only(), "max_size"_a, "max_distance"_a, "beam"_a);
});

}  // namespace
}  // namespace mteval::python
