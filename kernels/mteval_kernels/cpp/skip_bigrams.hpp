// Skip-bigrams: pairs of tokens in their order, with other tokens between them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "hashing.hpp"
#include "limits.hpp"
#include "pulse.hpp"
#include "texts.hpp"

namespace mteval {

// Counts the skip-bigrams that two texts share, each as often as the text with fewer contains it.
//
// Pairs are not stored. For each shared type, a sweep over the hypothesis counts the types that
// follow it within the window; a sweep over the reference subtracts those that follow it there.
// This needs one count per shared type.
class SkipBigramMatcher {
public:
    // `window` is the largest distance of the two positions, at least 1.
    explicit SkipBigramMatcher(std::size_t window) : window_(window) {}

    std::uint64_t operator()(Text hypothesis, Text reference) {
        const std::size_t n_shared = number_types(hypothesis, reference);
        hypothesis_.link(n_shared, window_);
        reference_.link(n_shared, window_);
        counts_.resize(n_shared);
        std::uint64_t matches = 0;
        for (std::size_t type = 0; type < n_shared; ++type) {
            pulse_.beat(n_shared + hypothesis.length + reference.length);
            std::fill(counts_.begin(), counts_.end(), 0);
            hypothesis_.sweep(type, window_, [this](std::int32_t follower, std::uint64_t times) {
                counts_[follower] += times;
            });
            reference_.sweep(type, window_, [&](std::int32_t follower, std::uint64_t times) {
                const std::uint64_t taken = std::min(times, counts_[follower]);
                counts_[follower] -= taken;
                matches += taken;
            });
        }
        return matches;
    }

private:
    static constexpr std::int32_t none = -1;

    struct Side {
        std::vector<std::int32_t> types;       // by position: a shared type or none
        std::vector<std::size_t> first, next;  // first position of a type; next position of the type

        void link(std::size_t n_shared, std::size_t window) {
            if (window >= types.size()) {  // distances do not matter
                types.erase(std::remove(types.begin(), types.end(), none), types.end());
            }
            first.assign(n_shared, types.size());
            next.resize(types.size());
            for (std::size_t p = types.size(); p-- > 0;) {
                if (types[p] == none) continue;
                next[p] = first[types[p]];
                first[types[p]] = p;
            }
        }

        // Calls visit(follower, times) for the types that follow `type` within the window, in
        // order.
        template <class Visit>
        void sweep(std::size_t type, std::size_t window, Visit visit) const {
            const auto wanted = static_cast<std::int32_t>(type);
            std::size_t last = 0;
            std::uint64_t within = 0;  // occurrences within the window before p
            for (std::size_t p = first[type]; p < types.size();) {
                if (p > window && types[p - window - 1] == wanted) --within;
                if (within && types[p] != none) visit(types[p], within);
                if (types[p] == wanted) {
                    last = p;
                    ++within;
                }
                p = within ? p + 1 : next[last];
            }
        }
    };

    struct Slot {
        std::int32_t token, type;
    };

    // Numbers the types that both texts contain.
    std::size_t number_types(Text hypothesis, Text reference) {
        std::size_t capacity = 16;
        while (capacity < 2 * hypothesis.length) capacity *= 2;
        slots_.assign(capacity, Slot{none, none});
        hypothesis_slots_.resize(hypothesis.length);
        for (std::size_t p = 0; p < hypothesis.length; ++p) {
            if (hypothesis.tokens[p] >= 0) {
                Slot& slot = locate(hypothesis.tokens[p]);
                slot.token = hypothesis.tokens[p];
                hypothesis_slots_[p] = &slot;
            } else {
                hypothesis_slots_[p] = nullptr;
            }
        }
        std::int32_t n_shared = 0;
        reference_.types.resize(reference.length);
        for (std::size_t p = 0; p < reference.length; ++p) {
            reference_.types[p] = none;
            if (reference.tokens[p] < 0) continue;
            Slot& slot = locate(reference.tokens[p]);
            if (slot.token == none) continue;
            if (slot.type == none) slot.type = n_shared++;
            reference_.types[p] = slot.type;
        }
        hypothesis_.types.resize(hypothesis.length);
        for (std::size_t p = 0; p < hypothesis.length; ++p) {
            hypothesis_.types[p] = hypothesis_slots_[p] ? hypothesis_slots_[p]->type : none;
        }
        return static_cast<std::size_t>(n_shared);
    }

    // The slot of a token, or the free slot for it.
    Slot& locate(std::int32_t token) {
        std::size_t slot = mix(static_cast<std::uint32_t>(token)) & (slots_.size() - 1);
        while (slots_[slot].token != token && slots_[slot].token != none) {
            slot = (slot + 1) & (slots_.size() - 1);
        }
        return slots_[slot];
    }

    std::size_t window_;
    Pulse pulse_;
    std::vector<Slot> slots_;
    std::vector<Slot*> hypothesis_slots_;  // by position
    Side hypothesis_, reference_;
    std::vector<std::uint64_t> counts_;  // by type: pairs of the hypothesis that are not matched yet
};

// matches[r]: number of skip-bigrams that reference r and its hypothesis share.
inline void skip_bigrams(const Segments& segments, std::size_t window, double* matches) {
    SkipBigramMatcher matcher(window);
    for_each_pair(segments, [&](Text hypothesis, Text reference, std::size_t r) {
        matches[r] = double(matcher(hypothesis, reference));
    });
}

}  // namespace mteval
