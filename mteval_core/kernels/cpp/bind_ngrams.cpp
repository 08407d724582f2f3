// The Python functions of ngrams.hpp and ngram_grid.hpp.

#include "arguments.hpp"
#include "bindings.hpp"
#include "ngram_grid.hpp"
#include "ngrams.hpp"

namespace mteval::python {
namespace {

Vector<double> clipped_matches(const py::object& hypotheses, const py::object& references,
                               const py::object& order_argument) {
    const std::int64_t order = number_of_columns("order", order_argument);
    const Arguments arguments(hypotheses, references);
    arguments.check_lengths(linear_limits);
    Vector<double> rows({arguments.count(), py::ssize_t(order)});
    double* data = rows.mutable_data();
    const py::gil_scoped_release unlocked;
    const Segments segments = arguments.segments();
    if (const Grid grid = find_grid(segments); grid.is_large()) {
        grid_matches(segments, grid, order, data);
    } else {
        mteval::clipped_matches(segments, order, data);
    }
    return rows;
}

void check_weights(const Vector<double>& weights, const Segments& segments) {
    for (std::size_t i = 0; i < segments.count; ++i) {
        const Text text = segments.hypotheses[i];
        for (std::size_t p = 0; p < text.length; ++p) {
            if (text.tokens[p] >= weights.size()) {
                throw py::value_error(message("hypothesis ", i, " contains the id ",
                                              text.tokens[p], ", but there are only ",
                                              weights.size(), " weights"));
            }
        }
    }
}

Vector<double> weighted_matches(const py::object& hypotheses, const py::object& references,
                                const py::object& weights_argument) {
    const auto weights = vector<double>("weights", weights_argument);
    const Arguments arguments(hypotheses, references);
    const Segments segments = arguments.segments();
    arguments.check_lengths(linear_limits);
    check_weights(weights, segments);
    Vector<double> sums(arguments.count());
    double* data = sums.mutable_data();
    const py::gil_scoped_release unlocked;
    mteval::weighted_matches(segments, weights.data(), data);
    return sums;
}

const Binding binding("clipped_matches", [](py::module_& module) {
    using namespace py::literals;
    const auto hypotheses = "hypotheses"_a, references = "references"_a;
    add_kernel(module, "clipped_matches", &clipped_matches, hypotheses, references, "order"_a);
    add_kernel(module, "weighted_matches", &weighted_matches, hypotheses, references, "weights"_a);
});

}  // namespace
}  // namespace mteval::python
