// Which tokens of two texts are equal, as masks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "masks.hpp"
#include "texts.hpp"

namespace mteval {

// For every hypothesis token, the mask of the reference positions that hold it.
class MatchTable {
public:
    void assign(Text hypothesis, Text reference) {
        length_ = reference.length;
        n_blocks_ = words_for(length_);
        masks_.assign(hypothesis.length * n_blocks_, 0);
        if (!n_blocks_) return;
        std::size_t b = 0;
        for_each_block(reference, [&](Text block) {
            positions_.assign(block);
            for (std::size_t i = 0; i < hypothesis.length; ++i) {
                masks_[i * n_blocks_ + b] = positions_[hypothesis.tokens[i]];
            }
            ++b;
        });
    }

    const std::uint64_t* operator[](std::size_t token) const { return masks_.data() + token * n_blocks_; }
    bool has(std::size_t token, std::size_t i) const { return mteval::has((*this)[token], i); }
    std::size_t count() const { return mteval::count(masks_.data(), masks_.size()); }
    std::size_t n_blocks() const { return n_blocks_; }  // of 64 reference tokens
    std::size_t length() const { return length_; }      // of the reference

private:
    PositionMasks positions_;
    std::size_t n_blocks_ = 0, length_ = 0;
    std::vector<std::uint64_t> masks_;  // by token and block
};

// An order of hypothesis tokens, which changes with every shift.
using TokenOrder = std::vector<std::int64_t>;

// Exchanges the tokens first:middle with the tokens middle:last.
struct Rotation {
    std::int64_t first, middle, last;
};

}  // namespace mteval
