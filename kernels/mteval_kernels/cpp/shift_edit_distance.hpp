// Edit distance with shifts: moving a stretch of tokens counts as one edit. The documentation in
// twins/shift_edit_distance.py describes the search.
//
// A shift is tried in up to four steps, of which each is a lower bound of the next: what was found
// out before another shift was made elsewhere; the edit distance without the tokens that move; the
// edit distance after the shift; and the number of edits within the beam, which decides. The first
// two are used for long references only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "beam_table.hpp"
#include "bits.hpp"
#include "edit_distance.hpp"
#include "limits.hpp"
#include "match_table.hpp"
#include "pulse.hpp"
#include "shift_memory.hpp"
#include "shift_proof.hpp"
#include "split_distances.hpp"
#include "texts.hpp"

namespace mteval {

// Most pairs of equal tokens. The number of shifts to try grows with it.
constexpr std::size_t max_equal_pairs = std::size_t(1) << 22;

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

    explicit ShiftSearch(ShiftLimits limits) : limits_(limits) {
        limits_.max_distance = std::min<Index>(limits.max_distance, max_length);
    }

    ShiftedEdits run(Text hypothesis, Text reference) {
        start(hypothesis, reference);
        const Index least = fewest_edits();
        Index shifts = 0, shifted = 0;
        align({0, 0, Index(n_tokens_)});
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

    void start(Text hypothesis, Text reference) {
        n_tokens_ = hypothesis.length;
        matches_.assign(hypothesis, reference);
        const bool few = hypothesis.length * reference.length <= max_equal_pairs;
        check_count(hypothesis.length, reference.length, few ? 0 : matches_.count(),
                    max_equal_pairs, "pairs of equal tokens");
        order_.resize(hypothesis.length);
        std::iota(order_.begin(), order_.end(), Index(0));
        table_.start(matches_, hypothesis.length, limits_.beam);
        if (!is_long()) return;
        const Index longest = std::min(limits_.max_size, Index(hypothesis.length));
        splits_.start(matches_, hypothesis.length, 2 * longest);
        memory_.start(Index(hypothesis.length), longest);
        proof_.start(matches_, hypothesis.length, limits_.beam);
    }

    bool is_long() const { return matches_.n_blocks() > longest_from_front; }

    // Number of edits that the tokens of the hypothesis need in any order.
    Index fewest_edits() {
        free_.assign(matches_.n_blocks(), ~std::uint64_t{0});
        std::size_t matched = 0;
        for (std::size_t i = 0; i < n_tokens_; ++i) {
            for (std::size_t b = 0; b < free_.size(); ++b) {
                const std::uint64_t places = matches_[i][b] & free_[b];
                if (!places) continue;
                free_[b] ^= lowest_bit(places);
                ++matched;
                break;
            }
        }
        return Index(std::max(n_tokens_, matches_.length()) - matched);
    }

    // Makes the best shift if it leaves fewer edits. Returns its size, or 0.
    Index shift(Index least) {
        find_copies();
        if (!is_long()) keep_columns();
        pulse_.beat(copies_.size() * n_tokens_);
        Index edits = alignment_.edits, size_of_best = 0;
        Rotation best{};
        for_each_candidate([&](Index size, Index start, Rotation rotation) {
            if (edits == least || alignment_.edits - edits > 2 * size) return false;
            const Index found = is_long() ? edits_after(size, start, rotation, edits)
                                          : edits_after(rotation, edits);
            if (found < edits) {
                edits = found;
                best = rotation;
                size_of_best = size;
            }
            return true;
        });
        if (size_of_best) {
            const auto begin = order_.begin();
            std::rotate(begin + best.first, begin + best.middle, begin + best.last);
            align(best);
        }
        return size_of_best;
    }

    void find_copies() {
        copies_.clear();
        const Index h = Index(n_tokens_), r = Index(matches_.length());
        Index low = 0, high = 0;  // the copies that are near enough
        for (Index start = 0; start < h; ++start) {
            while (low < r && alignment_.places[low] < start - limits_.max_distance) ++low;
            while (high < r && alignment_.places[high] <= start + limits_.max_distance) ++high;
            for_each_position_between(matches_[order_[start]], low, high, [&](std::size_t copy) {
                const Index most = std::min({limits_.max_size, h - start, r - Index(copy)});
                Index length = 0;
                while (length < most && matches_.has(order_[start + length], copy + length)) {
                    ++length;
                }
                copies_.push_back({start, Index(copy), length});
            });
        }
    }

    // Calls visit(size, start, rotation) for every shift to try, in order, until it returns false.
    template <class Visit>
    void for_each_candidate(Visit visit) const {
        const auto& [edits, insertions, deletions, errors, copy_errors, places] = alignment_;
        const Index h = Index(n_tokens_);
        Index longest = 0;
        for (const Copy& c : copies_) longest = std::max(longest, c.length);
        for (Index size = longest; size > 0; --size) {
            for (const auto& [start, copy, length] : copies_) {
                const Index end = start + size;
                if (size > length || (start <= places[copy] && places[copy] < end) ||
                    errors[start] == errors[end] || copy_errors[copy] == copy_errors[copy + size]) {
                    continue;
                }
                Index tried = start;
                for (Index c = copy - 1; c < copy + size; ++c) {
                    const Index place = c < 0 ? -1 : places[c];
                    const bool is_already_there = place == start - 1 || place == start;
                    if (place == tried || is_already_there) continue;
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
        const std::size_t n_blocks = matches_.n_blocks();
        columns_.resize((n_tokens_ + 1) * n_blocks);
        distances_.resize(n_tokens_ + 1);
        std::fill_n(columns_.begin(), n_blocks, EditColumn{});
        distances_[0] = Index(matches_.length());
        for (std::size_t j = 0; j < n_tokens_; ++j) {
            EditColumn* const column = &columns_[(j + 1) * n_blocks];
            std::copy_n(column - n_blocks, n_blocks, column);
            distances_[j + 1] = distances_[j] + advance(column, order_[j]);
        }
    }

    Index advance(EditColumn* column, Index token) const {
        const std::uint64_t* const matches = matches_[token];
        const std::size_t end = matches_.n_blocks() - 1;
        EditStep step{1, 0};
        for (std::size_t b = 0; b < end; ++b) step = column[b].advance(matches[b], step, 63);
        step = column[end].advance(matches[end], step, unsigned(matches_.length() - 1) % 64);
        return step.value();
    }

    // Number of edits after a rotation, or any number that is not below `most`, if it is not.
    Index edits_after(Rotation rotation, Index most) {
        if (distance_after(rotation) >= most) return most;
        std::size_t end;
        const auto never = [](std::size_t) { return false; };
        return table_.edits_after(order_, rotation, BeamTable::Edits(most), end, never);
    }

    // Edit distance after a rotation.
    Index distance_after(Rotation rotation) {
        const auto [first, middle, last] = rotation;
        const std::size_t n_blocks = matches_.n_blocks();
        EditColumn column[longest_from_front];
        std::copy_n(&columns_[first * n_blocks], n_blocks, column);
        Index edits = distances_[first];
        for (Index j = middle; j < last; ++j) edits += advance(column, order_[j]);
        for (Index j = first; j < middle; ++j) edits += advance(column, order_[j]);
        for (Index j = last; j < Index(n_tokens_); ++j) edits += advance(column, order_[j]);
        return edits;
    }

    // The same for a long reference and the rotation that moves `size` tokens from `start`. Tries
    // cheap bounds first, and remembers them.
    Index edits_after(Index size, Index start, Rotation rotation, Index most) {
        const Index edits = alignment_.edits;
        std::uint8_t* const saved = memory_.find(size, start, rotation);
        if (saved && *saved != ShiftMemory::unknown && edits - *saved >= most) return most;
        Index found = 0;
        if (splits_.helps()) {
            found = edits_without(start, size) - size;
            if (found < most) found = splits_.edits_after(order_, rotation, edits);
        }
        if (found < most) {
            std::size_t end;
            const auto fewest = BeamTable::Edits(most);
            found = table_.edits_after(order_, rotation, fewest, end, [&](std::size_t j) {
                return proof_.is_useless(table_, order_, j, fewest);
            });
            memory_.depends(start, Index(end));
        }
        if (saved) *saved = std::uint8_t(std::clamp(edits - found, Index(0), Index(254)));
        return found;
    }

    // Edit distance without the tokens from `start`, if it matters.
    Index edits_without(Index start, Index size) {
        if (start != start_without_ || size != size_without_) {
            start_without_ = start;
            size_without_ = size;
            edits_without_ = splits_.edits_without(start, start + size, alignment_.edits + size);
        }
        return edits_without_;
    }

    // Aligns the tokens after a rotation.
    void align(Rotation rotation) {
        table_.fill(order_, rotation.first);
        alignment_.edits = table_.edits();
        alignment_.insertions = alignment_.deletions = 0;
        alignment_.errors.assign(n_tokens_ + 1, 1);
        alignment_.copy_errors.assign(matches_.length() + 1, 1);
        alignment_.places.assign(matches_.length(), -1);
        alignment_.errors[0] = alignment_.copy_errors[0] = 0;
        table_.trace(order_, [&](std::size_t j, std::size_t i, BeamTable::Step step) {
            if (step != BeamTable::insertion) alignment_.places[i - 1] = Index(j) - 1;
            if (step == BeamTable::match) alignment_.errors[j] = alignment_.copy_errors[i] = 0;
            alignment_.insertions += step == BeamTable::insertion;
            alignment_.deletions += step == BeamTable::deletion;
        });
        for (auto* errors : {&alignment_.errors, &alignment_.copy_errors}) {
            std::partial_sum(errors->begin(), errors->end(), errors->begin());
        }
        if (!is_long()) return;
        start_without_ = -1;
        proof_.change(std::size_t(rotation.first));
        splits_.split(order_, rotation.first, rotation.last, alignment_.edits);
        n_changed_.assign(n_tokens_ + 2, 0);
        for (Index j = 0; j <= Index(n_tokens_); ++j) {
            const bool is_inside = rotation.first <= j && j <= rotation.last;
            n_changed_[j + 1] = n_changed_[j] + (is_inside || splits_.has_gained(j) ||
                                                 (j > rotation.last && !table_.was_parallel(j)));
        }
        memory_.forget(n_changed_);
    }

    static constexpr std::size_t longest_from_front = 2;  // in blocks

    ShiftLimits limits_;
    Pulse pulse_;
    std::size_t n_tokens_ = 0;  // of the hypothesis
    MatchTable matches_;
    std::vector<std::uint64_t> free_;  // by block
    TokenOrder order_;
    BeamTable table_;
    Alignment alignment_{};
    std::vector<Copy> copies_;
    std::vector<EditColumn> columns_;  // by place and block
    std::vector<Index> distances_;     // by place
    SplitDistances splits_;
    ShiftMemory memory_;
    ShiftProof proof_;
    Index start_without_ = -1, size_without_ = 0, edits_without_ = 0;
    std::vector<Index> n_changed_;  // by place
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
