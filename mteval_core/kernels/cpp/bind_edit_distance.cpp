// The Python function of edit_distance.hpp.

#include "arguments.hpp"
#include "bindings.hpp"
#include "edit_distance.hpp"

namespace mteval::python {
namespace {

Vector<double> edit_distance(const py::object& hypotheses, const py::object& references) {
    const Arguments arguments(hypotheses, references);
    arguments.check_lengths(bit_limits);
    Vector<double> distances(arguments.reference_bounds.count());
    double* data = distances.mutable_data();
    const py::gil_scoped_release unlocked;
    mteval::edit_distance(arguments.segments(), data);
    return distances;
}

const Binding binding("edit_distance", [](py::module_& module) {
    using namespace py::literals;
    add_kernel(module, "edit_distance", &edit_distance, "hypotheses"_a, "references"_a);
});

}  // namespace
}  // namespace mteval::python
