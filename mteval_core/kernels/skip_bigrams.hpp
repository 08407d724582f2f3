// Skip-bigrams: ordered pairs of tokens with others between them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hashing.hpp"
#include "texts.hpp"

namespace mteval {

// Counts the skip-bigrams that two texts share, each as often as in the text that has fewer.
//
// Pairs are not stored: for one shared type after the other, a sweep over each text counts what
// follows it within the window. That takes memory for one count per shared type.
class SkipBigramMatcher {
public:
    // `window` is the largest distance of the two positions, at least 1.
    explicit SkipBigramMatcher(std::size_t window) : window_(window) {}

    double operator()(Text hypothesis, Text reference) {
        const std::size_t n_shared = number_types(hypothesis, reference);
        for (Side* side : {&hypothesis_, &reference_}) {
            if (window_ >= side->types.size()) {  // distances do not matter: drop other types
                const auto end = std::remove(side->types.begin(), side->types.end(), none);
                side->types.erase(end, side->types.end());
            }
            side->link(n_shared);
        }
        double matches = 0;
        for (std::size_t type = 0; type < n_shared; ++type) {
            hypothesis_.count_after(type, window_);
            reference_.count_after(type, window_);
            for (std::size_t t = 0; t < n_shared; ++t) {
                matches += double(std::min(hypothesis_.counts[t], reference_.counts[t]));
            }
        }
        return matches;
    }

private:
    static constexpr std::int32_t none = -1;

    struct Side {
        std::vector<std::int32_t> types;         // by position: a shared type or none
        std::vector<std::size_t> first, next;    // position of a type; of the same type again
        std::vector<std::uint64_t> counts;       // by type

        void link(std::size_t n_shared) {
            first.assign(n_shared, types.size());
            next.resize(types.size());
            for (std::size_t p = types.size(); p-- > 0;) {
                if (types[p] == none) continue;
                next[p] = first[types[p]];
                first[types[p]] = p;
            }
        }

        // counts[t]: pairs of `type` and a later t within the window.
        void count_after(std::size_t type, std::size_t window) {
            counts.assign(first.size(), 0);
            const auto wanted = static_cast<std::int32_t>(type);
            std::size_t last = 0, within = 0;  // occurrences behind p: the last; those near enough
            for (std::size_t p = first[type]; p < types.size();) {
                if (p > window && types[p - window - 1] == wanted) --within;
                if (types[p] != none) counts[types[p]] += within;
                if (types[p] == wanted) {
                    last = p;
                    ++within;
                }
                p = within ? p + 1 : next[last];
            }
        }
    };

    // Numbers the types that both texts have.
    std::size_t number_types(Text hypothesis, Text reference) {
        std::size_t capacity = 16;
        while (capacity < 2 * hypothesis.length) capacity *= 2;
        slots_.assign(capacity, Slot{none, none});
        for (std::size_t p = 0; p < hypothesis.length; ++p) {
            if (hypothesis.tokens[p] >= 0) locate(hypothesis.tokens[p]).token = hypothesis.tokens[p];
        }
        std::int32_t n_shared = 0;
        reference_.types.assign(reference.length, none);
        for (std::size_t p = 0; p < reference.length; ++p) {
            if (reference.tokens[p] < 0) continue;
            Slot& slot = locate(reference.tokens[p]);
            if (slot.token == none) continue;
            if (slot.type == none) slot.type = n_shared++;
            reference_.types[p] = slot.type;
        }
        hypothesis_.types.assign(hypothesis.length, none);
        for (std::size_t p = 0; p < hypothesis.length; ++p) {
            if (hypothesis.tokens[p] >= 0) hypothesis_.types[p] = locate(hypothesis.tokens[p]).type;
        }
        return static_cast<std::size_t>(n_shared);
    }

    struct Slot {
        std::int32_t token, type;
    };

    // The slot of a token, or the free one where it belongs.
    Slot& locate(std::int32_t token) {
        std::size_t slot = mix(static_cast<std::uint32_t>(token)) & (slots_.size() - 1);
        while (slots_[slot].token != token && slots_[slot].token != none) {
            slot = (slot + 1) & (slots_.size() - 1);
        }
        return slots_[slot];
    }

    std::size_t window_;
    std::vector<Slot> slots_;
    Side hypothesis_, reference_;
};

// matches[r]: skip-bigrams that reference r and the hypothesis of its segment share.
inline void skip_bigrams(const Segments& segments, std::size_t window, double* matches) {
    SkipBigramMatcher matcher(window);
    for (std::size_t i = 0; i < segments.count; ++i) {
        for (auto r = segments.index[i]; r < segments.index[i + 1]; ++r) {
            matches[r] = matcher(segments.hypotheses[i], segments.references[r]);
        }
    }
}

}  // namespace mteval
