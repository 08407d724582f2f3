// The Python function of skip_bigrams.hpp.

#include <limits>

#include "arguments.hpp"
#include "bindings.hpp"
#include "skip_bigrams.hpp"

namespace mteval::python {
namespace {

Vector<double> skip_bigrams(const py::object& hypotheses, const py::object& references,
                            const py::object& skip) {
    std::size_t window = std::numeric_limits<std::size_t>::max();
    if (!skip.is_none()) window = std::size_t(whole_number("skip", skip, 0)) + 1;
    const Arguments arguments(hypotheses, references);
    arguments.check_lengths(table_limits);
    Vector<double> matches(arguments.reference_bounds.count());
    double* data = matches.mutable_data();
    const py::gil_scoped_release unlocked;
    mteval::skip_bigrams(arguments.segments(), window, data);
    return matches;
}

const Binding binding("skip_bigrams", [](py::module_& module) {
    using namespace py::literals;
    add_kernel(module, "skip_bigrams", &skip_bigrams, "hypotheses"_a, "references"_a,
               "skip"_a = py::none());
});

}  // namespace
}  // namespace mteval::python
