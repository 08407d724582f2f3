// The Python function of staged_alignment.hpp.

#include <string>
#include <utility>
#include <vector>

#include "alignment_arguments.hpp"
#include "bindings.hpp"
#include "staged_alignment.hpp"

namespace mteval::python {
namespace {

std::pair<Ids, Ids> staged_alignment(const py::object& hypotheses, const py::object& references,
                                     const py::object& relations_argument,
                                     const py::object& minimize,
                                     const py::object& limit_argument) {
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
    return split(links);
}

const Binding binding("staged_alignment", [](py::module_& module) {
    using namespace py::literals;
    add_kernel(module, "staged_alignment", &staged_alignment, "hypotheses"_a, "references"_a,
               "relations"_a, py::kw_only(), "minimize"_a = "crossings", "limit"_a = 1000);
});

}  // namespace
}  // namespace mteval::python
