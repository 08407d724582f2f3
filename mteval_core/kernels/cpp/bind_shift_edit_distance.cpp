// The Python function of shift_edit_distance.hpp.

#include "arguments.hpp"
#include "bindings.hpp"
#include "shift_edit_distance.hpp"

namespace mteval::python {
namespace {

Vector<double> shift_edit_distance(const py::object& hypotheses, const py::object& references,
                                   const py::object& max_size, const py::object& max_distance,
                                   const py::object& beam) {
    const ShiftLimits limits{whole_number("max_size", max_size, 0),
                             whole_number("max_distance", max_distance, 0),
                             whole_number("beam", beam, 0)};
    const Arguments arguments(hypotheses, references);
    arguments.check_lengths(search_limits);
    Vector<double> rows({arguments.reference_bounds.count(), py::ssize_t(5)});
    double* data = rows.mutable_data();
    const py::gil_scoped_release unlocked;
    mteval::shift_edit_distance(arguments.segments(), limits, data);
    return rows;
}

const Binding binding("shift_edit_distance", [](py::module_& module) {
    using namespace py::literals;
    add_kernel(module, "shift_edit_distance", &shift_edit_distance, "hypotheses"_a,
               "references"_a, py::kw_only(), "max_size"_a, "max_distance"_a, "beam"_a);
});

}  // namespace
}  // namespace mteval::python
