// Arguments and results that the alignment kernels share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "relations.hpp"

namespace mteval::python {

// The relations of an alignment, checked against the texts.
struct Relations {
    Relations(const py::object& argument, const Arguments& texts) {
        const py::list items = sequence("relations", argument);
        if (!py::len(items)) throw py::value_error("relations is empty; expected at least one");
        const std::int32_t highest = std::max(max(texts.hypothesis_ids), max(texts.reference_ids));
        for (std::size_t kind = 0; kind < py::len(items); ++kind) {
            if (items[kind].is_none()) {
                relations.emplace_back();
                continue;
            }
            if (!PyList_Check(items[kind].ptr()) && !PyTuple_Check(items[kind].ptr())) {
                const auto keys = vector<std::int32_t>("keys", items[kind]);
                check_ids(kind, keys.size(), highest);
                held.emplace_back(Offsets(), keys);
                relations.push_back({nullptr, keys.size() ? keys.data() : &no_key});
                continue;
            }
            const auto [first_argument, second_argument] = pair("relations", items[kind]);
            const auto offsets = vector<std::int64_t>("offsets", first_argument);
            const auto keys = vector<std::int32_t>("keys", second_argument);
            const auto *first = offsets.data(), *last = first + offsets.size();
            if (first == last || *first < 0 || last[-1] > keys.size() || !std::is_sorted(first, last)) {
                throw py::value_error(message("relation ", kind, ": expected offsets that ascend ",
                                              "within 0:", keys.size()));
            }
            check_ids(kind, offsets.size() - 1, highest);
            held.emplace_back(offsets, keys);
            relations.push_back({first, keys.data()});
        }
    }

    static void check_ids(std::size_t kind, py::ssize_t n_ids, std::int32_t highest) {
        if (highest < n_ids) return;
        throw py::value_error(message("relation ", kind, " has keys for ", n_ids,
                                      " ids, but a text contains the id ", highest));
    }

    static std::int32_t max(const Ids& ids) {
        const auto* last = ids.data() + ids.size();
        return ids.size() ? *std::max_element(ids.data(), last) : -1;
    }

    static constexpr std::int32_t no_key = -1;  // of negative tokens, where no token has one
    std::vector<std::pair<Offsets, Ids>> held;
    std::vector<Relation> relations;
};

// Positions and relations of links, as two arrays.
inline std::pair<Ids, Ids> split(const std::vector<Link>& links) {
    Ids positions(links.size()), kinds(links.size());
    std::transform(links.begin(), links.end(), positions.mutable_data(),
                   [](const Link& link) { return link.position; });
    std::transform(links.begin(), links.end(), kinds.mutable_data(),
                   [](const Link& link) { return link.kind; });
    return {positions, kinds};
}

}  // namespace mteval::python
