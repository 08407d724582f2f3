// Sets of positions as masks: rows of 64-bit words.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#endif

namespace mteval {

inline std::size_t count(std::uint64_t word) {
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    return ((word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u >> 56;
}

// Adds two words and a carry of 0 or 1, which becomes that of the sum.
inline std::uint64_t add_with_carry(std::uint64_t a, std::uint64_t b, std::uint8_t& carry) {
#if defined(__x86_64__) || defined(_M_X64)
    unsigned long long sum;
    carry = _addcarry_u64(carry, a, b, &sum);
    return sum;
#else
    const std::uint64_t without = a + b, sum = without + carry;
    carry = std::uint8_t(without < a || sum < without);
    return sum;
#endif
}

// The lowest bit alone; 0 if there is none.
inline std::uint64_t lowest_bit(std::uint64_t word) { return word & (~word + 1); }

// The position of the lowest bit; there must be one.
inline std::size_t lowest(std::uint64_t word) {
#if defined(__GNUC__)
    return std::size_t(__builtin_ctzll(word));
#else
    return count(lowest_bit(word) - 1);
#endif
}

// The position of the highest bit; there must be one.
inline std::size_t highest(std::uint64_t word) {
#if defined(__GNUC__)
    return 63 - std::size_t(__builtin_clzll(word));
#else
    std::size_t position = 0;
    for (unsigned half = 32; half; half /= 2) {
        if (word >> half) {
            word >>= half;
            position += half;
        }
    }
    return position;
#endif
}

inline bool has(const std::uint64_t* mask, std::size_t position) {
    return mask[position / 64] >> position % 64 & 1;
}

inline void add(std::uint64_t* mask, std::size_t position) {
    mask[position / 64] |= std::uint64_t(1) << position % 64;
}

inline void remove(std::uint64_t* mask, std::size_t position) {
    mask[position / 64] &= ~(std::uint64_t(1) << position % 64);
}

inline bool is_empty(const std::uint64_t* mask, std::size_t n_words) {
    std::uint64_t any = 0;
    for (std::size_t w = 0; w < n_words; ++w) any |= mask[w];
    return any == 0;
}

// Number of words in a mask of positions.
inline std::size_t words_for(std::size_t n_positions) { return (n_positions + 63) / 64; }

// Number of positions in a mask.
inline std::size_t count(const std::uint64_t* mask, std::size_t n_words) {
    std::size_t sum = 0;
    for (std::size_t w = 0; w < n_words; ++w) sum += count(mask[w]);
    return sum;
}

// Number of positions that are in both masks.
inline std::size_t count_both(const std::uint64_t* a, const std::uint64_t* b, std::size_t n_words) {
    std::size_t sum = 0;
    for (std::size_t w = 0; w < n_words; ++w) sum += count(a[w] & b[w]);
    return sum;
}

constexpr std::size_t no_position = std::size_t(-1);

// The position in a mask that has only one; otherwise no_position.
inline std::size_t only_position(const std::uint64_t* mask, std::size_t n_words) {
    std::size_t position = no_position;
    for (std::size_t w = 0; w < n_words; ++w) {
        if (!mask[w]) continue;
        if (position != no_position || (mask[w] & (mask[w] - 1))) return no_position;
        position = 64 * w + lowest(mask[w]);
    }
    return position;
}

// Number of positions in a mask before a position.
inline std::size_t count_below(const std::uint64_t* mask, std::size_t position) {
    const std::uint64_t below = (std::uint64_t(1) << position % 64) - 1;
    return count(mask, position / 64) + count(mask[position / 64] & below);
}

// Number of positions in a mask from `first` to `last` - 1.
inline std::size_t count_between(const std::uint64_t* mask, std::size_t first, std::size_t last) {
    if (first >= last) return 0;
    const std::uint64_t from = ~std::uint64_t{0} << first % 64;
    const std::uint64_t to = ~std::uint64_t{0} >> (63 - (last - 1) % 64);
    const std::size_t w = first / 64, end = (last - 1) / 64;
    if (w == end) return count(mask[w] & from & to);
    return count(mask[w] & from) + count(mask + w + 1, end - w - 1) + count(mask[end] & to);
}

// Calls visit(position) for the positions in a word, from the lowest.
template <class Visit>
void for_each_position(std::uint64_t word, std::size_t first, Visit visit) {
    for (; word; word &= word - 1) visit(first + lowest(word));
}

template <class Visit>
void for_each_position(const std::uint64_t* mask, std::size_t n_words, Visit visit) {
    for (std::size_t w = 0; w < n_words; ++w) for_each_position(mask[w], 64 * w, visit);
}

// The same for the positions from `first` to `last` - 1.
template <class Visit>
void for_each_position_between(const std::uint64_t* mask, std::size_t first, std::size_t last,
                               Visit visit) {
    for (std::size_t w = first / 64; 64 * w < last; ++w) {
        std::uint64_t word = mask[w];
        if (64 * w < first) word &= ~std::uint64_t{0} << first % 64;
        if (last < 64 * (w + 1)) word &= ~(~std::uint64_t{0} << last % 64);
        for_each_position(word, 64 * w, visit);
    }
}

}  // namespace mteval
