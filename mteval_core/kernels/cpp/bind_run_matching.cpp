// The Python functions of run_matching.hpp and maximum_run_matching.hpp.

#include <cmath>
#include <string>

#include "arguments.hpp"
#include "bindings.hpp"
#include "maximum_run_matching.hpp"
#include "run_matching.hpp"

namespace mteval::python {
namespace {

double checked_exponent(const py::object& argument) {
    const double exponent = number("exponent", argument);
    if (!(exponent >= 1 && std::isfinite(exponent))) {
        throw py::value_error(
            message("exponent is ", exponent, "; expected a finite number, at least 1"));
    }
    return exponent;
}

Vector<double> checked_budgets(const py::object& argument, py::ssize_t n_hypotheses) {
    auto budgets = vector<double>("budgets", argument);
    if (budgets.size() != n_hypotheses) {
        throw py::value_error(message(n_hypotheses, " hypotheses, but ", budgets.size(), " budgets"));
    }
    for (py::ssize_t i = 0; i < budgets.size(); ++i) {
        if (!(budgets.data()[i] >= 0)) {
            throw py::value_error(message("the budget of segment ", i, " is ", budgets.data()[i],
                                          "; expected at least 0"));
        }
    }
    return budgets;
}

Vector<double> run_matching(const py::object& hypotheses, const py::object& references,
                            const py::object& exponent_argument,
                            const py::object& budgets_argument, const py::object& ties) {
    const double exponent = checked_exponent(exponent_argument);
    const bool last_first = is_other("ties", ties, "first", "last");
    const Arguments arguments(hypotheses, references);
    check_run_lengths(arguments.segments());
    const Vector<double> budgets = checked_budgets(budgets_argument, arguments.count());
    Vector<double> sizes(arguments.count());
    double* data = sizes.mutable_data();
    const py::gil_scoped_release unlocked;
    mteval::run_matching(arguments.segments(), exponent, budgets.data(), last_first, data);
    return sizes;
}

Vector<double> maximum_run_matching(const py::object& hypotheses, const py::object& references,
                                    const py::object& exponent_argument,
                                    const py::object& budgets_argument,
                                    const py::object& limit_argument) {
    const double exponent = checked_exponent(exponent_argument);
    const std::int64_t limit = whole_number("limit", limit_argument, 1);
    const Arguments arguments(hypotheses, references);
    check_run_lengths(arguments.segments());
    const Vector<double> budgets = checked_budgets(budgets_argument, arguments.count());
    Vector<double> sizes(arguments.count());
    double* data = sizes.mutable_data();
    const py::gil_scoped_release unlocked;
    mteval::maximum_run_matching(arguments.segments(), exponent, budgets.data(), limit, data);
    return sizes;
}

const Binding binding("run_matching", [](py::module_& module) {
    using namespace py::literals;
    const auto hypotheses = "hypotheses"_a, references = "references"_a;
    const auto exponent = "exponent"_a, budgets = "budgets"_a;
    add_kernel(module, "run_matching", &run_matching, hypotheses, references, exponent, budgets,
               py::kw_only(), "ties"_a = "last");
    add_kernel(module, "maximum_run_matching", &maximum_run_matching, hypotheses, references,
               exponent, budgets, py::kw_only(), "limit"_a);
});

}  // namespace
}  // namespace mteval::python
