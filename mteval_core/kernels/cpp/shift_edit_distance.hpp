// Edit distance with shifts: moving a stretch of tokens counts as one edit. The documentation in
// twins/shift_edit_distance.py describes the search.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "edit_distance.hpp"
#include "limits.hpp"
#include "masks.hpp"
#include "pulse.hpp"
#include "split_distances.hpp"
#include "texts.hpp"

namespace mteval {

// Most pairs of equal tokens. The number of shifts to try grows with it.
constexpr std::size_t max_equal_pairs = std::size_t(1) << 22;

// Most tokens of the hypothesis in all alignments after shifts that the search tries.
constexpr std::size_t max_aligned = std::size_t(1) << 23;

struct ShiftLimits {
    std::int64_t max_size, max_distance, beam;
};

struct ShiftedEdits {
    std::int64_t insertions, deletions, substitutions, shifts, shifted;
};

// Searches for the shifts of a hypothesis towards a reference.
class ShiftSearch {
public:
    using Index = std::int64_t;

    explicit ShiftSearch(ShiftLimits limits) : limits_(limits) {}

    ShiftedEdits run(Text hypothesis, Text reference) {
        start(hypothesis, reference);
        check_count(hypothesis.length, reference.length, count_equal_pairs(), max_equal_pairs,
                    "pairs of equal tokens");
        n_aligned_ = 0;
        const Index least = fewest_edits();
        Index shifts = 0, shifted = 0;
        align(words_, alignment_);
        while (alignment_.edits > least) {
            const Index size = shift(least);
            if (!size) break;
            ++shifts;
            shifted += size;
        }
        const Index substitutions =
            alignment_.edits - alignment_.insertions - alignment_.deletions;
        return {alignment_.insertions, alignment_.deletions, substitutions, shifts, shifted};
    }

private:
    using Words = std::vector<Index>;  // positions in the original hypothesis

    struct Alignment {
        Index edits, insertions, deletions;
        // Number of errors before each position of the hypothesis, and of the reference.
        std::vector<Index> errors, copy_errors;
        // For every reference token, the position of the hypothesis token with which it is aligned;
        // for a deleted token, that of the last token before it, or -1 at the front.
        std::vector<Index> places;
    };

    // A stretch of equal tokens, from `start` in the hypothesis and `copy` in the reference.
    struct Copy {
        Index start, copy, length;
    };

    // Exchanges the tokens first:middle with the tokens middle:last.
    struct Rotation {
        Index first, middle, last;
    };

    void start(Text hypothesis, Text reference) {
        hypothesis_ = hypothesis;
        reference_ = reference;
        words_.resize(hypothesis.length);
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] = Index(i);
        n_blocks_ = words_for(reference.length);
        matches_.assign(hypothesis.length * n_blocks_, 0);
        std::size_t b = 0;
        for_each_block(reference, [&](Text block) {
            masks_.assign(block);
            for (std::size_t i = 0; i < hypothesis.length && n_blocks_; ++i) {
                matches_[i * n_blocks_ + b] = masks_[hypothesis.tokens[i]];
            }
            ++b;
        });
    }

    // 0 if there cannot be too many.
    std::size_t count_equal_pairs() const {
        const bool few = hypothesis_.length * reference_.length <= max_equal_pairs;
        return few ? 0 : count(matches_.data(), matches_.size());
    }

    bool is_long() const { return n_blocks_ > longest_from_front; }

    // Number of edits that the tokens of the hypothesis need in any order.
    Index fewest_edits() {
        free_.assign(n_blocks_, ~std::uint64_t{0});
        std::size_t matched = 0;
        for (std::size_t i = 0; i < hypothesis_.length; ++i) {
            for (std::size_t b = 0; b < n_blocks_; ++b) {
                const std::uint64_t places = matches_[i * n_blocks_ + b] & free_[b];
                if (!places) continue;
                free_[b] ^= lowest_bit(places);
                ++matched;
                break;
            }
        }
        return Index(std::max(hypothesis_.length, reference_.length) - matched);
    }

    // Makes the best shift if it leaves fewer edits. Returns its size, or 0.
    Index shift(Index least) {
        keep_columns();
        find_copies();
        if (is_long()) {
            split();
            keep_beam();
        }
        pulse_.beat(copies_.size() * words_.size());
        Index edits = alignment_.edits, size_of_best = 0;
        for_each_candidate([&](Index size, Index start, Rotation rotation) {
            if (edits == least || alignment_.edits - edits > 2 * size) return false;
            if (is_long() ? edits_of_long(size, start, rotation, edits) >= edits
                          : distance(rotation) >= edits) {
                return true;
            }
            n_aligned_ += words_.size();
            check_count(words_.size(), reference_.length, n_aligned_, max_aligned,
                        "tokens in alignments to try");
            if (is_long() && edits_in_beam(rotation) >= edits) return true;
            candidate_ = words_;
            std::rotate(candidate_.begin() + rotation.first, candidate_.begin() + rotation.middle,
                        candidate_.begin() + rotation.last);
            align(candidate_, shifted_alignment_);
            if (shifted_alignment_.edits < edits) {
                edits = shifted_alignment_.edits;
                std::swap(best_, shifted_alignment_);
                std::swap(best_words_, candidate_);
                size_of_best = size;
            }
            return true;
        });
        if (size_of_best) {
            std::swap(alignment_, best_);
            std::swap(words_, best_words_);
        }
        return size_of_best;
    }

    void find_copies() {
        copies_.clear();
        const Index h = Index(hypothesis_.length), r = Index(reference_.length);
        for (Index start = 0; start < h; ++start) {
            for_each_position(matches_of(words_[start]), n_blocks_, [&](std::size_t position) {
                const Index copy = Index(position);
                if (std::abs(alignment_.places[copy] - start) > limits_.max_distance) return;
                const Index most = std::min({limits_.max_size, h - start, r - copy});
                Index length = 0;
                while (length < most && is_match(words_[start + length], copy + length)) ++length;
                copies_.push_back({start, copy, length});
            });
        }
    }

    // The reference positions that hold a word.
    const std::uint64_t* matches_of(Index word) const { return &matches_[word * n_blocks_]; }

    bool is_match(Index word, Index copy) const { return has(matches_of(word), copy); }

    // Calls visit(size, start, rotation) for every shift to try, in order, until it returns false.
    template <class Visit>
    void for_each_candidate(Visit visit) const {
        const auto& [edits, insertions, deletions, errors, copy_errors, places] = alignment_;
        const Index h = Index(hypothesis_.length);
        Index longest = 0;
        for (const Copy& c : copies_) longest = std::max(longest, c.length);
        for (Index size = longest; size > 0; --size) {
            for (const auto& [start, copy, length] : copies_) {
                const Index end = start + size;
                if (size > length || (start <= places[copy] && places[copy] < end) ||
                    errors[start] == errors[end] || copy_errors[copy] == copy_errors[copy + size]) {
                    continue;
                }
                Index tried = start - 1;  // where the stretch is already
                for (Index c = copy - 1; c < copy + size; ++c) {
                    const Index place = c < 0 ? -1 : places[c];
                    if (place == tried || place == start) continue;
                    tried = place;
                    const Rotation rotation =
                        place < start ? Rotation{place + 1, start, end}
                        : place < end ? Rotation{start, end, std::min(h, end + place - start)}
                                      : Rotation{start, end, place + 1};
                    if (!visit(size, start, rotation)) return;
                }
            }
        }
    }

    // Keeps every column of the table of distances, so that a shift need not start at the front.
    void keep_columns() {
        columns_.resize((words_.size() + 1) * n_blocks_);
        distances_.resize(words_.size() + 1);
        std::fill_n(columns_.begin(), n_blocks_, EditColumn{});
        distances_[0] = Index(reference_.length);
        for (std::size_t j = 0; j < words_.size(); ++j) {
            std::copy_n(columns_.begin() + j * n_blocks_, n_blocks_,
                        columns_.begin() + (j + 1) * n_blocks_);
            distances_[j + 1] = distances_[j] + advance(&columns_[(j + 1) * n_blocks_], words_[j]);
        }
    }

    int advance(EditColumn* column, Index word) const {
        const std::uint64_t* matches = matches_of(word);
        int step = 1;
        for (std::size_t b = 0; b + 1 < n_blocks_; ++b) {
            step = column[b].advance(matches[b], step, 63);
        }
        const unsigned last = unsigned(reference_.length - 1) % 64;
        return column[n_blocks_ - 1].advance(matches[n_blocks_ - 1], step, last);
    }

    // Edit distance of the rotated hypothesis.
    Index distance(Rotation rotation) {
        const auto [first, middle, last] = rotation;
        column_.resize(n_blocks_);
        std::copy_n(columns_.begin() + first * n_blocks_, n_blocks_, column_.begin());
        Index edits = distances_[first];
        for (Index j = middle; j < last; ++j) edits += advance(column_.data(), words_[j]);
        for (Index j = first; j < middle; ++j) edits += advance(column_.data(), words_[j]);
        for (Index j = last; j < Index(words_.size()); ++j) {
            edits += advance(column_.data(), words_[j]);
        }
        return edits;
    }

    // Finds the rows of every column through which an alignment with few enough edits may lead. A
    // shift of n tokens saves at most 2 n edits.
    void split() {
        splits_.find(words_.size(), reference_.length,
                     [this](std::size_t j, std::size_t i) { return is_match(words_[j], Index(i)); });
        Index longest = 0;
        for (const Copy& copy : copies_) longest = std::max(longest, copy.length);
        const Index most = alignment_.edits + 2 * longest;
        rows_.assign(words_.size() + 1, {Index(reference_.length) + 1, -1});
        for (std::size_t j = 0; j <= words_.size(); ++j) {
            pulse_.beat(reference_.length);
            const auto *before = splits_.before(j), *after = splits_.after(j);
            for (Index i = 0; i <= Index(reference_.length); ++i) {
                if (before[i] + after[i] >= most) continue;
                rows_[j].first = std::min(rows_[j].first, i);
                rows_[j].last = i;
            }
        }
        start_without_ = -1;
    }

    // Edit distance of the rotated hypothesis, which moves `size` tokens from `start`; or any
    // number that is not below `most`, if the distance is not. Fills the table only between the
    // first and the last column that change, and between the rows that matter.
    Index edits_of_long(Index size, Index start, Rotation rotation, Index most) {
        if (edits_without(start, size) - size >= most) return most;
        const auto [first, middle, last] = rotation;
        if (rows_[first].first > rows_[last].last) return most;
        const std::size_t b = std::min(std::size_t(rows_[first].first) / 64, n_blocks_ - 1);
        const std::size_t n = std::max(words_for(std::size_t(rows_[last].last)), b + 1) - b;
        pulse_.beat(n * (last - first));
        column_.assign(&columns_[first * n_blocks_ + b], &columns_[first * n_blocks_ + b] + n);
        for (Index j = middle; j < last; ++j) advance(b, n, words_[j]);
        for (Index j = first; j < middle; ++j) advance(b, n, words_[j]);

        const std::uint16_t* after = splits_.after(last) + 64 * b;
        Index edits = splits_.before(first)[64 * b] + last - first;
        Index best = edits + after[0];
        const std::size_t n_rows = std::min(64 * n, reference_.length - 64 * b);
        for (std::size_t i = 0; i < n_rows; ++i) {
            const EditColumn& column = column_[i / 64];
            edits += Index(column.more >> i % 64 & 1) - Index(column.less >> i % 64 & 1);
            best = std::min(best, edits + after[i + 1]);
        }
        return best;
    }

    // Edit distance without the tokens from `start`, if it matters.
    Index edits_without(Index start, Index size) {
        if (start == start_without_ && size == size_without_) return edits_without_;
        start_without_ = start;
        size_without_ = size;
        edits_without_ = std::numeric_limits<Index>::max();
        const auto *before = splits_.before(start), *after = splits_.after(start + size);
        for (Index i = rows_[start].first; i <= rows_[start].last; ++i) {
            edits_without_ = std::min<Index>(edits_without_, before[i] + after[i]);
        }
        return edits_without_;
    }

    // Continues n blocks of the column, from block b on, with a word.
    void advance(std::size_t b, std::size_t n, Index word) {
        int step = 1;
        for (std::size_t k = 0; k < n; ++k) {
            step = column_[k].advance(matches_of(word)[b + k], step, 63);
        }
    }

    // The cells of a column that the beam has reached: rows from `from` to `to`. `cells` is their
    // place among the cells that are kept, `reached` the best cell reached by a diagonal step.
    struct Front {
        std::size_t from, to;
        Index reached;
        std::size_t cells;
    };

    // Keeps the cells of every column of the alignment.
    void keep_beam() {
        fronts_.clear();
        kept_cells_.clear();
        cells_.assign(reference_.length + 1, far);
        next_cells_.assign(reference_.length + 1, far);
        cells_[0] = 0;
        front_ = {0, 0, far, 0};
        for (std::size_t j = 0;; ++j) {
            front_.cells = kept_cells_.size();
            fronts_.push_back(front_);
            kept_cells_.insert(kept_cells_.end(), cells_.begin() + front_.from,
                               cells_.begin() + front_.to + 1);
            if (j == words_.size()) return;
            advance_beam(words_[j]);
        }
    }

    // Edits of the rotated hypothesis within the beam. Stops where the cells differ from those of
    // the alignment by a constant only.
    Index edits_in_beam(Rotation rotation) {
        const auto [first, middle, last] = rotation;
        front_ = fronts_[first];
        std::copy_n(kept_cells_.begin() + front_.cells, front_.to - front_.from + 1,
                    cells_.begin() + front_.from);
        for (Index j = middle; j < last; ++j) advance_beam(words_[j]);
        for (Index j = first; j < middle; ++j) advance_beam(words_[j]);
        for (Index j = last; j < Index(words_.size()); ++j) {
            if (is_parallel(fronts_[j])) {
                return alignment_.edits + front_.reached - fronts_[j].reached;
            }
            advance_beam(words_[j]);
        }
        Index edits = far;
        for (std::size_t i = front_.from; i <= front_.to; ++i) {
            edits = std::min(edits, cells_[i] + Index(reference_.length - i));
        }
        return edits;
    }

    bool is_parallel(const Front& kept) const {
        if (front_.from != kept.from || front_.to != kept.to) return false;
        const Index difference = front_.reached - kept.reached;
        for (std::size_t i = kept.from; i <= kept.to; ++i) {
            const Index edits = kept_cells_[kept.cells + i - kept.from];
            if (cells_[i] != (edits == far ? far : edits + difference)) return false;
        }
        return true;
    }

    // Fills a column as align does, without its steps; cells outside the front are not valid.
    void advance_beam(Index word) {
        const std::size_t r = reference_.length;
        const Index limit = std::min(far, front_.reached + std::min(far, limits_.beam));
        std::size_t first = r, last = 0, to = front_.to;
        Index reached = far;
        next_cells_[front_.from] = far;
        pulse_.beat(to - front_.from + 1);
        for (std::size_t i = front_.from; i <= to; ++i) {
            const Index edits = cells_[i];
            if (i < r) next_cells_[i + 1] = far;
            if (edits == far || edits > limit) continue;
            first = std::min(first, i);
            last = i;
            next_cells_[i] = std::min(next_cells_[i], edits + 1);
            if (i == r) continue;
            next_cells_[i + 1] = edits + !is_match(word, Index(i));
            reached = std::min(reached, next_cells_[i + 1]);
            if (i == to) {
                cells_[i + 1] = far;
                to = i + (edits + 1 <= limit);
            }
            cells_[i + 1] = std::min(cells_[i + 1], edits + 1);
        }
        cells_.swap(next_cells_);
        front_ = {first, std::min(last + 1, r), reached, 0};
    }

    enum Step : std::uint8_t { none, match, substitution, insertion, deletion };

    // The cheapest alignment within the beam.
    void align(const Words& words, Alignment& result) {
        const std::size_t h = words.size(), r = reference_.length, n_rows = r + 1;
        steps_.assign((h + 1) * n_rows, none);
        cells_.assign(n_rows, far);
        cells_[0] = 0;
        Index reached = far;
        pulse_.beat(h * n_rows);
        for (std::size_t j = 0; j <= h; ++j) {
            const bool is_last = j == h;
            const Index limit = is_last ? far : std::min(far, reached + std::min(far, limits_.beam));
            reached = far;
            next_cells_.assign(n_rows, far);
            Step* const steps = &steps_[j * n_rows];
            Step* const next_steps = steps + n_rows;  // not used in the last column
            for (std::size_t i = 0; i <= r; ++i) {
                const Index edits = cells_[i];
                if (edits == far || edits > limit) continue;
                if (!is_last) {
                    if (i < r) {
                        const bool matches = is_match(words[j], Index(i));
                        next_cells_[i + 1] = edits + !matches;
                        next_steps[i + 1] = matches ? match : substitution;
                        reached = std::min(reached, next_cells_[i + 1]);
                    }
                    if (edits + 1 < next_cells_[i]) {
                        next_cells_[i] = edits + 1;
                        next_steps[i] = insertion;
                    }
                }
                if (i < r && edits + 1 < cells_[i + 1]) {
                    cells_[i + 1] = edits + 1;
                    steps[i + 1] = deletion;
                }
            }
            if (!is_last) cells_.swap(next_cells_);
        }
        result.edits = cells_[r];
        follow_steps(h, r, result);
    }

    void follow_steps(std::size_t h, std::size_t r, Alignment& result) const {
        result.insertions = result.deletions = 0;
        result.errors.assign(h + 1, 1);
        result.copy_errors.assign(r + 1, 1);
        result.places.assign(r, -1);
        result.errors[0] = result.copy_errors[0] = 0;
        for (std::size_t i = r, j = h; i || j;) {
            const Step step = steps_[j * (r + 1) + i];
            if (step != insertion) result.places[i - 1] = Index(j) - 1;
            if (step == match) result.errors[j] = result.copy_errors[i] = 0;
            result.insertions += step == insertion;
            result.deletions += step == deletion;
            i -= step != insertion;
            j -= step != deletion;
        }
        std::partial_sum(result.errors.begin(), result.errors.end(), result.errors.begin());
        std::partial_sum(result.copy_errors.begin(), result.copy_errors.end(),
                         result.copy_errors.begin());
    }

    static constexpr std::size_t longest_from_front = 2;  // in blocks
    static constexpr Index far = std::numeric_limits<Index>::max() / 4;

    struct Rows {
        Index first, last;
    };

    ShiftLimits limits_;
    std::size_t n_aligned_ = 0;
    Pulse pulse_;
    Text hypothesis_{}, reference_{};
    std::size_t n_blocks_ = 0;  // of 64 reference tokens
    PositionMasks masks_;
    std::vector<std::uint64_t> matches_, free_;  // by hypothesis token and block; by block
    Words words_, candidate_, best_words_;
    Alignment alignment_{}, shifted_alignment_{}, best_{};
    std::vector<Copy> copies_;
    std::vector<EditColumn> columns_, column_;  // by place and block; by block
    std::vector<Index> distances_;              // by place
    SplitDistances splits_;
    std::vector<Rows> rows_;  // by place
    Index start_without_ = -1, size_without_ = 0, edits_without_ = 0;
    std::vector<Index> cells_, next_cells_;
    std::vector<Index> kept_cells_;
    std::vector<Front> fronts_;  // by place
    Front front_{};
    std::vector<Step> steps_;  // by column and row
};

// rows[5 * r + k]: counts of the edits between reference r and its hypothesis.
inline void shift_edit_distance(const Segments& segments, ShiftLimits limits, double* rows) {
    ShiftSearch search(limits);
    for_each_pair(segments, [&](Text hypothesis, Text reference, std::size_t r) {
        const auto [insertions, deletions, substitutions, shifts, shifted] =
            search.run(hypothesis, reference);
        double* row = rows + 5 * r;
        for (const auto count : {insertions, deletions, substitutions, shifts, shifted}) {
            *row++ = double(count);
        }
    });
}

}  // namespace mteval
