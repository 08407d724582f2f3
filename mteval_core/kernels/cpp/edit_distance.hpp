// Edit distance: how many tokens differ between two texts, in order (Myers 1999, Hyyro 2003).
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "masks.hpp"
#include "texts.hpp"

namespace mteval {

// Up to 64 rows of one column of the table of distances, one column for each hypothesis token, as
// bits: the rows that are one more, and those that are one less, than the row above.
struct EditColumn {
    std::uint64_t more = ~std::uint64_t{0};
    std::uint64_t less = 0;

    // Goes on to the next column. `matches` are the rows whose token it has, `above` is by how
    // much the row above the first differs from itself in the column before (-1, 0 or 1). Returns
    // the same of the row `last`.
    int advance(std::uint64_t matches, int above, unsigned last) {
        const std::uint64_t above_more = above > 0, above_less = above < 0;
        const std::uint64_t start = matches | above_less;
        // The rows that are no more than the one diagonally before them.
        const std::uint64_t diagonal = (((start & more) + more) ^ more) | start | less;
        // The rows that are more, and less, than in the column before.
        std::uint64_t right_more = less | ~(diagonal | more);
        std::uint64_t right_less = more & diagonal;
        const int below = int(right_more >> last & 1) - int(right_less >> last & 1);
        right_more = right_more << 1 | above_more;
        right_less = right_less << 1 | above_less;
        more = right_less | ~(diagonal | right_more);
        less = right_more & diagonal;
        return below;
    }
};

// distances[r]: edits between the reference text r and the hypothesis of its segment.
inline void edit_distance(const Segments& segments, double* distances) {
    PositionMasks masks;
    std::vector<int> steps;  // by hypothesis token, the row above the block: see advance
    for (std::size_t i = 0; i < segments.count; ++i) {
        const Text hypothesis = segments.hypotheses[i];
        for (auto r = segments.index[i]; r < segments.index[i + 1]; ++r) {
            const Text reference = segments.references[r];
            steps.assign(hypothesis.length, 1);
            for_each_block(reference, [&](Text block) {
                if (!block.length) return;
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
