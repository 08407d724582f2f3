// Clipped matches: n-grams that count at most as often as in the reference that has most of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
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
// ones: run(n, i) = run(n - 1, i - 1) << 1 & run(1, i). Only n-grams that have a run are kept, so
// there are fewer and fewer of them. A match takes one free position of its run.
//
// Equal n-grams have equal runs. So each reference matches the first occurrences of an n-gram, and
// the union over references is the longest prefix of them.
class NgramMatcher {
public:
    explicit NgramMatcher(std::size_t order) : order_(order) {}

    // Matches the hypothesis of a segment with all its references.
    void match(const Segments& segments, std::size_t i) {
        hypothesis_ = segments.hypotheses[i];
        longest_ = std::min(order_, hypothesis_.length);
        matched_.assign(longest_ * hypothesis_.length, 0);
        match(segments.references[segments.index[i]], matched_);
        for (auto r = segments.index[i] + 1; r < segments.index[i + 1]; ++r) {
            in_reference_.assign(matched_.size(), 0);
            match(segments.references[r], in_reference_);
            for (std::size_t k = 0; k < matched_.size(); ++k) matched_[k] |= in_reference_[k];
        }
    }

    // Number of (n + 1)-grams that match.
    std::size_t count(std::size_t n) const {
        const std::size_t h = hypothesis_.length;
        return n < longest_ ? count_ones(&matched_[n * h], h) : 0;
    }

    // Writes for each token of the hypothesis whether the (n + 1)-gram that ends there matches.
    void write_marks(std::size_t n, bool* marks) const {
        const std::size_t h = hypothesis_.length;
        if (n < longest_) {
            std::copy_n(&matched_[n * h], h, marks);
        } else {
            std::fill_n(marks, h, false);
        }
    }

private:
    // Longest texts, and highest order, for which masks are faster.
    static constexpr std::size_t longest_in_masks = 1024;
    static constexpr std::size_t highest_in_masks = 16;

    // Marks by order and position of the hypothesis what a reference matches.
    using Marks = std::vector<std::uint8_t>;

    // An n-gram of the hypothesis that occurs in a block of the reference.
    struct Ngram {
        std::uint64_t run;
        std::size_t end;
    };

    void match(Text reference, Marks& matched) {
        const std::size_t h = hypothesis_.length, longer_text = std::max(h, reference.length);
        if (longer_text > longest_in_masks || order_ > highest_in_masks) {
            return match_by_counts(reference, matched);
        }
        for_each_overlapping_block(reference, order_ - 1, [&](Text block, std::uint64_t ends) {
            pulse_.beat(order_ * h);
            find_unigrams(block);
            for (std::size_t n = 0; n < longest_ && n_ngrams_; ++n) {
                match_and_lengthen(&matched[n * h], ends);
            }
        });
    }

    void find_unigrams(Text block) {
        const std::size_t h = hypothesis_.length;
        masks_.assign(block);
        unigrams_.resize(h + 1);
        ngrams_.resize(h);
        std::uint64_t* const unigrams = unigrams_.data();
        Ngram* const ngrams = ngrams_.data();
        std::size_t count = 0;
        for (std::size_t i = 0; i < h; ++i) {
            const std::uint64_t run = unigrams[i] = masks_[hypothesis_.tokens[i]];
            ngrams[count] = {run, i};
            count += run != 0;
        }
        unigrams[h] = 0;
        n_ngrams_ = count;
    }

    // Gives a free position, among `ends`, to every n-gram without a match, and lengthens all by a
    // token.
    void match_and_lengthen(std::uint8_t* matched, std::uint64_t ends) {
        const std::uint64_t* const unigrams = unigrams_.data();
        Ngram* const ngrams = ngrams_.data();
        const std::size_t count = n_ngrams_;
        std::uint64_t free = ends;
        std::size_t kept = 0;
        for (std::size_t k = 0; k < count; ++k) {
            const auto [run, end] = ngrams[k];
            const std::uint64_t unmatched = std::uint64_t{matched[end]} - 1;  // all bits, or none
            const std::uint64_t place = lowest_bit(run & free & unmatched);
            free ^= place;
            matched[end] |= place != 0;
            const std::uint64_t longer = run << 1 & unigrams[end + 1];
            ngrams[kept] = {longer, end + 1};
            kept += longer != 0;
        }
        n_ngrams_ = kept;
    }

    // Numbers the n-grams of both texts, and matches each as long as the reference has one left.
    void match_by_counts(Text reference, Marks& matched) {
        ids_.assign(hypothesis_.length, 0);
        reference_ids_.assign(reference.length, 0);
        const std::size_t longest = std::min(longest_, reference.length);
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
                    matched[n * hypothesis_.length + start + i + n] = 1;
                    any = true;
                }
            });
        }
    }

    // Number of ones among bytes that are 0 or 1.
    static std::size_t count_ones(const std::uint8_t* bytes, std::size_t n) {
        std::size_t sum = 0;
        for (; n >= 8; n -= 8, bytes += 8) {
            std::uint64_t eight;
            std::memcpy(&eight, bytes, sizeof eight);
            sum += eight * 0x0101010101010101u >> 56;
        }
        while (n) sum += bytes[--n];
        return sum;
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

    const std::size_t order_;
    std::size_t longest_ = 0;  // n-gram of the hypothesis
    Text hypothesis_{};
    Pulse pulse_;
    PositionMasks masks_;
    std::vector<std::uint64_t> unigrams_;  // runs by hypothesis position
    std::vector<Ngram> ngrams_;            // those of the present order that have a run
    std::size_t n_ngrams_ = 0;
    Marks matched_, in_reference_;
    std::vector<std::int32_t> ids_, reference_ids_;  // of n-grams, by their first token
    std::vector<std::uint32_t> free_;                // by id
};

// rows[i * order + n - 1]: clipped matches of the n-grams of segment i.
inline void clipped_matches(const Segments& segments, std::size_t order, double* rows) {
    NgramMatcher matcher(order);
    for (std::size_t i = 0; i < segments.count; ++i) {
        matcher.match(segments, i);
        for (std::size_t n = 0; n < order; ++n) *rows++ = double(matcher.count(n));
    }
}

// marks[n * n_tokens + p]: whether the (n + 1)-gram that ends at token p matches, where the
// hypotheses have n_tokens tokens, text after text.
inline void matched_ngrams(const Segments& segments, std::size_t order, std::size_t n_tokens,
                           bool* marks) {
    NgramMatcher matcher(order);
    for (std::size_t i = 0; i < segments.count; ++i) {
        matcher.match(segments, i);
        for (std::size_t n = 0; n < order; ++n) matcher.write_marks(n, marks + n * n_tokens);
        marks += segments.hypotheses[i].length;
    }
}

}  // namespace mteval
