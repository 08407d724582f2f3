// The Python function of ngram_totals.hpp.

#include "arguments.hpp"
#include "bindings.hpp"
#include "ngram_totals.hpp"

namespace mteval::python {
namespace {

Vector<std::int64_t> ngram_totals(const py::object& lengths_argument,
                                  const py::object& order_argument) {
    const auto lengths = vector<std::int64_t>("lengths", lengths_argument);
    const std::int64_t order = number_of_columns("order", order_argument);
    Vector<std::int64_t> totals({lengths.size(), py::ssize_t(order)});
    mteval::ngram_totals(lengths.data(), lengths.size(), order, totals.mutable_data());
    return totals;
}

const Binding binding("ngram_totals", [](py::module_& module) {
    using namespace py::literals;
    add_kernel(module, "ngram_totals", &ngram_totals, "lengths"_a, "order"_a);
});

}  // namespace
}  // namespace mteval::python
