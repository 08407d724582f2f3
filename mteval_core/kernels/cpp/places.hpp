// A hash table of places in a list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace mteval {

// Places in a list by the hash of what stands there, to find what is the same.
class Places {
public:
    void clear() {
        if (slots_.empty()) slots_.resize(64);
        for (const std::size_t slot : filled_) slots_[slot].place = free;
        filled_.clear();
    }

    // The place of what is the same, or `place`, which is added.
    template <class Same>
    std::size_t find_or_add(std::uint64_t hash, std::size_t place, Same same) {
        if (2 * filled_.size() >= slots_.size()) grow();
        std::size_t slot = hash & (slots_.size() - 1);
        for (; slots_[slot].place != free; slot = (slot + 1) & (slots_.size() - 1)) {
            if (slots_[slot].hash == hash && same(slots_[slot].place)) {
                found_ = slot;
                return slots_[slot].place;
            }
        }
        slots_[slot] = {hash, place};
        filled_.push_back(slot);
        return place;
    }

    // Puts another place where the last one was found.
    void replace(std::size_t place) { slots_[found_].place = place; }

private:
    static constexpr std::size_t free = std::numeric_limits<std::size_t>::max();
    struct Slot {
        std::uint64_t hash = 0;
        std::size_t place = free;
    };

    void grow() {
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        for (std::size_t& filled : filled_) {
            const Slot moved = old[filled];
            std::size_t slot = moved.hash & (slots_.size() - 1);
            while (slots_[slot].place != free) slot = (slot + 1) & (slots_.size() - 1);
            slots_[slot] = moved;
            filled = slot;
        }
    }

    std::vector<Slot> slots_;
    std::vector<std::size_t> filled_;
    std::size_t found_ = 0;
};

}  // namespace mteval
