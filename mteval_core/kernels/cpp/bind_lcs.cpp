// The Python functions of lcs.hpp and weighted_lcs.hpp.

#include <algorithm>

#include "arguments.hpp"
#include "bindings.hpp"
#include "lcs.hpp"
#include "weighted_lcs.hpp"

namespace mteval::python {
namespace {

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
    Vector<double> scores(arguments.reference_bounds.count());
    double* data = scores.mutable_data();
    const py::gil_scoped_release unlocked;
    mteval::weighted_lcs(arguments.segments(), values.data(), data);
    return scores;
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

const Binding binding("lcs", [](py::module_& module) {
    using namespace py::literals;
    const auto hypotheses = "hypotheses"_a, references = "references"_a, values = "values"_a;
    add_kernel(module, "lcs", &lcs, hypotheses, references);
    add_kernel(module, "lcs_marks", &lcs_marks, hypotheses, references);
    add_kernel(module, "weighted_lcs", &weighted_lcs, hypotheses, references, values);
    add_kernel(module, "weighted_lcs_marks", &weighted_lcs_marks, hypotheses, references, values);
});

}  // namespace
}  // namespace mteval::python
