// Edit distances of the beginnings, and of the ends, of two texts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "pulse.hpp"

namespace mteval {

// Splits two texts in two parts each. The parts of a text of h tokens, split before token j, and of
// a text of r tokens, split before token i, have before(j)[i] + after(j)[i] edits.
class SplitDistances {
public:
    // equal(j, i): whether tokens j and i are equal.
    template <class Equal>
    void find(std::size_t h, std::size_t r, Equal equal) {
        stride_ = r + 1;
        before_.resize((h + 1) * stride_);
        after_.resize((h + 1) * stride_);
        for (std::size_t i = 0; i <= r; ++i) {
            before_[i] = std::uint16_t(i);
            after_[h * stride_ + i] = std::uint16_t(r - i);
        }
        for (std::size_t j = 0; j < h; ++j) {
            pulse_.beat(2 * stride_);
            const std::uint16_t* from = &before_[j * stride_];
            std::uint16_t* to = &before_[(j + 1) * stride_];
            to[0] = std::uint16_t(j + 1);
            for (std::size_t i = 0; i < r; ++i) {
                to[i + 1] = least(from[i], !equal(j, i), from[i + 1], to[i]);
            }
        }
        for (std::size_t j = h; j-- > 0;) {
            pulse_.beat(2 * stride_);
            const std::uint16_t* from = &after_[(j + 1) * stride_];
            std::uint16_t* to = &after_[j * stride_];
            to[r] = std::uint16_t(h - j);
            for (std::size_t i = r; i-- > 0;) {
                to[i] = least(from[i + 1], !equal(j, i), from[i], to[i + 1]);
            }
        }
    }

    const std::uint16_t* before(std::size_t j) const { return &before_[j * stride_]; }
    const std::uint16_t* after(std::size_t j) const { return &after_[j * stride_]; }

private:
    static std::uint16_t least(std::uint16_t diagonal, bool differs, std::uint16_t one,
                               std::uint16_t other) {
        return std::uint16_t(std::min(diagonal + differs, std::min(one, other) + 1));
    }

    Pulse pulse_;
    std::size_t stride_ = 0;
    std::vector<std::uint16_t> before_, after_;
};

}  // namespace mteval
