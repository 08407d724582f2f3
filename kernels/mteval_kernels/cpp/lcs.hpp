// Longest common subsequences (LCS): their lengths, and the positions on them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "masks.hpp"
#include "pulse.hpp"
#include "texts.hpp"

namespace mteval {

// One row of the table, for a block of up to 64 tokens of the text in columns. Bit i of `even` is 0
// if the LCS of the rows so far grows from column i - 1 to column i. `matches` are the columns with
// the token of the row; `carry` comes from the block before and goes to the next one. Bits above
// the block stay 1. (Hyyrö 2004, Bit-parallel LCS-length computation revisited)
inline std::uint64_t lcs_step(std::uint64_t even, std::uint64_t matches, std::uint8_t& carry) {
    const std::uint64_t places = even & matches;
    return add_with_carry(even, places, carry) | (even ^ places);
}

class LcsLength {
public:
    std::size_t operator()(Text rows, Text columns) {
        std::size_t length = trim(rows, columns);
        if (columns.length > rows.length) std::swap(rows, columns);
        carries_.assign(rows.length, 0);
        walk_.for_each_block(columns, [&](const auto& masks, Text, auto n_words) {
            pulse_.beat(n_words * rows.length);
            std::uint64_t even[n_words];
            std::fill_n(even, n_words(), ~std::uint64_t{0});
            for (std::size_t j = 0; j < rows.length; ++j) {
                const std::uint64_t* const matches = masks[rows.tokens[j]];
                std::uint8_t carry = carries_[j];  // a copy: writing a byte might change any word
                for (std::size_t w = 0; w < n_words; ++w) {
                    even[w] = lcs_step(even[w], matches[w], carry);
                }
                carries_[j] = carry;
            }
            for (const std::uint64_t word : even) length += count(~word);
        });
        return length;
    }

private:
    Pulse pulse_;
    BlockWalk walk_;
    std::vector<std::uint8_t> carries_;  // by row
};

// Marks the reference positions on one LCS with each of several hypotheses: the one that the way
// back from the ends of the texts meets. Equal tokens are matched. Otherwise it drops the last
// token of the reference, if the LCS without that token is as long, or else the last token of the
// hypothesis.
class LcsMarks {
public:
    void operator()(Texts hypotheses, std::size_t first, std::size_t last, Text reference,
                    bool* marks) {
        offsets_.clear();
        std::size_t n_tokens = 0;
        for (std::size_t h = first; h < last; ++h) {
            offsets_.push_back(n_tokens);
            n_tokens += hypotheses[h].length;
        }
        const std::size_t n_blocks = words_for(reference.length);
        carries_.assign(n_tokens, 0);
        matches_.resize(n_blocks * n_tokens);
        stops_.resize(n_blocks * n_tokens);

        std::size_t row = 0;
        if (reference.length) for_each_block(reference, [&](Text block) {
            pulse_.beat(n_tokens);
            masks_.assign(block);
            for (std::size_t h = first; h < last; ++h) {
                const Text hypothesis = hypotheses[h];
                std::uint64_t even = ~std::uint64_t{0};
                for (std::size_t j = 0; j < hypothesis.length; ++j, ++row) {
                    matches_[row] = masks_[hypothesis.tokens[j]];
                    even = lcs_step(even, matches_[row], carries_[row % n_tokens]);
                    stops_[row] = matches_[row] | ~even;
                }
            }
        });
        for (std::size_t h = first; h < last; ++h) {
            trace_back(reference.length, offsets_[h - first], hypotheses[h].length, n_tokens, marks);
        }
    }

private:
    // Goes back row by row. A row ends at a match, or where the LCS grows.
    void trace_back(std::size_t i, std::size_t offset, std::size_t j, std::size_t n_tokens,
                    bool* marks) const {
        while (i && j) {
            std::size_t block = (i - 1) / 64;
            std::uint64_t reach = ~std::uint64_t{0} >> (63 - (i - 1) % 64);
            const std::size_t row = offset + --j;
            while (!(stops_[block * n_tokens + row] & reach)) {
                if (block-- == 0) return;
                reach = ~std::uint64_t{0};
            }
            const std::size_t top = highest(stops_[block * n_tokens + row] & reach);
            i = 64 * block + top;
            if (matches_[block * n_tokens + row] >> top & 1) {
                marks[i] = true;
            } else {
                ++i;
            }
        }
    }

    Pulse pulse_;
    PositionMasks masks_;
    std::vector<std::size_t> offsets_;            // of the hypotheses in the rows
    std::vector<std::uint8_t> carries_;           // by row
    std::vector<std::uint64_t> matches_, stops_;  // by block and row
};

// lengths[r]: length of the LCS of reference r and its hypothesis.
inline void lcs(const Segments& segments, double* lengths) {
    LcsLength length;
    for (std::size_t i = 0; i < segments.count; ++i) {
        for (auto r = segments.index[i]; r < segments.index[i + 1]; ++r) {
            lengths[r] = double(length(segments.hypotheses[i], segments.references[r]));
        }
    }
}

// Calls mark(hypotheses, first, last, reference, marks) for every reference of every group. The
// marks of all references are in one array, text after text.
template <class Mark>
void for_each_marked(const Groups& groups, bool* marks, Mark mark) {
    std::size_t r = 0;
    for (std::size_t g = 0; g < groups.count; ++g) {
        for (; r < std::size_t(groups.reference_index[g + 1]); ++r) {
            const Text reference = groups.references[r];
            mark(groups.hypotheses, std::size_t(groups.hypothesis_index[g]),
                 std::size_t(groups.hypothesis_index[g + 1]), reference, marks);
            marks += reference.length;
        }
    }
}

}  // namespace mteval
