// The Python functions of scan.hpp.

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "bindings.hpp"
#include "pulse.hpp"
#include "scan.hpp"
#include "shared.hpp"

namespace mteval::python {
namespace {

constexpr std::size_t steps_of_a_token = 16;

// Turns texts into ids. split(text, emit) calls emit(token) for every token of a text, whose id is
// table.intern(token).
template <class Table, class Split>
std::pair<Ids, Offsets> scan(const py::bytes& buffer, const Bounds& bounds,
                             SharedVocabulary& vocabulary, Table& table, Split split) {
    const std::string_view bytes(buffer);
    std::vector<std::int32_t> ids;
    Offsets offsets(bounds.count() + 1);
    auto* offset = offsets.mutable_data();
    *offset = 0;
    py::ssize_t i = 0;
    Pulse pulse;
    try {
        const py::gil_scoped_release unlocked;
        std::unique_lock lock(vocabulary.mutex);
        ids.reserve(std::min(bounds.total(), bytes.size()) / 4);
        for (; i < bounds.count(); ++i) {
            const auto start = bounds.starts.data()[i], end = bounds.ends.data()[i];
            split(bytes.substr(start, end - start),
                  [&](std::string_view token) {
                      ids.push_back(table.intern(token));
                      if (!pulse.is_due(steps_of_a_token)) return;
                      lock.unlock();
                      throw_pending();
                      lock.lock();
                  });
            *++offset = static_cast<std::int64_t>(ids.size());
        }
    } catch (const InvalidUtf8&) {  // let Python say where
        const auto start = bounds.starts.data()[i], end = bounds.ends.data()[i];
        py::reinterpret_steal<py::object>(
            PyUnicode_DecodeUTF8(bytes.data() + start, end - start, nullptr));
        throw py::error_already_set();
    }
    return {to_array(std::move(ids)), offsets};
}

bool as_flag(const char* name, const py::object& value) {
    if (PyBool_Check(value.ptr())) return value.is(py::bool_(true));
    throw py::type_error(message(name, ": expected True or False, got ", type_name(value)));
}

Bounds bounds_in(const py::bytes& buffer, const py::object& starts, const py::object& ends) {
    return {"buffer", starts, ends, PyBytes_GET_SIZE(buffer.ptr())};
}

std::pair<Ids, Offsets> scan_13a(const py::object& buffer_argument, const py::object& starts,
                                 const py::object& ends, SharedVocabulary& vocabulary) {
    const py::bytes buffer = as_bytes("buffer", buffer_argument);
    const Bounds bounds = bounds_in(buffer, starts, ends);
    return scan(buffer, bounds, vocabulary, vocabulary, [](std::string_view text, auto emit) {
        if (!is_wrapped_13a(text)) return split_13a(text, emit);
        if (!is_utf8(text)) throw InvalidUtf8();  // unwrapping could make it valid
        split_13a(unwrapped_13a(text), emit);
    });
}

std::pair<Ids, Offsets> scan_whitespace(const py::object& buffer_argument, const py::object& starts,
                                        const py::object& ends, SharedVocabulary& vocabulary) {
    const py::bytes buffer = as_bytes("buffer", buffer_argument);
    const Bounds bounds = bounds_in(buffer, starts, ends);
    return scan(buffer, bounds, vocabulary, vocabulary,
                [](std::string_view text, auto emit) { split_whitespace(text, emit); });
}

std::pair<Ids, Offsets> scan_characters(const py::object& buffer_argument, const py::object& starts,
                                        const py::object& ends, SharedVocabulary& vocabulary,
                                        const py::object& white_space_argument) {
    const bool white_space = as_flag("white_space", white_space_argument);
    const py::bytes buffer = as_bytes("buffer", buffer_argument);
    const Bounds bounds = bounds_in(buffer, starts, ends);
    CharacterIds characters(vocabulary);
    return scan(buffer, bounds, vocabulary, characters, [=](std::string_view text, auto emit) {
        if (!is_utf8(text)) throw InvalidUtf8();
        split_characters(text, white_space, emit);
    });
}

const Binding binding("scan_13a", [](py::module_& module) {
    using namespace py::literals;
    const auto buffer = "buffer"_a, starts = "starts"_a, ends = "ends"_a;
    const auto vocabulary = "vocabulary"_a;
    add_kernel(module, "scan_13a", &scan_13a, buffer, starts, ends, vocabulary);
    add_kernel(module, "scan_characters", &scan_characters, buffer, starts, ends, vocabulary,
               py::kw_only(), "white_space"_a = false);
    add_kernel(module, "scan_whitespace", &scan_whitespace, buffer, starts, ends, vocabulary);
});

}  // namespace
}  // namespace mteval::python
