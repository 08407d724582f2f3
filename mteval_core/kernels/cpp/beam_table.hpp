// The table of edit distances within a beam: an alignment is not continued from a cell with many
// more edits than the best cell reached by a diagonal step in the same column.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "limits.hpp"
#include "match_table.hpp"
#include "pulse.hpp"

namespace mteval {

// Most cells in all alignments after shifts that a search tries.
constexpr std::size_t max_cells = std::size_t(1) << 31;

// The columns for all beginnings of a hypothesis, and the number of edits of other orders of its
// tokens, for which only the columns that differ are filled.
class BeamTable {
public:
    using Edits = std::int32_t;
    static constexpr Edits far = 1 << 29;

    void start(const MatchTable& matches, std::int64_t beam) {
        matches_ = &matches;
        beam_ = Edits(std::min<std::int64_t>(far, beam));
        cells_.resize(matches.length() + 2);
        next_cells_.resize(matches.length() + 2);
        columns_.clear();
        kept_.clear();
        n_cells_ = 0;
    }

    // Fills the table for an order that differs from the one before only from token `first` on.
    void fill(const TokenOrder& order, std::size_t first) {
        columns_.swap(old_columns_);
        kept_.swap(old_kept_);
        columns_.assign(old_columns_.begin(), old_columns_.begin() + std::ptrdiff_t(first));
        kept_.assign(old_kept_.begin(),
                     old_kept_.begin() + std::ptrdiff_t(first ? old_columns_[first].cells : 0));
        if (first) {
            restore(old_columns_[first], old_kept_);
        } else {
            column_ = {0, matches_->length(), far, 0};
            std::iota(cells_.begin(), cells_.end(), Edits(0));
        }
        keep();
        n_left_ = order.size() - first;
        for (std::size_t j = first; j < order.size(); ++j) {
            advance(order[j]);
            keep();
        }
    }

    Edits edits() const { return kept_.back(); }

    // Whether column j had, before it was last filled, the same cells but for a constant.
    bool was_parallel(std::size_t j) const {
        return is_parallel(columns_[j], &kept_[columns_[j].cells], old_columns_[j], old_kept_);
    }

    // Number of edits after a rotation. `end` is the first column from which nothing has to be
    // filled any more, because the cells are those of the table but for a constant.
    Edits edits_after(const TokenOrder& order, Rotation rotation, std::size_t& end) {
        const auto [first, middle, last] = rotation;
        restore(columns_[first], kept_);
        n_left_ = order.size() - first;
        for (auto j = middle; j < last; ++j) advance(order[j]);
        for (auto j = first; j < middle; ++j) advance(order[j]);
        check_count(order.size(), matches_->length(), n_cells_, max_cells,
                    "cells in alignments to try");
        for (end = last; end < order.size(); ++end) {
            if (is_parallel(column_, &cells_[column_.from], columns_[end], kept_)) {
                return edits() + column_.reached - columns_[end].reached;
            }
            advance(order[end]);
        }
        return cells_[column_.to];
    }

    enum Step { match, substitution, insertion, deletion };

    // Follows the cheapest alignment back. Calls visit(j, i, step) for the step to every cell.
    template <class Visit>
    void trace(const TokenOrder& order, Visit visit) const {
        std::size_t j = order.size(), i = matches_->length();
        for (Edits edits = this->edits(); i || j;) {
            const bool matches = i && j && matches_->has(order[j - 1], i - 1);
            const Step step = i && j && cell(j - 1, i - 1) + !matches == edits
                                  ? (matches ? match : substitution)
                              : j && cell(j - 1, i) + 1 == edits ? insertion
                                                                 : deletion;
            visit(j, i, step);
            i -= step != insertion;
            j -= step != deletion;
            edits -= step != match;
        }
    }

private:
    // The rows of a column from which steps lead on, at most, with the place of their cells among
    // those that are kept; and the best cell that a diagonal step has reached.
    struct Column {
        std::size_t from, to;
        Edits reached;
        std::size_t cells;
    };

    void keep() {
        column_.cells = kept_.size();
        columns_.push_back(column_);
        kept_.insert(kept_.end(), cells_.begin() + std::ptrdiff_t(column_.from),
                     cells_.begin() + std::ptrdiff_t(column_.to) + 1);
    }

    void restore(const Column& column, const std::vector<Edits>& kept) {
        column_ = column;
        std::copy_n(kept.begin() + std::ptrdiff_t(column.cells), column.to - column.from + 1,
                    cells_.begin() + std::ptrdiff_t(column.from));
    }

    static bool is_parallel(const Column& one, const Edits* cells, const Column& other,
                            const std::vector<Edits>& kept) {
        if (one.from != other.from || one.to != other.to) return false;
        const Edits difference = one.reached - other.reached;
        const Edits* others = &kept[other.cells];
        for (std::size_t k = 0; k <= one.to - one.from; ++k) {
            if (cells[k] != (others[k] == far ? far : others[k] + difference)) return false;
        }
        return true;
    }

    Edits cell(std::size_t j, std::size_t i) const {
        const Column& column = columns_[j];
        if (i < column.from || i > column.to) return far;
        return kept_[column.cells + i - column.from];
    }

    // Continues with the column of a token. Cells outside the rows of a column are not valid, and
    // from those within that are `far` no steps lead on.
    void advance(std::int64_t token) {
        const std::uint64_t* const matches = (*matches_)[std::size_t(token)];
        auto& [from, to, best, _] = column_;
        pulse_.beat(to - from + 1);
        n_cells_ += to - from + 1;
        Edits edits = far, diagonal = far, reached = far;
        cells_[to + 1] = far;
        to = std::min(to + 1, matches_->length());
        for (std::size_t i = from;; ++i) {
            edits = std::min(edits + 1, std::min(cells_[i] + 1, diagonal));
            next_cells_[i] = edits;
            if (i == to) break;
            diagonal = cells_[i] + !has(matches, i);
            reached = std::min(reached, diagonal);
        }
        best = reached;
        // In the last column, all steps lead on.
        const Edits limit = std::min(far - 1, --n_left_ ? reached + beam_ : far);
        while (to < matches_->length() && edits < limit) next_cells_[++to] = ++edits;
        for (std::size_t i = from; i <= to; ++i) {
            next_cells_[i] = next_cells_[i] > limit ? far : next_cells_[i];
        }
        while (next_cells_[from] == far) ++from;
        while (next_cells_[to] == far) --to;
        cells_.swap(next_cells_);
    }

    Pulse pulse_;
    const MatchTable* matches_ = nullptr;
    Edits beam_ = 0;
    Column column_{};         // the present one, whose cells are cells_
    std::size_t n_left_ = 0;  // tokens after it
    std::size_t n_cells_ = 0;
    std::vector<Edits> cells_, next_cells_;  // by row
    std::vector<Column> columns_, old_columns_;
    std::vector<Edits> kept_, old_kept_;
};

}  // namespace mteval
