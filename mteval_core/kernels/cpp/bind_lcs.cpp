// The Python face of the longest common subsequences; twins/lcs.py has the documentation.

#include <algorithm>

#include "arguments.hpp"
#include "lcs.hpp"
#include "weighted_lcs.hpp"

namespace mteval::python {
namespace {

// Texts in groups, held and checked.
struct GroupedTexts {
    GroupedTexts(const char* name, const py::object& texts)
        : ids(vector<std::int32_t>("ids", texts.attr("ids"))),
          bounds(name, texts.attr("starts"), texts.attr("ends"), ids.size()),
          index(vector<std::int64_t>("index", texts.attr("index"))) {
        const auto* i = index.data();
        if (!index.size() || i[0] != 0 || i[index.size() - 1] != bounds.count() ||
            !std::is_sorted(i, i + index.size())) {
            throw py::value_error(message(name, ": index does not divide the ", bounds.count(),
                                          " texts into groups; expected to ascend from 0 to ",
                                          bounds.count()));
        }
    }

    py::ssize_t count() const { return index.size() - 1; }
    Texts texts() const { return {ids.data(), bounds.starts.data(), bounds.ends.data()}; }

    Ids ids;
    Bounds bounds;
    Offsets index;
};

// Refuses fewer values than the longest run may need.
void check_values(const Vector<double>& values, const Bounds& hypotheses, const Bounds& references) {
    const auto needed = std::min(hypotheses.longest(), references.longest()) + 1;
    if (values.size() < needed) {
        throw py::value_error(message("values: ", values.size(), " values of runs; expected those of ",
                                      "0 to ", needed - 1, " tokens"));
    }
}

Vector<double> lcs(const py::object& hypotheses, const py::object& references) {
    const Arguments arguments(hypotheses, references);
    Vector<double> lengths(arguments.reference_bounds.count());
    double* data = lengths.mutable_data();
    const py::gil_scoped_release unlocked;
    std::fill_n(data, arguments.reference_bounds.count(), 0.0);
    mteval::lcs(arguments.segments(), data);
    return lengths;
}

Vector<double> weighted_lcs(const py::object& hypotheses, const py::object& references,
                            const py::object& values_argument) {
    const auto values = vector<double>("values", values_argument);
    const Arguments arguments(hypotheses, references);
    check_values(values, arguments.hypothesis_bounds, arguments.reference_bounds);
    Vector<double> scores(arguments.reference_bounds.count());
    double* data = scores.mutable_data();
    const py::gil_scoped_release unlocked;
    std::fill_n(data, arguments.reference_bounds.count(), 0.0);
    mteval::weighted_lcs(arguments.segments(), values.data(), data);
    return scores;
}

template <class Mark>
Vector<bool> marks_of(const GroupedTexts& hypotheses, const GroupedTexts& references, Mark mark) {
    if (hypotheses.count() != references.count()) {
        throw py::value_error(message(hypotheses.count(), " groups of hypotheses, but ",
                                      references.count(), " of references"));
    }
    hypotheses.bounds.check_lengths("hypotheses");
    references.bounds.check_lengths("references");
    const Groups groups{static_cast<std::size_t>(references.count()), hypotheses.texts(),
                        hypotheses.index.data(), references.texts(), references.index.data()};
    const std::size_t n_tokens = references.bounds.total();
    Vector<bool> marks(n_tokens);
    bool* data = marks.mutable_data();
    const py::gil_scoped_release unlocked;
    std::fill_n(data, n_tokens, false);
    for_each_marked(groups, data, mark);
    return marks;
}

Vector<bool> lcs_marks(const py::object& hypotheses, const py::object& references) {
    return marks_of({"hypotheses", hypotheses}, {"references", references}, LcsMarks());
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

}  // namespace

void bind_lcs(py::module_& module) {
    using namespace py::literals;
    const auto doc = [](const char* name) {
        return documentation("mteval_core.kernels.twins.lcs", name);
    };
    module.def("lcs", &lcs, "hypotheses"_a, "references"_a, doc("lcs").c_str());
    module.def("lcs_marks", &lcs_marks, "hypotheses"_a, "references"_a, doc("lcs_marks").c_str());
    module.def("weighted_lcs", &weighted_lcs, "hypotheses"_a, "references"_a, "values"_a,
               doc("weighted_lcs").c_str());
    module.def("weighted_lcs_marks", &weighted_lcs_marks, "hypotheses"_a, "references"_a, "values"_a,
               doc("weighted_lcs_marks").c_str());
}

}  // namespace mteval::python
