// The Python face of the matched tokens; twins/matched_tokens.py has the documentation.

#include "arguments.hpp"
#include "ngrams.hpp"

namespace mteval::python {
namespace {

Vector<bool> matched_tokens(const py::object& hypotheses, const py::object& references) {
    const Arguments arguments(hypotheses, references);
    const Segments segments = arguments.segments();
    Vector<bool> marks(arguments.hypothesis_bounds.total());
    bool* mark = marks.mutable_data();
    const py::gil_scoped_release unlocked;
    NgramMatcher matcher(1);
    for (std::size_t i = 0; i < segments.count; ++i) {
        const Text hypothesis = segments.hypotheses[i];
        matcher.start(hypothesis);
        for (auto r = segments.index[i]; r < segments.index[i + 1]; ++r) {
            matcher.match(segments.references[r]);
        }
        for (std::size_t p = 0; p < hypothesis.length; ++p) {
            *mark++ = matcher.is_unigram_matched(p);
        }
    }
    return marks;
}

}  // namespace

void bind_matched_tokens(py::module_& module) {
    using namespace py::literals;
    module.def("matched_tokens", &matched_tokens, "hypotheses"_a, "references"_a,
               documentation("mteval_core.kernels.twins.matched_tokens", "matched_tokens").c_str());
}

}  // namespace mteval::python
