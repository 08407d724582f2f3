// Ids of tokens, in order of first occurrence.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "hashing.hpp"
#include "utf8.hpp"

namespace mteval {

struct InvalidUtf8 : std::invalid_argument {
    InvalidUtf8() : std::invalid_argument("a text is not UTF-8") {}
};

// An open-addressing table over an arena of UTF-8. The slot of a token of up to 16 bytes has the
// token itself; that of a longer one has a hash that the arena must confirm. Most look-ups touch one
// or two cache lines, and the table grows without reading the arena.
class Vocabulary {
public:
    // How many bytes `intern_readable` may read from the start of a token.
    static constexpr std::size_t readable = 16;

    Vocabulary() {  // with room for the words of a segment
        arena_.reserve(512);
        ends_.reserve(128);
    }

    std::size_t size() const { return ends_.size() - 1; }

    std::string_view token(std::size_t id) const {
        return std::string_view(arena_).substr(ends_[id], ends_[id + 1] - ends_[id]);
    }

    // The id of a token, or -1.
    std::int32_t find(std::string_view token) const {
        return slots_[locate(token, key_of(token))].id;
    }

    // The id of a token; adds a new token. Throws InvalidUtf8.
    std::int32_t intern(std::string_view token) { return intern(token, key_of(token)); }

    // ids[i]: the id of the i-th token, as intern returns it. Up to 16 bytes are read from the
    // start of each token, even if it is shorter.
    void intern_readable(const std::string_view* tokens, std::size_t count, std::int32_t* ids) {
        constexpr std::size_t at_once = 64;
        Key keys[at_once];
        for (; count; tokens += at_once, ids += at_once) {
            const std::size_t n = std::min(count, at_once);
            for (std::size_t i = 0; i < n; ++i) {
                keys[i] = key_of_readable(tokens[i]);
                MTEVAL_PREFETCH(&slots_[keys[i].hash & (slots_.size() - 1)]);
            }
            for (std::size_t i = 0; i < n; ++i) ids[i] = intern(tokens[i], keys[i]);
            count -= n;
        }
    }

private:
    struct Key {
        std::uint64_t low, high, hash;
    };

    struct Slot {
        std::uint64_t low = 0, high = 0;
        std::uint32_t length = 0;
        std::int32_t id = -1;  // -1: free
    };

    static constexpr std::size_t short_length = 16;

    static Key key_of(std::string_view token) {
        if (token.size() > short_length) return key_of_long(token);
        char bytes[short_length] = {};
        token.copy(bytes, short_length);
        return hashed(load<std::uint64_t>(bytes), load<std::uint64_t>(bytes + 8), token.size());
    }

    // As key_of, but reads the bytes of a short token and what follows it.
    static Key key_of_readable(std::string_view token) {
        if (token.size() > short_length) return key_of_long(token);
        static constexpr unsigned char ones[2 * short_length] = {
            255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
        const unsigned char* const mask = ones + short_length - token.size();
        const char* const bytes = token.data();
        return hashed(load<std::uint64_t>(bytes) & load<std::uint64_t>(mask),
                      load<std::uint64_t>(bytes + 8) & load<std::uint64_t>(mask + 8), token.size());
    }

    static Key key_of_long(std::string_view token) {
        const char* const bytes = token.data();
        const std::size_t length = token.size();
        std::uint64_t low = 0;
        for (std::size_t i = 0; i + 8 < length; i += 8) {
            low = mix(low ^ load<std::uint64_t>(bytes + i));
        }
        return hashed(low, load<std::uint64_t>(bytes + length - 8), length);
    }

    static Key hashed(std::uint64_t low, std::uint64_t high, std::size_t length) {
        return {low, high, mix((low ^ length) + high * 0x9E3779B97F4A7C15u)};
    }

    std::int32_t intern(std::string_view token, const Key& key) {
        const std::size_t slot = locate(token, key);
        return slots_[slot].id >= 0 ? slots_[slot].id : add(token, key, slot);
    }

    // The slot of a token, or the free slot for it.
    std::size_t locate(std::string_view token, const Key& key) const {
        const std::size_t last = slots_.size() - 1;
        for (std::size_t i = key.hash & last;; i = (i + 1) & last) {
            const Slot& slot = slots_[i];
            if (slot.id < 0) return i;
            if (slot.low == key.low && slot.high == key.high && slot.length == token.size() &&
                (slot.length <= short_length || this->token(slot.id) == token)) {
                return i;
            }
        }
    }

    std::int32_t add(std::string_view token, const Key& key, std::size_t slot) {
        if (!is_utf8(token)) throw InvalidUtf8();
        if (token.size() > std::numeric_limits<std::uint32_t>::max()) {
            throw std::overflow_error("a token of 4 GiB or more");
        }
        const std::int32_t id = next_id(size());
        arena_.append(token);
        ends_.push_back(arena_.size());
        slots_[slot] = {key.low, key.high, static_cast<std::uint32_t>(token.size()), id};
        if (2 * size() > slots_.size()) grow();
        return id;
    }

    // A small table grows more, so that the tokens of a short text are seldom moved.
    void grow() {
        std::vector<Slot> old(slots_.size() * (slots_.size() < 4096 ? 4 : 2));
        old.swap(slots_);
        const std::size_t last = slots_.size() - 1;
        for (const Slot& slot : old) {
            if (slot.id < 0) continue;
            std::size_t i = hashed(slot.low, slot.high, slot.length).hash & last;
            while (slots_[i].id >= 0) i = (i + 1) & last;
            slots_[i] = slot;
        }
    }

    std::string arena_;
    std::vector<std::size_t> ends_{0};  // token i is arena_[ends_[i]:ends_[i + 1]]
    std::vector<Slot> slots_ = std::vector<Slot>(128);
};

}  // namespace mteval
