// The third phase of a stage: search the open links row by row.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "fixed_links.hpp"
#include "hashing.hpp"
#include "places.hpp"
#include "pulse.hpp"
#include "stage_bounds.hpp"

namespace mteval {

struct PartialAlignment {
    // So far, the least that its open components can cost, and crossings that are bound to follow
    // from its links.
    std::uint64_t cost;
    std::uint64_t total;  // with a bound of the rows after it
    std::int32_t column;  // of the last row, or no_column
    std::int32_t last;    // its last link, among the links of all alignments
    const std::uint64_t* used;  // the columns that it uses for links to open rows
    std::size_t end;            // of that set, behind its last column
    std::uint64_t hash;         // of that set
    bool replaced;
};

// Partial alignments that end at the same row. Of alignments that use the same columns, the first
// with the lowest bound is kept.
class Layer {
public:
    // Removes all alignments. `continues_one`: those that will be added continue one alignment in
    // different ways, so they are not equal.
    void clear(std::size_t n_words, bool continues_one) {
        n_words_ = n_words;
        continues_one_ = continues_one;
        alignments.clear();
        places_.clear();
    }

    // Begins with an alignment without links.
    void start(std::uint64_t cost) {
        used_.assign(n_words_, 0);
        alignments.push_back({cost, 0, no_column, -1, used_.data(), 0, 0, false});
    }

    // Exchanges the alignments; each layer keeps the tables that only adding needs.
    void swap(Layer& other) {
        alignments.swap(other.alignments);
        used_.swap(other.used_);
    }

    // Adds an alignment that continues one of another layer, whose set it shares until `settle`. The
    // column of `next`, if it has one, joins the set.
    void add(PartialAlignment&& next) {
        if (next.column != no_column) {
            next.end = std::max(next.end, std::size_t(next.column) + 1);
            next.hash ^= mix(next.column + 1);
        }
        alignments.push_back(next);
        if (continues_one_) return;
        merge(alignments.size() - 1);
        if (alignments.back().replaced) alignments.pop_back();
    }

    // Makes sets of columns for the alignments, which have shared those of another layer.
    void settle() {
        used_.resize(alignments.size() * n_words_);
        std::uint64_t* used = used_.data();
        for (PartialAlignment& alignment : alignments) {
            std::copy_n(alignment.used, n_words_, used);
            alignment.used = used;
            if (alignment.column != no_column) mteval::add(used, alignment.column);
            used += n_words_;
        }
    }

    // Merges alignments that have become equal.
    void merge() {
        if (alignments.size() == 1) return;
        places_.clear();
        for (std::size_t place = 0; place < alignments.size(); ++place) {
            if (!alignments[place].replaced) merge(place);
        }
    }

    // Removes replaced alignments; then keeps those with the lowest bounds, of equals the first,
    // in their order. Returns whether it has kept all.
    bool keep_best(std::size_t width) {
        if (alignments.size() == 1 && !alignments[0].replaced) return true;
        alignments.erase(std::remove_if(alignments.begin(), alignments.end(),
                                        [](const PartialAlignment& a) { return a.replaced; }),
                         alignments.end());
        if (alignments.size() <= width) return true;
        order_.resize(alignments.size());
        for (std::size_t k = 0; k < order_.size(); ++k) order_[k] = std::uint32_t(k);
        std::nth_element(order_.begin(), order_.begin() + width, order_.end(),
                         [&](std::uint32_t a, std::uint32_t b) {
                             return std::pair(alignments[a].total, a) <
                                    std::pair(alignments[b].total, b);
                         });
        order_.resize(width);
        std::sort(order_.begin(), order_.end());
        for (std::size_t k = 0; k < width; ++k) alignments[k] = alignments[order_[k]];
        alignments.resize(width);
        return false;
    }

    std::vector<PartialAlignment> alignments;

private:
    // Compares an alignment with an equal one before it; marks the worse one. Where the same column
    // has joined two sets, they are equal if they were so before.
    void merge(std::size_t place) {
        PartialAlignment& next = alignments[place];
        const std::uint64_t key = next.hash ^ mix(next.column + (std::int64_t(1) << 32));
        const std::size_t other = places_.find_or_add(key, place, [&](std::size_t p) {
            const PartialAlignment& earlier = alignments[p];
            return earlier.column == next.column &&
                   std::equal(next.used, next.used + n_words_, earlier.used);
        });
        if (other == place) return;
        const bool is_better = next.total < alignments[other].total;
        alignments[is_better ? other : place].replaced = true;
        if (is_better) places_.replace(place);
    }

    std::size_t n_words_ = 0;
    bool continues_one_ = true;
    std::vector<std::uint64_t> used_;
    Places places_;  // of alignments, by the columns that they use and their last column
    std::vector<std::uint32_t> order_;
};

class StageSearch {
public:
    StageSearch(const Costs& costs, std::size_t limit) : costs_(costs), limit_(limit) {}

    // Adds the links of the best alignment that it finds to `linked`, the column of every row.
    void find(const FixedLinks& links, const StageBounds& bounds,
              std::vector<std::int32_t>& linked) {
        links_ = &links;
        bounds_ = &bounds;
        // Mostly an alignment costs as little as the bound says. Of several such alignments, all
        // searches return the first one.
        n_options_ = 0;
        const Result least = run(1, bounds.least_of_all() + bounds.rest_of_none[0]);
        if (least.cost != impossible) {
            note_links(least.last);
        } else {
            widen();
        }
        for (const auto& [row, column] : best_links_) linked[row] = column;
    }

private:
    // Number of partial alignments that the first, quick search keeps at every row. The next search
    // keeps eight times as many, and so on up to the limit.
    static constexpr std::size_t narrow = 4;

    // Most ways to continue a partial alignment that a search compares to be exact. Where some
    // component has no order, bounds are weak.
    static constexpr std::size_t effort = std::size_t(1) << 17;
    static constexpr std::size_t effort_without_order = std::size_t(1) << 22;

    static constexpr std::size_t may_drop = std::size_t(-1);

    struct Taken {
        std::int32_t row, column, before;
    };

    struct Result {
        std::uint64_t cost;
        std::int32_t last;
        bool exact;
    };

    // Searches with more and more partial alignments until the result is exact, or it takes too
    // long. The best result so far bounds the costs of a search that gives up where it would not be
    // exact.
    void widen() {
        n_options_ = 0;
        best_links_.clear();
        std::uint64_t best = impossible;
        for (std::size_t width = std::min(narrow, limit_);; width = std::min(8 * width, limit_)) {
            const std::size_t before = n_options_;
            const Result some = run(width, best);
            const std::size_t compared = n_options_ - before;
            if (some.exact || some.cost < best) note_links(some.last);
            if (some.exact) return;
            if (some.cost < best) {
                best = some.cost;
                const Result all = run(limit_, best, n_options_ + effort_of(*links_));
                if (all.exact) return note_links(all.last);
            }
            if (width == limit_ || 16 * compared > effort_of(*links_)) return;
        }
    }

    static std::size_t effort_of(const FixedLinks& links) {
        for (std::size_t c = 0; c < links.is_open.size(); ++c) {
            if (links.is_open[c] && !links.is_ordered(c)) return effort_without_order;
        }
        return effort;
    }

    // Keeps at most `width` partial alignments at every row, and none that must cost more than
    // `most`. If there is a last option, it ends without a result after that, or where it would have
    // to drop others.
    Result run(std::size_t width, std::uint64_t most, std::size_t last_option = may_drop) {
        most_ = most;
        taken_.clear();
        pending_.assign(links_->n_words(), 0);
        first_pending_ = links_->n_words();
        layer_.clear(links_->n_words(), true);
        layer_.start(bounds_->least_of_all());
        bool exact = true;
        for (std::size_t row = 0; row < links_->n_rows(); ++row) {
            if (is_open(row)) {
                const Need& need = bounds_->needs[row];
                if (need.starts != no_column) start_pending(std::size_t(need.starts));
                following_.clear(links_->n_words(), layer_.alignments.size() == 1);
                extend_open(row);
                exact &= following_.keep_best(width);
                following_.settle();
                layer_.swap(following_);
                take(row);
                if (need.ends != no_column) end_pending(std::size_t(need.ends));
            } else {
                extend_fixed(row);
                // Alignments that have used other columns do not meet until an open row.
                if (row && is_open(row - 1)) layer_.merge();
                layer_.keep_best(width);
            }
            if (n_options_ > last_option || (!exact && last_option != may_drop)) {
                return {impossible, -1, false};
            }
        }
        const auto& alignments = layer_.alignments;
        if (alignments.empty()) return {impossible, -1, false};
        const PartialAlignment& best = *std::min_element(
            alignments.begin(), alignments.end(),
            [](const PartialAlignment& a, const PartialAlignment& b) { return a.cost < b.cost; });
        return {best.cost, best.last, exact};
    }

    bool is_open(std::size_t row) const { return links_->component_of[row] >= 0; }

    void start_pending(std::size_t column) {
        mteval::add(pending_.data(), column);
        first_pending_ = std::min(first_pending_, column / 64);
    }

    void end_pending(std::size_t column) {
        mteval::remove(pending_.data(), column);
        while (first_pending_ < pending_.size() && !pending_[first_pending_]) ++first_pending_;
    }

    // Fills the following layer with all ways to continue with an open row: each link from the
    // left, then no link.
    void extend_open(std::size_t row) {
        const std::int32_t c = links_->component_of[row];
        if (links_->is_ordered(c)) {
            extend_in_order(row, c);
        } else {
            extend_freely(row, c);
        }
    }

    // Continues all alignments with a fixed row.
    void extend_fixed(std::size_t row) {
        const std::int32_t column = links_->columns[row];
        const std::uint64_t rest = column == no_column ? bounds_->rest_of_none[row + 1]
                                                       : bounds_->rest[bounds_->first_cell[row]];
        for (PartialAlignment& alignment : layer_.alignments) {
            const bool starts = column != no_column && column != alignment.column + 1;
            alignment.cost += costs_.chunk * starts;
            alignment.total = alignment.cost + rest;
            alignment.column = column;
            alignment.replaced = alignment.total > most_;
        }
        n_options_ += layer_.alignments.size();
    }

    // Continues with columns to the right of those in use that leave enough columns for the other
    // rows of the component.
    void extend_in_order(std::size_t row, std::size_t c) {
        const Component& component = links_->components.components[c];
        const bool fewer_rows = component.fewer_rows();
        const std::size_t ordinal = links_->components.ordinal[row];
        const Need& need = bounds_->needs[row];
        const std::size_t first_cell = bounds_->first_cell[row], n_words = links_->n_words();
        const std::uint64_t rest_of_none = bounds_->rest_of_none[row + 1];
        const std::uint64_t* least = bounds_->least(c, ordinal, component.n_columns);
        const std::uint64_t* least_after = bounds_->least(c, ordinal + 1, component.n_columns);
        for (const PartialAlignment& alignment : layer_.alignments) {
            const std::size_t b = n_used_up(alignment, c), n_before = n_options_;
            const std::uint64_t cost = alignment.cost - least[b];
            Pending pending(*this, alignment);
            for (std::size_t taken = b; taken < component.n_columns; ++taken) {
                const std::size_t column = component.columns[taken];
                const std::uint64_t then = least_after[taken + 1];
                if (then == impossible || (taken > b && !fewer_rows)) break;
                const std::size_t crossings =
                    fewer_rows ? count_between(alignment.used, column,
                                               std::min(alignment.end, std::size_t(need.last)))
                               : 0;  // it was bound to cross them
                add_link(alignment, column, first_cell + taken, cost + then,
                         crossings + pending.before(column));
            }
            if (!fewer_rows && least_after[b] != impossible) {
                add(alignment, no_column, cost + least_after[b], rest_of_none);
            }
            pulse_.beat(n_words * (n_options_ - n_before + 1));
        }
    }

    void extend_freely(std::size_t row, std::size_t c) {
        const Component& component = links_->components.components[c];
        const std::uint64_t *columns = links_->components.columns[c], *mask = links_->mask(row);
        const std::size_t n_words = links_->n_words();
        const std::size_t n_after = component.n_rows - links_->components.ordinal[row] - 1;
        const std::uint64_t rest_of_none = bounds_->rest_of_none[row + 1];
        for (const PartialAlignment& alignment : layer_.alignments) {
            pulse_.beat(n_words * component.n_columns);
            const std::uint64_t* used = alignment.used;
            Pending pending(*this, alignment);
            const std::size_t missing =  // links until a complete component has a largest set
                component.complete ? component.size() - count_both(used, columns, n_words) : 1;
            for (std::size_t w = 0; missing && w < n_words; ++w) {
                for_each_position(mask[w] & ~used[w], 64 * w, [&](std::size_t column) {
                    const std::size_t cell = bounds_->cell(*links_, row, column);
                    const std::size_t crossings = count_between(used, column, alignment.end);
                    add_link(alignment, column, cell, alignment.cost,
                             crossings + pending.before(column));
                });
            }
            if (!component.complete) {
                add(alignment, no_column, alignment.cost + costs_.missing, rest_of_none);
            } else if (n_after >= missing) {
                add(alignment, no_column, alignment.cost, rest_of_none);
            }
        }
    }

    // Number of columns of a component up to the last one that an alignment uses.
    std::size_t n_used_up(const PartialAlignment& alignment, std::size_t c) const {
        const std::uint64_t* columns = links_->components.columns[c];
        for (std::size_t w = words_for(alignment.end); w-- > 0;) {
            const std::uint64_t mine = alignment.used[w] & columns[w];
            if (mine) return links_->components.column_ordinal[64 * w + highest(mine)] + 1;
        }
        return 0;
    }

    // Counts the columns that still need a link in an alignment, on the left of one column after the
    // other, which ascend.
    class Pending {
    public:
        Pending(const StageSearch& search, const PartialAlignment& alignment)
            : pending_(search.pending_.data()), used_(alignment.used), w_(search.first_pending_) {}

        std::size_t before(std::size_t column) {
            for (; w_ < column / 64; ++w_) sum_ += count(pending_[w_] & ~used_[w_]);
            if (w_ > column / 64) return 0;
            const std::uint64_t below = (std::uint64_t(1) << column % 64) - 1;
            return sum_ + count(pending_[w_] & ~used_[w_] & below);
        }

    private:
        const std::uint64_t *pending_, *used_;
        std::size_t w_, sum_ = 0;
    };

    // Adds an alignment with a link of an open row. `cost` does not include the crossings of the
    // link, or a new chunk. `crossings`: with links that it was not bound to cross.
    void add_link(const PartialAlignment& from, std::size_t column, std::size_t cell,
                  std::uint64_t cost, std::size_t crossings) {
        const bool starts = std::int32_t(column) != from.column + 1;
        cost += bounds_->alone[cell] + costs_.chunk * starts + costs_.crossing * crossings;
        add(from, std::int32_t(column), cost, bounds_->rest[cell]);
    }

    // Adds an alignment to the following layer, unless it must cost too much.
    void add(const PartialAlignment& from, std::int32_t column, std::uint64_t cost,
             std::uint64_t rest) {
        ++n_options_;
        if (cost + rest > most_) return;
        following_.add({cost, cost + rest, column, from.last, from.used, from.end, from.hash, false});
    }

    // Notes the links that the kept alignments have taken in a row.
    void take(std::size_t row) {
        for (PartialAlignment& alignment : layer_.alignments) {
            if (alignment.column == no_column) continue;
            taken_.push_back({std::int32_t(row), alignment.column, alignment.last});
            alignment.last = std::int32_t(taken_.size() - 1);
        }
    }

    void note_links(std::int32_t last) {
        best_links_.clear();
        for (; last >= 0; last = taken_[last].before) {
            best_links_.emplace_back(taken_[last].row, taken_[last].column);
        }
    }

    const Costs costs_;
    const std::size_t limit_;
    const FixedLinks* links_ = nullptr;
    const StageBounds* bounds_ = nullptr;
    std::uint64_t most_ = impossible;
    std::size_t n_options_ = 0;
    Pulse pulse_;
    Layer layer_, following_;
    std::vector<std::uint64_t> pending_;  // columns that need a link and may have it
    std::size_t first_pending_ = 0;       // the first word of them that is not 0
    std::vector<Taken> taken_;  // links of all alignments, each with the one before it
    std::vector<std::pair<std::int32_t, std::int32_t>> best_links_;
};

}  // namespace mteval
