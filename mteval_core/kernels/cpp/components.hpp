// Components: the tokens that compete for links, directly or through others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "pulse.hpp"
#include "relations.hpp"

namespace mteval {

// Rows that share columns, directly or through other rows.
struct Component {
    bool complete = true;  // every row can be linked to every column
    std::size_t n_columns = 0;
    std::vector<std::int32_t> rows;

    // Number of links in a largest set, if the component is complete.
    std::size_t size() const { return std::min(rows.size(), n_columns); }

    // Whether every row needs a link; if not, every column of a complete component does.
    bool fewer_rows() const { return rows.size() < n_columns; }
};

// The components of a relation.
class Components {
public:
    // masks: the columns that each row can be linked to.
    void find(const Masks& masks, std::size_t n_rows, std::size_t n_columns) {
        join_rows(masks, n_rows, n_columns);
        for (Component& component : components) {
            component.rows.clear();
            spare_rows_.push_back(std::move(component.rows));
        }
        components.clear();
        columns.n_words = masks.n_words;
        columns.words.clear();
        of_row.assign(n_rows, -1);
        ordinal.resize(n_rows);
        column_ordinal.resize(n_columns);
        for (std::size_t row = 0; row < n_rows; ++row) {
            const std::uint64_t *mask = masks[row], *end = mask + masks.n_words;
            if (std::all_of(mask, end, [](std::uint64_t word) { return word == 0; })) continue;
            const std::size_t first = first_row(row);
            if (first == row) {
                of_row[row] = std::int32_t(components.size());
                components.emplace_back();
                if (!spare_rows_.empty()) {
                    components.back().rows = std::move(spare_rows_.back());
                    spare_rows_.pop_back();
                }
                columns.words.insert(columns.words.end(), mask, end);
            }
            const std::int32_t c = of_row[row] = of_row[first];
            ordinal[row] = components[c].rows.size();
            components[c].rows.push_back(std::int32_t(row));
            std::uint64_t* united = columns[c];
            for (std::size_t w = 0; w < masks.n_words; ++w) united[w] |= mask[w];
        }
        for (std::size_t c = 0; c < components.size(); ++c) {
            Component& component = components[c];
            for_each_position(columns[c], masks.n_words, [&](std::size_t column) {
                column_ordinal[column] = component.n_columns++;
            });
            for (const std::int32_t row : component.rows) {
                const std::uint64_t* mask = masks[row];
                component.complete &= std::equal(mask, mask + masks.n_words, columns[c]);
            }
        }
    }

    std::vector<Component> components;               // by their first row
    Masks columns;                                   // of every component
    std::vector<std::int32_t> of_row;                // component of every row, -1 without columns
    std::vector<std::size_t> ordinal, column_ordinal;  // of rows and columns in their component

private:
    // Makes a tree of the rows of each component, with its first row as the root.
    void join_rows(const Masks& masks, std::size_t n_rows, std::size_t n_columns) {
        parents_.resize(n_rows);
        std::iota(parents_.begin(), parents_.end(), std::size_t(0));
        holders_.assign(n_columns, n_rows);
        for (std::size_t row = 0; row < n_rows; ++row) {
            pulse_.beat(2 * masks.n_words);
            for_each_position(masks[row], masks.n_words, [&](std::size_t column) {
                if (holders_[column] == n_rows) {
                    holders_[column] = row;
                } else {
                    const std::size_t one = first_row(row), other = first_row(holders_[column]);
                    parents_[std::max(one, other)] = std::min(one, other);
                }
            });
        }
    }

    std::size_t first_row(std::size_t row) {
        while (parents_[row] != row) row = parents_[row] = parents_[parents_[row]];
        return row;
    }

    Pulse pulse_;
    std::vector<std::size_t> parents_;  // of rows
    std::vector<std::size_t> holders_;  // a row that has each column
    std::vector<std::vector<std::int32_t>> spare_rows_;  // memory of earlier components
};

}  // namespace mteval
