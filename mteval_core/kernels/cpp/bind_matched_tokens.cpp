// The Python function of the matched tokens in ngrams.hpp.

#include "arguments.hpp"
#include "bindings.hpp"
#include "ngrams.hpp"

namespace mteval::python {
namespace {

Vector<bool> matched_tokens(const py::object& hypotheses, const py::object& references) {
    const Arguments arguments(hypotheses, references);
    arguments.check_lengths(linear_limits);
    Vector<bool> marks(arguments.hypothesis_bounds.total());
    bool* data = marks.mutable_data();
    const py::gil_scoped_release unlocked;
    mteval::matched_tokens(arguments.segments(), data);
    return marks;
}

const Binding binding("matched_tokens", [](py::module_& module) {
    using namespace py::literals;
    add_kernel(module, "matched_tokens", &matched_tokens, "hypotheses"_a, "references"_a);
});

}  // namespace
}  // namespace mteval::python
