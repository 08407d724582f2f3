// Matchings of runs: stretches of tokens that texts have in common, none of them used twice.
#pragma once

#include <algorithm>
#include <bitset>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <tuple>
#include <vector>

#include "masks.hpp"
#include "texts.hpp"

namespace mteval {

// The hypothesis tokens row, row + 1, ... are the reference tokens column, column + 1, ...
struct Run {
    std::uint32_t length, row, column;

    bool operator<(const Run& other) const {
        return std::tie(length, row, column) < std::tie(other.length, other.row, other.column);
    }
    bool operator==(const Run& other) const {
        return std::tie(length, row, column) == std::tie(other.length, other.row, other.column);
    }
};

// Which tokens of a hypothesis (rows) and of its references, one behind the other (columns), are
// equal. Every reference is followed by a break, a column that is equal to nothing.
class Hits {
public:
    void find(const Segments& segments, std::size_t segment) {
        columns_.clear();
        for (auto r = segments.index[segment]; r < segments.index[segment + 1]; ++r) {
            const Text reference = segments.references[r];
            columns_.insert(columns_.end(), reference.tokens, reference.tokens + reference.length);
            columns_.push_back(-1);
        }
        const Text hypothesis = segments.hypotheses[segment];
        n_rows_ = hypothesis.length;
        n_words_ = (columns_.size() + 63) / 64;
        masks_of_rows_.assign((n_rows_ + 2) * n_words_, 0);  // one empty row at either end
        std::uint64_t* words = masks_of_rows_.data() + n_words_;
        for_each_block({columns_.data(), columns_.size()}, [&](Text block) {
            masks_.assign(block);
            for (std::size_t i = 0; i < n_rows_; ++i) {
                words[i * n_words_] = masks_[hypothesis.tokens[i]];
            }
            ++words;
        });
    }

    std::size_t n_rows() const { return n_rows_; }
    std::size_t n_words() const { return n_words_; }
    std::size_t n_columns() const { return columns_.size(); }

    const std::uint64_t* row(std::size_t i) const { return &masks_of_rows_[(i + 1) * n_words_]; }

    bool operator()(std::size_t i, std::size_t column) const {
        return row(i)[column / 64] >> column % 64 & 1;
    }

    // The runs of two and more tokens that cannot be lengthened.
    void find_runs(std::vector<Run>& runs) const {
        runs.clear();
        for (std::size_t i = 0; i < n_rows_; ++i) {
            const std::uint64_t* here = row(i);
            const std::uint64_t *before = here - n_words_, *after = here + n_words_;
            for (std::size_t w = 0; w < n_words_; ++w) {
                if (!here[w]) continue;
                const std::uint64_t from_below = w ? before[w - 1] >> 63 : 0;
                const std::uint64_t from_above = w + 1 < n_words_ ? after[w + 1] << 63 : 0;
                std::uint64_t starts = here[w] & ~(before[w] << 1 | from_below) &
                                       (after[w] >> 1 | from_above);
                for (; starts; starts &= starts - 1) {
                    const std::size_t column = 64 * w + lowest(starts);
                    std::size_t length = 2;
                    while ((*this)(i + length, column + length)) ++length;
                    runs.push_back({std::uint32_t(length), std::uint32_t(i), std::uint32_t(column)});
                }
            }
        }
    }

private:
    static std::size_t lowest(std::uint64_t mask) {
        return std::bitset<64>((mask & (~mask + 1)) - 1).count();
    }

    std::size_t n_rows_ = 0, n_words_ = 0;
    std::vector<std::int32_t> columns_;
    std::vector<std::uint64_t> masks_of_rows_;
    PositionMasks masks_;
};

// Takes the longest run as long as there is one.
class GreedyRuns {
public:
    explicit GreedyRuns(bool last_first) : last_first_(last_first) {}

    // The lengths taken, of as many tokens as can be paired.
    const std::vector<double>& take(const Hits& hits) {
        lengths_.clear();
        used_rows_.assign(hits.n_rows(), 0);
        used_columns_.assign(hits.n_words(), 0);
        const auto later = [&](const Run& a, const Run& b) {
            if (a.length != b.length) return a.length < b.length;
            return a.row != b.row ? (a.row < b.row) == last_first_
                                  : (a.column < b.column) == last_first_;
        };
        hits.find_runs(runs_);
        std::make_heap(runs_.begin(), runs_.end(), later);
        while (!runs_.empty()) {
            std::pop_heap(runs_.begin(), runs_.end(), later);
            const Run run = runs_.back();
            runs_.pop_back();
            for (std::uint32_t start = 0, stop; start < run.length; start = stop + 1) {
                for (stop = start; stop < run.length && is_free(run, stop); ++stop) {}
                const std::uint32_t length = stop - start;
                if (length == run.length) {
                    use(run);
                } else if (length > 1) {
                    runs_.push_back({length, run.row + start, run.column + start});
                    std::push_heap(runs_.begin(), runs_.end(), later);
                }
            }
        }
        // Single tokens are left. Equal ones stand for each other, so any order takes as many.
        for (std::size_t i = 0; i < hits.n_rows(); ++i) {
            if (!used_rows_[i]) use_any_column(hits.row(i));
        }
        return lengths_;
    }

private:
    bool is_free(const Run& run, std::uint32_t place) const {
        const std::size_t column = run.column + place;
        return !used_rows_[run.row + place] && !(used_columns_[column / 64] >> column % 64 & 1);
    }

    void use(const Run& run) {
        lengths_.push_back(run.length);
        for (std::uint32_t place = 0; place < run.length; ++place) {
            const std::size_t column = run.column + place;
            used_rows_[run.row + place] = 1;
            used_columns_[column / 64] |= std::uint64_t{1} << column % 64;
        }
    }

    void use_any_column(const std::uint64_t* row) {
        for (std::size_t w = 0; w < used_columns_.size(); ++w) {
            const std::uint64_t free = row[w] & ~used_columns_[w];
            if (!free) continue;
            used_columns_[w] |= free & (~free + 1);
            lengths_.push_back(1);
            return;
        }
    }

    bool last_first_;
    std::vector<Run> runs_;
    std::vector<std::uint8_t> used_rows_;
    std::vector<std::uint64_t> used_columns_;
    std::vector<double> lengths_;
};

// Sums of powers of lengths. Powers with large exponents may overflow: they are taken of lengths
// relative to the longest.
class PowerSum {
public:
    explicit PowerSum(double exponent) : exponent_(exponent) {}

    void scale_to(const std::vector<double>& lengths) {
        scale_ = !lengths.empty() && exponent_ > safe_exponent ? lengths.front() : 1;
    }

    double power(double length) {
        if (scale_ != 1) return std::pow(length / scale_, exponent_);
        const auto whole = static_cast<std::size_t>(length);
        if (double(whole) != length) return std::pow(length, exponent_);
        while (powers_.size() <= whole) {
            powers_.push_back(std::pow(double(powers_.size()), exponent_));
        }
        return powers_[whole];
    }

    double total(const std::vector<double>& lengths) {
        double total = 0;
        for (const double length : lengths) total += power(length);
        return total;
    }

    double size(double total) const { return scale_ * std::pow(total, 1 / exponent_); }

private:
    static constexpr double safe_exponent = 32;
    double exponent_;
    double scale_ = 1;
    std::vector<double> powers_;  // of whole numbers
};

// Cuts lengths to a budget.
inline void cut(std::vector<double>& lengths, double budget) {
    std::size_t n = 0;
    for (; n < lengths.size() && budget > 0; ++n) {
        const double length = lengths[n];
        lengths[n] = std::min(length, budget);
        budget -= length;
    }
    lengths.resize(n);
}

// sizes[i]: (sum of length^exponent)^(1/exponent) over the runs of segment i, taken longest first,
// of equally long ones the last first or the first first, up to budgets[i] tokens.
inline void run_matching(const Segments& segments, double exponent, const double* budgets,
                         bool last_first, double* sizes) {
    Hits hits;
    GreedyRuns greedy(last_first);
    PowerSum sum(exponent);
    std::vector<double> lengths;
    for (std::size_t i = 0; i < segments.count; ++i) {
        hits.find(segments, i);
        lengths = greedy.take(hits);
        cut(lengths, budgets[i]);
        sum.scale_to(lengths);
        sizes[i] = sum.size(sum.total(lengths));
    }
}

// The largest matching of runs, by branch and bound: as long as two runs share a row or a column,
// there are two cases for the one that is longer: it has that place to itself, or is without it.
class MaximumRuns {
public:
    MaximumRuns(double exponent, std::size_t limit) : sum_(exponent), limit_(limit) {}

    // Its size, or NaN if that takes more than `limit` cases.
    double size(const Hits& hits, double budget) {
        lengths_ = greedy_.take(hits);
        const double n_pairs = std::accumulate(lengths_.begin(), lengths_.end(), 0.0);
        cut(lengths_, budget);
        sum_.scale_to(lengths_);
        room_ = std::min(n_pairs, budget);
        double best = sum_.total(lengths_);

        cases_.resize(1);
        hits.find_runs(cases_.front());
        for (std::size_t n_cases = 1; !cases_.empty(); ++n_cases) {
            if (n_cases > limit_) return std::numeric_limits<double>::quiet_NaN();
            std::vector<Run> runs = std::move(cases_.back());
            cases_.pop_back();
            std::sort(runs.rbegin(), runs.rend());
            rows_.assign(hits.n_rows());
            columns_.assign(hits.n_columns());
            for (const Run& run : runs) {
                rows_.add(run.row, run.length);
                columns_.add(run.column, run.length);
            }
            if (std::min(bound(rows_), bound(columns_)) <= best * (1 + negligible)) continue;
            if (!branch(runs)) best = std::max(best, filled(runs));
        }
        return sum_.size(best);
    }

private:
    // What stretches, longest first, cover.
    class Cover {
    public:
        void assign(std::size_t size) {
            lengths.clear();
            counts_.assign(size, 0);
        }
        void add(std::size_t start, std::uint32_t length) {
            for (std::size_t place = start; place < start + length; ++place) {
                if (!counts_[place]++) lengths.push_back(length);
            }
        }
        bool is_shared(std::size_t place) const { return counts_[place] > 1; }

        std::vector<double> lengths;  // of the longest stretch over each place covered

    private:
        std::vector<std::uint32_t> counts_;
    };

    // Bounds the total of tokens that stand in runs of at most these lengths.
    double bound(const Cover& cover) {
        double total = 0, left = room_;
        for (std::size_t i = 0; left > 0; ++i, left -= 1) {
            const double longest = std::min(i < cover.lengths.size() ? cover.lengths[i] : 1, room_);
            total += std::min(left, 1.0) * (sum_.power(longest) / longest);
        }
        return total;
    }

    // The total of runs that share nothing, and of single tokens as far as there is room.
    double filled(const std::vector<Run>& runs) {
        lengths_.clear();
        double left = room_;
        for (std::size_t i = 0; left > 0; ++i) {
            const double length = i < runs.size() ? runs[i].length : 1;
            lengths_.push_back(std::min(length, left));
            left -= length;
        }
        return sum_.total(lengths_);
    }

    // Makes two cases of one, at the shared place nearest the middle of the longest run that has
    // any; false if none has.
    bool branch(const std::vector<Run>& runs) {
        for (const Run& run : runs) {
            std::uint32_t middle = run.length, distance = run.length;
            for (std::uint32_t place = 0; place < run.length; ++place) {
                if (!rows_.is_shared(run.row + place) && !columns_.is_shared(run.column + place)) {
                    continue;
                }
                const std::uint32_t twice = 2 * place + 1;
                const std::uint32_t d = twice > run.length ? twice - run.length : run.length - twice;
                if (d < distance) middle = place, distance = d;
            }
            if (middle == run.length) continue;
            std::vector<Run> without, alone;
            remove(run, middle, without);
            alone.push_back(run);
            for (const Run& other : runs) {
                if (other == run) continue;
                without.push_back(other);
                parts_.clear();
                remove(other, std::int64_t(run.row) + middle - other.row, parts_);
                for (const Run& part : parts_) {
                    remove(part, std::int64_t(run.column) + middle - part.column, alone);
                }
            }
            cases_.push_back(std::move(without));
            cases_.push_back(std::move(alone));
            return true;
        }
        return false;
    }

    // Adds to `runs` what is left of a run without a place in it: runs of two and more tokens.
    static void remove(const Run& run, std::int64_t place, std::vector<Run>& runs) {
        if (place < 0 || place >= run.length) {
            runs.push_back(run);
            return;
        }
        const auto before = std::uint32_t(place), after = run.length - before - 1;
        if (before > 1) runs.push_back({before, run.row, run.column});
        if (after > 1) runs.push_back({after, run.row + before + 1, run.column + before + 1});
    }

    static constexpr double negligible = 1e-12;
    GreedyRuns greedy_{true};
    PowerSum sum_;
    std::size_t limit_;
    double room_ = 0;  // how many tokens the runs may have
    std::vector<double> lengths_;
    std::vector<std::vector<Run>> cases_;
    std::vector<Run> parts_;
    Cover rows_, columns_;
};

// sizes[i]: as in run_matching, over the runs of the largest matching; NaN if that takes more than
// `limit` cases.
inline void maximum_run_matching(const Segments& segments, double exponent, const double* budgets,
                                 std::size_t limit, double* sizes) {
    Hits hits;
    MaximumRuns maximum(exponent, limit);
    for (std::size_t i = 0; i < segments.count; ++i) {
        hits.find(segments, i);
        sizes[i] = maximum.size(hits, budgets[i]);
    }
}

}  // namespace mteval
