// Which tokens of two texts may be linked, as bit masks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "hashing.hpp"
#include "texts.hpp"

namespace mteval {

// Tokens are related if they share a key. The keys of a token are keys[offsets[token]] to
// keys[offsets[token + 1] - 1]. Without offsets, the token itself is its only key.
struct Relation {
    const std::int64_t* offsets = nullptr;
    const std::int32_t* keys = nullptr;

    // Calls visit(key) for the keys of a token; a negative token has none.
    template <class Visit>
    void for_each_key(std::int32_t token, Visit visit) const {
        if (token < 0) return;
        if (!offsets) return visit(token);
        for (std::int64_t k = offsets[token]; k < offsets[token + 1]; ++k) visit(keys[k]);
    }

    std::size_t count_keys(std::int32_t token) const {
        return token < 0 ? 0 : offsets ? std::size_t(offsets[token + 1] - offsets[token]) : 1;
    }
};

// Sets of the positions of a text: rows of 64-bit words.
struct Masks {
    std::size_t n_words = 0;
    std::vector<std::uint64_t> words;

    void assign(std::size_t n_rows, std::size_t n_positions) {
        n_words = words_for(n_positions);
        words.assign(n_rows * n_words, 0);
    }

    std::uint64_t* operator[](std::size_t row) { return words.data() + row * n_words; }
    const std::uint64_t* operator[](std::size_t row) const { return words.data() + row * n_words; }
};

// Finds the columns that every row is related to.
class Candidates {
public:
    void find(Text rows, Text columns, const Relation& relation, Masks& masks) {
        masks.assign(rows.length, columns.length);
        n_words_ = masks.n_words;
        hold(columns, relation);
        for (std::size_t row = 0; row < rows.length; ++row) {
            relation.for_each_key(rows.tokens[row], [&](std::int32_t key) {
                const std::size_t slot = locate(key);
                if (!used_[slot]) return;
                for (std::size_t w = 0; w < n_words_; ++w) {
                    masks[row][w] |= holders_[slot * n_words_ + w];
                }
            });
        }
    }

private:
    // Fills the table of the columns that hold each key.
    void hold(Text columns, const Relation& relation) {
        std::size_t n_keys = 0;
        for (std::size_t c = 0; c < columns.length; ++c) {
            n_keys += relation.count_keys(columns.tokens[c]);
        }
        bits_ = 3;
        while (std::size_t(1) << bits_ < 2 * n_keys) ++bits_;
        const std::size_t n_slots = std::size_t(1) << bits_;
        used_.assign(n_slots, 0);
        keys_.resize(n_slots);
        holders_.resize(n_slots * n_words_);
        for (std::size_t c = 0; c < columns.length; ++c) {
            relation.for_each_key(columns.tokens[c], [&](std::int32_t key) {
                const std::size_t slot = locate(key);
                std::uint64_t* mask = &holders_[slot * n_words_];
                if (!used_[slot]) {
                    used_[slot] = 1;
                    keys_[slot] = key;
                    std::fill_n(mask, n_words_, 0);
                }
                add(mask, c);
            });
        }
    }

    std::size_t locate(std::int32_t key) const {
        const std::size_t n_slots = std::size_t(1) << bits_;
        std::size_t slot = slot_of(key, bits_);
        while (used_[slot] && keys_[slot] != key) slot = (slot + 1) & (n_slots - 1);
        return slot;
    }

    std::size_t n_words_ = 0;
    unsigned bits_ = 3;
    std::vector<char> used_;
    std::vector<std::int32_t> keys_;
    std::vector<std::uint64_t> holders_;
};

// The link of a reference position: hypothesis position and number of the relation, or -1.
struct Link {
    std::int32_t position = -1;
    std::int32_t kind = -1;
};

}  // namespace mteval
