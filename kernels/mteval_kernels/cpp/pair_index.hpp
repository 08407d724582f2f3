// Ids of pairs of numbers, in order of first occurrence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hashing.hpp"

namespace mteval {

// An open-addressing table. A pair with a negative number has no id.
class PairIndex {
public:
    std::size_t size() const { return size_; }

    // ids[i]: the id of (left[i], right[i]), -1 if it has none.
    void find(const std::int32_t* left, const std::int32_t* right, std::size_t count,
              std::int32_t* ids) const {
        number(left, right, count, ids, [&](auto... pair) { return slots_[locate(pair...)].id; });
    }

    // As find, but adds new pairs.
    void add(const std::int32_t* left, const std::int32_t* right, std::size_t count,
             std::int32_t* ids) {
        number(left, right, count, ids, [&](auto... pair) { return add(pair...); });
    }

    // Writes the pairs in order of their ids.
    void list(std::int32_t* left, std::int32_t* right) const {
        for (const Slot& slot : slots_) {
            if (slot.id < 0) continue;
            left[slot.id] = slot.left;
            right[slot.id] = slot.right;
        }
    }

private:
    struct Slot {
        std::int32_t left = 0;
        std::int32_t right = 0;
        std::int32_t id = -1;  // -1: free
    };

    // Fetches slots ahead, which halves the time in tables larger than the cache.
    template <class IdOf>
    void number(const std::int32_t* left, const std::int32_t* right, std::size_t count,
                std::int32_t* ids, IdOf id_of) const {
        constexpr std::size_t ahead = 8;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t later = i + ahead;
            if (later < count && left[later] >= 0) {
                MTEVAL_PREFETCH(&slots_[home(left[later], right[later])]);
            }
            ids[i] = left[i] < 0 || right[i] < 0 ? -1 : id_of(left[i], right[i]);
        }
    }

    std::int32_t add(std::int32_t left, std::int32_t right) {
        Slot& slot = slots_[locate(left, right)];
        if (slot.id >= 0) return slot.id;
        const std::int32_t id = next_id(size_++);
        slot = {left, right, id};
        if (4 * size_ > 3 * slots_.size()) grow();
        return id;
    }

    // The slot where the search for a pair starts.
    std::size_t home(std::int32_t left, std::int32_t right) const {
        return mix(std::uint64_t(left) << 32 | std::uint32_t(right)) & (slots_.size() - 1);
    }

    // The slot of a pair, or the free slot for it.
    std::size_t locate(std::int32_t left, std::int32_t right) const {
        for (std::size_t i = home(left, right);; i = (i + 1) & (slots_.size() - 1)) {
            const Slot& slot = slots_[i];
            if (slot.id < 0 || (slot.left == left && slot.right == right)) return i;
        }
    }

    void grow() {
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        for (const Slot& slot : old) {
            if (slot.id >= 0) slots_[locate(slot.left, slot.right)] = slot;
        }
    }

    std::size_t size_ = 0;
    std::vector<Slot> slots_ = std::vector<Slot>(1024);
};

}  // namespace mteval
