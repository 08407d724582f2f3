// The Python function of text_digest.hpp.

#include <cstdint>

#include "arguments.hpp"
#include "bindings.hpp"
#include "text_digest.hpp"

namespace mteval::python {
namespace {

Vector<std::uint64_t> text_digest(const py::object& buffer_argument, const py::object& starts,
                                  const py::object& ends, const py::object& ids_argument) {
    const py::bytes buffer = as_bytes("buffer", buffer_argument);
    const Bounds bounds("buffer", starts, ends, PyBytes_GET_SIZE(buffer.ptr()));
    const Offsets ids = vector<std::int64_t>("ids", ids_argument);
    if (ids.size() != bounds.count()) {
        throw py::value_error(message("buffer: ", bounds.count(), " texts but ", ids.size(),
                                      " ids; expected equal numbers"));
    }
    const auto* const bytes = reinterpret_cast<const unsigned char*>(PyBytes_AS_STRING(buffer.ptr()));
    Vector<std::uint64_t> digest(2);
    auto* const halves = digest.mutable_data();
    const py::gil_scoped_release unlocked;
    const Digest sum = mteval::text_digest(bytes, bounds.starts.data(), bounds.ends.data(),
                                           ids.data(), static_cast<std::size_t>(bounds.count()));
    halves[0] = sum[0], halves[1] = sum[1];
    return digest;
}

const Binding binding("text_digest", [](py::module_& module) {
    using namespace py::literals;
    add_kernel(module, "text_digest", &text_digest, "buffer"_a, "starts"_a, "ends"_a, "ids"_a);
});

}  // namespace
}  // namespace mteval::python
