// The second phase of a stage: bound the costs of the open links.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "bits.hpp"
#include "fixed_links.hpp"
#include "limits.hpp"
#include "pulse.hpp"

namespace mteval {

// Most cells of a stage, for each of which its tables have three numbers.
constexpr std::size_t max_cells = std::size_t(1) << 22;

constexpr std::uint64_t impossible = std::numeric_limits<std::uint64_t>::max();

// A set of positions that grows, and counts them by words at once.
class Ranks {
public:
    void clear(std::size_t n_words) {
        mask_.assign(n_words, 0);
        before_.assign(n_words, 0);
        total_ = 0;
    }

    // Adds a position that is not in the set.
    void add(std::size_t position) {
        mteval::add(mask_.data(), position);
        for (std::size_t w = position / 64 + 1; w < before_.size(); ++w) ++before_[w];
        ++total_;
    }

    std::size_t below(std::size_t position) const {
        const std::uint64_t below = (std::uint64_t(1) << position % 64) - 1;
        return before_[position / 64] + count(mask_[position / 64] & below);
    }

    std::size_t from(std::size_t position) const { return total_ - below(position); }

private:
    std::size_t total_ = 0;
    std::vector<std::uint64_t> mask_;
    std::vector<std::uint32_t> before_;  // by word
};

// What a row decides about the links that rows or columns of its ordered component need, which are
// linked from left to right. Columns are no_column if there are none.
struct Need {
    std::int32_t last = no_column;    // the last column that the row can get, if it needs a link
    std::int32_t starts = no_column;  // a column that needs a link, and can get it from this row on
    std::int32_t ends = no_column;    // a column that can get it up to this row
};

// Lower bounds of costs. Every link that is fixed or possible has a cell.
class StageBounds {
public:
    void find(const FixedLinks& links, const Costs& costs) {
        number_cells(links);
        cross_fixed(links, costs);
        find_needs(links);
        cross_needed(links, costs);
        find_least(links);
        find_rest(links, costs);
    }

    // The cell of a link.
    std::size_t cell(const FixedLinks& links, std::size_t row, std::size_t column) const {
        const std::int32_t c = links.component_of[row];
        if (c < 0) return first_cell[row];
        if (links.components.components[c].complete) {
            return first_cell[row] + links.components.column_ordinal[column];
        }
        return first_cell[row] + count_below(links.mask(row), column);
    }

    // For the a-th row of an ordered component: least[b] is the lowest cost, as in `alone`, of this
    // row and those after it with the columns from the b-th on.
    const std::uint64_t* least(std::size_t c, std::size_t a, std::size_t n_columns) const {
        return &least_[first_least_[c] + a * (n_columns + 1)];
    }

    // Lowest cost, as in `alone`, of all ordered components.
    std::uint64_t least_of_all() const { return least_of_all_; }

    std::vector<std::size_t> first_cell;      // by row
    // By cell: cost of the link for crossing fixed links, and links that are bound to cross it: those
    // that later rows need and can only get on its left.
    std::vector<std::uint64_t> alone;
    std::vector<Need> needs;                  // by row
    std::vector<std::uint64_t> rest;          // by cell: bound of the rows after the link
    std::vector<std::uint64_t> rest_of_none;  // by row: bound of this row and those after it

private:
    void number_cells(const FixedLinks& links) {
        first_cell.resize(links.n_rows());
        std::size_t n_cells = 0;
        for (std::size_t row = 0; row < links.n_rows(); ++row) {
            first_cell[row] = n_cells;
            n_cells += links.component_of[row] < 0 ? 1 : links.count_columns(row);
        }
        check_count(links.n_rows(), links.n_columns(), n_cells, max_cells, "open links");
        alone.assign(n_cells, 0);
        rest.resize(n_cells);
    }

    // Costs of the open links for crossing the fixed links of the stage: those of earlier rows on
    // their right, and those of later rows on their left.
    void cross_fixed(const FixedLinks& links, const Costs& costs) {
        Ranks& all = ranks_[0];
        Ranks& earlier = ranks_[1];
        all.clear(links.n_words());
        earlier.clear(links.n_words());
        std::size_t n_after = 0;
        for (std::size_t row = 0; row < links.n_rows(); ++row) {
            if (!links.is_new[row]) continue;
            all.add(links.columns[row]);
            ++n_after;
        }
        for (std::size_t row = 0; row < links.n_rows(); ++row) {
            if (links.is_new[row]) {
                earlier.add(links.columns[row]);
                --n_after;
            } else if (links.component_of[row] >= 0) {
                std::size_t cell = first_cell[row];
                links.for_each_column(row, [&](std::size_t column) {
                    const std::size_t before = earlier.from(column);
                    const std::size_t after = all.from(column) - before;
                    alone[cell++] = costs.crossing * (before + n_after - after);
                });
                pulse_.beat(links.n_words() + 2 * (cell - first_cell[row]));
            }
        }
    }

    void find_needs(const FixedLinks& links) {
        const auto& components = links.components.components;
        needs.assign(links.n_rows(), Need());
        for (std::size_t c = 0; c < components.size(); ++c) {
            if (!links.is_ordered(c)) continue;
            const Component& component = components[c];
            const std::size_t n_rows = component.n_rows, n_columns = component.n_columns;
            for (std::size_t k = 0; k < n_columns; ++k) {
                const std::int32_t column = component.columns[k];
                if (!component.fewer_rows()) {
                    needs[component.rows[k]].starts = column;
                    needs[component.rows[k + n_rows - n_columns]].ends = column;
                } else if (k + n_rows >= n_columns) {
                    needs[component.rows[k + n_rows - n_columns]].last = column;
                }
            }
        }
    }

    // Adds the costs of crossing what later rows need on the left, or columns from later rows.
    void cross_needed(const FixedLinks& links, const Costs& costs) {
        Ranks& later = ranks_[0];
        later.clear(links.n_words());
        for (std::size_t row = links.n_rows(); row-- > 0;) {
            if (links.component_of[row] < 0) continue;
            std::size_t cell = first_cell[row];
            links.for_each_column(row, [&](std::size_t column) {
                alone[cell++] += costs.crossing * later.below(column);
            });
            pulse_.beat(links.n_words() + cell - first_cell[row]);
            const auto [last, starts, ends] = needs[row];
            if (last != no_column) later.add(last);
            if (starts != no_column) later.add(starts);
        }
    }

    void find_least(const FixedLinks& links) {
        const auto& components = links.components.components;
        least_.clear();
        first_least_.resize(components.size());
        least_of_all_ = 0;
        for (std::size_t c = 0; c < components.size(); ++c) {
            if (!links.is_ordered(c)) continue;
            first_least_[c] = least_.size();
            add_least_of(components[c]);
            least_of_all_ += least_[first_least_[c]];
        }
    }

    // Adds the table of an ordered component, from its last row and column.
    void add_least_of(const Component& component) {
        const std::size_t n_rows = component.n_rows, n_columns = component.n_columns;
        const std::size_t stride = n_columns + 1, first = least_.size();
        least_.resize(first + (n_rows + 1) * stride, impossible);
        std::uint64_t* least = &least_[first];
        for (std::size_t a = n_rows + 1; a-- > 0;) {
            pulse_.beat(stride);
            for (std::size_t b = stride; b-- > 0;) {
                std::uint64_t& here = least[a * stride + b];
                if (component.fewer_rows() ? a == n_rows : b == n_columns) {
                    here = 0;
                } else if (a < n_rows && b < n_columns) {
                    const std::uint64_t then = least[(a + 1) * stride + b + 1];
                    if (then != impossible) here = alone[first_cell[component.rows[a]] + b] + then;
                    here = std::min(here, component.fewer_rows() ? least[a * stride + b + 1]
                                                                 : least[(a + 1) * stride + b]);
                }
            }
        }
    }

    // Bounds the cost of the rows after each one, without the crossings of ordered components.
    // Each row takes the link that is best for itself and the next row.
    void find_rest(const FixedLinks& links, const Costs& costs) {
        rest_of_none.assign(links.n_rows() + 1, 0);
        for (std::size_t row = links.n_rows(); row-- > 0;) {
            std::uint64_t best = without_link(links, costs, row);
            std::size_t cell = first_cell[row];
            const auto offer = [&](std::size_t column) {
                rest[cell] = rest_after(links, row, column);
                best = std::min(best, rest[cell] + alone_of(links, row, cell) + costs.chunk);
                ++cell;
            };
            if (links.component_of[row] >= 0) {
                links.for_each_column(row, offer);
            } else if (links.columns[row] != no_column) {
                offer(links.columns[row]);
            }
            rest_of_none[row] = best;
            pulse_.beat(links.n_words() * (cell - first_cell[row] + 1));
        }
    }

    // Least cost from a row on without a link of that row.
    std::uint64_t without_link(const FixedLinks& links, const Costs& costs, std::size_t row) const {
        const std::uint64_t following = rest_of_none[row + 1];
        const std::int32_t c = links.component_of[row];
        if (c < 0) return links.columns[row] == no_column ? following : impossible;
        const Component& component = links.components.components[c];
        if (!component.complete) return following + costs.missing;
        return component.n_rows > component.size() ? following : impossible;
    }

    // Least cost of the rows after a row that is linked to a column.
    std::uint64_t rest_after(const FixedLinks& links, std::size_t row, std::size_t column) const {
        const std::uint64_t following = rest_of_none[row + 1];
        const bool may_continue = row + 1 < links.n_rows() && column + 1 < links.n_columns() &&
                                  links.may_link(row + 1, column + 1);
        if (!may_continue) return following;
        const std::size_t next = cell(links, row + 1, column + 1);
        return std::min(following, rest[next] + alone_of(links, row + 1, next));
    }

    // Cost of a link for crossing fixed links; 0 in ordered components.
    std::uint64_t alone_of(const FixedLinks& links, std::size_t row, std::size_t cell) const {
        const std::int32_t c = links.component_of[row];
        return c < 0 || links.is_ordered(c) ? 0 : alone[cell];
    }

    Pulse pulse_;
    std::vector<std::size_t> first_least_;  // by ordered component, in least_
    std::vector<std::uint64_t> least_;
    std::uint64_t least_of_all_ = 0;
    Ranks ranks_[2];  // columns of all fixed links, and of other rows
};

}  // namespace mteval
