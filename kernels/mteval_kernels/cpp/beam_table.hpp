// The table of edit distances within a beam: an alignment is not continued from a cell with many
// more edits than the best cell reached by a diagonal step in the same column.
//
// A cell is a small number: the best of its column is `best_`, and all cells from which no step
// leads on are `dead_`, the largest number of n_planes_ bits. A column keeps one word for each bit
// of 64 cells, its planes, and computes with all of them at once. A dead cell is taken for one edit
// more than the limit. This is right as long as it matches nothing, because neighbors differ by one
// and the limit rises by at most one in each column. (It rises by two where the last row is better
// than all others; then the cells that only dead cells have reached are removed.)
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "edit_distance.hpp"
#include "limits.hpp"
#include "match_table.hpp"
#include "pulse.hpp"

namespace mteval {

// Most cells in all alignments after shifts that a search tries.
constexpr std::size_t max_cells = std::size_t(1) << 32;

// The columns for all beginnings of a hypothesis, and the number of edits of other orders of its
// tokens, for which only the columns that differ are filled.
class BeamTable {
public:
    using Edits = std::int32_t;
    static constexpr Edits far = 1 << 29;
    static constexpr Edits max_slack = 9;

    // Tables whose beams differ by `slack`, up to max_slack, can be compared.
    void start(const MatchTable& matches, std::size_t h, std::int64_t beam, Edits slack = 0) {
        matches_ = &matches;
        r_ = matches.length();
        n_words_ = words_for(r_ + 1);
        beam_ = Edits(std::min(beam, std::int64_t(h + r_)));
        n_planes_ = usual_planes;
        while ((1 << n_planes_) < beam_ + max_slack + 3) ++n_planes_;
        beam_ += slack;
        dead_ = (1 << n_planes_) - 1;
        best_ = dead_ - 1 - beam_;
        cells_.resize(n_words_ * n_planes_);
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
            begin();
        }
        keep();
        for (std::size_t j = first; j + 1 < order.size(); ++j) {
            advance(order[j]);
            keep();
        }
        edits_ = order.empty() ? Edits(r_) : end(order.back());
    }

    Edits edits() const { return edits_; }
    Edits beam() const { return beam_; }

    // The best cell of column j that a diagonal step has reached.
    Edits reached(std::size_t j) const { return columns_[j].reached; }

    // Number of edits in row i of column j, which must not be the last; `far` beyond the beam.
    Edits cell(std::size_t j, std::size_t i) const {
        return j ? cell(columns_[j], kept(columns_[j]), i) : Edits(i);
    }

    // The same in the present column of an alignment to try.
    Edits cell(std::size_t i) const {
        return cell(column_, &cells_[column_.from * n_planes_], i);
    }

    // Whether all cells of the present column have at least `more` edits more than those of column
    // j of another table, in which they are within the beam.
    bool is_above(const BeamTable& other, std::size_t j, Edits more) const {
        return n_planes_ == usual_planes ? is_above<usual_planes>(other, j, more)
                                         : is_above<0>(other, j, more);
    }

    // Whether column j had, before it was last filled, the same cells but for a constant.
    bool was_parallel(std::size_t j) const {
        return j == columns_.size() ||
               is_parallel(columns_[j], kept(columns_[j]), old_columns_[j],
                           old_kept_.data() + old_columns_[j].cells);
    }

    // Number of edits after a rotation, or `most` if is_useless(j) says of a column j that there are
    // not fewer. `end` is the number of columns on which this depends: from the first column on whose
    // cells are those of the table but for a constant, nothing has to be filled any more.
    template <class IsUseless>
    Edits edits_after(const TokenOrder& order, Rotation rotation, Edits most, std::size_t& end,
                      IsUseless is_useless) {
        const auto [first, middle, last] = rotation;
        const bool is_at_end = last == Index(order.size());
        restore(columns_[std::size_t(first)], kept_);
        for (auto j = middle; j < last; ++j) advance(order[j]);
        for (auto j = first; j < middle - is_at_end; ++j) advance(order[j]);
        check_count(order.size(), r_, n_cells_, max_cells, "cells in alignments to try");
        end = std::size_t(last);
        if (is_at_end) return this->end(order[middle - 1]);
        for (; end + 1 < order.size(); ++end) {
            if (is_parallel(column_, cells_.data() + column_.from * n_planes_, columns_[end],
                            kept(columns_[end]))) {
                return edits_ + column_.reached - columns_[end].reached;
            }
            if (is_useless(end)) {
                end = order.size();
                return most;
            }
            advance(order[end]);
        }
        return this->end(order[end++]);
    }

    enum Step { match, substitution, insertion, deletion };

    // Follows the cheapest alignment back. Calls visit(j, i, step) for the step to every cell.
    template <class Visit>
    void trace(const TokenOrder& order, Visit visit) const {
        std::size_t j = order.size(), i = r_;
        for (Edits edits = edits_; i || j;) {
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
    using Index = std::int64_t;
    static constexpr std::size_t usual_planes = 5;  // of a beam of 20

    // The words of rows from which steps lead on, with the place of their planes among those that
    // are kept; and the best cell that a diagonal step has reached.
    struct Column {
        std::size_t from, to;
        Edits reached;
        std::size_t cells;
    };

    // The first column, which has no limit. The number of edits of a row is the row itself. The
    // next column needs only the first rows of it.
    void begin() {
        const std::size_t n = std::min(r_, std::size_t(beam_) + 1) + 1;
        column_ = {0, (n - 1) / 64, 1, 0};
        is_first_ = true;
        std::fill_n(cells_.begin(), (column_.to + 1) * n_planes_, ~std::uint64_t{0});
        for (std::size_t i = 0; i < n; ++i) {
            const unsigned missing = unsigned(dead_ - best_ + 1) - unsigned(i);
            for (std::size_t p = 0; p < n_planes_; ++p) {
                cells_[i / 64 * n_planes_ + p] ^= std::uint64_t(missing >> p & 1) << i % 64;
            }
        }
    }

    void keep() {
        column_.cells = kept_.size();
        columns_.push_back(column_);
        kept_.insert(kept_.end(), cells_.begin() + std::ptrdiff_t(column_.from * n_planes_),
                     cells_.begin() + std::ptrdiff_t((column_.to + 1) * n_planes_));
    }

    void restore(const Column& column, const std::vector<std::uint64_t>& kept) {
        column_ = column;
        is_first_ = column.cells == 0;
        std::copy_n(kept.data() + column.cells, (column.to - column.from + 1) * n_planes_,
                    cells_.data() + column.from * n_planes_);
    }

    const std::uint64_t* kept(const Column& column) const { return kept_.data() + column.cells; }

    bool is_parallel(const Column& one, const std::uint64_t* cells, const Column& other,
                     const std::uint64_t* other_cells) const {
        return one.from == other.from && one.to == other.to &&
               std::equal(cells, cells + (one.to - one.from + 1) * n_planes_, other_cells);
    }

    Edits cell(const Column& column, const std::uint64_t* planes, std::size_t i) const {
        if (i / 64 < column.from || i / 64 > column.to) return far;
        planes += (i / 64 - column.from) * n_planes_;
        unsigned number = 0;
        for (std::size_t p = 0; p < n_planes_; ++p) number |= unsigned(planes[p] >> i % 64 & 1) << p;
        return Edits(number) == dead_ ? far : Edits(number) - best_ + column.reached;
    }

    // The cells that are less than those of others plus a number.
    template <std::size_t known>
    std::uint64_t less(const std::uint64_t* planes, const std::uint64_t* others, Edits more) const {
        const std::size_t n_planes = known ? known : n_planes_;
        std::uint64_t carry = 0, borrow = 0, difference = 0;
        for (std::size_t p = 0; p < n_planes + 2; ++p) {
            const std::uint64_t cells = p < n_planes ? planes[p] : 0;
            const std::uint64_t other = p < n_planes ? others[p] : 0;
            const std::uint64_t bit = std::uint64_t(0) - std::uint64_t(-more >> p & 1);
            const std::uint64_t sum = cells ^ bit ^ carry;
            carry = (cells & bit) | (carry & (cells | bit));
            difference = sum ^ other ^ borrow;
            borrow = (~sum & other) | (borrow & ~(sum ^ other));
        }
        return difference;
    }

    // The cells that are a number. `known` is the number of planes, or 0 if the compiler need not
    // know it.
    template <std::size_t known>
    std::uint64_t equal(const std::uint64_t* planes, Edits number) const {
        const std::size_t n_planes = known ? known : n_planes_;
        std::uint64_t cells = ~std::uint64_t{0};
        for (std::size_t p = 0; p < n_planes; ++p) {
            cells &= planes[p] ^ (std::uint64_t(number >> p & 1) - 1);
        }
        return cells;
    }

    template <std::size_t known>
    bool is_above(const BeamTable& other, std::size_t j, Edits more) const {
        const std::size_t n_planes = known ? known : n_planes_;
        const Column& column = other.columns_[j];
        if (column_.from < column.from || column_.to > column.to) return false;
        const Edits all = 1 << n_planes;
        const Edits least = std::clamp(
            more + column.reached - other.best_ - column_.reached + best_, -all, all);
        const std::uint64_t* others = other.kept(column) + (column_.from - column.from) * n_planes;
        for (std::size_t w = column_.from; w <= column_.to; ++w, others += n_planes) {
            const std::uint64_t* const planes = &cells_[w * n_planes];
            const std::uint64_t wrong =
                less<known>(planes, others, least) | equal<known>(others, dead_);
            if (wrong & ~equal<known>(planes, dead_)) return false;
        }
        return true;
    }

    // How much more edits the best diagonal step reaches than in the column before. Diagonal steps
    // lead on from all rows but the last.
    template <std::size_t known>
    Edits rise(const std::uint64_t* matches) const {
        for (Edits level = is_first_ ? -1 : 0; level <= std::min(1, beam_); ++level) {
            std::uint64_t sources = 0, hits = 0;
            for (std::size_t w = column_.from; w <= column_.to && 64 * w < r_; ++w) {
                std::uint64_t here = equal<known>(&cells_[w * n_planes_], best_ + level);
                if (r_ < 64 * (w + 1)) here &= (std::uint64_t(1) << r_ % 64) - 1;
                sources |= here;
                hits |= here & matches[w];
            }
            if (sources) return level + !hits;
        }
        return 1;
    }

    // Continues with the column of a token, which must not be the last.
    void advance(std::int64_t token) {
        n_planes_ == usual_planes ? advance<usual_planes>(token) : advance<0>(token);
    }

    template <std::size_t known>
    void advance(std::int64_t token) {
        const std::size_t n_planes = known ? known : n_planes_;
        const std::uint64_t* const matches = (*matches_)[std::size_t(token)];
        auto& [from, to, reached, _] = column_;
        const Edits rise = this->rise<known>(matches);
        reached += rise;
        is_first_ = false;
        if (to + 1 < n_words_) {
            ++to;
            std::fill_n(&cells_[to * n_planes], n_planes, ~std::uint64_t{0});
        }
        pulse_.beat(8 * (to - from + 1));
        n_cells_ += 64 * (to - from + 1);
        // Above the window all cells are dead. Above the table there may be copies of the first.
        Above above{0, ~std::uint64_t{0}, ~std::uint64_t{0}, 1, 0};
        if (!from) above = {0, cells_[0] << 63, cells_[1] << 63, 1, 0};
        for (std::size_t w = from; w <= to; ++w) {
            advance<known>(&cells_[w * n_planes], 64 * w < r_ ? matches[w] : 0, rise, above);
        }
        if (to + 1 == n_words_) {
            for (std::size_t p = 0; p < n_planes; ++p) {
                cells_[to * n_planes + p] |= ~std::uint64_t{1} << r_ % 64;
            }
        }
        while (from < to && is_dead<known>(from)) ++from;
        while (from < to && is_dead<known>(to)) --to;
    }

    template <std::size_t known>
    bool is_dead(std::size_t w) const {
        return equal<known>(&cells_[w * (known ? known : n_planes_)], dead_) == ~std::uint64_t{0};
    }

    // What 64 rows need to know of the row above, which is the highest bit: whether it matches the
    // row below, its two lowest planes, its difference to the column before, and whether it is the
    // last within the limit but one.
    struct Above {
        std::uint64_t matches, low, high;
        int right;
        std::uint64_t near;
    };

    template <std::size_t known>
    void advance(std::uint64_t* planes, std::uint64_t matches, Edits rise, Above& above) const {
        const std::size_t n_planes = known ? known : n_planes_;
        const auto shifted = [](std::uint64_t rows, std::uint64_t& above) {
            const std::uint64_t result = rows << 1 | above >> 63;
            above = rows;
            return result;
        };
        matches &= ~equal<known>(planes, dead_);
        const std::uint64_t low = planes[0], high = planes[1];
        const std::uint64_t low_above = shifted(low, above.low);
        // Rows that are less than the row above may be two less, which makes no difference.
        const std::uint64_t less = high ^ shifted(high, above.high) ^ (~low & low_above);
        const EditColumn column{(low ^ low_above) & ~less, less};
        const std::uint64_t diagonal =
            column.diagonal(shifted(matches, above.matches), above.right < 0);
        const std::uint64_t right_more = column.less | ~(diagonal | column.more);
        const std::uint64_t right_less = column.more & diagonal;
        above.right = int(right_more >> 63) - int(right_less >> 63);

        // Adds 1, 0 or -1, minus the rise, to all numbers: the bits of the summand are these.
        const std::uint64_t odd = std::uint64_t(0) - std::uint64_t(rise & 1);
        const std::uint64_t rises = std::uint64_t(0) - std::uint64_t(rise > 0);
        std::uint64_t bit = (right_more | right_less) ^ odd;
        const std::uint64_t second = (odd ? right_more : right_less) ^ rises;
        const std::uint64_t sign = rise < 0 ? 0 : rise > 1 ? ~std::uint64_t{0} : second;
        std::uint64_t carry = 0;
        for (std::size_t p = 0; p < n_planes; ++p) {
            const std::uint64_t changed = planes[p] ^ bit;
            const std::uint64_t both = planes[p] & bit;
            planes[p] = changed ^ carry;
            carry = both | (changed & carry);
            bit = p ? sign : second;
        }
        std::uint64_t dead = carry & ~sign;
        if (rise > 1) {
            const std::uint64_t near = equal<known>(planes, dead_ - 2);
            dead = equal<known>(planes, dead_ - 1) & ~shifted(near, above.near);
        }
        for (std::size_t p = 0; p < n_planes; ++p) planes[p] |= dead;
    }

    // Number of edits after the last token. In the last column, all steps lead on.
    Edits end(std::int64_t token) const {
        Edits edits = far;
        const std::size_t last = is_first_ ? r_ : std::min(r_, 64 * column_.to + 63);
        for (std::size_t i = 64 * column_.from; i <= last; ++i) {
            const Edits here = is_first_ ? Edits(i) : cell(i);
            const Edits step = i == r_ ? 1 : -Edits(matches_->has(std::size_t(token), i));
            edits = std::min(edits, here + Edits(r_ - i) + step);
        }
        return edits;
    }

    Pulse pulse_;
    const MatchTable* matches_ = nullptr;
    std::size_t r_ = 0, n_words_ = 0, n_planes_ = 0;
    Edits beam_ = 0, best_ = 0, dead_ = 0;
    Column column_{};  // the present one, whose planes are cells_
    bool is_first_ = false;
    std::size_t n_cells_ = 0;
    Edits edits_ = 0;
    std::vector<std::uint64_t> cells_;  // by word of rows, and plane
    std::vector<Column> columns_, old_columns_;
    std::vector<std::uint64_t> kept_, old_kept_;
};

}  // namespace mteval
