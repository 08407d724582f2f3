// The Python functions of n-grams, skip-bigrams and pairs.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "bindings.hpp"
#include "ngram_grid.hpp"
#include "ngram_totals.hpp"
#include "ngrams.hpp"
#include "pulse.hpp"
#include "repeated_ngrams.hpp"
#include "shared.hpp"
#include "skip_bigrams.hpp"

namespace mteval::python {
namespace {

// The Python functions of ngrams.hpp and ngram_grid.hpp.

Vector<double> clipped_matches(const py::object& hypotheses, const py::object& references,
                               const py::object& order_argument) {
    const std::int64_t order = number_of_columns("order", order_argument);
    const Arguments arguments(hypotheses, references);
    arguments.check_lengths(linear_limits);
    Vector<double> rows({arguments.count(), py::ssize_t(order)});
    double* data = rows.mutable_data();
    const py::gil_scoped_release unlocked;
    const Segments segments = arguments.segments();
    if (const Grid grid = find_grid(segments); grid.is_large()) {
        grid_matches(segments, grid, order, data);
    } else {
        mteval::clipped_matches(segments, order, data);
    }
    return rows;
}

Vector<bool> matched_ngrams(const py::object& hypotheses, const py::object& references,
                            const py::object& order_argument) {
    const std::int64_t order = number_of_columns("order", order_argument);
    const Arguments arguments(hypotheses, references);
    arguments.check_lengths(linear_limits);
    const std::size_t n_tokens = arguments.hypothesis_bounds.total();
    Vector<bool> marks({py::ssize_t(order), py::ssize_t(n_tokens)});
    bool* data = marks.mutable_data();
    const py::gil_scoped_release unlocked;
    mteval::matched_ngrams(arguments.segments(), order, n_tokens, data);
    return marks;
}

const Binding ngrams_binding("clipped_matches", [](py::module_& module) {
    using namespace py::literals;
    const auto hypotheses = "hypotheses"_a, references = "references"_a;
    add_kernel(module, "clipped_matches", &clipped_matches, hypotheses, references, "order"_a);
    add_kernel(module, "matched_ngrams", &matched_ngrams, hypotheses, references, "order"_a);
});

// The Python function of ngram_totals.hpp.

Vector<std::int64_t> ngram_totals(const py::object& lengths_argument,
                                  const py::object& order_argument) {
    const auto lengths = vector<std::int64_t>("lengths", lengths_argument);
    const std::int64_t order = number_of_columns("order", order_argument);
    Vector<std::int64_t> totals({lengths.size(), py::ssize_t(order)});
    mteval::ngram_totals(lengths.data(), lengths.size(), order, totals.mutable_data());
    return totals;
}

const Binding ngram_totals_binding("ngram_totals", [](py::module_& module) {
    using namespace py::literals;
    add_kernel(module, "ngram_totals", &ngram_totals, "lengths"_a, "order"_a);
});

// The Python class of pair_index.hpp.

// Pairs that are numbered before the next look for an interrupt.
constexpr std::size_t at_once = std::size_t(1) << 20;

// Calls number(left, right, count, ids) for the ids of pairs.
template <class Number>
Ids number_pairs(SharedPairIndex& index, const py::object& left_argument,
                 const py::object& right_argument, Number number) {
    const Ids left = vector<std::int32_t>("left", left_argument);
    const Ids right = vector<std::int32_t>("right", right_argument);
    if (left.size() != right.size()) {
        throw py::value_error(message("left has ", left.size(), " numbers, right has ",
                                      right.size(), "; expected equal lengths"));
    }
    Ids ids(left.size());
    auto* data = ids.mutable_data();
    const py::gil_scoped_release unlocked;
    const auto count = static_cast<std::size_t>(left.size());
    for (std::size_t start = 0; start < count; start += at_once) {
        if (start) throw_pending();
        const std::lock_guard lock(index.mutex);
        number(left.data() + start, right.data() + start, std::min(at_once, count - start),
               data + start);
    }
    return ids;
}

Ids add(SharedPairIndex& index, const py::object& left, const py::object& right) {
    return number_pairs(index, left, right, [&](auto... arguments) { index.add(arguments...); });
}

Ids find(SharedPairIndex& index, const py::object& left, const py::object& right) {
    return number_pairs(index, left, right, [&](auto... arguments) { index.find(arguments...); });
}

// An index is pickled as its pairs, in order of their ids.
std::pair<Ids, Ids> pairs(SharedPairIndex& index) {
    std::vector<std::int32_t> left, right;
    {
        const std::lock_guard lock(index.mutex);
        left.resize(index.size());
        right.resize(index.size());
        index.list(left.data(), right.data());
    }
    return {to_array(std::move(left)), to_array(std::move(right))};
}

std::unique_ptr<SharedPairIndex> index_of(const std::pair<Ids, Ids>& listed) {
    auto index = std::make_unique<SharedPairIndex>();
    add(*index, listed.first, listed.second);
    return index;
}

const Binding pair_index_binding("PairIndex", [](py::module_& module) {
    using namespace py::literals;
    const auto doc = [](const char* method) { return documentation("PairIndex", method); };
    py::class_<SharedPairIndex>(module, "PairIndex", doc(nullptr).c_str())
        .def(py::init())
        .def("__len__", &size<SharedPairIndex>)
        .def("add", &add, "left"_a, "right"_a, doc("add").c_str())
        .def("find", &find, "left"_a, "right"_a, doc("find").c_str())
        .def(py::pickle(&pairs, &index_of));
});

// The Python functions of repeated_ngrams.hpp.

py::list repeated_ngrams(const py::object& words_argument, const py::object& order_argument,
                         const py::object& low_argument, const py::object& high_argument) {
    constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
    const Ids words = vector<std::int32_t>("words", words_argument);
    const std::int64_t order = number_of_columns("order", order_argument);
    const std::int64_t low = whole_number("low", low_argument, 0);
    const std::int64_t high = whole_number("high", high_argument, low);
    if (words.size() > largest || high > largest) {
        throw py::value_error(message(words.size(), " words up to id ", high - 1,
                                      "; expected at most ", largest, " words and ids"));
    }
    std::vector<RepeatedNgrams> orders;
    {
        const py::gil_scoped_release unlocked;
        NgramGroups groups(words.data(), static_cast<std::uint32_t>(words.size()),
                           static_cast<std::int32_t>(low), static_cast<std::int32_t>(high));
        for (std::int64_t n = 1; n < order; ++n) orders.push_back(groups.extend());
    }
    py::list result;
    for (RepeatedNgrams& ngrams : orders) {
        result.append(py::make_tuple(to_array(std::move(ngrams.first)),
                                     to_array(std::move(ngrams.last)),
                                     to_array(std::move(ngrams.counts))));
    }
    return result;
}

Ids find_ngrams(const py::object& first_argument, const py::object& last_argument,
                const py::object& prefixes_argument, const py::object& words_argument) {
    const Ids first = vector<std::int32_t>("first", first_argument);
    const Ids last = vector<std::int32_t>("last", last_argument);
    const Ids prefixes = vector<std::int32_t>("prefixes", prefixes_argument);
    const Ids words = vector<std::int32_t>("words", words_argument);
    if (prefixes.size() != words.size()) {
        throw py::value_error(message(prefixes.size(), " prefixes, but ", words.size(),
                                      " words; expected equal numbers"));
    }
    Ids numbers(words.size());
    auto* number = numbers.mutable_data();
    const SortedNgrams ngrams{first.data(), last.data(), first.size() - 1, last.size()};
    try {
        const py::gil_scoped_release unlocked;
        for (py::ssize_t i = 0; i < words.size(); ++i) {
            number[i] = ngrams.find(prefixes.data()[i], words.data()[i]);
        }
    } catch (const SortedNgrams::WrongBounds& wrong) {
        throw py::value_error(message("n-grams with prefix ", wrong.prefix, " are ", wrong.begin,
                                      ":", wrong.end, "; expected bounds within 0:", last.size()));
    }
    return numbers;
}

const Binding repeated_ngrams_binding("find_ngrams", [](py::module_& module) {
    using namespace py::literals;
    add_kernel(module, "find_ngrams", &find_ngrams, "first"_a, "last"_a, "prefixes"_a, "words"_a);
    add_kernel(module, "repeated_ngrams", &repeated_ngrams, "words"_a, "order"_a, "low"_a,
               "high"_a);
});

// The Python function of skip_bigrams.hpp.

Vector<double> skip_bigrams(const py::object& hypotheses, const py::object& references,
                            const py::object& skip) {
    std::size_t window = std::numeric_limits<std::size_t>::max();
    if (!skip.is_none()) window = std::size_t(whole_number("skip", skip, 0)) + 1;
    const Arguments arguments(hypotheses, references);
    arguments.check_lengths(table_limits);
    Vector<double> matches(arguments.reference_bounds.count());
    double* data = matches.mutable_data();
    const py::gil_scoped_release unlocked;
    mteval::skip_bigrams(arguments.segments(), window, data);
    return matches;
}

const Binding skip_bigrams_binding("skip_bigrams", [](py::module_& module) {
    using namespace py::literals;
    add_kernel(module, "skip_bigrams", &skip_bigrams, "hypotheses"_a, "references"_a,
               "skip"_a = py::none());
});

}  // namespace
}  // namespace mteval::python
