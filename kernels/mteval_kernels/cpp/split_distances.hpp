// Edit distances of the beginnings, and of the ends, of two texts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
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

    static constexpr Rows no_rows{std::numeric_limits<Index>::max(), -1};

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
        width_ = 0;
        rows_.assign(h + 1, no_rows);
        helps_ = true;
    }

    // Splits an order that differs from the one before in the tokens first:last only. `edits` is
    // the number of edits of its best alignment.
    void split(const TokenOrder& order, std::size_t first, std::size_t last, Index edits) {
        fewer_ = edits_ - edits;
        edits_ = edits;
        pulse_.beat(2 * order.size() * n_blocks_);
        before_bits_.begin();
        for (std::size_t j = first; j < order.size(); ++j) {
            const auto* const matches = (*matches_)[std::size_t(order[j])];
            if (!before_bits_.advance(j, j + 1, matches, j < last)) break;
        }
        after_bits_.begin();
        for (std::size_t j = last; j-- > 0;) {
            const auto* const matches = &mirrored_[std::size_t(order[j]) * n_blocks_];
            if (!after_bits_.advance(j + 1, j, matches, j >= first)) break;
        }
        const bool helped = helps_;
        helps_ = edits - after_bits_.edits(0)[n_blocks_] < slack_;
        has_gained_.assign(order.size() + 1, helps_ != helped);
        if (!helps_) return;
        old_rows_.swap(rows_);
        rows_.resize(order.size() + 1);
        Index widest = 0;
        for (std::size_t j = 0; j <= order.size(); ++j) {
            rows_[j] = rows_that_matter(j);
            widest = std::max(widest, rows_[j].last - rows_[j].first + 1);
        }
        if (std::size_t(widest) > width_) widen(std::size_t(widest));
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
            most = std::min<Index>(most, before[place(i)] + after[place(i)]);
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
            most = std::min(most, edits + after[place(i)]);
            edits += step(column_[i / 64 - b], i);
        }
        return std::min(most, edits + after[place(i)]);
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
            for (std::size_t b = 1; b <= n_blocks_; ++b) {
                edits(j)[b] = std::int32_t(64 * b - padding);
            }
        }

        // Before the first column that may change.
        void begin() {
            first_ = n_blocks_;
            end_ = 0;
            has_changed_.assign(n_blocks_, 0);
            more_.assign(n_blocks_ + 1, 0);
        }

        // Fills the column `to` again after a change of the column `from`, or of the token between
        // them. Without a new token, passes over the blocks for which all is as before. Returns
        // whether the columns behind may change.
        bool advance(std::size_t from, std::size_t to, const std::uint64_t* matches,
                     bool is_new_token) {
            const std::int32_t* const edits_from = edits(from);
            std::int32_t* const edits_to = edits(to);
            edits_to[0] = edits_from[0] + 1;
            std::size_t b = is_new_token ? 0 : first_;
            const std::size_t end = is_new_token ? n_blocks_ : end_;
            first_ = n_blocks_;
            end_ = 0;
            bool is_new_step = false;
            for (; b < end || (is_new_step && b < n_blocks_); ++b) {
                if (!is_new_token && !has_changed_[b] && !is_new_step) {
                    more_[b + 1] = more_[b];
                    edits_to[b + 1] += more_[b];
                    continue;
                }
                const Index above = edits_to[b] - edits_from[b];
                EditColumn next = column(from)[b];
                const EditStep step = next.advance(matches[b], {above > 0, above < 0}, 63);
                const auto step_value = std::int32_t(step.value());
                const std::int32_t more = edits_from[b + 1] + step_value - edits_to[b + 1];
                is_new_step = more != more_[b + 1];
                more_[b + 1] = more;
                edits_to[b + 1] += more;
                EditColumn& here = column(to)[b];
                has_changed_[b] = here.more != next.more || here.less != next.less;
                here = next;
                if (!has_changed_[b]) continue;
                first_ = std::min(first_, b);
                end_ = b + 1;
            }
            if (more_[b]) {
                for (std::size_t k = b; k < n_blocks_; ++k) edits_to[k + 1] += more_[b];
            }
            return end_ || is_new_token;
        }

        EditColumn* column(std::size_t j) { return &columns_[j * n_blocks_]; }
        std::int32_t* edits(std::size_t j) { return &edits_[j * (n_blocks_ + 1)]; }

    private:
        std::size_t n_blocks_ = 0;
        std::vector<EditColumn> columns_;  // by place and block
        std::vector<std::int32_t> edits_;  // by place, above every block and below the last
        // What has changed in the last column: blocks from `first_` to `end_`, and by how much the
        // edits are more than before.
        std::size_t first_ = 0, end_ = 0;
        std::vector<char> has_changed_;   // by block
        std::vector<std::int32_t> more_;  // above every block and below the last
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

    // Column j of both tables.
    struct Column {
        const std::int32_t *before, *after;  // above a block, and above the one before it
        const EditColumn *down, *up;

        // The edits before and after a row.
        std::pair<Index, Index> edits(Index i) const {
            const Index b = i / 64;
            if (i % 64 == 0) return {before[b], after[-b]};
            const Index n_below = 64 - i % 64;
            const std::uint64_t above = ~std::uint64_t{0} >> n_below;
            return {before[b] + sum(down[b], above), after[-b] - sum(up[-b], above << n_below)};
        }

        Index all_edits(Index i) const { return edits(i).first + edits(i).second; }
    };

    Column column(std::size_t j) {
        return {before_bits_.edits(j), after_bits_.edits(j) + n_blocks_, before_bits_.column(j),
                after_bits_.column(j) + n_blocks_ - 1};
    }

    // The first and the last row with few enough edits. From row to row, those before and those
    // after it change by one at most.
    Rows rows_that_matter(std::size_t j) {
        const Index most = edits_ + slack_;
        const Column found = column(j);
        const auto matters = [&](Index b) {
            return found.before[b] + found.after[-b] + found.before[b + 1] +
                       found.after[-b - 1] < 2 * most + 128;
        };
        Index top = 0, end = Index(n_blocks_);
        while (top < end && !matters(top)) ++top;
        while (top < end && !matters(end - 1)) --end;
        if (top == end) return no_rows;
        Index first = 64 * top, last = std::min(64 * end, r_);
        for (Index more; (more = found.all_edits(first) - most) >= 0;) {
            first += more / 2 + 1;
            if (first > last) return no_rows;
        }
        for (Index more; (more = found.all_edits(last) - most) >= 0;) last -= more / 2 + 1;
        return {first, last};
    }

    // Makes room for more rows at a place.
    void widen(std::size_t n_rows) {
        for (width_ = 64; width_ < n_rows;) width_ *= 2;
        before_.resize(rows_.size() * width_);
        after_.resize(rows_.size() * width_);
        old_rows_.assign(rows_.size(), no_rows);
    }

    void keep_rows(std::size_t j) {
        const Rows rows = rows_[j], old = old_rows_[j];
        if (rows.first > rows.last) return;
        pulse_.beat(std::size_t(rows.last - rows.first));
        const Column found = column(j);
        std::uint16_t *const kept_before = before_of(j), *const kept_after = after_of(j);
        auto [above, below] = found.edits(rows.first);
        for (Index i = rows.first;; ++i) {
            const std::size_t p = place(i);
            if (above + below < edits_ + slack_ &&
                (i < old.first || i > old.last ||
                 kept_before[p] + kept_after[p] > above + below + fewer_)) {
                has_gained_[j] = 1;
            }
            kept_before[p] = std::uint16_t(above);
            kept_after[p] = std::uint16_t(below);
            if (i == rows.last) return;
            above += step(found.down[i / 64], i);
            below -= step(found.up[-(i / 64)], 63 - i % 64);
        }
    }

    // Difference of a row of a column to a row above it: the sum of the steps between them.
    static Index sum(const EditColumn& column, std::uint64_t steps) {
        return Index(count(column.more & steps)) - Index(count(column.less & steps));
    }

    // Continues n blocks of the column, from block b on, with a token.
    void advance(std::size_t b, std::size_t n, Index token) {
        const std::uint64_t* const matches = (*matches_)[std::size_t(token)] + b;
        EditStep step{1, 0};
        for (std::size_t k = 0; k < n; ++k) step = column_[k].advance(matches[k], step, 63);
    }

    // Where the distances of a row are kept: rows that matter share few lines of the cache.
    std::size_t place(Index i) const { return std::size_t(i) & (width_ - 1); }

    std::uint16_t* before_of(std::size_t j) { return before_.data() + j * width_; }
    std::uint16_t* after_of(std::size_t j) { return after_.data() + j * width_; }
    const std::uint16_t* before_of(std::size_t j) const { return before_.data() + j * width_; }
    const std::uint16_t* after_of(std::size_t j) const { return after_.data() + j * width_; }

    Pulse pulse_;
    const MatchTable* matches_ = nullptr;
    std::size_t n_blocks_ = 0;
    Index r_ = 0, slack_ = 0, edits_ = 0, fewer_ = 0;
    bool helps_ = true;
    std::vector<std::uint64_t> mirrored_;  // masks of the reversed reference, by token and block
    Side before_bits_, after_bits_;
    std::size_t width_ = 0;                      // most rows that are kept at a place, a power of 2
    std::vector<std::uint16_t> before_, after_;  // by place and row, for the rows that matter
    std::vector<Rows> rows_, old_rows_;          // by place
    std::vector<char> has_gained_;               // by place
    std::vector<EditColumn> column_;             // by block
};

}  // namespace mteval
