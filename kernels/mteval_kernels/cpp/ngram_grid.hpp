// Clipped matches of n-grams where every hypothesis meets every reference.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "pair_index.hpp"
#include "pulse.hpp"
#include "texts.hpp"

namespace mteval {

// Segments that pair each of some hypotheses with each of some groups of references: the segment of
// hypothesis h and group g is h * groups + g.
struct Grid {
    std::size_t hypotheses, groups;

    // Whether it is large enough for an index of its texts to pay.
    bool is_large() const { return std::min(hypotheses, groups) >= 4; }
};

inline bool are_same(const Texts& texts, std::size_t i, std::size_t j) {
    return texts.starts[i] == texts.starts[j] && texts.ends[i] == texts.ends[j];
}

inline bool have_same_references(const Segments& segments, std::size_t i, std::size_t j) {
    const auto first = segments.index[i], other = segments.index[j];
    const auto n = segments.index[i + 1] - first;
    if (segments.index[j + 1] - other != n) return false;
    for (std::int64_t k = 0; k < n; ++k) {
        if (!are_same(segments.references, first + k, other + k)) return false;
    }
    return true;
}

// The grid that the segments are; an empty one if they are none.
inline Grid find_grid(const Segments& segments) {
    const Grid none{0, 0};
    std::size_t groups = 0;
    while (groups < segments.count && are_same(segments.hypotheses, 0, groups)) ++groups;
    if (!groups || segments.count % groups) return none;
    for (std::size_t i = groups; i < segments.count; ++i) {
        if (!are_same(segments.hypotheses, i, i - i % groups)) return none;
        if (!have_same_references(segments, i, i % groups)) return none;
    }
    return {segments.count / groups, groups};
}

// Counts up to 64 things at once: bit c of the j-th plane is bit j of the c-th count.
class BitCounts {
public:
    void clear() { n_planes_ = 0; }

    // Adds 1 to the counts of a mask.
    void add(std::uint64_t mask) {
        for (std::size_t j = 0; mask; ++j) {
            if (j == n_planes_) planes_[n_planes_++] = 0;
            const std::uint64_t carry = planes_[j] & mask;
            planes_[j] ^= mask;
            mask = carry;
        }
    }

    std::uint64_t operator[](std::size_t c) const {
        std::uint64_t count = 0;
        for (std::size_t j = 0; j < n_planes_; ++j) count |= (planes_[j] >> c & 1) << j;
        return count;
    }

private:
    std::size_t n_planes_ = 0;
    std::uint64_t planes_[64];
};

// Finds the n-grams that hypotheses and references of a grid have in common, for n = 1, 2, ...
//
// The k-th occurrence of an n-gram in a text is a thing of its own, here called an element. A
// hypothesis matches as many n-grams of a group as they have elements in common. An element has a
// mask of the groups that have it, and a hypothesis adds up the masks of its elements. So each text
// is looked through once for each n, and a step counts for 64 groups.
class NgramGrid {
public:
    NgramGrid(const Segments& segments, Grid grid)
        : grid_(grid), n_words_((grid.groups + 63) / 64), elements_(grid.hypotheses) {
        for (std::size_t h = 0; h < grid.hypotheses; ++h) {
            hypotheses_.push_back(Ngrams(segments.hypotheses[h * grid.groups]));
        }
        for (std::size_t g = 0; g < grid.groups; ++g) {
            for (auto r = segments.index[g]; r < segments.index[g + 1]; ++r) {
                references_.push_back(Ngrams(segments.references[r]));
                group_of_.push_back(g);
            }
        }
    }

    // Lengthens the n-grams by a token. Returns whether hypotheses and references share any.
    bool lengthen() {
        index_ = PairIndex();
        for (Ngrams& ngrams : references_) {
            beat(ngrams);
            ngrams.number([&](auto... pairs) { index_.add(pairs...); });
        }
        for (Ngrams& ngrams : hypotheses_) {
            beat(ngrams);
            ngrams.number([&](auto... pairs) { index_.find(pairs...); });
        }
        list_elements();
        mark_groups();
        return find_elements();
    }

    // Calls visit(g, count) for the groups that a hypothesis shares n-grams with.
    template <class Visit>
    void for_each_group(std::size_t h, Visit visit) {
        const auto& elements = elements_[h];
        pulse_.beat(8 * elements.size() * n_words_);
        for (std::size_t w = 0; w < n_words_; ++w) {
            counts_.clear();
            for (const std::size_t element : elements) counts_.add(masks_[element * n_words_ + w]);
            const std::size_t stop = std::min(64 * (w + 1), grid_.groups);
            for (std::size_t g = 64 * w; g < stop; ++g) visit(g, counts_[g % 64]);
        }
    }

private:
    // The n-grams of a text. Their ids go by their first token; -1 matches nothing.
    struct Ngrams {
        explicit Ngrams(Text text) : last(text), ids(text.length, 0) {}

        template <class Number>
        void number(Number number_pairs) {
            number_pairs(ids.data(), last.tokens, last.length, ids.data());
            ids.resize(last.length);
            if (last.length) last = {last.tokens + 1, last.length - 1};
        }

        Text last;  // the tokens that lengthen the n-grams
        std::vector<std::int32_t> ids;
    };

    void beat(const Ngrams& ngrams) { pulse_.beat(16 * ngrams.ids.size()); }

    // Calls visit(id, k) for the k-th occurrence of every n-gram that has an id.
    template <class Visit>
    void for_each_occurrence(const Ngrams& ngrams, Visit visit) {
        for (const auto id : ngrams.ids) {
            if (id >= 0) visit(std::size_t(id), seen_[id]++);
        }
        for (const auto id : ngrams.ids) {
            if (id >= 0) seen_[id] = 0;
        }
    }

    // Lays out the elements of the references: those of an n-gram follow one another.
    void list_elements() {
        seen_.assign(index_.size(), 0);
        first_.assign(index_.size() + 1, 0);
        for (const Ngrams& ngrams : references_) {
            for_each_occurrence(ngrams, [&](std::size_t id, std::size_t k) {
                first_[id + 1] = std::max(first_[id + 1], k + 1);
            });
        }
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
    }

    void mark_groups() {
        masks_.assign(first_.back() * n_words_, 0);
        for (std::size_t r = 0; r < references_.size(); ++r) {
            const std::size_t g = group_of_[r];
            for_each_occurrence(references_[r], [&](std::size_t id, std::size_t k) {
                masks_[(first_[id] + k) * n_words_ + g / 64] |= std::uint64_t{1} << g % 64;
            });
        }
    }

    bool find_elements() {
        bool any = false;
        for (std::size_t h = 0; h < grid_.hypotheses; ++h) {
            auto& elements = elements_[h];
            elements.clear();
            for_each_occurrence(hypotheses_[h], [&](std::size_t id, std::size_t k) {
                if (first_[id] + k < first_[id + 1]) elements.push_back(first_[id] + k);
            });
            any |= !elements.empty();
        }
        return any;
    }

    Grid grid_;
    std::size_t n_words_;  // of 64 groups
    Pulse pulse_;
    std::vector<Ngrams> hypotheses_, references_;
    std::vector<std::size_t> group_of_;               // by reference
    PairIndex index_;                                 // ids of the references' n-grams
    std::vector<std::size_t> seen_;                   // by id: occurrences so far
    std::vector<std::size_t> first_;                  // by id: number of its first element
    std::vector<std::uint64_t> masks_;                // by element and word: the groups that have it
    std::vector<std::vector<std::size_t>> elements_;  // by hypothesis
    BitCounts counts_;
};

// rows[i * order + n - 1]: clipped matches of the n-grams of segment i, as clipped_matches counts.
inline void grid_matches(const Segments& segments, Grid grid, std::size_t order, double* rows) {
    std::fill_n(rows, segments.count * order, 0.0);
    NgramGrid ngrams(segments, grid);
    for (std::size_t n = 0; n < order && ngrams.lengthen(); ++n) {
        for (std::size_t h = 0; h < grid.hypotheses; ++h) {
            double* own = rows + h * grid.groups * order + n;
            ngrams.for_each_group(h, [&](std::size_t g, std::uint64_t count) {
                own[g * order] = double(count);
            });
        }
    }
}

}  // namespace mteval
