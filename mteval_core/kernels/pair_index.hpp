// The ids of pairs of numbers, in order of first occurrence.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "hashing.hpp"

namespace mteval {

// An open-addressing table. A pair with a negative member has no id.
class PairIndex {
public:
    std::size_t size() const { return size_; }

    std::int32_t find(std::int32_t left, std::int32_t right) const {
        return left < 0 || right < 0 ? -1 : slots_[locate(left, right)].id;
    }

    std::int32_t add(std::int32_t left, std::int32_t right) {
        if (left < 0 || right < 0) return -1;
        Slot& slot = slots_[locate(left, right)];
        if (slot.id >= 0) return slot.id;
        if (size_ > std::size_t{std::numeric_limits<std::int32_t>::max()}) {
            throw std::overflow_error("more than 2147483647 entries do not fit int32 ids");
        }
        const auto id = static_cast<std::int32_t>(size_++);
        slot = {left, right, id};
        if (2 * size_ > slots_.size()) grow();
        return id;
    }

private:
    struct Slot {
        std::int32_t left = 0;
        std::int32_t right = 0;
        std::int32_t id = -1;  // -1: free
    };

    // The slot of a pair, or the free one where it belongs.
    std::size_t locate(std::int32_t left, std::int32_t right) const {
        const std::size_t last = slots_.size() - 1;
        const std::uint64_t key = std::uint64_t(left) << 32 | std::uint64_t(right);
        for (std::size_t i = mix(key) & last;; i = (i + 1) & last) {
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
