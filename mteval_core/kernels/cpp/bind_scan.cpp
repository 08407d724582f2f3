// The Python functions of scan.hpp.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
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
    TokenIds(SharedVocabulary& vocabulary, std::size_t n_bytes)
        : vocabulary_(vocabulary), watch_(vocabulary) {
        ids_.reserve(n_bytes / 4);
    }

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

    std::vector<std::int32_t> finish() {
        flush();
        return std::move(ids_);
    }

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
    std::vector<std::int32_t> ids_;
};

// Turns characters into ids, one by one.
class IdsOfCharacters {
public:
    IdsOfCharacters(SharedVocabulary& vocabulary, std::size_t n_bytes)
        : watch_(vocabulary), characters_(vocabulary) {
        ids_.reserve(n_bytes);
    }

    void operator()(std::string_view character) {
        ids_.push_back(characters_.intern(character));
        watch_.beat(1);
    }

    // The text itself: nothing but characters is read.
    std::string_view copy(std::string_view text) { return text; }

    std::size_t size() const { return ids_.size(); }

    std::vector<std::int32_t> finish() { return std::move(ids_); }

private:
    Watch watch_;
    CharacterIds characters_;
    std::vector<std::int32_t> ids_;
};

// Turns texts into ids. `split(text, ids)` calls ids(token) for every token of a text.
template <class SomeIds, class Split>
std::pair<Ids, Offsets> scan(const py::bytes& buffer, const Bounds& bounds,
                             SharedVocabulary& vocabulary, Split split) {
    const std::string_view bytes(buffer);
    const auto text = [&](py::ssize_t i) {
        const auto start = bounds.starts.data()[i];
        return bytes.substr(start, bounds.ends.data()[i] - start);
    };
    Offsets offsets(bounds.count() + 1);
    auto* offset = offsets.mutable_data();
    *offset = 0;
    std::vector<std::int32_t> found;
    try {
        const py::gil_scoped_release unlocked;
        SomeIds ids(vocabulary, std::min(bounds.total(), bytes.size()));
        for (py::ssize_t i = 0; i < bounds.count(); ++i) {
            const auto end = std::size_t(bounds.ends.data()[i]);
            const bool is_last = end + Vocabulary::readable > bytes.size();
            split(is_last ? ids.copy(text(i)) : text(i), ids);
            *++offset = static_cast<std::int64_t>(ids.size());
        }
        found = ids.finish();
    } catch (const InvalidUtf8&) {  // let Python say where
        py::ssize_t i = 0;
        while (is_utf8(text(i))) ++i;
        py::reinterpret_steal<py::object>(
            PyUnicode_DecodeUTF8(text(i).data(), text(i).size(), nullptr));
        throw py::error_already_set();
    }
    return {to_array(std::move(found)), offsets};
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
    return scan<TokenIds>(buffer, bounds, vocabulary, [](std::string_view text, TokenIds& ids) {
        if (!is_wrapped_13a(text)) return split_13a(text, ids);
        if (!is_utf8(text)) throw InvalidUtf8();  // unwrapping could make it valid
        split_13a(ids.copy(unwrapped_13a(text)), ids);
    });
}

std::pair<Ids, Offsets> scan_whitespace(const py::object& buffer_argument, const py::object& starts,
                                        const py::object& ends, SharedVocabulary& vocabulary) {
    const py::bytes buffer = as_bytes("buffer", buffer_argument);
    const Bounds bounds = bounds_in(buffer, starts, ends);
    return scan<TokenIds>(buffer, bounds, vocabulary, [](std::string_view text, TokenIds& ids) {
        split_whitespace(text, ids);
    });
}

std::pair<Ids, Offsets> scan_characters(const py::object& buffer_argument, const py::object& starts,
                                        const py::object& ends, SharedVocabulary& vocabulary,
                                        const py::object& white_space_argument) {
    const bool white_space = as_flag("white_space", white_space_argument);
    const py::bytes buffer = as_bytes("buffer", buffer_argument);
    const Bounds bounds = bounds_in(buffer, starts, ends);
    const auto split = [=](std::string_view text, IdsOfCharacters& ids) {
        if (!is_utf8(text)) throw InvalidUtf8();
        split_characters(text, white_space, ids);
    };
    return scan<IdsOfCharacters>(buffer, bounds, vocabulary, split);
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
