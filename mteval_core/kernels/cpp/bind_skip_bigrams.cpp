// The Python face of the skip-bigrams; twins/skip_bigrams.py has the documentation.

#include <algorithm>
#include <limits>

#include "arguments.hpp"
#include "skip_bigrams.hpp"

namespace mteval::python {
namespace {

Vector<double> skip_bigrams(const py::object& hypotheses, const py::object& references,
                            const py::object& skip) {
    std::size_t window = std::numeric_limits<std::size_t>::max();
    if (!skip.is_none()) {
        const auto most = skip.cast<py::ssize_t>();
        if (most < 0) throw py::value_error(message("skip is ", most, "; expected at least 0 or None"));
        window = std::size_t(most) + 1;
    }
    const Arguments arguments(hypotheses, references);
    Vector<double> matches(arguments.reference_bounds.count());
    double* data = matches.mutable_data();
    const py::gil_scoped_release unlocked;
    std::fill_n(data, arguments.reference_bounds.count(), 0.0);
    mteval::skip_bigrams(arguments.segments(), window, data);
    return matches;
}

}  // namespace

void bind_skip_bigrams(py::module_& module) {
    using namespace py::literals;
    module.def("skip_bigrams", &skip_bigrams, "hypotheses"_a, "references"_a, "skip"_a = py::none(),
               documentation("mteval_core.kernels.twins.skip_bigrams", "skip_bigrams").c_str());
}

}  // namespace mteval::python
