// How a kernel that takes long notices that it is to stop.
#pragma once

#include <cstddef>

namespace mteval {

// Throws what is pending in Python, such as an interrupt. The module sets it.
inline void (*throw_pending)() = [] {};

// Counts the steps of a computation, of a few nanoseconds each, to look for an interrupt about
// twenty times a second.
class Pulse {
public:
    void beat(std::size_t steps) {
        if (is_due(steps)) throw_pending();
    }

    // Whether it is time to look.
    bool is_due(std::size_t steps) {
        steps_ += steps;
        if (steps_ < interval) return false;
        steps_ = 0;
        return true;
    }

private:
    static constexpr std::size_t interval = std::size_t(1) << 23;
    std::size_t steps_ = 0;
};

}  // namespace mteval
