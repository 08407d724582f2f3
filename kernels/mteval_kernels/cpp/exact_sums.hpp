// Sums of floating-point numbers without rounding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace mteval {

// A sum as a whole number of units of 2^-1074, the smallest double: every double is one.
//
// The number is kept in digits of 32 bits, the lowest first. A digit has room for the carries of
// `most_additions` numbers, so that an addition changes two digits only (Neal 2015, "Fast exact
// summation using small and large superaccumulators").
class ExactSum {
public:
    // A double has 2098 bits of units; the rest is room for sums.
    static constexpr std::size_t n_digits = 70;
    static constexpr std::size_t most_additions = 1 << 10;

    // `number` is finite.
    void add(double number) {
        std::uint64_t bits;
        std::memcpy(&bits, &number, sizeof bits);
        const std::uint64_t fraction = bits & ((std::uint64_t(1) << 52) - 1);
        const std::uint64_t exponent = bits >> 52 & 0x7ff;
        const bool is_normal = exponent != 0;
        const std::uint64_t significand = fraction | std::uint64_t(is_normal) << 52;
        const std::uint64_t position = exponent - is_normal;  // of the lowest bit, in units
        const std::uint64_t shift = position % 32;
        const std::int64_t low = significand << shift & 0xffffffff;
        const std::int64_t high = significand >> 1 >> (31 - shift);
        const std::int64_t sign = number < 0 ? -1 : 1;
        std::int64_t* digit = digits_ + position / 32;
        digit[0] += sign * low;
        digit[1] += sign * high;
    }

    // Makes every digit less than 2^32. The highest one has the sign.
    void carry() {
        for (std::size_t i = 0; i + 1 < n_digits; ++i) {
            digits_[i + 1] += digits_[i] >> 32;
            digits_[i] &= 0xffffffff;
        }
    }

    // Writes the number as bytes, the lowest first, in two's complement.
    void write(unsigned char* bytes) const {
        for (std::size_t i = 0; i < n_digits; ++i) {
            for (int k = 0; k < 4; ++k) *bytes++ = digits_[i] >> 8 * k & 0xff;
        }
    }

private:
    std::int64_t digits_[n_digits] = {};
};

// Adds up the columns of n rows of k numbers.
inline std::vector<ExactSum> exact_sums(const double* rows, std::size_t n, std::size_t k) {
    std::vector<ExactSum> sums(k);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t column = 0; column < k; ++column) sums[column].add(rows[i * k + column]);
        if ((i + 1) % ExactSum::most_additions == 0) {
            for (auto& sum : sums) sum.carry();
        }
    }
    for (auto& sum : sums) sum.carry();
    return sums;
}

}  // namespace mteval
