// BLEU of texts whose tokens are separated by spaces: matched n-grams of orders 1 to 4, in a table of hashes.
#include <cmath>

#include "text.hpp"

struct Table {
    struct Slot {
        uint64_t key;
        uint32_t segment, count;
    };
    std::vector<Slot> slots = std::vector<Slot>(1 << 10);
    uint32_t segment = 0, used = 0;

    void clear() {
        ++segment;
        used = 0;
    }
    Slot& find(uint64_t key) {
        for (size_t i = key;; ++i) {
            Slot& slot = slots[i & (slots.size() - 1)];
            if (slot.segment != segment || slot.key == key) return slot;
        }
    }
    void add(uint64_t key) {
        Slot& slot = find(key);
        if (slot.segment == segment) {
            ++slot.count;
            return;
        }
        slot = {key, segment, 1};
        if (++used * 2 > slots.size()) grow();
    }
    bool take(uint64_t key) {
        Slot& slot = find(key);
        return slot.segment == segment && slot.count && slot.count--;
    }
    void grow() {
        std::vector<Slot> old(slots.size() * 2);
        old.swap(slots);
        for (const Slot& each : old)
            if (each.segment == segment) find(each.key) = each;
    }
};

int main(int, char** paths) {
    const std::string ref = read(paths[1]), hyp = read(paths[2]);
    const double start = seconds();
    const auto references = lines(ref), hypotheses = lines(hyp);
    std::vector<uint64_t> r, h;
    Table table;
    double matched[4] = {}, total[4] = {}, c = 0, e = 0;
    for (size_t i = 0; i < hypotheses.size(); ++i) {
        words(references[i], r);
        words(hypotheses[i], h);
        c += h.size();
        e += r.size();
        for (size_t n = 1; n <= 4; ++n) {
            table.clear();
            auto key = [n](const uint64_t* at) {
                uint64_t hash = n;
                for (size_t k = 0; k < n; ++k) hash = (hash ^ at[k]) * 0x9E3779B97F4A7C15u;
                return hash ^ hash >> 32;
            };
            for (size_t k = 0; k + n <= r.size(); ++k) table.add(key(&r[k]));
            for (size_t k = 0; k + n <= h.size(); ++k) matched[n - 1] += table.take(key(&h[k]));
            total[n - 1] += h.size() >= n ? h.size() - n + 1 : 0;
        }
    }
    double mean = 0;
    for (int n = 0; n < 4; ++n) mean += std::log(matched[n] / total[n]) / 4;
    const double score = 100 * (c > e ? 1 : std::exp(1 - e / c)) * std::exp(mean);
    std::printf("%.9f %.6f\n", seconds() - start, score);
}
