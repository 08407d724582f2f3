// Checks and conversions of the arguments and results of kernels.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "limits.hpp"
#include "texts.hpp"

namespace mteval::python {

namespace py = pybind11;

template <class T>
using Vector = py::array_t<T, py::array::c_style>;
using Ids = Vector<std::int32_t>;
using Offsets = Vector<std::int64_t>;

template <class... Parts>
std::string message(const Parts&... parts) {
    std::ostringstream stream;
    (stream << ... << parts);
    return stream.str();
}

inline std::string type_name(const py::handle& value) {
    return py::cast<std::string>(py::type::of(value).attr("__name__"));
}

// Refuses what is not bytes.
inline py::bytes as_bytes(const char* name, const py::object& value) {
    if (PyBytes_Check(value.ptr())) return py::reinterpret_borrow<py::bytes>(value);
    throw py::type_error(message(name, ": expected bytes, got ", type_name(value)));
}

// Converts a list or a tuple.
inline py::list sequence(const char* name, const py::handle& value) {
    if (!py::isinstance<py::list>(value) && !py::isinstance<py::tuple>(value)) {
        throw py::type_error(message(name, ": expected a list or a tuple, got ", type_name(value)));
    }
    return py::list(py::reinterpret_borrow<py::object>(value));
}

// The same, with two entries.
inline std::pair<py::object, py::object> pair(const char* name, const py::handle& value) {
    const py::list items = sequence(name, value);
    if (items.size() != 2) {
        throw py::type_error(message(name, ": expected a pair of arrays, got ", items.size()));
    }
    return {items[0], items[1]};
}

// Converts an argument to an array, as numpy.asarray does; refuses to lose digits of its numbers.
template <class T>
Vector<T> array(const char* name, const py::handle& values) {
    if (py::isinstance<Vector<T>>(values)) return py::reinterpret_borrow<Vector<T>>(values);
    const auto given = py::array(py::reinterpret_borrow<py::object>(values));
    const auto expected = py::dtype::of<T>();
    const auto can_cast = py::module_::import("numpy").attr("can_cast");
    if (!given.dtype().equal(expected) && !can_cast(given.dtype(), expected).template cast<bool>()) {
        throw py::type_error(message(name, ": expected an array of ",
                                     std::string(py::str(py::handle(expected))), ", got ",
                                     std::string(py::str(py::handle(given.dtype())))));
    }
    return Vector<T>::ensure(given);
}

// Converts an argument to a vector; refuses conversions that would lose digits or shape.
template <class T>
Vector<T> vector(const char* name, const py::handle& values) {
    const auto vector = array<T>(name, values);
    if (vector.ndim() != 1) {
        throw py::value_error(message(name, ": expected one dimension, got ", vector.ndim()));
    }
    return vector;
}

// Converts a real number.
inline double number(const char* name, const py::handle& value) {
    if (!py::isinstance(value, py::module_::import("numbers").attr("Real"))) {
        throw py::type_error(message(name, ": expected a number, got ", type_name(value)));
    }
    return py::float_(py::reinterpret_borrow<py::object>(value));
}

// Refuses a value that is neither one thing nor the other; returns whether it is the other.
inline bool is_other(const char* name, const py::handle& value, const char* one,
                     const char* other) {
    const bool is_text = PyUnicode_Check(value.ptr());
    if (is_text && value.equal(py::str(other))) return true;
    if (is_text && value.equal(py::str(one))) return false;
    throw py::value_error(message(name, " is ", std::string(py::repr(value)), "; expected '", one,
                                  "' or '", other, "'"));
}

// Converts a whole number.
inline std::int64_t whole_number(const char* name, const py::handle& value) {
    const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    if (!index) {
        PyErr_Clear();
        throw py::type_error(message(name, ": expected a whole number, got ",
                                     type_name(value)));
    }
    const std::int64_t number = PyLong_AsLongLong(index.ptr());
    if (number == -1 && PyErr_Occurred()) {
        PyErr_Clear();
        throw py::value_error(message(name, " is ", std::string(py::str(index)),
                                      "; expected a number of 64 bits"));
    }
    return number;
}

// The same, for a number with a least value.
inline std::int64_t whole_number(const char* name, const py::handle& value, std::int64_t least) {
    const std::int64_t number = whole_number(name, value);
    if (number < least) {
        throw py::value_error(message(name, " is ", number, "; expected at least ", least));
    }
    return number;
}

// Refuses a number of columns that no array can have.
inline std::int64_t number_of_columns(const char* name, const py::handle& value) {
    constexpr std::int64_t most = 1 << 16;
    const std::int64_t number = whole_number(name, value, 1);
    if (number > most) {
        throw py::value_error(message(name, " is ", number, "; expected at most ", most));
    }
    return number;
}

// Moves values to an array.
template <class T>
Vector<T> to_array(std::vector<T>&& values) {
    auto* owned = new std::vector<T>(std::move(values));
    const py::capsule owner(owned, [](void* p) { delete static_cast<std::vector<T>*>(p); });
    return Vector<T>(owned->size(), owned->data(), owner);
}

// The starts and ends of texts, checked to lie within an array of some size.
struct Bounds {
    Bounds(const char* name, const py::handle& starts, const py::handle& ends, py::ssize_t size)
        : starts(vector<std::int64_t>("starts", starts)), ends(vector<std::int64_t>("ends", ends)) {
        if (this->starts.size() != this->ends.size()) {
            throw py::value_error(message(name, ": ", this->starts.size(), " starts but ",
                                          this->ends.size(), " ends; expected equal numbers"));
        }
        for (py::ssize_t i = 0; i < count(); ++i) {
            const auto start = this->starts.data()[i], end = this->ends.data()[i];
            if (start < 0 || end < start || end > size) {
                throw py::value_error(message(name, ": text ", i, " is ", start, ":", end,
                                              "; expected bounds within 0:", size));
            }
        }
    }

    py::ssize_t count() const { return starts.size(); }

    Texts texts(const Ids& ids) const { return {ids.data(), starts.data(), ends.data()}; }

    // Length of the longest text, in tokens.
    std::int64_t longest() const {
        std::int64_t length = 0;
        for (py::ssize_t i = 0; i < count(); ++i) {
            length = std::max(length, ends.data()[i] - starts.data()[i]);
        }
        return length;
    }

    // Length of all texts, in tokens.
    std::size_t total() const {
        std::size_t total = 0;
        for (py::ssize_t i = 0; i < count(); ++i) total += ends.data()[i] - starts.data()[i];
        return total;
    }

    Offsets starts, ends;
};

// The names of what texts have, made once.
struct Names {
    PyObject* const ids = PyUnicode_InternFromString("ids");
    PyObject* const starts = PyUnicode_InternFromString("starts");
    PyObject* const ends = PyUnicode_InternFromString("ends");
    PyObject* const index = PyUnicode_InternFromString("index");
};

inline py::object get(const py::object& texts, PyObject* const Names::* name) {
    static const Names names;
    return texts.attr(py::handle(names.*name));
}

// Hypotheses and references, checked.
struct Arguments {
    Arguments(const py::object& hypotheses, const py::object& references)
        : hypothesis_ids(vector<std::int32_t>("ids", get(hypotheses, &Names::ids))),
          hypothesis_bounds("hypotheses", get(hypotheses, &Names::starts),
                            get(hypotheses, &Names::ends), hypothesis_ids.size()),
          reference_ids(vector<std::int32_t>("ids", get(references, &Names::ids))),
          reference_bounds("references", get(references, &Names::starts),
                           get(references, &Names::ends), reference_ids.size()),
          index(vector<std::int64_t>("index", get(references, &Names::index))) {
        if (index.size() != count() + 1) {
            throw py::value_error(message(count(), " hypotheses, but references for ",
                                          index.size() - 1, " segments"));
        }
        const auto n_texts = reference_bounds.count();
        for (py::ssize_t i = 0; i < count(); ++i) {
            const auto start = index.data()[i], stop = index.data()[i + 1];
            if (start < 0 || stop <= start || stop > n_texts) {
                throw py::value_error(message("index: the references of segment ", i, " are ",
                                              start, ":", stop,
                                              "; expected at least one text within 0:", n_texts));
            }
        }
        const auto first = index.data()[0], last = index.data()[count()];
        if (first != 0 || last != n_texts) {
            throw py::value_error(message("index: the segments have the references ", first, ":",
                                          last, "; expected all, 0:", n_texts));
        }
    }

    py::ssize_t count() const { return hypothesis_bounds.count(); }

    void check_lengths(const Limits& limits) const {
        const std::int64_t hypothesis = hypothesis_bounds.longest();
        const std::int64_t reference = reference_bounds.longest();
        if (!limits.allow(hypothesis, reference)) mteval::check_lengths(segments(), limits);
    }

    Segments segments() const {
        return {static_cast<std::size_t>(count()),
                hypothesis_bounds.texts(hypothesis_ids), reference_bounds.texts(reference_ids),
                index.data()};
    }

    Ids hypothesis_ids;
    Bounds hypothesis_bounds;
    Ids reference_ids;
    Bounds reference_bounds;
    Offsets index;
};

}  // namespace mteval::python
