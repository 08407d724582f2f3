// Which tokens of two texts may be linked, as bit masks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "hashing.hpp"
#include "masks.hpp"
#include "pulse.hpp"
#include "texts.hpp"

namespace mteval {

// Tokens are related if they share a key. The keys of a token are keys[offsets[token]] to
// keys[offsets[token + 1] - 1]. Without offsets, keys[token] is its only key, and relates it to
// nothing if it is negative. Without keys, the token itself is.
struct Relation {
    const std::int64_t* offsets = nullptr;
    const std::int32_t* keys = nullptr;

    bool is_identity() const { return !offsets && !keys; }

    // Calls visit(key) for the keys of a token; a negative token has none.
    template <class Visit>
    void for_each_key(std::int32_t token, Visit visit) const {
        if (token < 0) return;
        for (std::int64_t k = offsets[token]; k < offsets[token + 1]; ++k) visit(keys[k]);
    }

    std::size_t count_keys(std::int32_t token) const {
        return token < 0 ? 0 : std::size_t(offsets[token + 1] - offsets[token]);
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
    // Returns whether there are any.
    bool find(Text rows, Text columns, const Relation& relation, Masks& masks) {
        masks.assign(rows.length, columns.length);
        if (relation.is_identity()) return compare_keys(rows, columns, masks);
        if (find_keys(rows, relation, row_keys_) && find_keys(columns, relation, column_keys_)) {
            return compare_keys({row_keys_.data(), rows.length},
                                {column_keys_.data(), columns.length}, masks);
        }
        bool any = false;
        hold(columns, relation);
        for (std::size_t row = 0; row < rows.length; ++row) {
            std::uint64_t* mask = masks[row];
            std::size_t n_columns = 0;
            relation.for_each_key(rows.tokens[row], [&](std::int32_t key) {
                for (auto h = heads_[locate(key)]; h >= 0; h = holders_[h].next, ++n_columns) {
                    add(mask, holders_[h].column);
                }
            });
            any |= n_columns > 0;
            pulse_.beat(n_columns);
        }
        return any;
    }

private:
    // A column that holds a key, and the next one with the same key, or -1.
    struct Holder {
        std::uint32_t column;
        std::int64_t next;
    };

    // Finds the key of every token, or -1. Returns whether none has several.
    static bool find_keys(Text text, const Relation& relation, std::vector<std::int32_t>& keys) {
        keys.resize(text.length);
        if (!relation.offsets) {
            for (std::size_t i = 0; i < text.length; ++i) {
                const std::int32_t token = text.tokens[i];
                keys[i] = relation.keys[std::max(token, 0)] | -std::int32_t(token < 0);  // no branch
            }
            return true;
        }
        for (std::size_t i = 0; i < text.length; ++i) {
            const std::int32_t token = text.tokens[i];
            if (relation.count_keys(token) > 1) return false;
            keys[i] = -1;
            relation.for_each_key(token, [&](std::int32_t key) { keys[i] = key; });
        }
        return true;
    }

    bool compare_keys(Text rows, Text columns, Masks& masks) {
        std::uint64_t any = 0;
        std::size_t w = 0;
        for_each_block(columns, [&](Text block) {
            if (!block.length) return;
            pulse_.beat(rows.length);
            positions_.assign(block);
            for (std::size_t row = 0; row < rows.length; ++row) {
                any |= masks[row][w] = positions_[rows.tokens[row]];
            }
            ++w;
        });
        return any != 0;
    }

    // Fills the table of the columns that hold each key.
    void hold(Text columns, const Relation& relation) {
        std::size_t n_keys = 0;
        for (std::size_t c = 0; c < columns.length; ++c) {
            n_keys += relation.count_keys(columns.tokens[c]);
        }
        bits_ = 3;
        while (std::size_t(1) << bits_ < 2 * n_keys) ++bits_;
        const std::size_t n_slots = std::size_t(1) << bits_;
        heads_.assign(n_slots, -1);
        keys_.resize(n_slots);
        holders_.clear();
        for (std::size_t c = 0; c < columns.length; ++c) {
            relation.for_each_key(columns.tokens[c], [&](std::int32_t key) {
                const std::size_t slot = locate(key);
                keys_[slot] = key;
                holders_.push_back({std::uint32_t(c), heads_[slot]});
                heads_[slot] = std::int64_t(holders_.size()) - 1;
            });
        }
    }

    std::size_t locate(std::int32_t key) const {
        const std::size_t n_slots = std::size_t(1) << bits_;
        std::size_t slot = slot_of(key, bits_);
        while (heads_[slot] >= 0 && keys_[slot] != key) slot = (slot + 1) & (n_slots - 1);
        return slot;
    }

    Pulse pulse_;
    PositionMasks positions_;
    std::vector<std::int32_t> row_keys_, column_keys_;
    unsigned bits_ = 3;
    std::vector<std::int32_t> keys_;  // by slot
    std::vector<std::int64_t> heads_;  // by slot: the last holder of the key, or -1
    std::vector<Holder> holders_;
};

// The link of a reference position: hypothesis position and number of the relation, or -1.
struct Link {
    std::int32_t position = -1;
    std::int32_t kind = -1;
};

}  // namespace mteval
