// Bit masks of the positions that hold each token: what sequence kernels rest on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "texts.hpp"

namespace mteval {

// For a block of up to 64 tokens of a text, the positions in it of every token: bit p of
// masks[token] says that the block's token p is that token. A negative token is nowhere.
//
// A longer text is worked through block by block; what an algorithm shifts or carries over the
// top bit of one block, it puts in at the bottom of the next. That takes one table for texts of
// any length, small enough for the fastest cache.
class PositionMasks {
public:
    static constexpr std::size_t block_size = 64;

    void assign(Text block) {
        std::memset(tokens_, 0xFF, sizeof tokens_);  // -1 everywhere
        std::memset(masks_, 0, sizeof masks_);
        std::uint64_t bit = 1;
        for (std::size_t p = 0; p < block.length; ++p, bit <<= 1) {
            const std::int32_t token = block.tokens[p];
            if (token < 0) continue;
            const std::size_t slot = locate(token);
            tokens_[slot] = token;
            masks_[slot] |= bit;
        }
    }

    std::uint64_t operator[](std::int32_t token) const { return masks_[locate(token)]; }

private:
    // The slot of a token, or the free one (without positions) where it belongs.
    std::size_t locate(std::int32_t token) const {
        std::size_t slot = static_cast<std::uint32_t>(token) * 0x9E3779B1u >> 25;
        while (tokens_[slot] != token && tokens_[slot] != free) slot = (slot + 1) % n_slots;
        return slot;
    }

    static constexpr std::size_t n_slots = 2 * block_size;  // 2^(32 - 25)
    static constexpr std::int32_t free = -1;
    std::int32_t tokens_[n_slots];
    std::uint64_t masks_[n_slots];
};

// Calls visit(block) for the successive blocks of a text, the last one of up to 64 tokens.
template <class Visit>
void for_each_block(Text text, Visit visit) {
    constexpr std::size_t size = PositionMasks::block_size;
    for (; text.length > size; text.tokens += size, text.length -= size) {
        visit(Text{text.tokens, size});
    }
    visit(text);
}

}  // namespace mteval
