// One-to-one links between two texts: one relation after the other links as many tokens as it can,
// with the fewest crossings or the fewest chunks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "components.hpp"
#include "hashing.hpp"
#include "places.hpp"
#include "relations.hpp"
#include "texts.hpp"

namespace mteval {

// What an alignment costs, as one number: tokens that find no link, then crossings, then chunks, or
// in the other order. Texts must be shorter than 2^16.
struct Costs {
    std::uint64_t none, crossing, chunk;

    static Costs of(bool crossings_first) {
        const auto none = std::uint64_t(1) << 48;
        return crossings_first ? Costs{none, std::uint64_t(1) << 16, 1}
                               : Costs{none, 1, std::uint64_t(1) << 32};
    }
};

// Finds the links of one relation.
class StageAligner {
public:
    StageAligner(bool crossings_first, std::size_t limit)
        : in_order_(crossings_first), costs_(Costs::of(crossings_first)), limit_(limit) {}

    // Adds to linked, the reference position of every hypothesis position, the links of a stage.
    // masks are the reference positions that each may be linked to.
    void link(const Masks& masks, std::size_t n_columns, std::vector<std::int32_t>& linked) {
        masks_ = &masks;
        n_rows_ = linked.size();
        n_columns_ = n_columns;
        n_words_ = masks.n_words;
        linked_ = &linked;
        components_.find(masks, n_rows_, n_columns);
        if (!fix()) return;
        cross_fixed();
        least_.clear();
        first_least_.resize(components_.components.size());
        for (std::size_t c = 0; c < first_least_.size(); ++c) {
            if (is_ordered(c)) find_least(c);
        }
        bound();
        std::size_t width = std::min(narrow, limit_);
        Found found = search(width, impossible);
        chosen_ = links_of(found.last);
        while (!found.exact && width < limit_) {
            width = std::min(8 * width, limit_);
            const Found wider = search(width, found.cost);
            if (wider.cost <= found.cost) {
                found.cost = wider.cost;
                chosen_ = links_of(wider.last);
            }
            found.exact = wider.exact;
        }
        for (const auto& [row, column] : chosen_) linked[row] = column;
    }

    static constexpr std::int32_t none = -2;  // no position, nor the neighbour of one

private:
    // How many alignments the first, quick search keeps. What it finds bounds the next one, which
    // keeps eight times as many, and so on up to the limit.
    static constexpr std::size_t narrow = 16;
    static constexpr std::uint64_t impossible = std::numeric_limits<std::uint64_t>::max();

    struct Alignment {
        std::uint64_t cost;   // so far, and what its open components must cost at least
        std::uint64_t total;  // with what else the rest must cost at least
        std::int32_t beside;  // the column of the last row, if that is linked
        std::int32_t last;    // the last link, in taken_
        std::size_t used;     // its row in the layer's sets of columns used by open links
        std::uint64_t hash;   // of that set
        bool replaced;
    };

    struct Taken {
        std::int32_t row, column, before;
    };

    struct Found {
        std::uint64_t cost;
        std::int32_t last;
        bool exact;
    };

    // Whether the links of a component go from left to right in both texts.
    bool is_ordered(std::size_t c) const {
        return in_order_ && is_open_[c] && components_.components[c].complete;
    }

    // Fixes the links that all best sets share; returns whether anything is left open.
    bool fix() {
        const std::size_t n_components = components_.components.size();
        is_open_.assign(n_components, 1);
        is_fixed_.assign(n_rows_, 0);
        component_of_ = components_.of_row;
        std::size_t n_fixed = 0;
        for (std::size_t c = 0; c < n_components; ++c) {
            const Component& component = components_.components[c];
            const std::size_t n_rows = component.rows.size();
            if (!component.complete || n_rows != component.n_columns) continue;
            if (!in_order_ && n_rows > 1) continue;
            is_open_[c] = 0;
            ++n_fixed;
            auto row = component.rows.begin();
            for_each_position(components_.columns[c], n_words_, [&](std::size_t column) {
                is_fixed_[*row] = 1;
                component_of_[*row] = -1;
                (*linked_)[*row++] = std::int32_t(column);
            });
        }
        return n_fixed < n_components;
    }

    std::size_t count_from(const std::uint64_t* mask, std::size_t position) const {
        std::size_t w = position / 64;
        std::size_t sum = count(mask[w] >> position % 64);
        while (++w < n_words_) sum += count(mask[w]);
        return sum;
    }

    // Where the numbers of a possible link are kept.
    std::size_t cell(std::size_t row, std::size_t column) const {
        const std::int32_t c = component_of_[row];
        if (c < 0) return first_cell_[row];
        if (components_.components[c].complete) {
            return first_cell_[row] + components_.column_ordinal[column];
        }
        const std::uint64_t* mask = (*masks_)[row];
        std::size_t before = 0;
        for (std::size_t w = 0; w < column / 64; ++w) before += count(mask[w]);
        const std::uint64_t below = (std::uint64_t(1) << column % 64) - 1;
        return first_cell_[row] + before + count(mask[column / 64] & below);
    }

    bool may_link(std::size_t row, std::size_t column) const {
        return component_of_[row] >= 0 ? has((*masks_)[row], column)
                                       : (*linked_)[row] == std::int32_t(column);
    }

    // Works out what every open link costs by crossing fixed ones.
    void cross_fixed() {
        first_cell_.resize(n_rows_);
        std::size_t n_cells = 0;
        for (std::size_t row = 0; row < n_rows_; ++row) {
            first_cell_[row] = n_cells;
            if (component_of_[row] < 0) {
                ++n_cells;
            } else {
                const std::uint64_t* mask = (*masks_)[row];
                for (std::size_t w = 0; w < n_words_; ++w) n_cells += count(mask[w]);
            }
        }
        alone_.assign(n_cells, 0);
        rest_.resize(n_cells);
        before_.assign(n_words_, 0);
        after_.assign(n_words_, 0);
        std::size_t n_after = 0;
        for (std::size_t row = 0; row < n_rows_; ++row) {
            if (!is_fixed_[row]) continue;
            add(after_.data(), (*linked_)[row]);
            ++n_after;
        }
        for (std::size_t row = 0; row < n_rows_; ++row) {
            if (is_fixed_[row]) {
                const std::int32_t column = (*linked_)[row];
                add(before_.data(), column);
                after_[column / 64] ^= std::uint64_t(1) << column % 64;
                --n_after;
            } else if (component_of_[row] >= 0) {
                std::size_t cell = first_cell_[row];
                for_each_position((*masks_)[row], n_words_, [&](std::size_t column) {
                    alone_[cell++] =
                        costs_.crossing * (count_from(before_.data(), column) + n_after -
                                           count_from(after_.data(), column));
                });
            }
        }
    }

    // The least that the rows of an ordered component from the a-th on cost by crossing fixed
    // links, with the columns from the b-th on: at least_[first_least_[c] + a * (columns + 1) + b].
    void find_least(std::size_t c) {
        const Component& component = components_.components[c];
        const std::size_t n_rows = component.rows.size(), n_columns = component.n_columns;
        const std::size_t stride = n_columns + 1;
        first_least_[c] = least_.size();
        least_.resize(least_.size() + (n_rows + 1) * stride, impossible);
        std::uint64_t* least = &least_[first_least_[c]];
        for (std::size_t a = n_rows + 1; a-- > 0;) {
            for (std::size_t b = stride; b-- > 0;) {
                std::uint64_t& here = least[a * stride + b];
                if (component.fewer_rows() ? a == n_rows : b == n_columns) {
                    here = 0;
                } else if (a < n_rows && b < n_columns) {
                    const std::uint64_t then = least[(a + 1) * stride + b + 1];
                    if (then != impossible) here = alone_[first_cell_[component.rows[a]] + b] + then;
                    here = std::min(here, component.fewer_rows() ? least[a * stride + b + 1]
                                                                 : least[(a + 1) * stride + b]);
                }
            }
        }
    }

    // Works out what the rows after each one must cost at least, ordered components apart: rest_
    // after a row that has a certain link, rest_of_none_ whatever the row before does. Each row
    // takes what is best for it and the next.
    void bound() {
        rest_of_none_.assign(n_rows_ + 1, 0);
        const auto alone = [&](std::size_t row, std::size_t cell) {
            const std::int32_t c = component_of_[row];
            return c < 0 || is_ordered(c) ? 0 : alone_[cell];
        };
        for (std::size_t row = n_rows_; row-- > 0;) {
            const std::uint64_t following = rest_of_none_[row + 1];
            std::uint64_t best = impossible;
            std::size_t cell = first_cell_[row];
            const auto offer = [&](std::size_t column) {
                rest_[cell] = following;
                if (row + 1 < n_rows_ && column + 1 < n_columns_ && may_link(row + 1, column + 1)) {
                    const std::size_t next = this->cell(row + 1, column + 1);
                    rest_[cell] = std::min(following, rest_[next] + alone(row + 1, next));
                }
                best = std::min(best, rest_[cell] + alone(row, cell) + costs_.chunk);
                ++cell;
            };
            if (component_of_[row] >= 0) {
                const Component& component = components_.components[component_of_[row]];
                if (!component.complete) {
                    best = following + costs_.none;
                } else if (component.rows.size() > component.size()) {
                    best = following;
                }
                for_each_position((*masks_)[row], n_words_, offer);
            } else if ((*linked_)[row] != none) {
                offer((*linked_)[row]);
            } else {
                best = following;
            }
            rest_of_none_[row] = best;
        }
    }

    // Searches through the rows, keeping `width` alignments and those that need not cost more than
    // `most` in all.
    Found search(std::size_t width, std::uint64_t most) {
        taken_.clear();
        std::uint64_t start = 0;
        for (std::size_t c = 0; c < first_least_.size(); ++c) {
            if (is_ordered(c)) start += least_[first_least_[c]];
        }
        layer_.assign(1, {start, 0, none, -1, 0, 0, false});
        used_.assign(n_words_, 0);
        bool exact = true;
        for (std::size_t row = 0; row < n_rows_; ++row) {
            following_.clear();
            used_following_.clear();
            places_.clear();
            for (const Alignment& alignment : layer_) extend(row, alignment, most);
            following_.erase(std::remove_if(following_.begin(), following_.end(),
                                            [](const Alignment& a) { return a.replaced; }),
                             following_.end());
            if (following_.size() > width) {
                exact = false;
                keep_best(width);
            }
            layer_.swap(following_);
            used_.swap(used_following_);
            if (component_of_[row] >= 0) note(row);
        }
        if (layer_.empty()) return {impossible, -1, false};
        const Alignment& best = *std::min_element(
            layer_.begin(), layer_.end(),
            [](const Alignment& a, const Alignment& b) { return a.cost < b.cost; });
        return {best.cost, best.last, exact};
    }

    // Queues all ways to go on with a row.
    void extend(std::size_t row, const Alignment& alignment, std::uint64_t most) {
        const std::int32_t c = component_of_[row];
        if (c < 0) {
            const std::int32_t column = (*linked_)[row];
            const bool starts = column != none && column != alignment.beside + 1;
            queue(row, alignment, column, alignment.cost + costs_.chunk * starts, false, most);
            return;
        }
        const Component& component = components_.components[c];
        const std::uint64_t* columns = components_.columns[c];
        const std::uint64_t* used = &used_[alignment.used * n_words_];
        const auto take = [&](std::size_t column, std::uint64_t cost) {
            const bool starts = std::int32_t(column) != alignment.beside + 1;
            cost += costs_.crossing * count_from(used, column) + costs_.chunk * starts;
            queue(row, alignment, std::int32_t(column), cost, true, most);
        };
        const std::size_t ordinal = components_.ordinal[row];
        if (is_ordered(c)) {
            const std::size_t b = used_up(used, columns);
            const std::size_t stride = component.n_columns + 1;
            const std::uint64_t* least = &least_[first_least_[c]] + ordinal * stride;
            const std::uint64_t cost = alignment.cost - least[b];
            for_each_position(columns, n_words_, [&](std::size_t column) {
                const std::size_t taken = components_.column_ordinal[column];
                if (taken < b || (taken > b && !component.fewer_rows())) return;
                const std::uint64_t then = least[stride + taken + 1];
                if (then != impossible) take(column, cost + alone_[first_cell_[row] + taken] + then);
            });
            if (!component.fewer_rows() && least[stride + b] != impossible) {
                queue(row, alignment, none, cost + least[stride + b], false, most);
            }
            return;
        }
        std::size_t missing = 1;
        if (component.complete) {
            std::size_t n_used = 0;
            for (std::size_t w = 0; w < n_words_; ++w) n_used += count(used[w] & columns[w]);
            missing = component.size() - n_used;
        }
        if (missing) {
            for (std::size_t w = 0; w < n_words_; ++w) {
                for_each_position((*masks_)[row][w] & ~used[w], 64 * w, [&](std::size_t column) {
                    take(column, alignment.cost + alone_[cell(row, column)]);
                });
            }
        }
        if (!component.complete) {
            queue(row, alignment, none, alignment.cost + costs_.none, false, most);
        } else if (component.rows.size() - ordinal - 1 >= missing) {
            queue(row, alignment, none, alignment.cost, false, most);
        }
    }

    // How many columns of a component there are up to the last one used.
    std::size_t used_up(const std::uint64_t* used, const std::uint64_t* columns) const {
        for (std::size_t w = n_words_; w-- > 0;) {
            const std::uint64_t mine = used[w] & columns[w];
            if (mine) return components_.column_ordinal[64 * w + highest(mine)] + 1;
        }
        return 0;
    }

    // Queues an alignment unless it costs too much, or one as good has used the same columns.
    void queue(std::size_t row, const Alignment& from, std::int32_t column, std::uint64_t cost,
               bool uses, std::uint64_t most) {
        const std::uint64_t rest =
            column == none ? rest_of_none_[row + 1] : rest_[cell(row, column)];
        if (cost + rest > most) return;
        const std::size_t place = following_.size();
        const std::size_t words = used_following_.size();
        used_following_.insert(used_following_.end(), &used_[from.used * n_words_],
                               &used_[from.used * n_words_] + n_words_);
        std::uint64_t hash = from.hash;
        if (uses) {
            add(&used_following_[words], column);
            hash ^= mix(column + 1);
        }
        Alignment next{cost, cost + rest, column, from.last, words / n_words_, hash, false};
        const std::size_t other = places_.find_or_add(
            hash ^ mix(column + (std::int64_t(1) << 32)), place, [&](std::size_t p) {
                return following_[p].beside == column &&
                       std::equal(&used_following_[words], &used_following_[words] + n_words_,
                                  &used_following_[following_[p].used * n_words_]);
            });
        if (other != place) {
            if (following_[other].total <= next.total) {
                used_following_.resize(words);
                return;
            }
            following_[other].replaced = true;
            places_.replace(place);
        }
        following_.push_back(next);
    }

    // Keeps the alignments that promise to cost least, of equals the first, in the order they have.
    void keep_best(std::size_t width) {
        order_.resize(following_.size());
        for (std::size_t k = 0; k < order_.size(); ++k) order_[k] = std::uint32_t(k);
        std::nth_element(order_.begin(), order_.begin() + width, order_.end(),
                         [&](std::uint32_t a, std::uint32_t b) {
                             return std::pair(following_[a].total, a) <
                                    std::pair(following_[b].total, b);
                         });
        order_.resize(width);
        std::sort(order_.begin(), order_.end());
        for (std::size_t k = 0; k < width; ++k) following_[k] = following_[order_[k]];
        following_.resize(width);
    }

    // Notes the links that the kept alignments have taken in a row.
    void note(std::size_t row) {
        for (Alignment& alignment : layer_) {
            if (alignment.beside == none) continue;
            taken_.push_back({std::int32_t(row), alignment.beside, alignment.last});
            alignment.last = std::int32_t(taken_.size() - 1);
        }
    }

    std::vector<std::pair<std::int32_t, std::int32_t>> links_of(std::int32_t last) const {
        std::vector<std::pair<std::int32_t, std::int32_t>> links;
        for (; last >= 0; last = taken_[last].before) {
            links.emplace_back(taken_[last].row, taken_[last].column);
        }
        return links;
    }

    const bool in_order_;
    const Costs costs_;
    const std::size_t limit_;

    const Masks* masks_ = nullptr;
    std::vector<std::int32_t>* linked_ = nullptr;
    std::size_t n_rows_ = 0, n_columns_ = 0, n_words_ = 0;

    Components components_;
    std::vector<char> is_open_;               // of components: the links are not fixed beforehand
    std::vector<char> is_fixed_;              // of rows
    std::vector<std::int32_t> component_of_;  // of every row that is open, else -1

    std::vector<std::size_t> first_cell_;   // of every row
    std::vector<std::size_t> first_least_;  // of every ordered component, in least_
    std::vector<std::uint64_t> alone_, rest_, rest_of_none_, least_;
    std::vector<std::uint64_t> before_, after_;
    std::vector<Alignment> layer_, following_;
    std::vector<std::uint64_t> used_, used_following_;
    Places places_;
    std::vector<std::uint32_t> order_;
    std::vector<Taken> taken_;
    std::vector<std::pair<std::int32_t, std::int32_t>> chosen_;
};

// Fills the links of every token of every reference text, text after text.
inline void staged_alignment(const Segments& segments, const std::vector<Relation>& relations,
                             bool crossings_first, std::size_t limit, Link* links) {
    StageAligner stage(crossings_first, limit);
    Candidates candidates;
    Masks masks;
    std::vector<std::int32_t> linked, rows, columns, kinds;
    for (std::size_t i = 0; i < segments.count; ++i) {
        const Text hypothesis = segments.hypotheses[i];
        for (std::int64_t r = segments.index[i]; r < segments.index[i + 1]; ++r) {
            const Text reference = segments.references[r];
            linked.assign(hypothesis.length, StageAligner::none);
            kinds.assign(hypothesis.length, -1);
            rows.assign(hypothesis.tokens, hypothesis.tokens + hypothesis.length);
            columns.assign(reference.tokens, reference.tokens + reference.length);
            for (std::size_t kind = 0; kind < relations.size(); ++kind) {
                candidates.find({rows.data(), rows.size()}, {columns.data(), columns.size()},
                                relations[kind], masks);
                stage.link(masks, columns.size(), linked);
                for (std::size_t row = 0; row < rows.size(); ++row) {
                    if (linked[row] == StageAligner::none || kinds[row] >= 0) continue;
                    kinds[row] = std::int32_t(kind);
                    rows[row] = columns[linked[row]] = -1;
                }
            }
            std::fill_n(links, reference.length, Link());
            for (std::size_t row = 0; row < rows.size(); ++row) {
                if (kinds[row] >= 0) links[linked[row]] = {std::int32_t(row), kinds[row]};
            }
            links += reference.length;
        }
    }
}

}  // namespace mteval
