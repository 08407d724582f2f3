// From text to tokens: the rules of the tokenizer 13a, white space, and characters.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bits.hpp"
#include "utf8.hpp"
#include "vocabulary.hpp"

namespace mteval {

enum class Kind : std::uint8_t {
    letter,  // everything without a rule: letters, the apostrophe, most non-ASCII bytes
    digit,
    point,  // full stop and comma: a token unless between digits
    hyphen,  // a token after a digit
    symbol,  // always a token
    space,
    lead,  // first byte of characters that may be white space
};

inline constexpr std::array<Kind, 256> kinds = [] {
    std::array<Kind, 256> table{};
    for (int c = '!'; c <= '~'; ++c) table[c] = Kind::symbol;
    for (int c = 'A'; c <= 'Z'; ++c) table[c] = Kind::letter;
    for (int c = 'a'; c <= 'z'; ++c) table[c] = Kind::letter;
    for (int c = '0'; c <= '9'; ++c) table[c] = Kind::digit;
    table['\''] = Kind::letter;
    table['.'] = table[','] = Kind::point;
    table['-'] = Kind::hyphen;
    for (int c = '\t'; c <= '\r'; ++c) table[c] = Kind::space;
    for (int c = 0x1C; c <= ' '; ++c) table[c] = Kind::space;
    table[0xC2] = table[0xE1] = table[0xE2] = table[0xE3] = Kind::lead;
    return table;
}();

inline Kind kind_of(char c) { return kinds[byte(c)]; }

// Finds the bytes of a text with which a rule may begin: those of a kind from `first` on. It reads
// 64 bytes at a time, because processors cannot predict where a loop over a token ends.
template <Kind first>
class Marks {
public:
    explicit Marks(std::string_view text) : end_(text.data() + text.size()) { read(text.data()); }

    // The first of these bytes from a place on, or the end. Places must not descend.
    const char* find(const char* place) {
        for (;;) {
            if (place < limit_) {
                if (const auto mask = mask_ >> (place - block_)) return place + lowest(mask);
                place = limit_;
            }
            if (place == end_) return end_;
            read(place);
        }
    }

private:
    void read(const char* block) {
        block_ = block;
        limit_ = block + std::min<std::ptrdiff_t>(end_ - block, 64);
        mask_ = 0;
        if (limit_ - block == 64) {
            for (int i = 0; i < 64; ++i) mask_ |= std::uint64_t{is_marked[byte(block[i])]} << i;
        } else {
            for (int i = 0; i < limit_ - block; ++i) {
                mask_ |= std::uint64_t{is_marked[byte(block[i])]} << i;
            }
        }
    }

    static constexpr std::array<bool, 256> is_marked = [] {
        std::array<bool, 256> table{};
        for (int c = 0; c < 256; ++c) table[c] = kinds[c] >= first;
        return table;
    }();

    const char* const end_;
    const char *block_ = nullptr, *limit_ = nullptr;
    std::uint64_t mask_ = 0;  // of the bytes from block_ to limit_
};

// Calls emit(token) for every stretch without white space.
template <class Emit>
void split_whitespace(std::string_view text, Emit& emit) {
    const char *token = text.data(), *const end = token + text.size();
    Marks<Kind::space> marks(text);
    for (const char* next = marks.find(token); next != end; next = marks.find(next)) {
        const std::size_t space = kind_of(*next) == Kind::space ? 1 : wide_space(next, end);
        if (space == 0) {
            ++next;
            continue;
        }
        if (next != token) emit(std::string_view(token, next - token));
        token = next += space;
    }
    if (token != end) emit(std::string_view(token, end - token));
}

inline bool is_punctuation(char c) {
    const Kind kind = kind_of(c);
    return kind == Kind::symbol || kind == Kind::point || kind == Kind::hyphen || c == '\'';
}

// Calls emit(part) for a word and an ASCII punctuation mark at its end or else at its beginning.
template <class Emit>
void cut(std::string_view word, Emit& emit) {
    const std::size_t last = word.size() - 1;
    const std::size_t place = !last ? 0 : is_punctuation(word[last]) ? last : is_punctuation(word[0]);
    if (place) emit(word.substr(0, place));
    emit(word.substr(place));
}

// Which white space of a text counts as characters.
enum class Spaces { none, inside, all };

// Length in bytes of the white space at the start of a text, which is valid UTF-8; 0 if it starts
// with none.
inline std::size_t space_width(std::string_view text) {
    if (text.empty()) return 0;
    if (kind_of(text[0]) == Kind::space) return 1;
    return wide_space(text.data(), text.data() + text.size());
}

// A valid text without the white space at both ends.
inline std::string_view stripped(std::string_view text) {
    while (const std::size_t width = space_width(text)) text.remove_prefix(width);
    while (!text.empty()) {
        std::size_t last = text.size() - 1;
        while ((byte(text[last]) & 0xC0) == 0x80) --last;
        if (!space_width(text.substr(last))) break;
        text = text.substr(0, last);
    }
    return text;
}

// Turns characters into ids. Remembers the ids of characters of one or two bytes, which a vocabulary
// never changes.
class CharacterIds {
public:
    CharacterIds(Vocabulary& vocabulary, Spaces spaces) : vocabulary_(vocabulary), spaces_(spaces) {}

    // Writes the ids of the characters of valid UTF-8. There is room for one id per byte. Returns
    // the end of the ids.
    std::int32_t* write(std::string_view text, std::int32_t* id) {
        if (spaces_ == Spaces::inside) text = stripped(text);
        std::size_t width;
        for (; !text.empty(); text.remove_prefix(width)) {
            width = 8;
            if (text.size() >= 8 && is_ascii(text.data()) && are_known(text.data())) {
                write_known(text.data(), id);
            } else {
                width = character_width(text[0]);
                const std::string_view character = text.substr(0, width);
                add(width > 2 ? look_up(character) : remember(character), id);
            }
        }
        return id;
    }

private:
    static constexpr std::int32_t unknown = -1, no_token = -2;

    static void add(std::int32_t found, std::int32_t*& id) {
        *id = found;
        id += found >= 0;  // not a branch: processors cannot predict where spaces are
    }

    // Whether the ids of eight ASCII characters are known. None of them waits for the one before.
    bool are_known(const char* characters) const {
        bool any_unknown = false;
        for (std::size_t i = 0; i < 8; ++i) any_unknown |= ids_[byte(characters[i])] == unknown;
        return !any_unknown;
    }

    // Writes the ids of eight known ASCII characters.
    void write_known(const char* characters, std::int32_t*& id) const {
        if (spaces_ == Spaces::none) {
            for (std::size_t i = 0; i < 8; ++i) add(ids_[byte(characters[i])], id);
        } else {
            for (std::size_t i = 0; i < 8; ++i) *id++ = ids_[byte(characters[i])];
        }
    }

    std::int32_t look_up(std::string_view character) {
        const bool is_dropped = spaces_ == Spaces::none && space_width(character);
        return is_dropped ? no_token : vocabulary_.intern(character);
    }

    std::int32_t remember(std::string_view character) {
        const unsigned first = byte(character[0]);
        const std::size_t code =
            character.size() == 1 ? first : (first & 0x1F) << 6 | (byte(character[1]) & 0x3F);
        if (ids_[code] == unknown) ids_[code] = look_up(character);
        return ids_[code];
    }

    Vocabulary& vocabulary_;
    const Spaces spaces_;
    std::vector<std::int32_t> ids_ = std::vector<std::int32_t>(0x800, unknown);  // by code point
};

// What entities stand for. As from all tokens of a text, 16 bytes can be read (see Vocabulary).
inline constexpr char quote[16] = "\"", less[16] = "<", greater[16] = ">";

// Calls emit(token) for every token of a text without <skipped> and hyphenated line ends (see
// unwrapped_13a). In one pass, the rules become:
// - A symbol is a token. An entity is decoded to a symbol; &amp; may be the start of another
//   entity.
// - In a run of points, each is a token, except for the last one if a digit follows and either the
//   run is odd and a digit precedes it, or the run is even and no digit precedes it. (The rules
//   replace pairs of characters, and look at each point once.)
// - A hyphen after a digit is a token.
template <class Emit>
void split_13a(std::string_view text, Emit& emit) {
    const char *token = text.data(), *next = token, *const end = token + text.size();
    const auto finish_token = [&] {
        if (next != token) emit(std::string_view(token, next - token));
    };
    const auto emit_alone = [&] {
        emit(std::string_view(next, 1));
        token = ++next;
    };
    const auto follows = [&](std::string_view word) {
        return std::string_view(next, end - next).substr(0, word.size()) == word;
    };
    const auto after_digit = [&] { return next != token && kind_of(next[-1]) == Kind::digit; };

    Marks<Kind::point> marks(text);
    for (next = marks.find(next); next != end; next = marks.find(next)) {
        switch (kind_of(*next)) {
            case Kind::letter:
            case Kind::digit:
                break;
            case Kind::space:
                finish_token();
                token = ++next;
                break;
            case Kind::lead:
                if (const std::size_t width = wide_space(next, end)) {
                    finish_token();
                    token = next += width;
                } else {
                    ++next;
                }
                break;
            case Kind::hyphen:
                if (after_digit()) {
                    finish_token();
                    emit_alone();
                } else {
                    ++next;
                }
                break;
            case Kind::point: {
                const char* stop = next + 1;
                while (stop != end && kind_of(*stop) == Kind::point) ++stop;
                const bool before_digit = stop != end && kind_of(*stop) == Kind::digit;
                const bool odd = (stop - next) % 2 == 1;
                const bool joins = before_digit && odd == after_digit();
                if (joins && stop - next == 1) {
                    ++next;
                    break;
                }
                finish_token();
                while (next != stop - joins) emit_alone();
                token = next;
                next = stop;
                break;
            }
            case Kind::symbol:
                finish_token();
                if (*next != '&') {
                    emit_alone();
                } else if (follows("&quot;")) {
                    emit(std::string_view(quote, 1));
                    token = next += 6;
                } else {
                    const char* const ampersand = next;
                    next += follows("&amp;") ? 5 : 1;
                    const bool is_less = follows("lt;"), is_greater = follows("gt;");
                    if (is_less || is_greater) next += 3;
                    emit(std::string_view(is_less ? less : is_greater ? greater : ampersand, 1));
                    token = next;
                }
                break;
        }
    }
    finish_token();
}

// Whether unwrapped_13a would change a text.
inline bool is_wrapped_13a(std::string_view text) {
    return text.find("-\n") != text.npos || text.find("<skipped>") != text.npos;
}

inline std::string without(std::string_view text, std::string_view word) {
    std::string result;
    for (std::size_t place; (place = text.find(word)) != text.npos;) {
        result.append(text.substr(0, place));
        text.remove_prefix(place + word.size());
    }
    return result.append(text);
}

// Removes <skipped>, then hyphens before line feeds with the line feeds.
inline std::string unwrapped_13a(std::string_view text) {
    return without(without(text, "<skipped>"), "-\n");
}

}  // namespace mteval
