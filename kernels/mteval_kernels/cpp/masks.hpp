// Bit masks of the positions that hold each token, the basis of the sequence kernels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "texts.hpp"

namespace mteval {

// The positions of every token in a block of up to 64 * n_words tokens of a text: bit p of word w of
// masks[token] is set if the block has the token at position 64 * w + p. A negative token has no
// positions.
//
// Algorithms work through a longer text block by block. They carry what leaves the top bit of one
// block over to the bottom of the next. So one table serves texts of any length, and it is small
// enough for the fastest cache.
template <std::size_t n_words>
class WidePositionMasks {
public:
    static constexpr std::size_t block_size = 64 * n_words;

    WidePositionMasks() { std::fill_n(tokens_, n_slots, free); }

    void assign(Text block) {
        for (std::size_t k = 0; k < n_filled_; ++k) {
            tokens_[filled_[k]] = free;
            std::fill_n(masks_[filled_[k]], n_words, 0);
        }
        std::size_t n_filled = 0;
        for (std::size_t p = 0; p < block.length; ++p) {
            const std::int32_t token = block.tokens[p];
            if (token < 0) continue;
            const std::size_t slot = locate(token);
            filled_[n_filled] = slot;
            n_filled += tokens_[slot] == free;
            tokens_[slot] = token;
            masks_[slot][p / 64] |= std::uint64_t{1} << p % 64;
        }
        n_filled_ = n_filled;
    }

    const std::uint64_t* operator[](std::int32_t token) const { return masks_[locate(token)]; }

private:
    static constexpr std::size_t n_slots = 8 * block_size;
    static constexpr std::int32_t free = -1;

    // The slot of a token, or the free slot for it, which has no positions. Frequent tokens have
    // low ids, and so different slots.
    std::size_t locate(std::int32_t token) const {
        std::size_t slot = std::uint32_t(token) % n_slots;
        while (is_other(tokens_[slot], token)) slot = (slot + 1) % n_slots;
        return slot;
    }

    // Whether what was found is neither the token nor free. This is one branch, because processors
    // can predict it, but not which of the two was found.
    static bool is_other(std::int32_t found, std::int32_t token) {
        return std::min(std::uint32_t(found ^ token), ~std::uint32_t(found)) != 0;
    }

    std::int32_t tokens_[n_slots];
    std::uint64_t masks_[n_slots][n_words] = {};
    std::size_t filled_[block_size];
    std::size_t n_filled_ = 0;
};

// The same for blocks of one word.
class PositionMasks : WidePositionMasks<1> {
public:
    using WidePositionMasks::assign, WidePositionMasks::block_size;

    std::uint64_t operator[](std::int32_t token) const {
        return *WidePositionMasks::operator[](token);
    }
};

// For an algorithm that works through a text in blocks and keeps a state of one word for each 64
// tokens of a block, while it walks along another text. Long texts have blocks of several words: a
// processor works on independent words at once, and finds the masks of a token in one look.
class BlockWalk {
public:
    // Calls walk(masks, block, n_words) for the blocks of a text in order; n_words is a constant.
    template <class Walk>
    void for_each_block(Text text, Walk walk) {
        if (text.length <= PositionMasks::block_size) {
            narrow_.assign(text);
            return walk(narrow_, text, std::integral_constant<std::size_t, 1>());
        }
        if (!wide_) wide_ = std::make_unique<Wide>();
        while (text.length) {
            const Text block{text.tokens, std::min(text.length, Wide::block_size)};
            wide_->assign(block);
            walk_words<Wide::block_size / 64>(block, walk);
            text.tokens += block.length;
            text.length -= block.length;
        }
    }

private:
    using Wide = WidePositionMasks<4>;

    template <std::size_t n_words, class Walk>
    void walk_words(Text block, Walk walk) {
        if constexpr (n_words > 1) {
            if (block.length <= 64 * (n_words - 1)) return walk_words<n_words - 1>(block, walk);
        }
        walk(*wide_, block, std::integral_constant<std::size_t, n_words>());
    }

    WidePositionMasks<1> narrow_;
    std::unique_ptr<Wide> wide_;  // made for the first long text
};

// Takes the tokens at both ends that two texts have in common away. Returns their number.
inline std::size_t trim(Text& one, Text& other) {
    const auto equal = [](std::int32_t a, std::int32_t b) { return a == b && a >= 0; };
    const std::size_t most = std::min(one.length, other.length);
    std::size_t first = 0, last = 0;
    while (first < most && equal(one.tokens[first], other.tokens[first])) ++first;
    while (last < most - first &&
           equal(one.tokens[one.length - 1 - last], other.tokens[other.length - 1 - last])) {
        ++last;
    }
    for (Text* const text : {&one, &other}) {
        text->tokens += first;
        text->length -= first + last;
    }
    return first + last;
}

// Calls visit(block) for the blocks of a text in order; the last has up to 64 tokens.
template <class Visit>
void for_each_block(Text text, Visit visit) {
    constexpr std::size_t size = PositionMasks::block_size;
    for (; text.length > size; text.tokens += size, text.length -= size) {
        visit(Text{text.tokens, size});
    }
    visit(text);
}

// The same for blocks that begin with the last `overlap` tokens of the block before. `ends` is the
// mask of the positions that are new.
template <class Visit>
void for_each_overlapping_block(Text text, std::size_t overlap, Visit visit) {
    constexpr std::size_t size = PositionMasks::block_size;
    std::uint64_t ends = ~std::uint64_t{0};
    for (; text.length > size; text.tokens += size - overlap, text.length -= size - overlap) {
        visit(Text{text.tokens, size}, ends);
        ends = ~std::uint64_t{0} << overlap;
    }
    visit(text, ends);
}

}  // namespace mteval
