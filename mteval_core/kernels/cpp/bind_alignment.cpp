// The Python face of beam_alignment.hpp and staged_alignment.hpp.

#include <pybind11/stl.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "beam_alignment.hpp"
#include "staged_alignment.hpp"

namespace mteval::python {
namespace {

// Relations between the tokens of two sides, held and checked.
struct Relations {
    Relations(const py::object& argument, const Arguments& texts) {
        const auto items = py::list(argument);
        if (!py::len(items)) throw py::value_error("relations is empty; expected at least one");
        const std::int32_t highest = std::max(max(texts.hypothesis_ids), max(texts.reference_ids));
        for (std::size_t kind = 0; kind < py::len(items); ++kind) {
            if (items[kind].is_none()) {
                relations.emplace_back();
                continue;
            }
            const auto pair = py::cast<std::pair<py::object, py::object>>(items[kind]);
            const auto offsets = vector<std::int64_t>("offsets", pair.first);
            const auto keys = vector<std::int32_t>("keys", pair.second);
            const auto *first = offsets.data(), *last = first + offsets.size();
            if (first == last || *first < 0 || last[-1] > keys.size() || !std::is_sorted(first, last)) {
                throw py::value_error(message("relation ", kind, ": the offsets are no ascending ",
                                              "positions within 0:", keys.size()));
            }
            if (highest >= offsets.size() - 1) {
                throw py::value_error(message("relation ", kind, " has keys for ",
                                              offsets.size() - 1, " ids; the texts have the id ",
                                              highest));
            }
            held.emplace_back(offsets, keys);
            relations.push_back({offsets.data(), keys.data()});
        }
    }

    static std::int32_t max(const Ids& ids) {
        const auto* last = ids.data() + ids.size();
        return ids.size() ? *std::max_element(ids.data(), last) : -1;
    }

    std::vector<std::pair<Offsets, Ids>> held;
    std::vector<Relation> relations;
};

std::pair<Ids, Ids> split(const std::vector<Link>& links) {
    Ids positions(links.size()), kinds(links.size());
    std::transform(links.begin(), links.end(), positions.mutable_data(),
                   [](const Link& link) { return link.position; });
    std::transform(links.begin(), links.end(), kinds.mutable_data(),
                   [](const Link& link) { return link.kind; });
    return {positions, kinds};
}

constexpr std::int64_t max_weight = 65535;  // the sum of as many tokens fits 32 bits

// Links between phrases, checked against the texts. Without an argument there are none.
Phrases phrases_of(const py::object& argument, const Arguments& texts) {
    const auto n_texts = texts.reference_bounds.count();
    if (argument.is_none()) return {std::vector<std::int64_t>(n_texts + 1), {}};
    const auto [offsets_argument, columns_argument] =
        py::cast<std::pair<py::object, py::object>>(argument);
    const auto offsets = vector<std::int64_t>("phrases", offsets_argument);
    const auto table = Vector<std::int32_t>::ensure(columns_argument);
    if (!table || table.ndim() != 2 || table.shape(1) != 5) {
        throw py::value_error("phrases: expected an int32 array of five columns");
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
                throw py::value_error(message("phrases: number ", k, " lies outside its texts or ",
                                              "has a weight outside 0:", max_weight));
            }
        }
    }
    return result;
}

std::pair<Ids, Ids> beam_alignment(const py::object& hypotheses, const py::object& references,
                                   const py::object& relations_argument,
                                   const std::vector<std::int64_t>& weights, py::ssize_t beam,
                                   const py::object& phrases_argument) {
    if (beam < 1) throw py::value_error(message("beam is ", beam, "; expected at least 1"));
    const auto n_relations = py::len(relations_argument);
    const auto is_wrong = [](auto weight) { return weight < 0 || weight > max_weight; };
    if (weights.size() != n_relations || std::any_of(weights.begin(), weights.end(), is_wrong)) {
        throw py::value_error(message("weights are ", std::string(py::str(py::cast(weights))),
                                      "; expected ", n_relations, " numbers from 0 to ",
                                      max_weight));
    }
    const Arguments arguments(hypotheses, references);
    const Relations relations(relations_argument, arguments);
    arguments.check_lengths();
    const Phrases phrases = phrases_of(phrases_argument, arguments);
    std::vector<Link> links(arguments.reference_bounds.total());
    {
        const py::gil_scoped_release unlocked;
        mteval::beam_alignment(arguments.segments(), relations.relations,
                               {weights.begin(), weights.end()}, phrases, beam, links.data());
    }
    return split(links);
}

std::pair<Ids, Ids> staged_alignment(const py::object& hypotheses, const py::object& references,
                                     const py::object& relations_argument,
                                     const std::string& minimize, py::ssize_t limit) {
    if (minimize != "crossings" && minimize != "chunks") {
        throw py::value_error(message("minimize is '", minimize,
                                      "'; expected 'crossings' or 'chunks'"));
    }
    if (limit < 1) throw py::value_error(message("limit is ", limit, "; expected at least 1"));
    const Arguments arguments(hypotheses, references);
    const Relations relations(relations_argument, arguments);
    arguments.check_lengths();
    std::vector<Link> links(arguments.reference_bounds.total());
    {
        const py::gil_scoped_release unlocked;
        mteval::staged_alignment(arguments.segments(), relations.relations, minimize == "crossings",
                                 limit, links.data());
    }
    return split(links);
}

}  // namespace

void bind_alignment(py::module_& module) {
    using namespace py::literals;
    const auto twin = [](const char* name) {
        return documentation(("mteval_core.kernels.twins." + std::string(name)).c_str(), name);
    };
    module.def("beam_alignment", &beam_alignment, "hypotheses"_a, "references"_a, "relations"_a,
               "weights"_a, "beam"_a, "phrases"_a = py::none(), twin("beam_alignment").c_str());
    module.def("staged_alignment", &staged_alignment, "hypotheses"_a, "references"_a, "relations"_a,
               "minimize"_a = "crossings", "limit"_a = 1000, twin("staged_alignment").c_str());
}

}  // namespace mteval::python
