// The Python function of lines.hpp.

#include <algorithm>
#include <string_view>
#include <utility>

#include "arguments.hpp"
#include "bindings.hpp"
#include "lines.hpp"

namespace mteval::python {
namespace {

std::pair<Offsets, Offsets> line_bounds(const py::object& buffer_argument) {
    const py::bytes buffer = as_bytes("buffer", buffer_argument);
    const std::string_view text(buffer);
    if (!text.empty() && text.back() != '\n') {
        throw py::value_error("buffer: expected a line feed at the end");
    }
    const auto count = std::count(text.begin(), text.end(), '\n');
    Offsets starts(count), ends(count);
    auto *const start = starts.mutable_data(), *const end = ends.mutable_data();
    const py::gil_scoped_release unlocked;
    mteval::line_bounds(text, start, end);
    return {starts, ends};
}

const Binding binding("line_bounds", [](py::module_& module) {
    using namespace py::literals;
    add_kernel(module, "line_bounds", &line_bounds, "buffer"_a);
});

}  // namespace
}  // namespace mteval::python
