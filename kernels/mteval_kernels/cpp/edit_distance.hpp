// Edit distance: the fewest edits that turn one text into another (Myers 1999, Hyyrö 2003).
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "masks.hpp"
#include "pulse.hpp"
#include "texts.hpp"

namespace mteval {

// Up to 64 rows of a column of the table of distances, which has one column for each hypothesis
// token. The bits are the rows that are one more, and the rows that are one less, than the row
// above.
struct EditColumn {
    std::uint64_t more = ~std::uint64_t{0};
    std::uint64_t less = 0;

    // Rows that are not more than the row above in the column before, if the next column has a token
    // with these matches. `above` is the difference (-1, 0 or 1) of the row above the first to the
    // column before.
    std::uint64_t diagonal(std::uint64_t matches, int above) const {
        const std::uint64_t start = matches | std::uint64_t(above < 0);
        return (((start & more) + more) ^ more) | start | less;
    }

    // Continues with the next column. Returns its difference to the column before in the row `last`.
    int advance(std::uint64_t matches, int above, unsigned last) {
        const std::uint64_t diagonal = this->diagonal(matches, above);
        // Rows that are one more, and one less, than the same row in the column before.
        std::uint64_t right_more = less | ~(diagonal | more);
        std::uint64_t right_less = more & diagonal;
        const int below = int(right_more >> last & 1) - int(right_less >> last & 1);
        right_more = right_more << 1 | std::uint64_t(above > 0);
        right_less = right_less << 1 | std::uint64_t(above < 0);
        more = right_less | ~(diagonal | right_more);
        less = right_more & diagonal;
        return below;
    }
};

// distances[r]: number of edits between reference r and its hypothesis.
inline void edit_distance(const Segments& segments, double* distances) {
    Pulse pulse;
    PositionMasks masks;
    std::vector<int> steps;  // by hypothesis token: `above` of the next block
    for (std::size_t i = 0; i < segments.count; ++i) {
        const Text hypothesis = segments.hypotheses[i];
        for (auto r = segments.index[i]; r < segments.index[i + 1]; ++r) {
            const Text reference = segments.references[r];
            steps.assign(hypothesis.length, 1);
            for_each_block(reference, [&](Text block) {
                if (!block.length) return;
                pulse.beat(hypothesis.length);
                masks.assign(block);
                EditColumn column;
                const unsigned last = unsigned(block.length) - 1;
                for (std::size_t j = 0; j < hypothesis.length; ++j) {
                    steps[j] = column.advance(masks[hypothesis.tokens[j]], steps[j], last);
                }
            });
            const auto start = static_cast<long long>(reference.length);
            distances[r] = double(std::accumulate(steps.begin(), steps.end(), start));
        }
    }
}

}  // namespace mteval
