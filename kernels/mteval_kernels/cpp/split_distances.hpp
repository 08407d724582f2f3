// Edit distances of the beginnings, and of the ends, of two texts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "edit_distance.hpp"
#include "match_table.hpp"
#include "pulse.hpp"

namespace mteval {

// Splits two texts in two parts each. The parts of a text of h tokens, split before token j, and of
// a text of r tokens, split before token i, have before(j)[i] + after(j)[i] edits. Both are kept
// for the rows i that matter: those in which they are few enough.
class SplitDistances {
public:
    using Index = std::int64_t;

    struct Rows {
        Index first, last;
    };

    // Alignments with at least `slack` edits more than the best do not matter.
    void start(const MatchTable& matches, std::size_t h, Index slack) {
        slack_ = slack;
        matches_ = &matches;
        n_blocks_ = matches.n_blocks();
        r_ = Index(matches.length());
        const std::size_t padding = 64 * n_blocks_ - matches.length();
        mirrored_.resize(h * n_blocks_);
        for (std::size_t j = 0; j < h; ++j) {
            for (std::size_t b = 0; b < n_blocks_; ++b) {
                mirrored_[j * n_blocks_ + b] = reversed(matches[j][n_blocks_ - 1 - b]);
            }
        }
        before_bits_.start(h, n_blocks_);
        after_bits_.start(h, n_blocks_);
        before_bits_.first_column(0, 0);
        after_bits_.first_column(h, padding);
        before_.resize((h + 1) * matches.length() + h + 1);
        after_.resize(before_.size());
        rows_.assign(h + 1, {Index(matches.length()) + 1, -1});
        helps_ = true;
    }

    // Splits an order that differs from the one before in the tokens first:last only. `edits` is
    // the number of edits of its best alignment.
    void split(const TokenOrder& order, std::size_t first, std::size_t last, Index edits) {
        fewer_ = edits_ - edits;
        edits_ = edits;
        pulse_.beat(2 * order.size() * n_blocks_);
        for (std::size_t j = first; j < order.size(); ++j) {
            before_bits_.advance(j, j + 1, (*matches_)[std::size_t(order[j])]);
        }
        for (std::size_t j = last; j-- > 0;) {
            after_bits_.advance(j + 1, j, &mirrored_[std::size_t(order[j]) * n_blocks_]);
        }
        const bool helped = helps_;
        helps_ = edits - after_bits_.edits(0)[n_blocks_] < slack_;
        has_gained_.assign(order.size() + 1, helps_ != helped);
        if (!helps_) return;
        for (std::size_t j = 0; j <= order.size(); ++j) keep_rows(j);
    }

    // Whether the other functions may be called: not if the best alignment misses so many edits that
    // all shifts would look better.
    bool helps() const { return helps_; }

    // Whether some row of column j that matters has saved more edits than were saved in all.
    bool has_gained(std::size_t j) const { return has_gained_[j]; }

    // Least number of edits without the tokens start:end, if it matters.
    Index edits_without(Index start, Index end, Index most) const {
        const std::uint16_t *before = before_of(start), *after = after_of(end);
        const Index last = std::min(rows_[start].last, rows_[end].last);
        for (Index i = std::max(rows_[start].first, rows_[end].first); i <= last; ++i) {
            most = std::min<Index>(most, before[i] + after[i]);
        }
        return most;
    }

    // Edit distance after a rotation, if it is below `most`. Fills only the columns that change,
    // between the rows that matter.
    Index edits_after(const TokenOrder& order, Rotation rotation, Index most) {
        const auto [first, middle, last] = rotation;
        if (rows_[first].first > rows_[last].last) return most;
        const std::size_t b = std::min(std::size_t(rows_[first].first) / 64, n_blocks_ - 1);
        const std::size_t n = std::max(words_for(std::size_t(rows_[last].last)), b + 1) - b;
        pulse_.beat(n * std::size_t(last - first));
        const EditColumn* const from = before_bits_.column(first) + b;
        column_.assign(from, from + n);
        for (Index j = middle; j < last; ++j) advance(b, n, order[j]);
        for (Index j = first; j < middle; ++j) advance(b, n, order[j]);

        const std::uint16_t* const after = after_of(last);
        Index edits = before_bits_.edits(first)[b] + last - first;
        Index i = Index(64 * b);
        const EditColumn* column = column_.data();
        for (; i + 64 <= rows_[last].first; i += 64, ++column) {
            edits += Index(count(column->more)) - Index(count(column->less));
        }
        for (; i < rows_[last].first; ++i) edits += step(column_[i / 64 - b], i);
        for (; i < rows_[last].last; ++i) {
            most = std::min(most, edits + after[i]);
            edits += step(column_[i / 64 - b], i);
        }
        return std::min(most, edits + after[i]);
    }

private:
    // The columns of one table, as bits, and the distances between their blocks.
    class Side {
    public:
        void start(std::size_t h, std::size_t n_blocks) {
            n_blocks_ = n_blocks;
            columns_.resize((h + 1) * n_blocks);
            edits_.resize((h + 1) * (n_blocks + 1));
        }

        // `padding` rows at the top cost nothing.
        void first_column(std::size_t j, std::size_t padding) {
            std::fill_n(column(j), n_blocks_, EditColumn{});
            column(j)->more <<= padding;
            edits(j)[0] = 0;
            for (std::size_t b = 1; b <= n_blocks_; ++b) edits(j)[b] = Index(64 * b - padding);
        }

        void advance(std::size_t from, std::size_t to, const std::uint64_t* matches) {
            EditStep step{1, 0};
            edits(to)[0] = edits(from)[0] + step.value();
            for (std::size_t b = 0; b < n_blocks_; ++b) {
                column(to)[b] = column(from)[b];
                step = column(to)[b].advance(matches[b], step, 63);
                edits(to)[b + 1] = edits(from)[b + 1] + step.value();
            }
        }

        EditColumn* column(std::size_t j) { return &columns_[j * n_blocks_]; }
        Index* edits(std::size_t j) { return &edits_[j * (n_blocks_ + 1)]; }

    private:
        std::size_t n_blocks_ = 0;
        std::vector<EditColumn> columns_;  // by place and block
        std::vector<Index> edits_;         // by place, above every block and below the last
    };

    static std::uint64_t reversed(std::uint64_t word) {
        word = (word >> 1 & 0x5555555555555555u) | (word & 0x5555555555555555u) << 1;
        word = (word >> 2 & 0x3333333333333333u) | (word & 0x3333333333333333u) << 2;
        word = (word >> 4 & 0x0F0F0F0F0F0F0F0Fu) | (word & 0x0F0F0F0F0F0F0F0Fu) << 4;
        word = (word >> 8 & 0x00FF00FF00FF00FFu) | (word & 0x00FF00FF00FF00FFu) << 8;
        word = (word >> 16 & 0x0000FFFF0000FFFFu) | (word & 0x0000FFFF0000FFFFu) << 16;
        return word >> 32 | word << 32;
    }

    // Difference of the row below row i of a column to this row.
    static Index step(const EditColumn& column, Index i) {
        return Index(column.more >> i % 64 & 1) - Index(column.less >> i % 64 & 1);
    }

    void keep_rows(std::size_t j) {
        const Index most = edits_ + slack_;
        const Index *before = before_bits_.edits(j), *after = after_bits_.edits(j) + n_blocks_;
        // From row to row both change by one at most.
        const auto matters = [&](Index b) {
            return before[b] + after[-b] + before[b + 1] + after[-b - 1] < 2 * most + 128;
        };
        Index top = 0, end = Index(n_blocks_);
        while (top < end && !matters(top)) ++top;
        while (top < end && !matters(end - 1)) --end;
        const Rows old = rows_[j];
        Rows& rows = rows_[j] = {r_ + 1, -1};
        if (top == end) return;
        const EditColumn* const down = before_bits_.column(j);
        const EditColumn* const up = after_bits_.column(j) + n_blocks_ - 1;
        std::uint16_t *const kept_before = before_of(j), *const kept_after = after_of(j);
        Index above = before[top], below = after[-top];
        const Index last = std::min(64 * end, r_);
        pulse_.beat(std::size_t(last - 64 * top));
        for (Index i = 64 * top;; ++i) {
            if (above + below < most) {
                rows.first = std::min(rows.first, i);
                rows.last = i;
                if (i < old.first || i > old.last ||
                    kept_before[i] + kept_after[i] > above + below + fewer_) {
                    has_gained_[j] = 1;
                }
            }
            kept_before[i] = std::uint16_t(above);
            kept_after[i] = std::uint16_t(below);
            if (i == last) return;
            above += step(down[i / 64], i);
            below -= step(up[-(i / 64)], 63 - i % 64);
        }
    }

    // Continues n blocks of the column, from block b on, with a token.
    void advance(std::size_t b, std::size_t n, Index token) {
        const std::uint64_t* const matches = (*matches_)[std::size_t(token)] + b;
        EditStep step{1, 0};
        for (std::size_t k = 0; k < n; ++k) step = column_[k].advance(matches[k], step, 63);
    }

    std::uint16_t* before_of(std::size_t j) { return &before_[j * std::size_t(r_ + 1)]; }
    std::uint16_t* after_of(std::size_t j) { return &after_[j * std::size_t(r_ + 1)]; }
    const std::uint16_t* before_of(std::size_t j) const {
        return &before_[j * std::size_t(r_ + 1)];
    }
    const std::uint16_t* after_of(std::size_t j) const { return &after_[j * std::size_t(r_ + 1)]; }

    Pulse pulse_;
    const MatchTable* matches_ = nullptr;
    std::size_t n_blocks_ = 0;
    Index r_ = 0, slack_ = 0, edits_ = 0, fewer_ = 0;
    bool helps_ = true;
    std::vector<std::uint64_t> mirrored_;  // masks of the reversed reference, by token and block
    Side before_bits_, after_bits_;
    std::vector<std::uint16_t> before_, after_;  // by place and row, for the rows that matter
    std::vector<Rows> rows_;                     // by place
    std::vector<char> has_gained_;               // by place
    std::vector<EditColumn> column_;             // by block
};

}  // namespace mteval
