// The Python class of vocabulary.hpp.

#include <cstdint>
#include <memory>
#include <numeric>
#include <string_view>
#include <vector>

#include "arguments.hpp"
#include "bindings.hpp"
#include "shared.hpp"

namespace mteval::python {
namespace {

std::string_view utf8(const py::handle& token) {
    if (!PyUnicode_Check(token.ptr())) {
        throw py::type_error(message("a token must be a str, got ", Py_TYPE(token.ptr())->tp_name));
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
            throw py::value_error(message("unknown id ", id, "; the vocabulary has ",
                                          vocabulary.size(), " tokens"));
        }
        const std::string_view token = vocabulary.token(id);
        tokens[i] = py::str(token.data(), token.size());
    }
    return tokens;
}

// A vocabulary is pickled as its tokens, in order of their ids.
py::list state_of(SharedVocabulary& vocabulary) {
    Ids ids(size(vocabulary));
    std::iota(ids.mutable_data(), ids.mutable_data() + ids.size(), 0);
    return tokens_of(vocabulary, ids);
}

std::unique_ptr<SharedVocabulary> vocabulary_of(const py::list& tokens) {
    auto vocabulary = std::make_unique<SharedVocabulary>();
    intern(*vocabulary, tokens);
    return vocabulary;
}

const Binding binding("Vocabulary", [](py::module_& module) {
    using namespace py::literals;
    const auto doc = [](const char* method) { return documentation("Vocabulary", method); };
    py::class_<SharedVocabulary>(module, "Vocabulary", doc(nullptr).c_str())
        .def(py::init())
        .def("__len__", &size<SharedVocabulary>)
        .def("intern", &intern, "tokens"_a, doc("intern").c_str())
        .def("find", &find, "token"_a, doc("find").c_str())
        .def("tokens", &tokens_of, "ids"_a, doc("tokens").c_str())
        .def(py::pickle(&state_of, &vocabulary_of));
});

}  // namespace
}  // namespace mteval::python
