// What the hash tables share.
#pragma once

#include <cstdint>
#include <cstring>

// Has memory fetched that is wanted soon. A macro, as GCC drops calls of what does only this.
#if defined(__GNUC__)
#define MTEVAL_PREFETCH(address) __builtin_prefetch(address)
#else
#define MTEVAL_PREFETCH(address) static_cast<void>(address)
#endif

namespace mteval {

// Bijective; all bits of the result depend on all bits of the argument (variant 13 of Stafford's
// "Better bit mixing").
inline std::uint64_t mix(std::uint64_t x) {
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

template <class T>
T load(const char* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

}  // namespace mteval
