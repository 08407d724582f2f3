// Proves that a shift is useless before all columns after it are filled.
//
// N is the table after the shift, O the table before it, and T the table before it with a wider
// beam: beam + slack. From column j on, all have the same tokens. Let two things be true:
//
// 1. Every cell of column j within the beam of N is within the beam of T, and N >= T + m.
// 2. N <= O + m + s in the backbone of O: cells of column j over which some cheapest path leads to
//    the best cell, reached(k), of every later column k.
//
// If the backbone stays within the beam of N, then by (2) reached_N(k) <= reached_O(k) + m + s. So a
// cell of N within its beam has at most reached_O(k) + m + s + beam edits. Its path costs at least m
// less in T by (1), which T does not miss if reached_O(k) + s <= reached_T(k) + slack. So (1) holds
// in all later columns, and the shift leaves at least edits_T + m. The backbone stays within the
// beam if its cells have at most reached_T(k) + beam - s, since reached_T(k) + m <= reached_N(k).
// limits_ has the largest s for which all this is true in the columns after j.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "beam_table.hpp"
#include "match_table.hpp"

namespace mteval {

class ShiftProof {
public:
    using Edits = BeamTable::Edits;

    void start(const MatchTable& matches, std::size_t h, std::int64_t beam) {
        matches_ = &matches;
        has_sources_ = beam > 0;  // so that rows before the last are within the beam
        for (std::size_t k = 0; k < n_levels; ++k) {
            wide_[k].start(matches, h, beam, slacks[k]);
        }
        change(0);
    }

    // The order has changed from token `first` on.
    void change(std::size_t first) {
        first_changed_ = std::min(first_changed_, first);
        n_asked_ = 0;
        is_ready_ = false;
    }

    // Whether a shift leaves at least `most` edits. The table's present column is column j after it.
    bool is_useless(const BeamTable& table, const TokenOrder& order, std::size_t j, Edits most) {
        if (!is_ready_) {
            if (!has_sources_ || ++n_asked_ <= order.size()) return false;
            prepare(table, order);
        }
        Edits more = -BeamTable::far;  // than the backbone before the shift
        for (std::size_t k = begins_[j]; k < begins_[j] + counts_[j]; ++k) {
            const Edits cell = table.cell(backbone_[k]);
            if (cell == BeamTable::far) return false;
            more = std::max(more, cell - table.cell(j, backbone_[k]));
        }
        for (std::size_t k = 0; k < n_levels; ++k) {
            const Edits s = limits_[k][j];
            if (s >= 0 && table.is_above(wide_[k], j, std::max(most - wide_[k].edits(), more - s))) {
                return true;
            }
        }
        return false;
    }

private:
    static constexpr std::size_t n_levels = 3;
    static constexpr Edits slacks[n_levels] = {2, 5, 9};

    void prepare(const BeamTable& table, const TokenOrder& order) {
        for (BeamTable& wide : wide_) wide.fill(order, first_changed_);
        first_changed_ = order.size();
        is_ready_ = true;
        find_backbone(table, order);
    }

    void find_backbone(const BeamTable& table, const TokenOrder& order) {
        backbone_.clear();
        begins_.assign(order.size(), 0);
        counts_.assign(order.size(), 0);
        for (auto& limits : limits_) limits.assign(order.size(), BeamTable::far);
        rows_.clear();
        for (std::size_t j = order.size() - 1; j > 0; --j) {
            if (j + 1 < order.size()) add_source(table, order[j], j);
            begins_[j] = backbone_.size();
            counts_[j] = rows_.size();
            backbone_.insert(backbone_.end(), rows_.begin(), rows_.end());
            const Edits highest = follow(table, order[j - 1], j);
            for (std::size_t k = 0; k < n_levels; ++k) {
                const Edits reached = wide_[k].reached(j);
                limits_[k][j - 1] = std::min({limits_[k][j], table.beam() + reached - highest,
                                              slacks[k] + reached - table.reached(j)});
            }
        }
    }

    // Adds a row from which a diagonal step leads to the best cell of column j + 1, near the others.
    void add_source(const BeamTable& table, std::int64_t token, std::size_t j) {
        const Edits reached = table.reached(j + 1);
        const auto leads = [&](std::size_t i) {
            return i < matches_->length() &&
                   table.cell(j, i) + !matches_->has(std::size_t(token), i) == reached;
        };
        if (std::any_of(rows_.begin(), rows_.end(), leads)) return;
        const std::size_t near = rows_.empty() ? j : rows_[0];
        for (std::size_t d = 0;; ++d) {
            if (leads(near + d)) return rows_.push_back(near + d);
            if (d <= near && leads(near - d)) return rows_.push_back(near - d);
        }
    }

    // Follows the rows of column j to column j - 1. Returns the most edits in column j.
    Edits follow(const BeamTable& table, std::int64_t token, std::size_t j) {
        Edits highest = 0;
        for (std::size_t& i : rows_) {
            for (Edits edits = table.cell(j, i);; --edits, --i) {
                highest = std::max(highest, edits);
                if (i && table.cell(j - 1, i - 1) + !matches_->has(std::size_t(token), i - 1) == edits) {
                    --i;
                    break;
                }
                if (table.cell(j - 1, i) + 1 == edits) break;
            }
        }
        std::sort(rows_.begin(), rows_.end());
        rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
        return highest;
    }

    const MatchTable* matches_ = nullptr;
    bool has_sources_ = false, is_ready_ = false;
    std::size_t first_changed_ = 0, n_asked_ = 0;
    BeamTable wide_[n_levels];
    std::vector<std::size_t> rows_;      // of the backbone in one column
    std::vector<std::size_t> backbone_;  // rows, from the last column on
    std::vector<std::size_t> begins_, counts_;  // by column
    std::vector<Edits> limits_[n_levels];       // by column
};

}  // namespace mteval
