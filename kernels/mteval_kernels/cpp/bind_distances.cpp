// The Python functions of distances, common subsequences, exact sums and draws.

#include <algorithm>
#include <cmath>
#include <vector>

#include <pybind11/gil_safe_call_once.h>

#include "arguments.hpp"
#include "bindings.hpp"
#include "draws.hpp"
#include "edit_distance.hpp"
#include "exact_sums.hpp"
#include "lcs.hpp"
#include "shift_edit_distance.hpp"
#include "weighted_lcs.hpp"

namespace mteval::python {
namespace {

// The Python function of edit_distance.hpp.

Vector<double> edit_distance(const py::object& hypotheses, const py::object& references) {
    const Arguments arguments(hypotheses, references);
    arguments.check_lengths(bit_limits);
    Vector<double> distances(arguments.reference_bounds.count());
    double* data = distances.mutable_data();
    const py::gil_scoped_release unlocked;
    mteval::edit_distance(arguments.segments(), data);
    return distances;
}

const Binding edit_distance_binding("edit_distance", [](py::module_& module) {
    using namespace py::literals;
    add_kernel(module, "edit_distance", &edit_distance, "hypotheses"_a, "references"_a);
});

// The Python function of shift_edit_distance.hpp.

Vector<double> shift_edit_distance(const py::object& hypotheses, const py::object& references,
                                   const py::object& max_size, const py::object& max_distance,
                                   const py::object& beam) {
    const ShiftLimits limits{whole_number("max_size", max_size, 0),
                             whole_number("max_distance", max_distance, 0),
                             whole_number("beam", beam, 0)};
    const Arguments arguments(hypotheses, references);
    arguments.check_lengths(search_limits);
    Vector<double> rows({arguments.reference_bounds.count(), py::ssize_t(5)});
    double* data = rows.mutable_data();
    const py::gil_scoped_release unlocked;
    mteval::shift_edit_distance(arguments.segments(), limits, data);
    return rows;
}

const Binding shift_edit_distance_binding("shift_edit_distance", [](py::module_& module) {
    using namespace py::literals;
    add_kernel(module, "shift_edit_distance", &shift_edit_distance, "hypotheses"_a,
               "references"_a, py::kw_only(), "max_size"_a, "max_distance"_a, "beam"_a);
});

// The Python functions of lcs.hpp and weighted_lcs.hpp.

// Texts in groups, checked.
struct GroupedTexts {
    GroupedTexts(const char* name, const py::object& texts)
        : ids(vector<std::int32_t>("ids", texts.attr("ids"))),
          bounds(name, texts.attr("starts"), texts.attr("ends"), ids.size()),
          index(vector<std::int64_t>("index", texts.attr("index"))) {
        const auto* i = index.data();
        if (!index.size() || i[0] != 0 || i[index.size() - 1] != bounds.count() ||
            !std::is_sorted(i, i + index.size())) {
            throw py::value_error(message(name, ": index does not divide the ", bounds.count(),
                                          " texts into groups; expected it to ascend from 0 to ",
                                          bounds.count()));
        }
    }

    py::ssize_t count() const { return index.size() - 1; }
    Texts texts() const { return {ids.data(), bounds.starts.data(), bounds.ends.data()}; }

    // Length of all texts of a group, in tokens.
    std::int64_t length(std::size_t group) const {
        std::int64_t length = 0;
        for (auto i = index.data()[group]; i < index.data()[group + 1]; ++i) {
            length += bounds.ends.data()[i] - bounds.starts.data()[i];
        }
        return length;
    }

    Ids ids;
    Bounds bounds;
    Offsets index;
};

// Checks that there is a value for the longest run that two of the texts can have.
void check_values(const Vector<double>& values, const Bounds& hypotheses, const Bounds& references) {
    const auto longest_run = std::min(hypotheses.longest(), references.longest());
    if (values.size() <= longest_run) {
        throw py::value_error(message("values has ", values.size(), " values; expected ",
                                      longest_run + 1, ", for runs of 0 to ", longest_run,
                                      " tokens"));
    }
}

Vector<double> lcs(const py::object& hypotheses, const py::object& references) {
    const Arguments arguments(hypotheses, references);
    arguments.check_lengths(bit_limits);
    Vector<double> lengths(arguments.reference_bounds.count());
    double* data = lengths.mutable_data();
    const py::gil_scoped_release unlocked;
    mteval::lcs(arguments.segments(), data);
    return lengths;
}

Vector<double> weighted_lcs(const py::object& hypotheses, const py::object& references,
                            const py::object& values_argument) {
    const auto values = vector<double>("values", values_argument);
    const Arguments arguments(hypotheses, references);
    arguments.check_lengths(table_limits);
    check_values(values, arguments.hypothesis_bounds, arguments.reference_bounds);
    Vector<double> weights(arguments.reference_bounds.count());
    double* data = weights.mutable_data();
    const py::gil_scoped_release unlocked;
    mteval::weighted_lcs(arguments.segments(), values.data(), data);
    return weights;
}

// Calls mark(hypotheses, first, last, reference, marks) for every reference of every group.
template <class Mark>
Vector<bool> marks_of(const GroupedTexts& hypotheses, const GroupedTexts& references, Mark mark) {
    if (hypotheses.count() != references.count()) {
        throw py::value_error(message(hypotheses.count(), " groups of hypotheses, but ",
                                      references.count(), " of references"));
    }
    const Groups groups{static_cast<std::size_t>(references.count()), hypotheses.texts(),
                        hypotheses.index.data(), references.texts(), references.index.data()};
    for (std::size_t g = 0; g < groups.count; ++g) {
        check_length(g, hypotheses.length(g), references.length(g), table_limits);
    }
    const std::size_t n_tokens = references.bounds.total();
    Vector<bool> marks(n_tokens);
    bool* data = marks.mutable_data();
    const py::gil_scoped_release unlocked;
    std::fill_n(data, n_tokens, false);
    for_each_marked(groups, data, mark);
    return marks;
}

Vector<bool> lcs_marks(const py::object& hypotheses, const py::object& references) {
    const GroupedTexts hypothesis_groups("hypotheses", hypotheses);
    const GroupedTexts reference_groups("references", references);
    return marks_of(hypothesis_groups, reference_groups, LcsMarks());
}

Vector<bool> weighted_lcs_marks(const py::object& hypotheses_argument,
                                const py::object& references_argument,
                                const py::object& values_argument) {
    const auto values = vector<double>("values", values_argument);
    const GroupedTexts hypotheses("hypotheses", hypotheses_argument);
    const GroupedTexts references("references", references_argument);
    check_values(values, hypotheses.bounds, references.bounds);
    WeightedLcs table(values.data());
    return marks_of(hypotheses, references,
                    [&](Texts texts, std::size_t first, std::size_t last, Text reference, bool* marks) {
                        for (std::size_t h = first; h < last; ++h) {
                            table.mark(texts[h], reference, marks);
                        }
                    });
}

const Binding lcs_binding("lcs", [](py::module_& module) {
    using namespace py::literals;
    const auto hypotheses = "hypotheses"_a, references = "references"_a, values = "values"_a;
    add_kernel(module, "lcs", &lcs, hypotheses, references);
    add_kernel(module, "lcs_marks", &lcs_marks, hypotheses, references);
    add_kernel(module, "weighted_lcs", &weighted_lcs, hypotheses, references, values);
    add_kernel(module, "weighted_lcs_marks", &weighted_lcs_marks, hypotheses, references, values);
});

// The Python function of draws.hpp.

// Half of a number of 128 bits.
std::uint64_t word(const py::handle& number, int shift) {
    const auto shifted = py::reinterpret_borrow<py::object>(number) >> py::int_(shift);
    const std::uint64_t word = PyLong_AsUnsignedLongLongMask(shifted.ptr());
    if (PyErr_Occurred()) throw py::error_already_set();
    return word;
}

py::object number(mteval::Wide wide) {
    return py::int_(wide.high) << py::int_(64) | py::int_(wide.low);
}

Pcg64 to_generator(const py::object& state) {
    // numpy refuses the state of another generator.
    const auto bits = py::module_::import("numpy.random").attr("PCG64")(0);
    bits.attr("state") = state;
    const py::dict whole = bits.attr("state"), inner = whole["state"];
    const py::object position = inner["state"], increment = inner["inc"];
    return {{word(position, 64), word(position, 0)},
            {word(increment, 64), word(increment, 0)},
            whole["has_uint32"].cast<bool>(), whole["uinteger"].cast<std::uint32_t>()};
}

py::dict to_state(const Pcg64& generator) {
    using namespace py::literals;
    const py::dict inner("state"_a = number(generator.state), "inc"_a = number(generator.increment));
    return py::dict("bit_generator"_a = "PCG64", "state"_a = inner,
                    "has_uint32"_a = int(generator.has_half), "uinteger"_a = generator.half);
}

std::pair<Vector<std::uint8_t>, py::dict> draw_counts(const py::object& state,
                                                      const py::object& n_argument,
                                                      const py::object& count_argument) {
    const std::int64_t n = whole_number("n", n_argument, 1);
    const std::int64_t count = whole_number("count", count_argument, 0);
    constexpr std::int64_t most = 0xffffffff;
    if (n > most) throw py::value_error(message("n is ", n, "; expected at most ", most));
    Pcg64 generator = to_generator(state);
    Vector<std::uint8_t> counts({count, n});
    std::uint8_t* row = counts.mutable_data();
    bool fits = true;
    {
        const py::gil_scoped_release unlocked;
        std::fill_n(row, counts.size(), std::uint8_t(0));
        for (std::int64_t i = 0; i < count; ++i, row += n) {
            fits &= mteval::draw_counts(generator, n, row);
        }
    }
    if (!fits) throw std::overflow_error("a unit was drawn more than 255 times");
    return {std::move(counts), to_state(generator)};
}

const Binding draw_counts_binding("draw_counts", [](py::module_& module) {
    using namespace py::literals;
    add_kernel(module, "draw_counts", &draw_counts, "state"_a, "n"_a, "count"_a);
});

// The Python function of exact_sums.hpp.

// Converts a sum to a Python integer.
py::object to_integer(const ExactSum& sum) {
    unsigned char bytes[4 * ExactSum::n_digits];
    sum.write(bytes);
    const py::bytes digits(reinterpret_cast<const char*>(bytes), sizeof bytes);
    PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<py::object> from_bytes;
    const auto find = [] { return py::type::of(py::int_()).attr("from_bytes"); };
    const py::object& convert = from_bytes.call_once_and_store_result(find).get_stored();
    return convert(digits, "little", py::arg("signed") = true);
}

py::list exact_sums(const py::object& rows_argument) {
    const auto rows = array<double>("rows", rows_argument);
    if (rows.ndim() != 2) {
        throw py::value_error(message("rows: expected two dimensions, got ", rows.ndim()));
    }
    const double* data = rows.data();
    bool all_finite;
    std::vector<ExactSum> sums;
    {
        const py::gil_scoped_release unlocked;
        all_finite = std::all_of(data, data + rows.size(), [](double x) { return std::isfinite(x); });
        if (all_finite) sums = mteval::exact_sums(data, rows.shape(0), rows.shape(1));
    }
    if (!all_finite) throw py::value_error("rows: expected finite numbers");
    py::list units;
    for (const auto& sum : sums) units.append(to_integer(sum));
    return units;
}

const Binding exact_sums_binding("exact_sums", [](py::module_& module) {
    using namespace py::literals;
    add_kernel(module, "exact_sums", &exact_sums, "rows"_a);
});

}  // namespace
}  // namespace mteval::python
