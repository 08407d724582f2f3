// Edit distance: the fewest edits that turn one text into another (Myers 1999, Hyyrö 2003).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
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

// Long texts need few cells of the table: those that an alignment with fewer edits than a good one
// can pass (Ukkonen 1985). A good one is found first, among the most promising cells.
class EditDistance {
public:
    std::size_t operator()(Text columns, Text rows) {
        trim(columns, rows);
        if (rows.length > columns.length) std::swap(rows, columns);
        if (!rows.length) return columns.length;
        if (rows.length <= short_length) return std::size_t(fewest_of_all(columns, rows));
        const Edits good = fewest(columns, rows, Edits(columns.length), enough);
        return std::size_t(fewest(columns, rows, good, good));
    }

private:
    using Edits = std::int32_t;

    // Length up to which all cells take less time, and slack with which good alignments are found.
    static constexpr std::size_t short_length = 1024;
    static constexpr Edits enough = 128;

    Edits fewest_of_all(Text columns, Text rows) {
        start(columns);
        walk_.for_each_block(rows, [&](const auto& masks, Text block, auto n_words) {
            pulse_.beat(n_words * columns.length);
            EditColumn column[n_words];
            const Edits first = edits_[0] + Edits(block.length);
            fill(masks, block, column, columns, {0, Edits(columns.length)}, first);
        });
        return edits_[columns.length];
    }

    // The fewest edits of alignments with fewer than `most`, or `most`. A cell promises its edits and
    // as many as the lengths of the rests of the texts differ by: alignments through it have no fewer.
    // Cells are left out if they promise `most`, or `slack` more than the best one of their row.
    Edits fewest(Text columns, Text rows, Edits most, Edits slack) {
        start(columns);
        const auto n_columns = Edits(columns.length);
        auto n_rows = Edits(rows.length);  // below the cells
        Range known{0, n_columns};         // of the cells above a block
        walk_.for_each_block(rows, [&](const auto& masks, Text block, auto n_words) {
            const auto height = Edits(block.length);
            Edits* const edits = edits_.data();
            const auto promise = [&](Edits j) { return edits[j] + std::abs(n_rows - n_columns + j); };
            Edits best = most;
            for (Edits j = known.first; j <= known.last; ++j) best = std::min(best, promise(j));
            const Edits bound = std::min(most, best + slack);
            while (known.first < known.last && promise(known.first) >= bound) ++known.first;
            while (known.first < known.last && promise(known.last) >= bound) --known.last;

            n_rows -= height;
            EditColumn column[n_words];
            Edits above = fill(masks, block, column, columns, known, edits[known.first] + height);
            Edits& last = known.last;
            // Edits of the cells of the last column: those of neighbors differ by at most one.
            const auto least = [&] { return (above + edits[last] - height) / 2; };
            while (last < n_columns && least() + n_rows - n_columns + last < bound) {
                const Range next{last, std::min(last + 32, n_columns)};
                const Edits below = edits[last];
                std::iota(edits + next.first, edits + next.last + 1, above);
                above = fill(masks, block, column, columns, next, below);
                last = next.last;
            }
            pulse_.beat(n_words * std::size_t(last - known.first));
        });
        return known.last == n_columns ? std::min(most, edits_[n_columns]) : most;
    }

    // Writes the edits in row 0.
    void start(Text columns) {
        edits_.resize(columns.length + 1);
        std::iota(edits_.begin(), edits_.end(), Edits(0));
    }

    // Columns, both included.
    struct Range {
        Edits first, last;
    };

    // Replaces the edits above a block by those in its last row. `column` is the first column, with
    // the edits `below`, and becomes the last one. Returns the edits above that.
    template <class Masks, std::size_t n_words>
    Edits fill(const Masks& masks, Text block, EditColumn (&column)[n_words], Text columns,
               Range range, Edits below) {
        const unsigned last = unsigned(block.length - 1) % 64;
        Edits* const edits = edits_.data();
        Edits above = edits[range.first];
        edits[range.first] = below;
        for (Edits j = range.first; j < range.last; ++j) {
            const std::uint64_t* const matches = masks[columns.tokens[j]];
            const Edits next = edits[j + 1];
            EditStep step{next > above, next < above};
            above = next;
            for (std::size_t w = 0; w + 1 < n_words; ++w) {
                step = column[w].advance(matches[w], step, 63);
            }
            step = column[n_words - 1].advance(matches[n_words - 1], step, last);
            below += Edits(step.value());
            edits[j + 1] = below;
        }
        return above;
    }

    Pulse pulse_;
    BlockWalk walk_;
    std::vector<Edits> edits_;  // by column, in the last row so far
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
