// The Python function of lines.hpp, and strings as lines.

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

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
    {
        const py::gil_scoped_release unlocked;
        mteval::line_bounds(text, start, end);
    }
    return {std::move(starts), std::move(ends)};
}

// A segment without a line end, of one or two characters.
std::string_view without_end(std::string_view segment) {
    if (segment.empty() || segment.back() != '\n') return segment;
    segment.remove_suffix(1);
    if (!segment.empty() && segment.back() == '\r') segment.remove_suffix(1);
    return segment;
}

// The lines of segments. Those that are not ASCII are encoded one by one, and held.
class Lines {
public:
    void add(const py::handle& segment) {
        const std::string_view line = without_end(utf8(segment));
        lines_.push_back(line);
        size_ += line.size() + 1;
    }

    py::tuple encoded() const {
        auto buffer = py::reinterpret_steal<py::bytes>(PyBytes_FromStringAndSize(nullptr, size_));
        if (!buffer) throw py::error_already_set();
        Offsets starts(lines_.size()), ends(lines_.size());
        auto *start = starts.mutable_data(), *end = ends.mutable_data();
        char *const first = PyBytes_AS_STRING(buffer.ptr()), *place = first;
        for (const std::string_view line : lines_) {
            *start++ = place - first;
            place = std::copy(line.begin(), line.end(), place);
            *end++ = place - first;
            *place++ = '\n';
        }
        return py::make_tuple(std::move(buffer), starts, ends);
    }

private:
    std::string_view utf8(const py::handle& segment) {
        if (segment.is_none()) return "\xFF";
        if (!PyUnicode_Check(segment.ptr())) {
            throw py::type_error(
                message("a segment must be a str or None, got ", type_name(segment)));
        }
        if (PyUnicode_IS_COMPACT_ASCII(segment.ptr())) {
            return {static_cast<const char*>(PyUnicode_DATA(segment.ptr())),
                    std::size_t(PyUnicode_GET_LENGTH(segment.ptr()))};
        }
        auto bytes = py::reinterpret_steal<py::bytes>(PyUnicode_AsUTF8String(segment.ptr()));
        if (!bytes) throw py::error_already_set();
        held_.push_back(std::move(bytes));
        return held_.back();
    }

    std::vector<std::string_view> lines_;
    std::vector<py::bytes> held_;
    std::size_t size_ = 0;
};

py::tuple encode_lines(const py::object& segments) {
    const auto items = py::reinterpret_steal<py::object>(
        PySequence_Fast(segments.ptr(), "segments: expected a sequence of str"));
    if (!items) throw py::error_already_set();
    Lines lines;
    for (py::ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.ptr()); ++i) {
        lines.add(PySequence_Fast_GET_ITEM(items.ptr(), i));
    }
    return lines.encoded();
}

const Binding binding("line_bounds", [](py::module_& module) {
    using namespace py::literals;
    add_kernel(module, "encode_lines", &encode_lines, "segments"_a);
    add_kernel(module, "line_bounds", &line_bounds, "buffer"_a);
});

}  // namespace
}  // namespace mteval::python
