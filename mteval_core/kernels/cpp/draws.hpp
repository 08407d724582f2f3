// Draws with replacement, from the stream of random numbers that numpy draws from.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mteval {

// The generator PCG64 (O'Neill 2014): a linear congruential generator of 128 bits, of which each
// step gives 64 bits or two times 32. The state is numpy's.
struct Pcg64 {
    std::uint64_t high, low, increment_high, increment_low;
    bool has_half;
    std::uint32_t half;

    std::uint32_t next_half() {
        has_half = !has_half;
        if (!has_half) return half;
        const std::uint64_t both = next();
        half = static_cast<std::uint32_t>(both >> 32);
        return static_cast<std::uint32_t>(both);
    }

private:
    static constexpr std::uint64_t multiplier_high = 2549297995355413924u;
    static constexpr std::uint64_t multiplier_low = 4865540595714422341u;

    std::uint64_t next() {
        high = high * multiplier_low + low * multiplier_high + product_high(low, multiplier_low)
               + increment_high;
        low = low * multiplier_low + increment_low;
        high += low < increment_low;
        const std::uint64_t mixed = high ^ low;
        const unsigned turn = high >> 58;
        return mixed >> turn | mixed << (-turn & 63);
    }

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

// Draws n of n units with replacement and counts each unit; n is less than 2^32. A number below n
// is the upper half of its product with a random one; products whose lower half is below 2^32 mod n
// are drawn again (Lemire 2019, "Fast random integer generation in an interval"). One unit alone
// takes no random number, as in numpy.
inline void draw_counts(Pcg64& generator, std::size_t n, double* counts) {
    if (n == 1) {
        *counts = 1;
        return;
    }
    const std::uint64_t size = n;
    const std::uint32_t least = static_cast<std::uint32_t>((std::uint64_t(1) << 32) % size);
    std::vector<std::uint32_t> drawn(n);
    for (std::size_t i = 0; i < n; ++i) {
        std::uint64_t product = generator.next_half() * size;
        while (static_cast<std::uint32_t>(product) < least) product = generator.next_half() * size;
        ++drawn[product >> 32];
    }
    std::copy(drawn.begin(), drawn.end(), counts);
}

}  // namespace mteval
