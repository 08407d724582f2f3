// WER or CER: edit distances by bit vectors (Myers 1999, in blocks as Hyyro 2003), of words or characters.
#include <cstring>

#include "text.hpp"

// Which places of the pattern have a symbol, in a table that is as large as the pattern needs.
struct Places {
    std::vector<uint64_t> keys, masks;
    size_t blocks = 0, size = 0;

    void fill(const std::vector<uint64_t>& pattern) {
        blocks = (pattern.size() + 63) / 64;
        for (size = 64; size < 2 * pattern.size() + 2;) size *= 2;
        if (keys.size() < size + 1) keys.resize(size + 1);
        if (masks.size() < (size + 1) * blocks) masks.resize((size + 1) * blocks);
        std::memset(keys.data(), 0, (size + 1) * sizeof(uint64_t));
        std::memset(masks.data(), 0, (size + 1) * blocks * sizeof(uint64_t));
        for (size_t i = 0; i < pattern.size(); ++i) {
            const size_t slot = find(pattern[i]);
            keys[slot] = pattern[i] + 1;
            masks[slot * blocks + i / 64] |= uint64_t(1) << (i % 64);
        }
    }
    size_t find(uint64_t symbol) const {
        size_t slot = (symbol ^ symbol >> 32) & (size - 1);
        while (keys[slot] && keys[slot] != symbol + 1) slot = (slot + 1) & (size - 1);
        return slot;
    }
};

struct Block {
    uint64_t plus, minus;
};

long distance(const std::vector<uint64_t>& pattern, const std::vector<uint64_t>& text, Places& places,
              std::vector<Block>& column) {
    if (pattern.empty()) return long(text.size());
    places.fill(pattern);
    column.assign(places.blocks, {~uint64_t(0), 0});
    const uint64_t last = uint64_t(1) << ((pattern.size() - 1) % 64);
    long found = long(pattern.size());
    for (uint64_t symbol : text) {
        const uint64_t* masks = &places.masks[places.find(symbol) * places.blocks];
        uint64_t up = 1, down = 0;
        for (size_t b = 0; b < places.blocks; ++b) {
            auto& [plus, minus] = column[b];
            const uint64_t equal = masks[b] | down;
            const uint64_t zero = (((equal & plus) + plus) ^ plus) | equal | minus;
            uint64_t higher = minus | ~(zero | plus), lower = plus & zero;
            if (b + 1 == places.blocks) found += bool(higher & last) - bool(lower & last);
            const uint64_t next_up = higher >> 63, next_down = lower >> 63;
            higher = higher << 1 | up;
            lower = lower << 1 | down;
            plus = lower | ~(zero | higher);
            minus = higher & zero;
            up = next_up;
            down = next_down;
        }
    }
    return found;
}

int main(int, char** arguments) {
    const bool of_words = !std::strcmp(arguments[1], "wer");
    const std::string ref = read(arguments[2]), hyp = read(arguments[3]);
    const double start = seconds();
    const auto references = lines(ref), hypotheses = lines(hyp);
    std::vector<uint64_t> r, h;
    std::vector<Block> column;
    Places places;
    double edits = 0, length = 0;
    for (size_t i = 0; i < hypotheses.size(); ++i) {
        (of_words ? words : characters)(references[i], r);
        (of_words ? words : characters)(hypotheses[i], h);
        edits += distance(r, h, places, column);
        length += r.size();
    }
    std::printf("%.9f %.6f\n", seconds() - start, 100 * edits / length);
}
