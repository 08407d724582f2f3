// Clipped matches: n-grams that count at most as often as in the reference that has most of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "limits.hpp"
#include "masks.hpp"
#include "pair_index.hpp"
#include "pulse.hpp"
#include "texts.hpp"

namespace mteval {

// Finds the n-grams of one hypothesis, n = 1 to order, that its references match. The position of
// its last token identifies an n-gram.
//
// A run is the mask of the reference positions where an n-gram ends. Longer runs come from shorter
// ones: runs[n][i] = runs[n-1][i-1] << 1 & runs[1][i]. Equal n-grams have equal runs, and different
// ones have no position in common. So an n-gram that occurs once in the hypothesis matches if its
// run is not empty, and only a repeated one must take a free position of its run. Few long n-grams
// are repeated, and each ends in a shorter one that is.
//
// Each reference matches the first occurrences of an n-gram, and the union over references is the
// longest prefix of them.
class NgramMatcher {
public:
    explicit NgramMatcher(std::size_t order) : order_(order) {}

    // Matches the hypothesis of a segment with all its references.
    void match(const Segments& segments, std::size_t i) {
        hypothesis_ = segments.hypotheses[i];
        n_words_ = words_for(hypothesis_.length);
        unigrams_.resize(hypothesis_.length);
        runs_.resize(hypothesis_.length);
        longer_.resize(hypothesis_.length);
        repeated_.resize(hypothesis_.length);
        taken_.resize(hypothesis_.length);
        matched_.assign(order_ * n_words_, 0);
        for (auto r = segments.index[i]; r < segments.index[i + 1]; ++r) {
            match(segments.references[r]);
        }
    }

    // Number of (n + 1)-grams that match.
    std::size_t count(std::size_t n) const {
        return mteval::count(matched_.data() + n * n_words_, n_words_);
    }

    bool is_unigram_matched(std::size_t i) const { return has(matched_.data(), i); }

private:
    // Longest texts, and highest order, for which masks are faster.
    static constexpr std::size_t longest_in_masks = 1024;
    static constexpr std::size_t highest_in_masks = 16;

    void match(Text reference) {
        const std::size_t longer_text = std::max(hypothesis_.length, reference.length);
        if (longer_text > longest_in_masks || order_ > highest_in_masks) {
            return match_by_counts(reference);
        }
        const std::size_t h = hypothesis_.length;
        places_.assign(order_ * h, 0);
        for_each_overlapping_block(reference, order_ - 1, [&](Text block, std::uint64_t ends) {
            pulse_.beat(order_ * h);
            masks_.assign(block);
            for (std::size_t i = 0; i < h; ++i) {
                runs_[i] = unigrams_[i] = masks_[hypothesis_.tokens[i]];
                repeated_[i] = std::uint32_t(i);
            }
            n_repeated_ = h;
            for (std::size_t n = 0; n < order_ && (n == 0 || lengthen_runs()); ++n) {
                keep_repeated(ends);
                take_places(&places_[n * h], ends);
            }
        });
        for (std::size_t n = 0; n < order_; ++n) {
            for (std::size_t w = 0; w < n_words_; ++w) {
                const std::uint64_t* const places = &places_[n * h + 64 * w];
                const std::size_t length = std::min<std::size_t>(h - 64 * w, 64);
                matched_[n * n_words_ + w] |= not_empty(places, length);
            }
        }
    }

    // Numbers the n-grams of both texts, and matches each as long as the reference has one left.
    void match_by_counts(Text reference) {
        ids_.assign(hypothesis_.length, 0);
        reference_ids_.assign(reference.length, 0);
        const std::size_t longest = std::min({order_, hypothesis_.length, reference.length});
        bool any = true;
        for (std::size_t n = 0; n < longest && any; ++n) {
            const Text ends{hypothesis_.tokens + n, hypothesis_.length - n};
            const Text reference_ends{reference.tokens + n, reference.length - n};
            PairIndex index;
            for_each_part(reference_ends, [&](std::size_t start, Text part) {
                std::int32_t* ids = &reference_ids_[start];
                index.add(ids, part.tokens, part.length, ids);
            });
            free_.assign(index.size(), 0);
            for (std::size_t i = 0; i < reference_ends.length; ++i) {
                if (reference_ids_[i] >= 0) ++free_[reference_ids_[i]];
            }
            any = false;
            for_each_part(ends, [&](std::size_t start, Text part) {
                std::int32_t* ids = &ids_[start];
                index.find(ids, part.tokens, part.length, ids);
                for (std::size_t i = 0; i < part.length; ++i) {
                    if (ids[i] < 0 || !free_[ids[i]]) continue;
                    --free_[ids[i]];
                    add(&matched_[n * n_words_], start + i + n);
                    any = true;
                }
            });
        }
    }

    // Calls visit(start, part) for the parts of a text.
    template <class Visit>
    void for_each_part(Text text, Visit visit) {
        constexpr std::size_t size = 1 << 16;
        for (std::size_t start = 0; start < text.length; start += size) {
            pulse_.beat(16 * size);
            visit(start, Text{text.tokens + start, std::min(size, text.length - start)});
        }
    }

    // The mask of the masks that are not empty.
    static std::uint64_t not_empty(const std::uint64_t* masks, std::size_t count) {
        std::uint64_t mask = 0;
        for (std::size_t i = 0; i < count; ++i) mask |= std::uint64_t{masks[i] != 0} << i;
        return mask;
    }

    // Returns whether a run is left.
    bool lengthen_runs() {
        const std::uint64_t *const runs = runs_.data(), *const unigrams = unigrams_.data();
        std::uint64_t* const longer = longer_.data();
        const std::size_t count = runs_.size();
        std::uint64_t any = 0;
        if (count) longer[0] = 0;
        for (std::size_t i = 1; i < count; ++i) {
            const std::uint64_t run = runs[i - 1] << 1 & unigrams[i];
            longer[i] = run;
            any |= run;
        }
        runs_.swap(longer_);
        return any != 0;
    }

    // Keeps the positions of the n-grams that occur more than once.
    void keep_repeated(std::uint64_t ends) {
        const std::uint64_t* const runs = runs_.data();
        std::uint32_t* const repeated = repeated_.data();
        const std::size_t count = n_repeated_;
        std::uint64_t once = 0, twice = 0;
        for (std::size_t k = 0; k < count; ++k) {
            const std::uint64_t run = runs[repeated[k]];
            twice |= once & run;
            once |= run;
        }
        twice &= ends;
        std::size_t kept = 0;
        for (std::size_t k = 0; k < count && twice; ++k) {
            repeated[kept] = repeated[k];
            kept += (runs[repeated[k]] & twice) != 0;
        }
        n_repeated_ = kept;
    }

    // Assigns positions of the block, among `ends`, to the n-grams without any.
    void take_places(std::uint64_t* places, std::uint64_t ends) {
        const std::uint64_t* const runs = runs_.data();
        const std::uint32_t* const repeated = repeated_.data();
        std::uint64_t* const taken = taken_.data();
        const std::size_t count = runs_.size(), n_repeated = n_repeated_;
        std::uint64_t free = ends;
        for (std::size_t k = 0; k < n_repeated; ++k) {
            const std::uint64_t before = places[repeated[k]];
            const std::uint64_t without = std::uint64_t{before != 0} - 1;  // all bits, or none
            const std::uint64_t place = lowest_bit(runs[repeated[k]] & free & without);
            free ^= place;
            taken[k] = before | place;
        }
        for (std::size_t i = 0; i < count; ++i) places[i] |= runs[i] & ends;
        for (std::size_t k = 0; k < n_repeated; ++k) places[repeated[k]] = taken[k];
    }

    std::size_t order_;
    Text hypothesis_{};
    std::size_t n_words_ = 0;  // of 64 hypothesis positions
    Pulse pulse_;
    PositionMasks masks_;
    std::vector<std::uint64_t> unigrams_, runs_, longer_;  // by hypothesis position
    std::vector<std::uint32_t> repeated_;  // positions of n-grams that may occur more than once
    std::vector<std::uint64_t> taken_;     // places that they take
    std::size_t n_repeated_ = 0;
    std::vector<std::uint64_t> places_;    // by order and position: where it matches
    std::vector<std::int32_t> ids_, reference_ids_;  // of n-grams, by their first token
    std::vector<std::uint32_t> free_;                // by id
    std::vector<std::uint64_t> matched_;  // bits by order and position
};

// rows[i * order + n - 1]: clipped matches of the n-grams of segment i.
inline void clipped_matches(const Segments& segments, std::size_t order, double* rows) {
    NgramMatcher matcher(order);
    for (std::size_t i = 0; i < segments.count; ++i) {
        matcher.match(segments, i);
        for (std::size_t n = 0; n < order; ++n) *rows++ = double(matcher.count(n));
    }
}

// sums[i]: the weights of the clipped matches of the tokens of segment i, summed from the left.
inline void weighted_matches(const Segments& segments, const double* weights, double* sums) {
    NgramMatcher matcher(1);
    for (std::size_t i = 0; i < segments.count; ++i) {
        const Text hypothesis = segments.hypotheses[i];
        matcher.match(segments, i);
        double sum = 0;
        for (std::size_t p = 0; p < hypothesis.length; ++p) {
            if (matcher.is_unigram_matched(p)) sum += weights[hypothesis.tokens[p]];
        }
        sums[i] = sum;
    }
}

// Marks the clipped matches of the tokens of every hypothesis, text after text.
inline void matched_tokens(const Segments& segments, bool* marks) {
    NgramMatcher matcher(1);
    for (std::size_t i = 0; i < segments.count; ++i) {
        matcher.match(segments, i);
        const Text hypothesis = segments.hypotheses[i];
        for (std::size_t p = 0; p < hypothesis.length; ++p) {
            *marks++ = matcher.is_unigram_matched(p);
        }
    }
}

}  // namespace mteval
