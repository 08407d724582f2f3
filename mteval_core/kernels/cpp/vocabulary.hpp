// Ids of tokens, in order of first occurrence.
#pragma once

#include <cstdint>
#include <cstring>
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

// An open-addressing table over an arena of UTF-8. The key in a slot identifies a token of up to
// eight bytes; for a longer token it is a 64-bit hash that the arena must confirm. Most look-ups
// touch one cache line, and the table grows without reading the arena.
class Vocabulary {
public:
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
    MTEVAL_INLINE std::int32_t intern(std::string_view token) {
        const std::uint64_t key = key_of(token);
        const std::size_t slot = locate(token, key);
        return slots_[slot].id >= 0 ? slots_[slot].id : add(token, key, slot);
    }

private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t length = 0;
        std::int32_t id = -1;  // -1: free
    };

    static constexpr std::size_t short_length = 8;

    // The bytes of a short token (the slot has its length), or a hash of a longer one.
    static std::uint64_t key_of(std::string_view token) {
        const char* bytes = token.data();
        const std::size_t length = token.size();
        if (length >= 4 && length <= short_length) {
            return std::uint64_t{load<std::uint32_t>(bytes)} << 32 |
                   load<std::uint32_t>(bytes + length - 4);
        }
        if (length > short_length) {
            std::uint64_t key = length;
            for (std::size_t i = 0; i + 8 < length; i += 8) {
                key = mix(key ^ load<std::uint64_t>(bytes + i));
            }
            return mix(key ^ load<std::uint64_t>(bytes + length - 8));
        }
        if (length == 0) return 0;
        return std::uint64_t{byte(bytes[0])} << 16 | std::uint64_t{byte(bytes[length / 2])} << 8 |
               byte(bytes[length - 1]);
    }

    // The slot of a token, or the free slot for it.
    std::size_t locate(std::string_view token, std::uint64_t key) const {
        const std::size_t last = slots_.size() - 1;
        for (std::size_t i = mix(key ^ token.size()) & last;; i = (i + 1) & last) {
            const Slot& slot = slots_[i];
            if (slot.id < 0) return i;
            if (slot.key == key && slot.length == token.size() &&
                (slot.length <= short_length || this->token(slot.id) == token)) {
                return i;
            }
        }
    }

    std::int32_t add(std::string_view token, std::uint64_t key, std::size_t slot) {
        if (!is_utf8(token)) throw InvalidUtf8();
        if (token.size() > std::numeric_limits<std::uint32_t>::max()) {
            throw std::overflow_error("a token of 4 GiB or more");
        }
        const std::int32_t id = next_id(size());
        arena_.append(token);
        ends_.push_back(arena_.size());
        slots_[slot] = {key, static_cast<std::uint32_t>(token.size()), id};
        if (2 * size() > slots_.size()) grow();
        return id;
    }

    void grow() {
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        const std::size_t last = slots_.size() - 1;
        for (const Slot& slot : old) {
            if (slot.id < 0) continue;
            std::size_t i = mix(slot.key ^ slot.length) & last;
            while (slots_[i].id >= 0) i = (i + 1) & last;
            slots_[i] = slot;
        }
    }

    std::string arena_;
    std::vector<std::size_t> ends_{0};  // token i is arena_[ends_[i]:ends_[i + 1]]
    std::vector<Slot> slots_ = std::vector<Slot>(128);
};

// Remembers the ids of characters of one or two bytes, which a vocabulary never changes.
class CharacterIds {
public:
    explicit CharacterIds(Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

    // The id of a character of valid UTF-8.
    std::int32_t intern(std::string_view character) {
        if (character.size() > 2) return vocabulary_.intern(character);
        const bool ascii = character.size() == 1;
        const unsigned first = byte(character[0]);
        const std::size_t code = ascii ? first : (first & 0x1F) << 6 | (byte(character[1]) & 0x3F);
        if (ids_[code] < 0) ids_[code] = vocabulary_.intern(character);
        return ids_[code];
    }

private:
    Vocabulary& vocabulary_;
    std::vector<std::int32_t> ids_ = std::vector<std::int32_t>(0x800, -1);  // by code point
};

}  // namespace mteval
