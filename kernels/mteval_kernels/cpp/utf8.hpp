// UTF-8: validity and white space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "hashing.hpp"

namespace mteval {

inline unsigned char byte(char c) { return static_cast<unsigned char>(c); }

// Whether eight bytes are ASCII.
inline bool is_ascii(const char* bytes) {
    return (load<std::uint64_t>(bytes) & 0x8080808080808080u) == 0;
}

// Whether a text is valid UTF-8 (RFC 3629, section 4).
inline bool is_utf8(std::string_view text) {
    const std::size_t size = text.size();
    for (std::size_t i = 0; i < size;) {
        if (size - i >= 8 && is_ascii(&text[i])) {
            i += 8;
            continue;
        }
        const unsigned char lead = byte(text[i++]);
        if (lead < 0x80) continue;
        if (lead < 0xC2 || lead > 0xF4) return false;
        const int trailing = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
        unsigned char low = 0x80, high = 0xBF;  // bounds of the first trailing byte
        if (lead == 0xE0) low = 0xA0;           // no overlong forms
        if (lead == 0xED) high = 0x9F;          // no surrogates
        if (lead == 0xF0) low = 0x90;
        if (lead == 0xF4) high = 0x8F;          // nothing above U+10FFFF
        for (int k = 0; k < trailing; ++k, ++i) {
            if (i == size || byte(text[i]) < low || byte(text[i]) > high) return false;
            low = 0x80;
            high = 0xBF;
        }
    }
    return true;
}

// Length in bytes of the non-ASCII white space (as of Python's str.isspace) at the start of a text;
// 0 if there is none.
inline std::size_t wide_space(const char* text, const char* end) {
    if (end - text < 2) return 0;
    const unsigned char first = byte(text[0]), second = byte(text[1]);
    if (first == 0xC2) return second == 0x85 || second == 0xA0 ? 2 : 0;  // U+0085, U+00A0
    if (end - text < 3) return 0;
    const unsigned char third = byte(text[2]);
    const bool space =
        (first == 0xE1 && second == 0x9A && third == 0x80) ||                      // U+1680
        (first == 0xE2 && second == 0x80 && third >= 0x80 && third <= 0x8A) ||     // U+2000-200A
        (first == 0xE2 && second == 0x80 && (third == 0xA8 || third == 0xA9)) ||   // U+2028, 2029
        (first == 0xE2 && second == 0x80 && third == 0xAF) ||                      // U+202F
        (first == 0xE2 && second == 0x81 && third == 0x9F) ||                      // U+205F
        (first == 0xE3 && second == 0x80 && third == 0x80);                        // U+3000
    return space ? 3 : 0;
}

// Length in bytes of the character at the start of valid UTF-8.
inline std::size_t character_width(char lead) {
    const unsigned char first = byte(lead);
    return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

}  // namespace mteval
