// The Python functions of alignments and matchings of runs.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <pybind11/stl.h>
#include <string>
#include <utility>
#include <vector>

#include "alignment_arguments.hpp"
#include "arguments.hpp"
#include "beam_alignment.hpp"
#include "bindings.hpp"
#include "link_counts.hpp"
#include "maximum_run_matching.hpp"
#include "run_matching.hpp"
#include "staged_alignment.hpp"

namespace mteval::python {
namespace {

// The Python functions of run_matching.hpp and maximum_run_matching.hpp.

double checked_exponent(const py::object& argument) {
    const double exponent = number("exponent", argument);
    if (!(exponent >= 1 && std::isfinite(exponent))) {
        throw py::value_error(
            message("exponent is ", exponent, "; expected a finite number, at least 1"));
    }
    return exponent;
}

Vector<double> checked_budgets(const py::object& argument, py::ssize_t n_hypotheses) {
    auto budgets = vector<double>("budgets", argument);
    if (budgets.size() != n_hypotheses) {
        throw py::value_error(message(n_hypotheses, " hypotheses, but ", budgets.size(), " budgets"));
    }
    for (py::ssize_t i = 0; i < budgets.size(); ++i) {
        if (!(budgets.data()[i] >= 0)) {
            throw py::value_error(message("the budget of segment ", i, " is ", budgets.data()[i],
                                          "; expected at least 0"));
        }
    }
    return budgets;
}

Vector<double> run_matching(const py::object& hypotheses, const py::object& references,
                            const py::object& exponent_argument,
                            const py::object& budgets_argument, const py::object& ties) {
    const double exponent = checked_exponent(exponent_argument);
    const bool last_first = is_other("ties", ties, "first", "last");
    const Arguments arguments(hypotheses, references);
    check_run_lengths(arguments.segments());
    const Vector<double> budgets = checked_budgets(budgets_argument, arguments.count());
    Vector<double> sizes(arguments.count());
    double* data = sizes.mutable_data();
    const py::gil_scoped_release unlocked;
    mteval::run_matching(arguments.segments(), exponent, budgets.data(), last_first, data);
    return sizes;
}

Vector<double> maximum_run_matching(const py::object& hypotheses, const py::object& references,
                                    const py::object& exponent_argument,
                                    const py::object& budgets_argument,
                                    const py::object& limit_argument) {
    const double exponent = checked_exponent(exponent_argument);
    const std::int64_t limit = whole_number("limit", limit_argument, 1);
    const Arguments arguments(hypotheses, references);
    check_run_lengths(arguments.segments());
    const Vector<double> budgets = checked_budgets(budgets_argument, arguments.count());
    Vector<double> sizes(arguments.count());
    double* data = sizes.mutable_data();
    const py::gil_scoped_release unlocked;
    mteval::maximum_run_matching(arguments.segments(), exponent, budgets.data(), limit, data);
    return sizes;
}

const Binding run_matching_binding("run_matching", [](py::module_& module) {
    using namespace py::literals;
    const auto hypotheses = "hypotheses"_a, references = "references"_a;
    const auto exponent = "exponent"_a, budgets = "budgets"_a;
    add_kernel(module, "run_matching", &run_matching, hypotheses, references, exponent, budgets,
               py::kw_only(), "ties"_a = "last");
    add_kernel(module, "maximum_run_matching", &maximum_run_matching, hypotheses, references,
               exponent, budgets, py::kw_only(), "limit"_a);
});

// What link_counts.hpp counts, for each of some sets of ids, or None for all tokens.
py::list link_counts(const Arguments& arguments, const Ids& positions, const Ids& kinds,
                     std::size_t n_relations, const Phrases* phrases, const py::object& counted) {
    const auto highest = std::max(Relations::max(arguments.hypothesis_ids),
                                  Relations::max(arguments.reference_ids));
    py::list all;
    for (const py::handle& item : sequence("counted", counted)) {
        const auto flags = item.is_none() ? Vector<bool>() : vector<bool>("counted", item);
        if (!item.is_none() && highest >= flags.size()) {
            throw py::value_error(message("counted has flags for ", flags.size(),
                                          " ids, but a text contains the id ", highest));
        }
        const LinkCounter counter(n_relations, phrases, item.is_none() ? nullptr : flags.data());
        Vector<double> rows({arguments.reference_bounds.count(), py::ssize_t(counter.n_columns())});
        mteval::link_counts(arguments.segments(), counter, positions.data(), kinds.data(),
                            rows.mutable_data());
        all.append(rows);
    }
    return all;
}

py::tuple with_counts(const std::vector<Link>& links, const Arguments& arguments,
                      std::size_t n_relations, const Phrases* phrases, const py::object& counted) {
    const auto [positions, kinds] = split(links);
    if (counted.is_none()) return py::make_tuple(positions, kinds);
    return py::make_tuple(positions, kinds,
                          link_counts(arguments, positions, kinds, n_relations, phrases, counted));
}

// The Python function of staged_alignment.hpp.

py::tuple staged_alignment(const py::object& hypotheses, const py::object& references,
                           const py::object& relations_argument, const py::object& minimize,
                           const py::object& limit_argument, const py::object& counted) {
    const bool chunks_first = is_other("minimize", minimize, "crossings", "chunks");
    const std::int64_t limit = whole_number("limit", limit_argument, 1);
    const Arguments arguments(hypotheses, references);
    const Relations relations(relations_argument, arguments);
    arguments.check_lengths(table_limits);
    std::vector<Link> links(arguments.reference_bounds.total());
    {
        const py::gil_scoped_release unlocked;
        mteval::staged_alignment(arguments.segments(), relations.relations, !chunks_first,
                                 limit, links.data());
    }
    return with_counts(links, arguments, relations.relations.size(), nullptr, counted);
}

const Binding staged_alignment_binding("staged_alignment", [](py::module_& module) {
    using namespace py::literals;
    add_kernel(module, "staged_alignment", &staged_alignment, "hypotheses"_a, "references"_a,
               "relations"_a, py::kw_only(), "minimize"_a = "crossings", "limit"_a = 1000,
               "counted"_a = py::none());
});

// The Python function of beam_alignment.hpp.

// Links between phrases, checked against the texts; none without an argument.
Phrases phrases_of(const py::object& argument, const Arguments& texts) {
    const auto n_texts = texts.reference_bounds.count();
    if (argument.is_none()) return {std::vector<std::int64_t>(n_texts + 1), {}};
    const auto [offsets_argument, columns_argument] = pair("phrases", argument);
    const auto offsets = vector<std::int64_t>("phrases", offsets_argument);
    const auto table = array<std::int32_t>("phrases", columns_argument);
    if (table.ndim() != 2 || table.shape(1) != 5) {
        throw py::value_error("phrases: expected an int32 array with five columns");
    }
    const auto *first = offsets.data(), *last = first + offsets.size();
    if (offsets.size() != n_texts + 1 || *first != 0 || last[-1] != table.shape(0) ||
        !std::is_sorted(first, last)) {
        throw py::value_error(message("phrases: the offsets do not divide ", table.shape(0),
                                      " phrases among ", n_texts, " references"));
    }
    Phrases result{{first, last}, {}};
    for (py::ssize_t k = 0; k < table.shape(0); ++k) {
        const auto* row = table.data(k, 0);
        result.phrases.push_back({row[0], row[1], row[2], row[3], row[4]});
    }
    const Segments segments = texts.segments();
    const auto lies_in = [](std::int64_t start, std::int64_t length, Text text) {
        return start >= 0 && length > 0 && start + length <= std::int64_t(text.length);
    };
    for (std::size_t i = 0; i < segments.count; ++i) {
        for (auto r = segments.index[i]; r < segments.index[i + 1]; ++r) {
            for (auto k = first[r]; k < first[r + 1]; ++k) {
                const Phrase& phrase = result.phrases[k];
                if (lies_in(phrase.start, phrase.length, segments.references[r]) &&
                    lies_in(phrase.hypothesis_start, phrase.hypothesis_length,
                            segments.hypotheses[i]) &&
                    phrase.weight >= 0 && phrase.weight <= max_weight) {
                    continue;
                }
                throw py::value_error(message("phrases: phrase ", k, " lies outside its texts or ",
                                              "has a weight outside 0 to ", max_weight));
            }
        }
    }
    return result;
}

std::vector<std::uint32_t> weights_of(const py::object& argument, std::size_t n_relations) {
    std::vector<std::uint32_t> weights;
    for (const py::handle& item : sequence("weights", argument)) {
        const std::int64_t weight = whole_number("weights", item);
        if (weight < 0 || weight > max_weight) {
            throw py::value_error(message("weights: got ", weight, "; expected numbers from 0 to ",
                                          max_weight));
        }
        weights.push_back(std::uint32_t(weight));
    }
    if (weights.size() != n_relations) {
        throw py::value_error(message("weights: got ", weights.size(), " numbers for ",
                                      n_relations, " relations"));
    }
    return weights;
}

py::tuple beam_alignment(const py::object& hypotheses, const py::object& references,
                         const py::object& relations_argument, const py::object& weights_argument,
                         const py::object& beam_argument, const py::object& phrases_argument,
                         const py::object& counted) {
    const std::int64_t beam = whole_number("beam", beam_argument, 1);
    const auto n_relations = sequence("relations", relations_argument).size();
    const auto weights = weights_of(weights_argument, n_relations);
    const Arguments arguments(hypotheses, references);
    const Relations relations(relations_argument, arguments);
    arguments.check_lengths(table_limits);
    const Phrases phrases = phrases_of(phrases_argument, arguments);
    std::vector<Link> links(arguments.reference_bounds.total());
    {
        const py::gil_scoped_release unlocked;
        mteval::beam_alignment(arguments.segments(), relations.relations,
                               weights, phrases, beam, links.data());
    }
    return with_counts(links, arguments, n_relations,
                       phrases_argument.is_none() ? nullptr : &phrases, counted);
}

const Binding beam_alignment_binding("beam_alignment", [](py::module_& module) {
    using namespace py::literals;
    add_kernel(module, "beam_alignment", &beam_alignment, "hypotheses"_a, "references"_a,
               "relations"_a, py::kw_only(), "weights"_a, "beam"_a, "phrases"_a = py::none(),
               "counted"_a = py::none());
});

}  // namespace
}  // namespace mteval::python
