// The Python face of run_matching.hpp and maximum_run_matching.hpp.

#include <pybind11/pybind11.h>

#include <cmath>
#include <string>

#include "arguments.hpp"
#include "maximum_run_matching.hpp"
#include "run_matching.hpp"

namespace mteval::python {
namespace {

void check_exponent(double exponent) {
    if (!(exponent >= 1 && std::isfinite(exponent))) {
        throw py::value_error(
            message("exponent is ", exponent, "; expected a finite number of at least 1"));
    }
}

Vector<double> checked_budgets(const py::object& argument, py::ssize_t n_hypotheses) {
    auto budgets = vector<double>("budgets", argument);
    if (budgets.size() != n_hypotheses) {
        throw py::value_error(message(n_hypotheses, " hypotheses, but ", budgets.size(), " budgets"));
    }
    for (py::ssize_t i = 0; i < budgets.size(); ++i) {
        if (!(budgets.data()[i] >= 0)) {
            throw py::value_error(message("budgets: that of segment ", i, " is ", budgets.data()[i],
                                          "; expected at least 0"));
        }
    }
    return budgets;
}

Vector<double> run_matching(const py::object& hypotheses, const py::object& references,
                            double exponent, const py::object& budgets_argument,
                            const std::string& ties) {
    check_exponent(exponent);
    if (ties != "first" && ties != "last") {
        throw py::value_error(message("ties is '", ties, "'; expected 'first' or 'last'"));
    }
    const Arguments arguments(hypotheses, references);
    arguments.check_lengths();
    const Vector<double> budgets = checked_budgets(budgets_argument, arguments.count());
    Vector<double> sizes(arguments.count());
    double* data = sizes.mutable_data();
    const py::gil_scoped_release unlocked;
    mteval::run_matching(arguments.segments(), exponent, budgets.data(), ties == "last", data);
    return sizes;
}

Vector<double> maximum_run_matching(const py::object& hypotheses, const py::object& references,
                                    double exponent, const py::object& budgets_argument,
                                    py::ssize_t limit) {
    check_exponent(exponent);
    if (limit < 1) throw py::value_error(message("limit is ", limit, "; expected at least 1"));
    const Arguments arguments(hypotheses, references);
    arguments.check_lengths();
    const Vector<double> budgets = checked_budgets(budgets_argument, arguments.count());
    Vector<double> sizes(arguments.count());
    double* data = sizes.mutable_data();
    const py::gil_scoped_release unlocked;
    mteval::maximum_run_matching(arguments.segments(), exponent, budgets.data(), limit, data);
    return sizes;
}

}  // namespace

void bind_run_matching(py::module_& module) {
    using namespace py::literals;
    const auto twin = [](const char* name) {
        return documentation("mteval_core.kernels.twins.run_matching", name);
    };
    module.def("run_matching", &run_matching, "hypotheses"_a, "references"_a, "exponent"_a,
               "budgets"_a, "ties"_a = "last", twin("run_matching").c_str());
    module.def("maximum_run_matching", &maximum_run_matching, "hypotheses"_a, "references"_a,
               "exponent"_a, "budgets"_a, "limit"_a, twin("maximum_run_matching").c_str());
}

}  // namespace mteval::python
