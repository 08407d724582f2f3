// The Python face of the kernels: checks arguments, releases the interpreter lock, computes.
// _reference.py is the same in Python and has the documentation.

#include <pybind11/pybind11.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "ngrams.hpp"
#include "pair_index.hpp"
#include "scan.hpp"
#include "texts.hpp"
#include "vocabulary.hpp"

namespace py = pybind11;

namespace mteval::python {
namespace {

// A table that a thread without the interpreter lock may be filling. As threads wait for the mutex
// with the lock, whoever has the mutex neither takes the lock nor runs Python code.
template <class Table>
struct Shared : Table {
    std::mutex mutex;
};
using SharedVocabulary = Shared<Vocabulary>;
using SharedPairIndex = Shared<PairIndex>;

template <class SharedTable>
std::size_t size(SharedTable& table) {
    const std::lock_guard lock(table.mutex);
    return table.size();
}

std::string_view utf8(const py::handle& token) {
    if (!PyUnicode_Check(token.ptr())) {
        throw py::type_error(message("a token is a str, got ", Py_TYPE(token.ptr())->tp_name));
    }
    Py_ssize_t size;
    const char* bytes = PyUnicode_AsUTF8AndSize(token.ptr(), &size);
    if (!bytes) throw py::error_already_set();
    return {bytes, static_cast<std::size_t>(size)};
}

Ids intern(SharedVocabulary& vocabulary, const py::object& tokens) {
    const auto items = py::reinterpret_steal<py::object>(
        PySequence_Fast(tokens.ptr(), "tokens: expected a sequence of str"));
    if (!items) throw py::error_already_set();
    const py::ssize_t count = PySequence_Fast_GET_SIZE(items.ptr());
    std::vector<std::string_view> texts;
    texts.reserve(count);
    for (py::ssize_t i = 0; i < count; ++i) {
        texts.push_back(utf8(PySequence_Fast_GET_ITEM(items.ptr(), i)));
    }
    Ids ids(count);
    auto* id = ids.mutable_data();
    const std::lock_guard lock(vocabulary.mutex);
    for (const std::string_view token : texts) *id++ = vocabulary.intern(token);
    return ids;
}

std::int32_t find(SharedVocabulary& vocabulary, const py::object& token) {
    const std::string_view text = utf8(token);
    const std::lock_guard lock(vocabulary.mutex);
    return vocabulary.find(text);
}

py::list tokens_of(SharedVocabulary& vocabulary, const py::object& ids_argument) {
    const Ids ids = vector<std::int32_t>("ids", ids_argument);
    py::list tokens(ids.size());
    const std::lock_guard lock(vocabulary.mutex);
    for (py::ssize_t i = 0; i < ids.size(); ++i) {
        const auto id = ids.data()[i];
        if (id < 0 || std::size_t(id) >= vocabulary.size()) {
            throw py::value_error(message("no token has the id ", id, "; the vocabulary has ",
                                          vocabulary.size(), " tokens"));
        }
        const std::string_view token = vocabulary.token(id);
        tokens[i] = py::str(token.data(), token.size());
    }
    return tokens;
}

// What a vocabulary is pickled as: its tokens in order of their ids.
py::list state_of_vocabulary(SharedVocabulary& vocabulary) {
    Ids ids(size(vocabulary));
    std::iota(ids.mutable_data(), ids.mutable_data() + ids.size(), 0);
    return tokens_of(vocabulary, ids);
}

std::unique_ptr<SharedVocabulary> vocabulary_of(const py::list& tokens) {
    auto vocabulary = std::make_unique<SharedVocabulary>();
    intern(*vocabulary, tokens);
    return vocabulary;
}

// Turns texts into ids; split(text, emit) says how.
template <class Split>
std::pair<Ids, Offsets> scan(const py::bytes& buffer, const py::object& starts,
                             const py::object& ends, SharedVocabulary& vocabulary, Split split) {
    const std::string_view bytes(buffer);
    const Bounds bounds("buffer", starts, ends, bytes.size());
    std::vector<std::int32_t> ids;
    Offsets offsets(bounds.count() + 1);
    auto* offset = offsets.mutable_data();
    *offset = 0;
    py::ssize_t i = 0;
    try {
        const py::gil_scoped_release unlocked;
        const std::lock_guard lock(vocabulary.mutex);
        ids.reserve(std::min(bounds.total(), bytes.size()) / 4);
        for (; i < bounds.count(); ++i) {
            const auto start = bounds.starts.data()[i], end = bounds.ends.data()[i];
            split(bytes.substr(start, end - start),
                  [&](std::string_view token) { ids.push_back(vocabulary.intern(token)); });
            *++offset = static_cast<std::int64_t>(ids.size());
        }
    } catch (const InvalidUtf8&) {
        const auto start = bounds.starts.data()[i], end = bounds.ends.data()[i];
        py::reinterpret_steal<py::object>(
            PyUnicode_DecodeUTF8(bytes.data() + start, end - start, nullptr));
        throw py::error_already_set();
    }
    return {to_array(std::move(ids)), offsets};
}

std::pair<Ids, Offsets> scan_13a(const py::bytes& buffer, const py::object& starts,
                                 const py::object& ends, SharedVocabulary& vocabulary) {
    return scan(buffer, starts, ends, vocabulary, [](std::string_view text, auto emit) {
        if (!is_wrapped_13a(text)) return split_13a(text, emit);
        if (!is_utf8(text)) throw InvalidUtf8();  // the pieces may be, put together
        split_13a(unwrapped_13a(text), emit);
    });
}

std::pair<Ids, Offsets> scan_whitespace(const py::bytes& buffer, const py::object& starts,
                                        const py::object& ends, SharedVocabulary& vocabulary) {
    return scan(buffer, starts, ends, vocabulary,
                [](std::string_view text, auto emit) { split_whitespace(text, emit); });
}

std::pair<Ids, Offsets> scan_characters(const py::bytes& buffer, const py::object& starts,
                                        const py::object& ends, SharedVocabulary& vocabulary,
                                        bool white_space) {
    return scan(buffer, starts, ends, vocabulary, [=](std::string_view text, auto emit) {
        if (!is_utf8(text)) throw InvalidUtf8();
        split_characters(text, white_space, emit);
    });
}

Vector<double> clipped_matches(const py::object& hypotheses, const py::object& references,
                               py::ssize_t order) {
    if (order < 1) throw py::value_error(message("order is ", order, "; expected at least 1"));
    const Arguments arguments(hypotheses, references);
    Vector<double> rows({arguments.count(), order});
    double* data = rows.mutable_data();
    const py::gil_scoped_release unlocked;
    mteval::clipped_matches(arguments.segments(), order, data);
    return rows;
}

Vector<double> weighted_matches(const py::object& hypotheses, const py::object& references,
                                const py::object& weights_argument) {
    const auto weights = vector<double>("weights", weights_argument);
    const Arguments arguments(hypotheses, references);
    const Segments segments = arguments.segments();
    for (std::size_t i = 0; i < segments.count; ++i) {
        const Text text = segments.hypotheses[i];
        for (std::size_t p = 0; p < text.length; ++p) {
            if (text.tokens[p] >= weights.size()) {
                throw py::value_error(message("hypothesis ", i, " has the id ", text.tokens[p],
                                              "; there are ", weights.size(), " weights"));
            }
        }
    }
    Vector<double> sums(arguments.count());
    double* data = sums.mutable_data();
    const py::gil_scoped_release unlocked;
    mteval::weighted_matches(segments, weights.data(), data);
    return sums;
}

// Numbers pairs; number(left, right, count, ids) says how.
template <class Number>
Ids number_pairs(SharedPairIndex& index, const py::object& left_argument,
                 const py::object& right_argument, Number number) {
    const Ids left = vector<std::int32_t>("left", left_argument);
    const Ids right = vector<std::int32_t>("right", right_argument);
    if (left.size() != right.size()) {
        throw py::value_error(message("left has ", left.size(), " members, right has ",
                                      right.size(), "; expected pairs"));
    }
    Ids ids(left.size());
    auto* data = ids.mutable_data();
    const py::gil_scoped_release unlocked;
    const std::lock_guard lock(index.mutex);
    number(left.data(), right.data(), static_cast<std::size_t>(left.size()), data);
    return ids;
}

Ids add_pairs(SharedPairIndex& index, const py::object& left, const py::object& right) {
    return number_pairs(index, left, right, [&](auto... arguments) { index.add(arguments...); });
}

Ids find_pairs(SharedPairIndex& index, const py::object& left, const py::object& right) {
    return number_pairs(index, left, right, [&](auto... arguments) { index.find(arguments...); });
}

// What an index is pickled as: its pairs in order of their ids.
std::pair<Ids, Ids> state_of_pair_index(SharedPairIndex& index) {
    std::vector<std::int32_t> left, right;
    {
        const std::lock_guard lock(index.mutex);
        left.resize(index.size());
        right.resize(index.size());
        index.list(left.data(), right.data());
    }
    return {to_array(std::move(left)), to_array(std::move(right))};
}

std::unique_ptr<SharedPairIndex> pair_index_of(const std::pair<Ids, Ids>& pairs) {
    auto index = std::make_unique<SharedPairIndex>();
    add_pairs(*index, pairs.first, pairs.second);
    return index;
}

}  // namespace
}  // namespace mteval::python

namespace mteval::python {
void bind_alignment(py::module_& module);
void bind_edit_distance(py::module_& module);
void bind_lcs(py::module_& module);
void bind_matched_tokens(py::module_& module);
void bind_run_matching(py::module_& module);
void bind_skip_bigrams(py::module_& module);
}  // namespace mteval::python

PYBIND11_MODULE(_native, module) {
    namespace python = mteval::python;
    using namespace py::literals;
    module.doc() = "The kernels in C++; see mteval_core.kernels.";
    const auto documentation = [](const char* name) {
        return python::documentation("mteval_core.kernels._reference", name);
    };
    py::options options;
    options.disable_function_signatures();

    py::class_<python::SharedVocabulary>(module, "Vocabulary", documentation("Vocabulary").c_str())
        .def(py::init())
        .def("__len__", &python::size<python::SharedVocabulary>)
        .def("intern", &python::intern, "tokens"_a, documentation("Vocabulary.intern").c_str())
        .def("find", &python::find, "token"_a, documentation("Vocabulary.find").c_str())
        .def("tokens", &python::tokens_of, "ids"_a, documentation("Vocabulary.tokens").c_str())
        .def(py::pickle(&python::state_of_vocabulary, &python::vocabulary_of));
    py::class_<python::SharedPairIndex>(module, "PairIndex", documentation("PairIndex").c_str())
        .def(py::init())
        .def("__len__", &python::size<python::SharedPairIndex>)
        .def("add", &python::add_pairs, "left"_a, "right"_a,
             documentation("PairIndex.add").c_str())
        .def("find", &python::find_pairs, "left"_a, "right"_a,
             documentation("PairIndex.find").c_str())
        .def(py::pickle(&python::state_of_pair_index, &python::pair_index_of));
    module.def("scan_13a", &python::scan_13a, "buffer"_a, "starts"_a, "ends"_a, "vocabulary"_a,
               documentation("scan_13a").c_str());
    module.def("scan_characters", &python::scan_characters, "buffer"_a, "starts"_a, "ends"_a,
               "vocabulary"_a, "white_space"_a = false, documentation("scan_characters").c_str());
    module.def("scan_whitespace", &python::scan_whitespace, "buffer"_a, "starts"_a, "ends"_a,
               "vocabulary"_a, documentation("scan_whitespace").c_str());
    module.def("clipped_matches", &python::clipped_matches, "hypotheses"_a, "references"_a,
               "order"_a, documentation("clipped_matches").c_str());
    module.def("weighted_matches", &python::weighted_matches, "hypotheses"_a, "references"_a,
               "weights"_a, documentation("weighted_matches").c_str());
    python::bind_alignment(module);
    python::bind_edit_distance(module);
    python::bind_lcs(module);
    python::bind_matched_tokens(module);
    python::bind_run_matching(module);
    python::bind_skip_bigrams(module);
}
