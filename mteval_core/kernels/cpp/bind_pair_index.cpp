// The Python class of pair_index.hpp.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "bindings.hpp"
#include "pulse.hpp"
#include "shared.hpp"

namespace mteval::python {
namespace {

// Pairs that are numbered before the next look for an interrupt.
constexpr std::size_t at_once = std::size_t(1) << 20;

// Calls number(left, right, count, ids) for the ids of pairs.
template <class Number>
Ids number_pairs(SharedPairIndex& index, const py::object& left_argument,
                 const py::object& right_argument, Number number) {
    const Ids left = vector<std::int32_t>("left", left_argument);
    const Ids right = vector<std::int32_t>("right", right_argument);
    if (left.size() != right.size()) {
        throw py::value_error(message("left has ", left.size(), " numbers, right has ",
                                      right.size(), "; expected equal lengths"));
    }
    Ids ids(left.size());
    auto* data = ids.mutable_data();
    const py::gil_scoped_release unlocked;
    const auto count = static_cast<std::size_t>(left.size());
    for (std::size_t start = 0; start < count; start += at_once) {
        if (start) throw_pending();
        const std::lock_guard lock(index.mutex);
        number(left.data() + start, right.data() + start, std::min(at_once, count - start),
               data + start);
    }
    return ids;
}

Ids add(SharedPairIndex& index, const py::object& left, const py::object& right) {
    return number_pairs(index, left, right, [&](auto... arguments) { index.add(arguments...); });
}

Ids find(SharedPairIndex& index, const py::object& left, const py::object& right) {
    return number_pairs(index, left, right, [&](auto... arguments) { index.find(arguments...); });
}

// An index is pickled as its pairs, in order of their ids.
std::pair<Ids, Ids> state_of(SharedPairIndex& index) {
    std::vector<std::int32_t> left, right;
    {
        const std::lock_guard lock(index.mutex);
        left.resize(index.size());
        right.resize(index.size());
        index.list(left.data(), right.data());
    }
    return {to_array(std::move(left)), to_array(std::move(right))};
}

std::unique_ptr<SharedPairIndex> index_of(const std::pair<Ids, Ids>& pairs) {
    auto index = std::make_unique<SharedPairIndex>();
    add(*index, pairs.first, pairs.second);
    return index;
}

const Binding binding("PairIndex", [](py::module_& module) {
    using namespace py::literals;
    const auto doc = [](const char* method) { return documentation("PairIndex", method); };
    py::class_<SharedPairIndex>(module, "PairIndex", doc(nullptr).c_str())
        .def(py::init())
        .def("__len__", &size<SharedPairIndex>)
        .def("add", &add, "left"_a, "right"_a, doc("add").c_str())
        .def("find", &find, "left"_a, "right"_a, doc("find").c_str())
        .def(py::pickle(&state_of, &index_of));
});

}  // namespace
}  // namespace mteval::python
