// Components: the tokens that compete for links, directly or through others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "pulse.hpp"
#include "relations.hpp"

namespace mteval {

// Rows that share columns, directly or through other rows.
struct Component {
    bool complete = true;  // every row can be linked to every column
    std::size_t n_columns = 0, n_rows = 0;
    std::int32_t *rows = nullptr, *columns = nullptr;

    // Number of links in a largest set, if the component is complete.
    std::size_t size() const { return std::min(n_rows, n_columns); }

    // Whether every row needs a link; if not, every column of a complete component does.
    bool fewer_rows() const { return n_rows < n_columns; }
};

// The components of a relation.
class Components {
public:
    // masks: the columns that each row can be linked to.
    void find(const Masks& masks, std::size_t n_rows, std::size_t n_columns) {
        join_rows(masks, n_rows, n_columns);
        number_rows(masks, n_rows);
        list_columns(n_columns);
        list_rows(masks);
    }

    std::vector<Component> components;               // by their first row
    Masks columns;                                   // of every component
    std::vector<std::int32_t> of_row;                // component of every row, -1 without columns
    std::vector<std::size_t> ordinal, column_ordinal;  // of rows and columns in their component

private:
    // Lists the rows with columns, and makes a tree of those of each component, with its first row
    // as the root.
    void join_rows(const Masks& masks, std::size_t n_rows, std::size_t n_columns) {
        parents_.resize(n_rows);
        holders_.assign(n_columns, no_position);
        rows_.clear();
        for (std::size_t row = 0; row < n_rows; ++row) {
            pulse_.beat(2 * masks.n_words);
            if (is_empty(masks[row], masks.n_words)) continue;
            rows_.push_back(row);
            parents_[row] = row;
            for_each_position(masks[row], masks.n_words, [&](std::size_t column) {
                if (holders_[column] == no_position) {
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

    // Finds the component of every row, its place there, and the columns of every component.
    void number_rows(const Masks& masks, std::size_t n_rows) {
        components.clear();
        columns.n_words = masks.n_words;
        columns.words.clear();
        of_row.assign(n_rows, -1);
        ordinal.resize(n_rows);
        for (const std::size_t row : rows_) {
            const std::uint64_t* mask = masks[row];
            const std::size_t first = first_row(row);
            if (first == row) {
                of_row[row] = std::int32_t(components.size());
                components.emplace_back();
                columns.words.insert(columns.words.end(), mask, mask + masks.n_words);
            }
            const std::int32_t c = of_row[row] = of_row[first];
            ordinal[row] = components[c].n_rows++;
            std::uint64_t* united = columns[c];
            for (std::size_t w = 0; w < masks.n_words; ++w) united[w] |= mask[w];
        }
    }

    // Lists the columns of every component, and finds the place of each there.
    void list_columns(std::size_t n_columns) {
        column_ordinal.resize(n_columns);
        sorted_columns_.resize(n_columns);
        std::int32_t* listed = sorted_columns_.data();
        for (std::size_t c = 0; c < components.size(); ++c) {
            Component& component = components[c];
            component.columns = listed;
            for_each_position(columns[c], columns.n_words, [&](std::size_t column) {
                column_ordinal[column] = component.n_columns++;
                *listed++ = std::int32_t(column);
            });
        }
    }

    // Lists the rows of every component, and finds out whether it is complete.
    void list_rows(const Masks& masks) {
        sorted_rows_.resize(rows_.size());
        std::int32_t* rows = sorted_rows_.data();
        for (Component& component : components) {
            component.rows = rows;
            rows += component.n_rows;
        }
        for (const std::size_t row : rows_) {
            Component& component = components[of_row[row]];
            component.rows[ordinal[row]] = std::int32_t(row);
            const std::uint64_t* mask = masks[row];
            component.complete &= std::equal(mask, mask + masks.n_words, columns[of_row[row]]);
        }
    }

    Pulse pulse_;
    std::vector<std::size_t> rows_;          // those with columns
    std::vector<std::size_t> parents_;       // of rows with columns
    std::vector<std::size_t> holders_;       // a row that has each column
    std::vector<std::int32_t> sorted_rows_, sorted_columns_;  // by component
};

}  // namespace mteval
