// The digest of texts: a sum of one hash for each segment, in any order.
//
// A segment is hashed with SipHash-2-4 and 128 bits of output (Aumasson and Bernstein 2012, and
// their reference implementation for the longer output). The message is the id of the segment, its
// length in bytes and its bytes. The key is fixed: it is that of the test vectors of the paper.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "pulse.hpp"

namespace mteval {

using Digest = std::array<std::uint64_t, 2>;

// Reads up to eight bytes as a little-endian number.
inline std::uint64_t little_endian(const unsigned char* bytes, std::size_t count = 8) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < count; ++i) word |= std::uint64_t(bytes[i]) << 8 * i;
    return word;
}

// The state of SipHash, section 2.1 of the paper.
class SipHash128 {
public:
    void compress(std::uint64_t word) {
        v3_ ^= word;
        rounds(2);
        v0_ ^= word;
    }

    Digest finish() {
        v2_ ^= 0xEE;
        rounds(4);
        const std::uint64_t low = v0_ ^ v1_ ^ v2_ ^ v3_;
        v1_ ^= 0xDD;
        rounds(4);
        return {low, v0_ ^ v1_ ^ v2_ ^ v3_};
    }

private:
    static constexpr std::uint64_t k0 = 0x0706050403020100, k1 = 0x0F0E0D0C0B0A0908;

    static std::uint64_t rotated(std::uint64_t x, unsigned bits) {
        return x << bits | x >> (64 - bits);
    }

    void rounds(int count) {
        for (int i = 0; i < count; ++i) {
            v0_ += v1_, v2_ += v3_;
            v1_ = rotated(v1_, 13) ^ v0_, v3_ = rotated(v3_, 16) ^ v2_;
            v0_ = rotated(v0_, 32);
            v2_ += v1_, v0_ += v3_;
            v1_ = rotated(v1_, 17) ^ v2_, v3_ = rotated(v3_, 21) ^ v0_;
            v2_ = rotated(v2_, 32);
        }
    }

    // 0xEE and 0xDD tell the two halves of 128 bits from the one of 64 bits.
    std::uint64_t v0_ = k0 ^ 0x736F6D6570736575, v1_ = k1 ^ 0x646F72616E646F6D ^ 0xEE;
    std::uint64_t v2_ = k0 ^ 0x6C7967656E657261, v3_ = k1 ^ 0x7465646279746573;
};

inline Digest segment_digest(std::int64_t id, const unsigned char* bytes, std::size_t length) {
    constexpr std::size_t header = 16;
    SipHash128 hash;
    hash.compress(static_cast<std::uint64_t>(id));
    hash.compress(length);
    const std::size_t rest = length % 8;
    const auto* const end = bytes + (length - rest);
    for (; bytes != end; bytes += 8) hash.compress(little_endian(bytes));
    hash.compress(little_endian(end, rest) | std::uint64_t(header + length) << 56);
    return hash.finish();
}

// Segment i, with the id ids[i], is the bytes starts[i] to ends[i] - 1.
inline Digest text_digest(const unsigned char* bytes, const std::int64_t* starts,
                          const std::int64_t* ends, const std::int64_t* ids, std::size_t count) {
    Digest sum{};
    Pulse pulse;
    for (std::size_t i = 0; i < count; ++i) {
        const auto length = static_cast<std::size_t>(ends[i] - starts[i]);
        const Digest each = segment_digest(ids[i], bytes + starts[i], length);
        sum[0] += each[0], sum[1] += each[1];
        pulse.beat(length);
    }
    return sum;
}

}  // namespace mteval
