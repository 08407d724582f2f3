// The Python function of exact_sums.hpp.

#include "exact_sums.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "arguments.hpp"
#include "bindings.hpp"

namespace mteval::python {
namespace {

// Converts a sum to a Python integer.
py::object to_integer(const ExactSum& sum) {
    unsigned char bytes[4 * ExactSum::n_digits];
    sum.write(bytes);
    const py::bytes digits(reinterpret_cast<const char*>(bytes), sizeof bytes);
    static const auto* from_bytes = new py::object(
        py::reinterpret_borrow<py::object>((PyObject*)&PyLong_Type).attr("from_bytes"));
    return (*from_bytes)(digits, "little", py::arg("signed") = true);
}

py::list exact_sums(const py::object& rows_argument) {
    const auto rows = array<double>("rows", rows_argument);
    if (rows.ndim() != 2) {
        throw py::value_error(message("rows: expected two dimensions, got ", rows.ndim()));
    }
    const double* data = rows.data();
    bool all_finite;
    std::vector<ExactSum> sums;
    {
        const py::gil_scoped_release unlocked;
        all_finite = std::all_of(data, data + rows.size(), [](double x) { return std::isfinite(x); });
        if (all_finite) sums = mteval::exact_sums(data, rows.shape(0), rows.shape(1));
    }
    if (!all_finite) throw py::value_error("rows: expected finite numbers");
    py::list units;
    for (const auto& sum : sums) units.append(to_integer(sum));
    return units;
}

const Binding binding("exact_sums", [](py::module_& module) {
    using namespace py::literals;
    add_kernel(module, "exact_sums", &exact_sums, "rows"_a);
});

}  // namespace
}  // namespace mteval::python
