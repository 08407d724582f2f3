// A hash table of the places of entries in a list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace mteval {

// Places by the hash of their entry, to find an equal entry.
class Places {
public:
    void clear() {
        if (slots_.empty()) slots_.resize(64);
        for (const std::size_t slot : filled_) slots_[slot].place = free;
        filled_.clear();
    }

    // The place of an equal entry. If there is none, adds and returns `place`.
    template <class Same>
    std::size_t find_or_add(std::uint64_t hash, std::size_t place, Same same) {
        if (2 * filled_.size() >= slots_.size()) grow();
        std::size_t slot = hash & (slots_.size() - 1);
        for (; slots_[slot].place != free; slot = (slot + 1) & (slots_.size() - 1)) {
            if (slots_[slot].hash == hash && same(slots_[slot].place)) {
                found_slot_ = slot;
                return slots_[slot].place;
            }
        }
        slots_[slot] = {hash, place};
        filled_.push_back(slot);
        return place;
    }

    // Replaces the place that find_or_add has found.
    void replace(std::size_t place) { slots_[found_slot_].place = place; }

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
    std::size_t found_slot_ = 0;
};

}  // namespace mteval
