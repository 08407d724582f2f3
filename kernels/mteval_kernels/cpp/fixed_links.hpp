// The first phase of a stage: fix the links that are in every best set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "components.hpp"
#include "limits.hpp"
#include "relations.hpp"
#include "texts.hpp"

namespace mteval {

// Stands for a missing column; it is not next to any column.
constexpr std::int32_t no_column = -2;

// Costs of a token without a link, a crossing and a chunk, which add up to one number. Each is
// larger than the sum of all those that count less.
struct Costs {
    std::uint64_t missing, crossing, chunk;

    static Costs of(bool crossings_first) {
        static_assert(max_length < 1 << 16);
        const auto missing = std::uint64_t(1) << 48;
        return crossings_first ? Costs{missing, std::uint64_t(1) << 16, 1}
                               : Costs{missing, 1, std::uint64_t(1) << 32};
    }

    // Whether crossings cost more than chunks.
    bool in_order() const { return crossing > chunk; }
};

// The fixed links of a stage, and the rows that are still open.
class FixedLinks {
public:
    // masks: the columns that each row can be linked to in this stage; afterwards, pairs of a row
    // and a column that only have each other are missing. linked: the column of every row with a
    // link of an earlier stage, otherwise no_column.
    void find(Masks& masks, std::size_t n_columns, const std::vector<std::int32_t>& linked,
              bool in_order) {
        masks_ = &masks;
        in_order_ = in_order;
        columns = linked;
        is_new.assign(linked.size(), 0);
        fix_pairs(masks);
        components.find(masks, linked.size(), n_columns);
        component_of = components.of_row;
        is_open.assign(components.components.size(), 1);
        n_open_ = is_open.size();
        for (std::size_t c = 0; c < is_open.size(); ++c) {
            if (has_one_best_set(components.components[c])) fix(c);
        }
    }

    std::size_t n_rows() const { return columns.size(); }
    std::size_t n_columns() const { return components.column_ordinal.size(); }
    std::size_t n_words() const { return masks_->n_words; }
    bool is_any_open() const { return n_open_ > 0; }

    // The columns that an open row can be linked to.
    const std::uint64_t* mask(std::size_t row) const { return (*masks_)[row]; }

    // Calls visit(column) for these columns from left to right. Many rows share a list of them.
    template <class Visit>
    void for_each_column(std::size_t row, Visit visit) const {
        const Component& component = components.components[component_of[row]];
        if (!component.complete) return for_each_position(mask(row), n_words(), visit);
        for (std::size_t k = 0; k < component.n_columns; ++k) visit(component.columns[k]);
    }

    std::size_t count_columns(std::size_t row) const {
        const Component& component = components.components[component_of[row]];
        return component.complete ? component.n_columns : count(mask(row), n_words());
    }

    // Whether a row has or may get a link to a column.
    bool may_link(std::size_t row, std::size_t column) const {
        return component_of[row] >= 0 ? has(mask(row), column)
                                      : columns[row] == std::int32_t(column);
    }

    // Whether no two links of a component cross in a best alignment.
    bool is_ordered(std::size_t c) const {
        return in_order_ && is_open[c] && components.components[c].complete;
    }

    Components components;
    std::vector<char> is_open;               // by component
    std::vector<char> is_new;                // by row: this stage has fixed its link
    std::vector<std::int32_t> columns;       // by row: of its fixed link, or no_column
    std::vector<std::int32_t> component_of;  // by row: its open component, or -1

private:
    // Links rows and columns that only have each other. Most components of most texts are such.
    void fix_pairs(Masks& masks) {
        once_.assign(masks.n_words, 0);
        twice_.assign(masks.n_words, 0);
        for (std::size_t row = 0; row < n_rows(); ++row) {
            const std::uint64_t* mask = masks[row];
            for (std::size_t w = 0; w < masks.n_words; ++w) {
                twice_[w] |= once_[w] & mask[w];
                once_[w] |= mask[w];
            }
        }
        for (std::size_t row = 0; row < n_rows(); ++row) {
            const std::size_t column = only_position(masks[row], masks.n_words);
            if (column == no_position || has(twice_.data(), column)) continue;
            columns[row] = std::int32_t(column);
            is_new[row] = 1;
            remove(masks[row], column);
        }
    }

    bool has_one_best_set(const Component& component) const {
        return component.complete && component.n_rows == component.n_columns &&
               (in_order_ || component.n_rows == 1);
    }

    // Links the rows of a component to its columns, both from left to right.
    void fix(std::size_t c) {
        is_open[c] = 0;
        --n_open_;
        const std::int32_t* row = components.components[c].rows;
        for_each_position(components.columns[c], n_words(), [&](std::size_t column) {
            is_new[*row] = 1;
            component_of[*row] = -1;
            columns[*row++] = std::int32_t(column);
        });
    }

    const Masks* masks_ = nullptr;
    bool in_order_ = true;
    std::size_t n_open_ = 0;
    std::vector<std::uint64_t> once_, twice_;  // columns that rows can be linked to
};

}  // namespace mteval
