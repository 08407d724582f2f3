// Counts of what an alignment links: tokens by relation, and chunks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "beam_alignment.hpp"
#include "limits.hpp"
#include "texts.hpp"

namespace mteval {

class LinkCounter {
public:
    // phrases: those of the alignment, or null. counted: by id, whether tokens count; null if all do.
    LinkCounter(std::size_t n_relations, const Phrases* phrases, const bool* counted)
        : n_relations_(n_relations), phrases_(phrases), counted_(counted) {}

    std::size_t n_columns() const { return 3 + 2 * n_kinds(); }

    // Writes tokens of both texts, chunks, and linked tokens of both texts by kind.
    void count(Text hypothesis, Text reference, const std::int32_t* positions,
               const std::int32_t* kinds, double* row) const {
        std::fill_n(row, n_columns(), 0.0);
        row[0] = count(hypothesis, 0, hypothesis.length);
        row[1] = count(reference, 0, reference.length);
        double *const linked = row + 3, *const linked_reference = linked + n_kinds();
        std::size_t end = no_place, reference_end = no_place;
        for (std::size_t j = 0; j < reference.length; ++j) {
            if (positions[j] < 0) continue;
            const auto i = std::size_t(positions[j]);
            const Extent extent = extent_of(kinds[j]);
            row[2] += i != end || j != reference_end;
            end = i + extent.hypothesis;
            reference_end = j + extent.reference;
            const std::size_t kind = std::min(std::size_t(kinds[j]), n_relations_);
            linked[kind] += count(hypothesis, i, extent.hypothesis);
            linked_reference[kind] += count(reference, j, extent.reference);
        }
    }

private:
    static constexpr std::size_t no_place = std::size_t(-1);

    // Numbers of tokens that a link covers.
    struct Extent {
        std::size_t hypothesis, reference;
    };

    std::size_t n_kinds() const { return n_relations_ + (phrases_ != nullptr); }

    Extent extent_of(std::int32_t kind) const {
        if (std::size_t(kind) < n_relations_) return {1, 1};
        const Phrase& phrase = phrases_->phrases[kind - n_relations_];
        return {std::size_t(phrase.hypothesis_length), std::size_t(phrase.length)};
    }

    double count(Text text, std::size_t start, std::size_t length) const {
        if (!counted_) return double(length);
        const auto* first = text.tokens + start;
        return double(std::count_if(first, first + length, [&](std::int32_t token) {
            return token >= 0 && counted_[token];
        }));
    }

    const std::size_t n_relations_;
    const Phrases* const phrases_;
    const bool* const counted_;
};

// Counts the links of every reference text, text after text. `positions` and `kinds` are those of
// its tokens.
inline void link_counts(const Segments& segments, const LinkCounter& counter,
                        const std::int32_t* positions, const std::int32_t* kinds, double* rows) {
    for_each_pair(segments, [&](Text hypothesis, Text reference, std::size_t) {
        counter.count(hypothesis, reference, positions, kinds, rows);
        positions += reference.length;
        kinds += reference.length;
        rows += counter.n_columns();
    });
}

}  // namespace mteval
