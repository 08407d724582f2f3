// The n-grams that occur more than once in texts.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "pulse.hpp"

namespace mteval {

// The n-grams of one order, sorted. Those that begin with n-gram i of the order before have the
// numbers first[i] to first[i + 1] - 1.
struct RepeatedNgrams {
    std::vector<std::int32_t> first{0}, last, counts;
};

// The positions where n-grams that occur more than once start, grouped by n-gram and sorted.
class NgramGroups {
public:
    // Groups the words with low <= id < high; a negative id ends a text.
    NgramGroups(const std::int32_t* words, std::uint32_t count, std::int32_t low,
                std::int32_t high)
        : words_(words), count_(count), bounds_(std::size_t(high - low) + 1) {
        const auto n_words = static_cast<std::uint32_t>(high - low);
        const auto place = [&](std::uint32_t i) {
            return static_cast<std::uint32_t>(words[i]) - static_cast<std::uint32_t>(low);
        };
        for (std::uint32_t i = 0; i < count; ++i) {
            if (place(i) < n_words) ++bounds_[place(i) + 1];
        }
        for (std::size_t word = 0; word < n_words; ++word) bounds_[word + 1] += bounds_[word];
        starts_.resize(bounds_.back());
        std::vector<std::uint32_t> next = bounds_;
        for (std::uint32_t i = 0; i < count; ++i) {
            if (place(i) < n_words) starts_[next[place(i)]++] = i;
        }
    }

    // Adds a word to the n-grams, and leaves out those that occur once.
    RepeatedNgrams extend() {
        RepeatedNgrams ngrams;
        std::vector<std::uint32_t> starts, bounds{0};
        for (std::size_t group = 0; group + 1 < bounds_.size(); ++group) {
            sort_by_next_word(bounds_[group], bounds_[group + 1]);
            for (std::size_t i = 0, end = 0; i < keys_.size(); i = end) {
                while (end < keys_.size() && word(keys_[end]) == word(keys_[i])) ++end;
                if (end - i < 2) continue;
                ngrams.last.push_back(word(keys_[i]));
                ngrams.counts.push_back(static_cast<std::int32_t>(end - i));
                for (; i < end; ++i) starts.push_back(static_cast<std::uint32_t>(keys_[i]));
                bounds.push_back(static_cast<std::uint32_t>(starts.size()));
            }
            ngrams.first.push_back(static_cast<std::int32_t>(ngrams.last.size()));
        }
        starts_.swap(starts);
        bounds_.swap(bounds);
        ++length_;
        return ngrams;
    }

private:
    // A word, and where the n-gram that it ends starts.
    using Key = std::uint64_t;
    static std::int32_t word(Key key) { return static_cast<std::int32_t>(key >> 32); }

    void sort_by_next_word(std::size_t begin, std::size_t end) {
        pulse_.beat(16 * (end - begin));
        keys_.clear();
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t next = std::size_t(starts_[i]) + length_;
            if (next >= count_ || words_[next] < 0) continue;
            keys_.push_back(Key(words_[next]) << 32 | starts_[i]);
        }
        if (keys_.size() < 1024) {
            std::sort(keys_.begin(), keys_.end());
        } else {
            sort_by_digits();
        }
    }

    // Sorts many keys, eleven bits of the words at a time. The positions are in order.
    void sort_by_digits() {
        constexpr int bits = 11;
        Key used = 0;
        for (const Key key : keys_) used |= key;
        sorted_.resize(keys_.size());
        for (int shift = 32; shift < 64 && used >> shift; shift += bits) {
            const auto digit = [&](Key key) { return key >> shift & ((1U << bits) - 1); };
            std::array<std::size_t, std::size_t(1) << bits> place{};
            for (const Key key : keys_) ++place[digit(key)];
            std::size_t total = 0;
            for (std::size_t& each : place) {
                const std::size_t size = each;
                each = total;
                total += size;
            }
            for (const Key key : keys_) sorted_[place[digit(key)]++] = key;
            keys_.swap(sorted_);
        }
    }

    const std::int32_t* words_;
    std::uint32_t count_, length_ = 1;
    std::vector<std::uint32_t> bounds_, starts_;  // n-gram i: starts_[bounds_[i]] and on
    std::vector<Key> keys_, sorted_;
    Pulse pulse_;
};

// Sorted n-grams of one order, to look them up.
struct SortedNgrams {
    // The number of an n-gram; -1 if it is not there.
    std::int32_t find(std::int32_t prefix, std::int32_t word) const {
        if (prefix < 0 || prefix >= n_prefixes) return -1;
        const std::int32_t begin = first[prefix], end = first[prefix + 1];
        if (begin < 0 || end < begin || end > n_ngrams) throw WrongBounds{prefix, begin, end};
        const std::int32_t* found = std::lower_bound(last + begin, last + end, word);
        if (found == last + end || *found != word) return -1;
        return static_cast<std::int32_t>(found - last);
    }

    struct WrongBounds {
        std::int32_t prefix, begin, end;
    };
    const std::int32_t *first, *last;
    std::int64_t n_prefixes, n_ngrams;
};

}  // namespace mteval
