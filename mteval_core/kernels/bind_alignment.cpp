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

std::pair<Ids, Ids> beam_alignment(const py::object& hypotheses, const py::object& references,
                                   const py::object& relations_argument,
                                   const std::vector<std::int64_t>& weights, py::ssize_t beam) {
    if (beam < 1) throw py::value_error(message("beam is ", beam, "; expected at least 1"));
    const auto n_relations = py::len(relations_argument);
    if (weights.size() != n_relations ||
        std::any_of(weights.begin(), weights.end(), [](auto weight) { return weight < 0; })) {
        throw py::value_error(message("weights are ", std::string(py::str(py::cast(weights))),
                                      "; expected ", n_relations, " numbers of at least 0"));
    }
    const Arguments arguments(hypotheses, references);
    const Relations relations(relations_argument, arguments);
    std::vector<Link> links(arguments.reference_bounds.total());
    {
        const py::gil_scoped_release unlocked;
        mteval::beam_alignment(arguments.segments(), relations.relations,
                               {weights.begin(), weights.end()}, beam, links.data());
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
    const auto check = [](const char* name, const Bounds& bounds) {
        std::int64_t longest = 0;
        for (py::ssize_t i = 0; i < bounds.count(); ++i) {
            longest = std::max(longest, bounds.ends.data()[i] - bounds.starts.data()[i]);
        }
        if (longest > 65535) {
            throw py::value_error(message(name, ": a text has ", longest,
                                          " tokens; expected at most 65535"));
        }
    };
    check("hypotheses", arguments.hypothesis_bounds);
    check("references", arguments.reference_bounds);
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
               "weights"_a, "beam"_a, twin("beam_alignment").c_str());
    module.def("staged_alignment", &staged_alignment, "hypotheses"_a, "references"_a, "relations"_a,
               "minimize"_a = "crossings", "limit"_a = 1000, twin("staged_alignment").c_str());
}

}  // namespace mteval::python
