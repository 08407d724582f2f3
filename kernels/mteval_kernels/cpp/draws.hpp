// Draws with replacement, from the stream of random numbers that numpy draws from.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace mteval {

// A number of 128 bits.
struct Wide {
    std::uint64_t high, low;

    friend Wide operator+(Wide a, Wide b) {
        const std::uint64_t low = a.low + b.low;
        return {a.high + b.high + (low < a.low), low};
    }

    friend Wide operator*(Wide a, Wide b) {
        return {a.high * b.low + a.low * b.high + product_high(a.low, b.low), a.low * b.low};
    }

private:
    // The upper 64 bits of a product of 128.
    static std::uint64_t product_high(std::uint64_t a, std::uint64_t b) {
#ifdef __SIZEOF_INT128__
        __extension__ using Product = unsigned __int128;
        return static_cast<std::uint64_t>(static_cast<Product>(a) * b >> 64);
#else
        constexpr std::uint64_t lower = 0xffffffff;
        const std::uint64_t cross = (a >> 32) * (b & lower);
        const std::uint64_t middle = ((a & lower) * (b & lower) >> 32) + (cross & lower)
                                     + (a & lower) * (b >> 32);
        return (a >> 32) * (b >> 32) + (cross >> 32) + (middle >> 32);
#endif
    }
};

// The generator PCG64 (O'Neill 2014): a linear congruential generator of 128 bits, of which each
// step gives 64 bits or two times 32. The state is numpy's.
struct Pcg64 {
    Wide state, increment;
    bool has_half;
    std::uint32_t half;

    static constexpr std::size_t n_lanes = 4;

    std::uint32_t next_half() {
        has_half = !has_half;
        if (!has_half) return half;
        state = step(state);
        const std::uint64_t both = mixed(state);
        half = static_cast<std::uint32_t>(both >> 32);
        return static_cast<std::uint32_t>(both);
    }

    // The next numbers of 64 bits; how many is a multiple of n_lanes. Each lane makes n_lanes steps
    // at once, so no lane waits for another.
    void next(std::uint64_t* numbers, std::size_t count) {
        const Wide one{0, 1};
        const Wide two_steps = multiplier * multiplier, four_steps = two_steps * two_steps;
        const Wide increments = increment * (multiplier + one) * (two_steps + one);
        Wide first = step(state), second = step(first), third = step(second), fourth = step(third);
        for (const std::uint64_t* end = numbers + count; numbers != end; numbers += n_lanes) {
            state = fourth;
            numbers[0] = mixed(first);
            numbers[1] = mixed(second);
            numbers[2] = mixed(third);
            numbers[3] = mixed(fourth);
            first = first * four_steps + increments;
            second = second * four_steps + increments;
            third = third * four_steps + increments;
            fourth = fourth * four_steps + increments;
        }
        half = static_cast<std::uint32_t>(mixed(state) >> 32);  // numpy keeps it although it is used
    }

private:
    static constexpr Wide multiplier{2549297995355413924u, 4865540595714422341u};

    Wide step(Wide from) const { return from * multiplier + increment; }

    static std::uint64_t mixed(Wide state) {
        const std::uint64_t both = state.high ^ state.low;
        const auto turn = static_cast<unsigned>(state.high >> 58);
        return both >> turn | both << (-turn & 63);
    }
};

// Draws n of n units with replacement and counts each unit; n is less than 2^32. A number below n
// is the upper half of its product with a random one; products whose lower half is below 2^32 mod n
// are drawn again (Lemire 2019, "Fast random integer generation in an interval"). One unit alone
// takes no random number, as in numpy. The counts are zero before; returns whether they are right:
// a byte cannot hold more than 255.
inline bool draw_counts(Pcg64& generator, std::size_t n, std::uint8_t* counts) {
    if (n == 1) {
        *counts = 1;
        return true;
    }
    const std::uint64_t size = n;
    const std::uint32_t least = static_cast<std::uint32_t>((std::uint64_t(1) << 32) % size);
    bool fits = true;
    const auto draw = [&fits, size, least, counts](std::uint64_t random) -> std::size_t {
        const std::uint64_t product = static_cast<std::uint32_t>(random) * size;
        if (static_cast<std::uint32_t>(product) < least) return 0;
        if (++counts[product >> 32] == 0) fits = false;
        return 1;
    };
    std::array<std::uint64_t, 64 * Pcg64::n_lanes> numbers;
    for (std::size_t left = n; left > 0;) {
        // No more numbers than are needed in any case: the stream goes on after the last one used.
        const std::size_t needed = left / (2 * Pcg64::n_lanes) * Pcg64::n_lanes;
        if (generator.has_half || needed == 0) {
            left -= draw(generator.next_half());
            continue;
        }
        const std::size_t count = std::min(needed, numbers.size());
        generator.next(numbers.data(), count);
        std::size_t accepted = 0;
        for (std::size_t i = 0; i < count; ++i) {
            accepted += draw(numbers[i]) + draw(numbers[i] >> 32);
        }
        left -= accepted;
    }
    return fits;
}

}  // namespace mteval
