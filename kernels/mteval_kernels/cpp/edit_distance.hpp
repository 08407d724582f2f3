// Edit distance: the fewest edits that turn one text into another (Myers 1999, Hyyrö 2003).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "masks.hpp"
#include "pulse.hpp"
#include "texts.hpp"

namespace mteval {

// Difference of a row to the same row in the column before: 1 is more, or less, if not both are 0.
struct EditStep {
    std::uint64_t more, less;

    std::int64_t value() const { return std::int64_t(more) - std::int64_t(less); }
};

// Up to 64 rows of a column of the table of distances, which has one column for each hypothesis
// token. The bits are the rows that are one more, and the rows that are one less, than the row
// above.
struct EditColumn {
    std::uint64_t more = ~std::uint64_t{0};
    std::uint64_t less = 0;

    // Rows that are not more than the row above in the column before, if the next column has a token
    // with these matches. `above_less` is the step of the row above the first.
    std::uint64_t diagonal(std::uint64_t matches, std::uint64_t above_less) const {
        const std::uint64_t start = matches | above_less;
        return (((start & more) + more) ^ more) | start | less;
    }

    // Continues with the next column, whose token has these matches. `above` is the step of the row
    // above the first. Returns the step of the row `last`.
    EditStep advance(std::uint64_t matches, EditStep above, unsigned last) {
        const std::uint64_t diagonal = this->diagonal(matches, above.less);
        // Rows that are one more, and one less, than the same row in the column before.
        std::uint64_t right_more = less | ~(diagonal | more);
        std::uint64_t right_less = more & diagonal;
        const EditStep below{right_more >> last & 1, right_less >> last & 1};
        right_more = right_more << 1 | above.more;
        right_less = right_less << 1 | above.less;
        more = right_less | ~(diagonal | right_more);
        less = right_more & diagonal;
        return below;
    }
};

class EditDistance {
public:
    std::size_t operator()(Text columns, Text rows) {
        trim(columns, rows);
        if (rows.length > columns.length) std::swap(rows, columns);
        if (!rows.length) return columns.length;
        steps_.assign(columns.length, {1, 0});
        walk_.for_each_block(rows, [&](const auto& masks, Text block, auto n_words) {
            pulse_.beat(n_words * columns.length);
            EditColumn column[n_words];
            const unsigned last = unsigned(block.length - 1) % 64;
            for (std::size_t j = 0; j < columns.length; ++j) {
                const std::uint64_t* const matches = masks[columns.tokens[j]];
                EditStep step{steps_[j].more, steps_[j].less};
                for (std::size_t w = 0; w + 1 < n_words; ++w) {
                    step = column[w].advance(matches[w], step, 63);
                }
                step = column[n_words - 1].advance(matches[n_words - 1], step, last);
                steps_[j] = {std::uint8_t(step.more), std::uint8_t(step.less)};
            }
        });
        std::size_t edits = rows.length;
        for (const SmallStep step : steps_) edits += step.more - std::size_t(step.less);
        return edits;
    }

private:
    struct SmallStep {
        std::uint8_t more, less;
    };

    Pulse pulse_;
    BlockWalk walk_;
    std::vector<SmallStep> steps_;  // by column, of the last row so far
};

// distances[r]: number of edits between reference r and its hypothesis.
inline void edit_distance(const Segments& segments, double* distances) {
    EditDistance distance;
    for (std::size_t i = 0; i < segments.count; ++i) {
        for (auto r = segments.index[i]; r < segments.index[i + 1]; ++r) {
            distances[r] = double(distance(segments.hypotheses[i], segments.references[r]));
        }
    }
}

}  // namespace mteval
