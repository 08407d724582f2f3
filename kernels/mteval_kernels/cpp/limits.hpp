// How long the texts of a segment may be; docs/limits.md lists the kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "texts.hpp"

namespace mteval {

// Longest text, in tokens, and most pairs of a hypothesis token and a reference token.
struct Limits {
    std::int64_t length, pairs;

    bool allow(std::int64_t hypothesis, std::int64_t reference) const {
        return hypothesis <= length && reference <= length && hypothesis * reference <= pairs;
    }
};
constexpr std::int64_t max_length = 65535;
constexpr Limits linear_limits{1 << 24, std::int64_t(1) << 48};
constexpr Limits bit_limits{max_length, max_length * max_length};  // 64 pairs in one step
constexpr Limits table_limits{max_length, 1 << 28};                // a bit or a step for each pair
constexpr Limits search_limits{max_length, 1 << 24};               // a cell for each pair, often

// A segment is too long for a kernel.
struct SegmentTooLong {
    std::size_t segment;
    std::string reason;
};

inline std::string length_text(std::size_t hypothesis, std::size_t reference) {
    return std::to_string(hypothesis) + " hypothesis tokens and " + std::to_string(reference) +
           " reference tokens; expected at most ";
}

inline void check_length(std::size_t segment, std::int64_t hypothesis, std::int64_t reference,
                         const Limits& limits) {
    if (limits.allow(hypothesis, reference)) return;
    std::string reason =
        length_text(hypothesis, reference) + std::to_string(limits.length) + " of each";
    if (limits.pairs < limits.length * limits.length) {
        reason += " and " + std::to_string(limits.pairs) + " pairs of both";
    }
    throw SegmentTooLong{segment, reason};
}

// Refuses more than `most` of something that takes time or memory. for_each_pair sets the segment.
inline void check_count(std::size_t hypothesis, std::size_t reference, std::size_t count,
                        std::size_t most, const char* what) {
    if (count <= most) return;
    throw SegmentTooLong{
        0, length_text(hypothesis, reference) + std::to_string(most) + " " + what};
}

inline void check_lengths(const Segments& segments, const Limits& limits) {
    for (std::size_t i = 0; i < segments.count; ++i) {
        const auto hypothesis = std::int64_t(segments.hypotheses[i].length);
        for (auto r = segments.index[i]; r < segments.index[i + 1]; ++r) {
            check_length(i, hypothesis, std::int64_t(segments.references[r].length), limits);
        }
    }
}

// Calls visit(), and adds the segment to an error.
template <class Visit>
void in_segment(std::size_t i, Visit visit) {
    try {
        visit();
    } catch (SegmentTooLong& error) {
        error.segment = i;
        throw;
    }
}

// Calls visit(hypothesis, reference, r) for every reference r of every segment.
template <class Visit>
void for_each_pair(const Segments& segments, Visit visit) {
    for (std::size_t i = 0; i < segments.count; ++i) {
        const Text hypothesis = segments.hypotheses[i];
        in_segment(i, [&] {
            for (auto r = segments.index[i]; r < segments.index[i + 1]; ++r) {
                visit(hypothesis, segments.references[r], std::size_t(r));
            }
        });
    }
}

}  // namespace mteval
