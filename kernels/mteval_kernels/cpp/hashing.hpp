// Functions that the hash tables share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>

// Fetches memory that will be needed soon. A macro, because GCC drops calls of a function that does
// nothing else.
#if defined(__GNUC__)
#define MTEVAL_PREFETCH(address) __builtin_prefetch(address)
#else
#define MTEVAL_PREFETCH(address) static_cast<void>(address)
#endif

// Makes a function part of the loops that call it, where compilers do not by themselves.
#if defined(__GNUC__)
#define MTEVAL_INLINE __attribute__((always_inline)) inline
#else
#define MTEVAL_INLINE inline
#endif

namespace mteval {

// Bijective; all bits of the result depend on all bits of the argument (variant 13 of Stafford's
// "Better bit mixing").
inline std::uint64_t mix(std::uint64_t x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

// Maps a number to one of 2^bits slots (Fibonacci hashing).
inline std::size_t slot_of(std::int32_t number, unsigned bits) {
    return (static_cast<std::uint32_t>(number) * 0x9E3779B1u) >> (32 - bits);
}

// The id of the next entry of a table.
inline std::int32_t next_id(std::size_t size) {
    if (size > std::size_t{std::numeric_limits<std::int32_t>::max()}) {
        throw std::overflow_error("more than 2147483648 entries do not fit int32 ids");
    }
    return static_cast<std::int32_t>(size);
}

template <class T>
T load(const void* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

}  // namespace mteval
