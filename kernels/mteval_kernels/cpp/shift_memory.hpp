// What is known of the shifts that were tried, from one shift that is made to the next.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "match_table.hpp"

namespace mteval {

// For every shift over a short way, the most edits that it can save. This changes only near the
// shift that is made.
class ShiftMemory {
public:
    using Index = std::int64_t;
    static constexpr std::uint8_t unknown = 255;

    void start(Index h, Index longest) {
        h_ = h;
        n_sizes_ = std::min(longest, Index(16));
        saved_.assign(std::size_t(n_sizes_ * h * 2 * reach), unknown);
        ends_.assign(std::size_t(h), 0);
    }

    // What is known of a rotation that moves `size` tokens from `start`; null if the way is long.
    std::uint8_t* find(Index size, Index start, Rotation rotation) {
        const Index way =
            rotation.first < start ? rotation.first - start : rotation.last - start - size;
        if (size > n_sizes_ || way < -reach || way >= reach) return nullptr;
        return row(size, start) + reach + way;
    }

    // Knowledge about shifts of tokens from `start` depends on the columns up to `end`.
    void depends(Index start, Index end) { ends_[start] = std::max(ends_[start], end); }

    // Forgets what depends on columns that have changed; n_changed[j] is their number before j.
    void forget(const std::vector<Index>& n_changed) {
        for (Index start = 0; start < h_; ++start) {
            const Index first = std::max(Index(0), start - reach);
            const Index last = std::min(h_, std::max(start + n_sizes_ + reach, ends_[start]));
            if (n_changed[last + 1] == n_changed[first]) continue;
            ends_[start] = 0;
            for (Index size = 1; size <= n_sizes_; ++size) {
                std::fill_n(row(size, start), 2 * reach, unknown);
            }
        }
    }

private:
    static constexpr Index reach = 64;

    std::uint8_t* row(Index size, Index start) {
        return &saved_[std::size_t(((size - 1) * h_ + start) * 2 * reach)];
    }

    Index h_ = 0, n_sizes_ = 0;
    std::vector<std::uint8_t> saved_;  // by size, start and way
    std::vector<Index> ends_;          // by start
};

}  // namespace mteval
