// Matchings of runs: stretches of tokens that texts share, each token used once. This file takes
// the longest run first; maximum_run_matching.hpp searches for the largest matching.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "bits.hpp"
#include "limits.hpp"
#include "masks.hpp"
#include "pulse.hpp"
#include "texts.hpp"

namespace mteval {

// A stretch of equal tokens, from `row` in the hypothesis and `column` in the references.
struct Run {
    std::uint32_t length, row, column;

    bool operator<(const Run& other) const {
        return std::tie(length, row, column) < std::tie(other.length, other.row, other.column);
    }
    bool operator==(const Run& other) const {
        return std::tie(length, row, column) == std::tie(other.length, other.row, other.column);
    }
};

// Most runs of a segment.
constexpr std::size_t max_runs = std::size_t(1) << 22;

// Refuses segments whose hypothesis and concatenated references are too long.
inline void check_run_lengths(const Segments& segments) {
    for (std::size_t i = 0; i < segments.count; ++i) {
        std::size_t n_columns = 0;
        for (auto r = segments.index[i]; r < segments.index[i + 1]; ++r) {
            n_columns += segments.references[r].length;
        }
        check_length(i, segments.hypotheses[i].length, n_columns, table_limits);
    }
}

// The equal tokens of a hypothesis (rows) and its concatenated references (columns). After every
// reference comes a break, a column that equals nothing.
class Hits {
public:
    void find(const Segments& segments, std::size_t segment) {
        columns_.clear();
        n_reference_tokens_ = 0;
        for (auto r = segments.index[segment]; r < segments.index[segment + 1]; ++r) {
            const Text reference = segments.references[r];
            columns_.insert(columns_.end(), reference.tokens, reference.tokens + reference.length);
            columns_.push_back(-1);
            n_reference_tokens_ += reference.length;
        }
        const Text hypothesis = segments.hypotheses[segment];
        n_rows_ = hypothesis.length;
        n_words_ = words_for(columns_.size());
        masks_of_rows_.assign((n_rows_ + 2) * n_words_, 0);  // one empty row at either end
        std::uint64_t* words = masks_of_rows_.data() + n_words_;
        for_each_block({columns_.data(), columns_.size()}, [&](Text block) {
            pulse_.beat(n_rows_);
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

    bool operator()(std::size_t i, std::size_t column) const { return has(row(i), column); }

    // Finds the runs of two or more tokens that cannot be lengthened.
    void find_runs(std::vector<Run>& runs) {
        runs.clear();
        for (std::size_t i = 0; i < n_rows_; ++i) {
            pulse_.beat(n_words_);
            const std::uint64_t* here = row(i);
            const std::uint64_t *before = here - n_words_, *after = here + n_words_;
            for (std::size_t w = 0; w < n_words_; ++w) {
                if (!here[w]) continue;
                const std::uint64_t from_below = w ? before[w - 1] >> 63 : 0;
                const std::uint64_t from_above = w + 1 < n_words_ ? after[w + 1] << 63 : 0;
                const std::uint64_t starts = here[w] & ~(before[w] << 1 | from_below) &
                                             (after[w] >> 1 | from_above);
                for_each_position(starts, 64 * w, [&](std::size_t column) {
                    std::size_t length = 2;
                    while ((*this)(i + length, column + length)) ++length;
                    runs.push_back({std::uint32_t(length), std::uint32_t(i), std::uint32_t(column)});
                    pulse_.beat(length);
                });
            }
            check_count(n_rows_, n_reference_tokens_, runs.size(), max_runs, "common runs");
        }
    }

private:
    std::size_t n_rows_ = 0, n_words_ = 0, n_reference_tokens_ = 0;
    std::vector<std::int32_t> columns_;
    std::vector<std::uint64_t> masks_of_rows_;
    PositionMasks masks_;
    Pulse pulse_;
};

// Takes the longest run until none is left, then single tokens.
class GreedyRuns {
public:
    explicit GreedyRuns(bool last_first) : last_first_(last_first) {}

    // Returns the lengths taken. They contain all tokens that can be paired.
    const std::vector<double>& take(Hits& hits) {
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
            pulse_.beat(run.length);
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
        // Only single tokens are left. Equal tokens are interchangeable: any order takes as many.
        for (std::size_t i = 0; i < hits.n_rows(); ++i) {
            pulse_.beat(used_columns_.size());
            if (!used_rows_[i]) use_any_column(hits.row(i));
        }
        return lengths_;
    }

private:
    bool is_free(const Run& run, std::uint32_t place) const {
        return !used_rows_[run.row + place] && !has(used_columns_.data(), run.column + place);
    }

    void use(const Run& run) {
        lengths_.push_back(run.length);
        for (std::uint32_t place = 0; place < run.length; ++place) {
            used_rows_[run.row + place] = 1;
            add(used_columns_.data(), run.column + place);
        }
    }

    void use_any_column(const std::uint64_t* row) {
        for (std::size_t w = 0; w < used_columns_.size(); ++w) {
            const std::uint64_t free = row[w] & ~used_columns_[w];
            if (!free) continue;
            used_columns_[w] |= lowest_bit(free);
            lengths_.push_back(1);
            return;
        }
    }

    bool last_first_;
    Pulse pulse_;
    std::vector<Run> runs_;
    std::vector<std::uint8_t> used_rows_;
    std::vector<std::uint64_t> used_columns_;
    std::vector<double> lengths_;
};

// Sums of powers of lengths. Large exponents apply to lengths relative to the longest, so that no
// power overflows.
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

// Keeps lengths up to a budget; the last one is cut to the rest of it.
inline void cut(std::vector<double>& lengths, double budget) {
    std::size_t n = 0;
    for (; n < lengths.size() && budget > 0; ++n) {
        const double length = lengths[n];
        lengths[n] = std::min(length, budget);
        budget -= length;
    }
    lengths.resize(n);
}

// sizes[i]: (sum of length^exponent)^(1/exponent) over the runs of segment i, the longest first, up
// to budgets[i] tokens. Of equally long runs, the last or the first comes first.
inline void run_matching(const Segments& segments, double exponent, const double* budgets,
                         bool last_first, double* sizes) {
    Hits hits;
    GreedyRuns greedy(last_first);
    PowerSum sum(exponent);
    std::vector<double> lengths;
    for (std::size_t i = 0; i < segments.count; ++i) {
        hits.find(segments, i);
        in_segment(i, [&] { lengths = greedy.take(hits); });
        cut(lengths, budgets[i]);
        sum.scale_to(lengths);
        sizes[i] = sum.size(sum.total(lengths));
    }
}

}  // namespace mteval
