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
// ones: runs[n][i] = runs[n-1][i-1] << 1 & runs[1][i]. A match takes one free position of its run.
// Equal n-grams have equal runs, so each reference matches a prefix of an n-gram's occurrences, and
// the union over references is the longest prefix.
class NgramMatcher {
public:
    explicit NgramMatcher(std::size_t order) : order_(order) {}

    void start(Text hypothesis) {
        hypothesis_ = hypothesis;
        n_words_ = words_for(hypothesis.length);
        unigrams_.resize(hypothesis.length);
        runs_.resize(hypothesis.length);
        longer_.resize(hypothesis.length);
        matched_.assign(order_ * n_words_, 0);
    }

    // Matches the hypothesis of a segment with all its references.
    void match(const Segments& segments, std::size_t i) {
        start(segments.hypotheses[i]);
        for (auto r = segments.index[i]; r < segments.index[i + 1]; ++r) {
            match(segments.references[r]);
        }
    }

    void match(Text reference) {
        if (reference.length > longest_in_masks) return match_by_counts(reference);
        in_reference_.assign(order_ * n_words_, 0);
        const bool long_reference = reference.length > PositionMasks::block_size;
        if (long_reference) crossing_.assign(order_ * hypothesis_.length, 0);
        for_each_block(reference, [&](Text block) {
            pulse_.beat(order_ * hypothesis_.length);
            masks_.assign(block);
            for (std::size_t i = 0; i < hypothesis_.length; ++i) {
                runs_[i] = unigrams_[i] = masks_[hypothesis_.tokens[i]];
            }
            take_places(0);
            for (std::size_t n = 1; n < order_; ++n) {
                const bool any = lengthen_runs();
                if (long_reference) {
                    cross_blocks(crossing_.data() + (n - 1) * hypothesis_.length);
                } else if (!any) {
                    break;
                }
                runs_.swap(longer_);
                take_places(n);
            }
        });
        for (std::size_t w = 0; w < in_reference_.size(); ++w) matched_[w] |= in_reference_[w];
    }

    // Number of (n + 1)-grams that match.
    std::size_t count(std::size_t n) const {
        return mteval::count(matched_.data() + n * n_words_, n_words_);
    }

    bool is_unigram_matched(std::size_t i) const { return has(matched_.data(), i); }

private:
    // Longest reference for which masks are faster.
    static constexpr std::size_t longest_in_masks = 1024;

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

    bool lengthen_runs() {
        std::uint64_t any = 0;
        if (hypothesis_.length) longer_[0] = 0;
        for (std::size_t i = 1; i < hypothesis_.length; ++i) {
            longer_[i] = runs_[i - 1] << 1 & unigrams_[i];
            any |= longer_[i];
        }
        return any != 0;
    }

    // Lengthens the runs that end at the top of the block before, and notes those of this block.
    void cross_blocks(std::uint8_t* crossing) {
        for (std::size_t i = 1; i < hypothesis_.length; ++i) {
            longer_[i] |= crossing[i - 1] & unigrams_[i];
        }
        for (std::size_t i = 0; i < hypothesis_.length; ++i) {
            crossing[i] = static_cast<std::uint8_t>(runs_[i] >> 63);
        }
    }

    // Assigns a free position in the block to every run without one in an earlier block.
    void take_places(std::size_t n) {
        std::uint64_t free = ~std::uint64_t{0};
        for (std::size_t w = 0; w < n_words_; ++w) {
            std::uint64_t matched = in_reference_[n * n_words_ + w];
            const std::size_t start = 64 * w;
            const std::size_t stop = std::min(start + 64, hypothesis_.length);
            for (std::size_t i = start; i < stop; ++i) {
                const std::uint64_t bit = std::uint64_t{1} << (i - start);
                const std::uint64_t places = matched & bit ? 0 : runs_[i] & free;
                free ^= lowest_bit(places);
                matched |= places ? bit : 0;
            }
            in_reference_[n * n_words_ + w] = matched;
        }
    }

    std::size_t order_;
    Text hypothesis_{};
    std::size_t n_words_ = 0;  // of 64 hypothesis positions
    Pulse pulse_;
    PositionMasks masks_;
    std::vector<std::uint64_t> unigrams_, runs_, longer_;  // by hypothesis position
    std::vector<std::uint8_t> crossing_;  // by order and position: the run has the top bit
    std::vector<std::int32_t> ids_, reference_ids_;  // of n-grams, by their first token
    std::vector<std::uint32_t> free_;                // by id
    std::vector<std::uint64_t> in_reference_, matched_;  // bits by order and position: in this, any
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
