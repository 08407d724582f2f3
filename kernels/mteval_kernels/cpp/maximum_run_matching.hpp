// The largest matchings of runs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "run_matching.hpp"
#include "texts.hpp"

namespace mteval {

// Finds the largest matching of runs by branch and bound. If two runs share a row or a column,
// there are two cases for the longer one: it keeps that place for itself, or it loses it.
class MaximumRuns {
public:
    MaximumRuns(double exponent, std::size_t limit) : sum_(exponent), limit_(limit) {}

    // The size of the matching, or NaN if the search needs more cases than the limit, or if these
    // have too many runs.
    double size(Hits& hits, double budget) {
        lengths_ = greedy_.take(hits);
        const double n_pairs = std::accumulate(lengths_.begin(), lengths_.end(), 0.0);
        cut(lengths_, budget);
        sum_.scale_to(lengths_);
        room_ = std::min(n_pairs, budget);
        double best = sum_.total(lengths_);

        cases_.resize(1);
        hits.find_runs(cases_.front());
        for (std::size_t n_cases = 1, n_runs = 0; !cases_.empty(); ++n_cases) {
            n_runs += cases_.back().size();
            if (n_cases > limit_ || n_runs > max_runs_of_cases) {
                return std::numeric_limits<double>::quiet_NaN();
            }
            std::vector<Run> runs = std::move(cases_.back());
            cases_.pop_back();
            pulse_.beat(8 * runs.size());
            std::sort(runs.rbegin(), runs.rend());
            rows_.assign(hits.n_rows());
            columns_.assign(hits.n_columns());
            for (const Run& run : runs) {
                pulse_.beat(run.length);
                rows_.add(run.row, run.length);
                columns_.add(run.column, run.length);
            }
            if (std::min(bound(rows_), bound(columns_)) <= best * (1 + negligible)) continue;
            if (!branch(runs)) best = std::max(best, filled(runs));
        }
        return sum_.size(best);
    }

private:
    // The places that stretches cover. Add the longest stretch first.
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

    // Bounds the total of tokens that are in runs of at most these lengths.
    double bound(const Cover& cover) {
        double total = 0, left = room_;
        for (std::size_t i = 0; left > 0; ++i, left -= 1) {
            const double longest = std::min(i < cover.lengths.size() ? cover.lengths[i] : 1, room_);
            total += std::min(left, 1.0) * (sum_.power(longest) / longest);
        }
        return total;
    }

    // The total of runs without a shared place, and of single tokens that fill the room.
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

    // Makes two cases of one, at the shared place nearest to the middle of the longest run with a
    // shared place. Returns false if there is none.
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

    // Takes a place out of a run. Adds the rest to `runs`, as runs of two or more tokens.
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
    static constexpr std::size_t max_runs_of_cases = std::size_t(1) << 25;
    GreedyRuns greedy_{true};
    PowerSum sum_;
    std::size_t limit_;
    Pulse pulse_;
    double room_ = 0;  // largest total length of the runs
    std::vector<double> lengths_;
    std::vector<std::vector<Run>> cases_;
    std::vector<Run> parts_;
    Cover rows_, columns_;
};

// sizes[i]: as in run_matching, over the runs of the largest matching; NaN if the search needs more
// cases than the limit.
inline void maximum_run_matching(const Segments& segments, double exponent, const double* budgets,
                                 std::size_t limit, double* sizes) {
    Hits hits;
    MaximumRuns maximum(exponent, limit);
    for (std::size_t i = 0; i < segments.count; ++i) {
        hits.find(segments, i);
        in_segment(i, [&] { sizes[i] = maximum.size(hits, budgets[i]); });
    }
}

}  // namespace mteval
