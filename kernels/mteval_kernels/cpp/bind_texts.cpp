// The Python functions of lines.hpp, vocabulary.hpp, scan.hpp and text_digest.hpp.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "bindings.hpp"
#include "lines.hpp"
#include "pulse.hpp"
#include "scan.hpp"
#include "shared.hpp"
#include "text_digest.hpp"

namespace mteval::python {
namespace {

// The Python function of lines.hpp, and strings as lines.

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

const Binding lines_binding("line_bounds", [](py::module_& module) {
    using namespace py::literals;
    add_kernel(module, "encode_lines", &encode_lines, "segments"_a);
    add_kernel(module, "line_bounds", &line_bounds, "buffer"_a);
});

// The Python class of vocabulary.hpp.

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

// Collects the ids that are to be found, then marks them: few of many, and mostly the last ones.
Ids unmapped(SharedVocabulary&, const py::object& ids_argument, const py::object& numbers_argument) {
    const Ids ids = vector<std::int32_t>("ids", ids_argument);
    const Ids numbers = vector<std::int32_t>("numbers", numbers_argument);
    const auto *const number = numbers.data(), *const end = ids.data() + ids.size();
    const auto n_numbers = std::uint64_t(numbers.size());
    std::vector<std::int32_t> found;
    for (const auto* id = ids.data(); id != end; ++id) {
        if (*id < 0 || std::uint64_t(*id) >= n_numbers) {
            throw py::value_error(message("unknown id ", *id, "; there are ", n_numbers, " numbers"));
        }
        if (number[*id] < 0) found.push_back(*id);
    }
    if (found.empty()) return Ids(0);
    const auto [least, most] = std::minmax_element(found.begin(), found.end());
    const std::int32_t first = *least;
    std::vector<char> is_found(*most - first + 1);
    for (const std::int32_t id : found) is_found[id - first] = 1;
    found.clear();
    for (std::size_t i = 0; i < is_found.size(); ++i) {
        if (is_found[i]) found.push_back(first + std::int32_t(i));
    }
    return to_array(std::move(found));
}

const Binding vocabulary_binding("Vocabulary", [](py::module_& module) {
    using namespace py::literals;
    const auto doc = [](const char* method) { return documentation("Vocabulary", method); };
    py::class_<SharedVocabulary>(module, "Vocabulary", doc(nullptr).c_str())
        .def(py::init())
        .def("__len__", &size<SharedVocabulary>)
        .def("intern", &intern, "tokens"_a, doc("intern").c_str())
        .def("find", &find, "token"_a, doc("find").c_str())
        .def("tokens", &tokens_of, "ids"_a, doc("tokens").c_str())
        .def("unmapped", &unmapped, "ids"_a, "numbers"_a, doc("unmapped").c_str())
        .def(py::pickle(&state_of, &vocabulary_of));
});

// The Python functions of scan.hpp.

// Looks for an interrupt now and then, without the mutex of the vocabulary.
class Watch {
public:
    explicit Watch(SharedVocabulary& vocabulary) : lock_(vocabulary.mutex) {}

    void beat(std::size_t n_tokens) {
        constexpr std::size_t steps_of_a_token = 16;
        if (!pulse_.is_due(steps_of_a_token * n_tokens)) return;
        lock_.unlock();
        throw_pending();
        lock_.lock();
    }

private:
    std::unique_lock<std::mutex> lock_;
    Pulse pulse_;
};

// Turns tokens into ids, many at once.
class TokenIds {
public:
    TokenIds(SharedVocabulary& vocabulary, std::vector<std::int32_t>& ids)
        : vocabulary_(vocabulary), watch_(vocabulary), ids_(ids) {}

    // Adds a token, from whose start Vocabulary::readable bytes can be read.
    void operator()(std::string_view token) {
        tokens_[n_tokens_++] = {token.data(), token.size()};  // not a copy, which would be slower
        if (n_tokens_ == at_once) flush();
    }

    // A copy of a text, from whose tokens so many bytes can be read.
    std::string_view copy(std::string_view text) {
        if (copies_.size() == most_copies) {
            flush();
            copies_.clear();
        }
        std::string& copied = copies_.emplace_back(text);
        copied.append(Vocabulary::readable, '\0');
        return std::string_view(copied).substr(0, text.size());
    }

    std::size_t size() const { return ids_.size() + n_tokens_; }

    void finish() { flush(); }

private:
    static constexpr std::size_t at_once = 256, most_copies = 16;

    void flush() {
        ids_.resize(size());
        vocabulary_.intern_readable(tokens_, n_tokens_, ids_.data() + ids_.size() - n_tokens_);
        watch_.beat(n_tokens_);
        n_tokens_ = 0;
    }

    SharedVocabulary& vocabulary_;
    Watch watch_;
    std::string_view tokens_[at_once];  // whose ids are not known yet
    std::size_t n_tokens_ = 0;
    std::deque<std::string> copies_;  // of texts that may have them
    std::vector<std::int32_t>& ids_;
};

// Turns the characters of texts into ids. There is room for one id per byte.
class IdsOfCharacters {
public:
    IdsOfCharacters(SharedVocabulary& vocabulary, std::int32_t* ids, Spaces spaces)
        : watch_(vocabulary), characters_(vocabulary, spaces), ids_(ids), end_(ids) {}

    void add(std::string_view text) {
        if (!is_utf8(text)) throw InvalidUtf8();
        end_ = characters_.write(text, end_);
        watch_.beat(text.size());
    }

    // The text itself: nothing but characters is read.
    std::string_view copy(std::string_view text) { return text; }

    std::size_t size() const { return std::size_t(end_ - ids_); }

    void finish() {}

private:
    Watch watch_;
    CharacterIds characters_;
    std::int32_t *const ids_, *end_;
};

// Turns texts into ids. `add(text, ids)` adds the tokens of a text to the ids, which `options` make.
// Returns where the ids of each text begin, and where those of the last one end.
template <class SomeIds, class Add, class... Options>
Offsets scan(const py::bytes& buffer, const Bounds& bounds, SharedVocabulary& vocabulary, Add add,
             Options&&... options) {
    const std::string_view bytes(buffer);
    const auto text = [&](py::ssize_t i) {
        const auto start = bounds.starts.data()[i];
        return bytes.substr(start, bounds.ends.data()[i] - start);
    };
    Offsets offsets(bounds.count() + 1);
    auto* offset = offsets.mutable_data();
    *offset = 0;
    try {
        const py::gil_scoped_release unlocked;
        SomeIds ids(vocabulary, options...);
        for (py::ssize_t i = 0; i < bounds.count(); ++i) {
            const auto end = std::size_t(bounds.ends.data()[i]);
            const bool is_last = end + Vocabulary::readable > bytes.size();
            add(is_last ? ids.copy(text(i)) : text(i), ids);
            *++offset = static_cast<std::int64_t>(ids.size());
        }
        ids.finish();
    } catch (const InvalidUtf8&) {  // let Python say where
        py::ssize_t i = 0;
        while (is_utf8(text(i))) ++i;
        py::reinterpret_steal<py::object>(
            PyUnicode_DecodeUTF8(text(i).data(), text(i).size(), nullptr));
        throw py::error_already_set();
    }
    return offsets;
}

// The same for tokens of several characters.
template <class Add>
std::pair<Ids, Offsets> scan_tokens(const py::bytes& buffer, const Bounds& bounds,
                                    SharedVocabulary& vocabulary, Add add) {
    std::vector<std::int32_t> ids;
    ids.reserve(std::min<std::size_t>(bounds.total(), PyBytes_GET_SIZE(buffer.ptr())) / 4);
    const Offsets offsets = scan<TokenIds>(buffer, bounds, vocabulary, add, ids);
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
    return scan_tokens(buffer, bounds, vocabulary, [](std::string_view text, TokenIds& ids) {
        if (!is_wrapped_13a(text)) return split_13a(text, ids);
        if (!is_utf8(text)) throw InvalidUtf8();  // unwrapping could make it valid
        split_13a(ids.copy(unwrapped_13a(text)), ids);
    });
}

std::pair<Ids, Offsets> scan_whitespace(const py::object& buffer_argument, const py::object& starts,
                                        const py::object& ends, SharedVocabulary& vocabulary,
                                        const py::object& cut_argument) {
    const bool cuts = as_flag("cut", cut_argument);
    const py::bytes buffer = as_bytes("buffer", buffer_argument);
    const Bounds bounds = bounds_in(buffer, starts, ends);
    return scan_tokens(buffer, bounds, vocabulary, [cuts](std::string_view text, TokenIds& ids) {
        if (!cuts) return split_whitespace(text, ids);
        auto cut_word = [&](std::string_view word) { cut(word, ids); };
        split_whitespace(text, cut_word);
    });
}

std::pair<Ids, Offsets> scan_characters(const py::object& buffer_argument, const py::object& starts,
                                        const py::object& ends, SharedVocabulary& vocabulary,
                                        const py::object& white_space_argument,
                                        const py::object& strip_argument) {
    const bool white_space = as_flag("white_space", white_space_argument);
    const bool strip = as_flag("strip", strip_argument);
    const py::bytes buffer = as_bytes("buffer", buffer_argument);
    const Bounds bounds = bounds_in(buffer, starts, ends);
    const auto add = [](std::string_view text, IdsOfCharacters& ids) { ids.add(text); };
    const Spaces spaces = !white_space ? Spaces::none : strip ? Spaces::inside : Spaces::all;
    Ids ids(bounds.total());  // numpy asks for large pages, so that few are new to the system
    const Offsets offsets =
        scan<IdsOfCharacters>(buffer, bounds, vocabulary, add, ids.mutable_data(), spaces);
    ids.resize({offsets.data()[bounds.count()]}, false);
    return {ids, offsets};
}

const Binding scan_binding("scan_13a", [](py::module_& module) {
    using namespace py::literals;
    const auto buffer = "buffer"_a, starts = "starts"_a, ends = "ends"_a;
    const auto vocabulary = "vocabulary"_a;
    add_kernel(module, "scan_13a", &scan_13a, buffer, starts, ends, vocabulary);
    add_kernel(module, "scan_characters", &scan_characters, buffer, starts, ends, vocabulary,
               py::kw_only(), "white_space"_a = false, "strip"_a = false);
    add_kernel(module, "scan_whitespace", &scan_whitespace, buffer, starts, ends, vocabulary,
               py::kw_only(), "cut"_a = false);
});

// The Python function of text_digest.hpp.

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

const Binding text_digest_binding("text_digest", [](py::module_& module) {
    using namespace py::literals;
    add_kernel(module, "text_digest", &text_digest, "buffer"_a, "starts"_a, "ends"_a, "ids"_a);
});

}  // namespace
}  // namespace mteval::python
