// How many n-grams texts have.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace mteval {

// totals[i * order + n - 1]: number of n-grams of a text with lengths[i] tokens.
inline void ngram_totals(const std::int64_t* lengths, std::size_t count, std::int64_t order,
                         std::int64_t* totals) {
    for (std::size_t i = 0; i < count; ++i) {
        for (std::int64_t n = 0; n < order; ++n) {
            *totals++ = std::max<std::int64_t>(lengths[i] - n, 0);
        }
    }
}

}  // namespace mteval
