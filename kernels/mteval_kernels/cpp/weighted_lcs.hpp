// Weighted longest common subsequences, which favour runs: weights, and the positions on them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "limits.hpp"
#include "pulse.hpp"
#include "texts.hpp"

namespace mteval {

// The table of Lin (2004, ACL Anthology W04-1013, sec. 4), a row for each token of the reference.
// values[k] is the value of a run of k matches.
class WeightedLcs {
public:
    explicit WeightedLcs(const double* values) : values_(values) {}

    double weight(Text hypothesis, Text reference) {
        start(hypothesis);
        for (std::size_t i = 0; i < reference.length; ++i) {
            fill_row(hypothesis, reference.tokens[i], [](std::size_t, bool) {});
        }
        return weights_.back();
    }

    // Marks the reference positions on the way back through the table. Equal tokens are matched.
    // Otherwise the way goes to the larger weight, along the reference if both are equal.
    void mark(Text hypothesis, Text reference, bool* marks) {
        const std::size_t n_words = words_for(hypothesis.length);
        ups_.assign(reference.length * n_words, 0);
        start(hypothesis);
        for (std::size_t i = 0; i < reference.length; ++i) {
            std::uint64_t* ups = ups_.data() + i * n_words;
            fill_row(hypothesis, reference.tokens[i], [ups](std::size_t j, bool up) {
                ups[j / 64] |= std::uint64_t{up} << j % 64;
            });
        }
        std::size_t i = reference.length, j = hypothesis.length;
        while (i && j) {
            if (equal(hypothesis.tokens[j - 1], reference.tokens[i - 1])) {
                --j;
                marks[--i] = true;
            } else if (ups_[(i - 1) * n_words + (j - 1) / 64] >> (j - 1) % 64 & 1) {
                --i;
            } else {
                --j;
            }
        }
    }

private:
    static bool equal(std::int32_t a, std::int32_t b) { return a == b && a >= 0; }

    void start(Text hypothesis) {
        weights_.assign(hypothesis.length + 1, 0);
        runs_.assign(hypothesis.length + 1, 0);
    }

    // Calls note(j, up) for every j without a match; `up` says whether the cell above is at least
    // the cell to the left.
    template <class Note>
    void fill_row(Text hypothesis, std::int32_t token, Note note) {
        pulse_.beat(hypothesis.length);
        double diagonal = 0, previous = 0;
        std::int32_t run = 0;  // on the diagonal
        for (std::size_t j = 0; j < hypothesis.length; ++j) {
            const double above = weights_[j + 1];
            const std::int32_t run_above = runs_[j + 1];
            if (equal(hypothesis.tokens[j], token)) {
                previous = diagonal + values_[run + 1] - values_[run];
                runs_[j + 1] = run + 1;
            } else {
                note(j, above >= previous);
                previous = std::max(above, previous);
                runs_[j + 1] = 0;
            }
            weights_[j + 1] = previous;
            diagonal = above;
            run = run_above;
        }
    }

    const double* values_;
    Pulse pulse_;
    std::vector<double> weights_;     // of the last row, after a zero
    std::vector<std::int32_t> runs_;  // lengths of the runs that end in its cells
    std::vector<std::uint64_t> ups_;  // bits by reference and hypothesis position
};

// weights[r]: weighted LCS of reference r and its hypothesis.
inline void weighted_lcs(const Segments& segments, const double* values, double* weights) {
    WeightedLcs table(values);
    for_each_pair(segments, [&](Text hypothesis, Text reference, std::size_t r) {
        weights[r] = table.weight(hypothesis, reference);
    });
}

}  // namespace mteval
