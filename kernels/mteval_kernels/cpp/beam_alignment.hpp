// One-to-one links between tokens, or phrases, of two texts in few chunks, by beam search.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

#include "bits.hpp"
#include "limits.hpp"
#include "pulse.hpp"
#include "relations.hpp"
#include "texts.hpp"

namespace mteval {

// A possible link between a stretch of a reference and a stretch of the hypothesis.
struct Phrase {
    std::int32_t start, length, hypothesis_start, hypothesis_length, weight;
};

// The phrases of reference text r are those from first[r] to first[r + 1] - 1.
struct Phrases {
    std::vector<std::int64_t> first;
    std::vector<Phrase> phrases;
};

// Largest weight of a link, so that the weights of all links of a text add up to 32 bits.
constexpr std::int64_t max_weight = max_length;
static_assert(max_weight * max_length <= std::numeric_limits<std::uint32_t>::max());

// Most partial alignments that a search queues: the beam times the number of possible links.
constexpr std::size_t max_queued = std::size_t(1) << 25;

// Aligns the tokens of two texts by beam search.
class BeamAligner {
public:
    BeamAligner(const std::vector<Relation>& relations, const std::vector<std::uint32_t>& weights,
                const Phrases& phrases, std::size_t beam)
        : relations_(relations), weights_(weights), phrases_(phrases), beam_(beam) {}

    // Writes the link of every position of the r-th reference.
    void align(Text hypothesis, Text reference, std::size_t r, Link* links) {
        propose(hypothesis, reference, r);
        fix(hypothesis.length, reference.length);
        n_words_ = words_for(hypothesis.length);
        taken_.clear();
        alignments_.assign(1, Alignment());
        used_.assign(n_words_, 0);
        for (std::size_t j = 0; j < reference.length; ++j) {
            if (fixed_[j]) {
                take_fixed(j);
                rank();
            } else if (first_[j] == first_[j + 1]) {
                for (Alignment& alignment : alignments_) {
                    if (alignment.next <= j) alignment.close();
                }
                rank();
            } else {
                pulse_.beat(beam_ * (first_[j + 1] - first_[j] + n_words_));
                branch(j);
                keep_best(j);
            }
        }
        for (Alignment& alignment : alignments_) alignment.close();
        const Alignment& best = *std::min_element(alignments_.begin(), alignments_.end(), precedes);
        for (std::size_t j = 0; j < reference.length; ++j) {
            links[j] = fixed_[j] ? links_[first_[j]] : Link();
        }
        for (std::int32_t t = best.last; t >= 0; t = taken_[t].before) {
            links[taken_[t].reference_position] = taken_[t].link;
        }
    }

private:
    // Numbers of tokens that a link covers in both texts, and its weight in the ranking.
    struct Extent {
        std::uint32_t length, hypothesis_length, weight;
    };

    // A partial alignment, with the numbers by which it is ranked.
    struct Alignment {
        std::uint32_t weight = 0;
        std::uint32_t chunks = 0;
        std::int64_t distance = 0;
        std::size_t next = 0;    // reference position after the last link
        std::int32_t end = -1;   // hypothesis position after it, if that link ended just before
        std::int32_t last = -1;  // the last free link, in taken_
        std::uint32_t used = 0;  // its row in used_

        void close() {
            chunks += end != -1;
            end = -1;
        }
    };

    // A free link that alignments have taken, with the one before it.
    struct Taken {
        Link link;
        std::int32_t reference_position;
        std::int32_t before;
    };

    // The parts of an alignment in the queue.
    struct Origin {
        std::uint32_t parent;
        Link link;
    };

    // The rank of an alignment in the queue.
    struct Place {
        std::uint64_t rank;
        std::int64_t distance;
        std::size_t place;

        bool operator<(const Place& other) const {
            if (rank != other.rank) return rank < other.rank;
            return distance != other.distance ? distance < other.distance : place < other.place;
        }
    };

    static bool precedes(const Alignment& a, const Alignment& b) {
        if (a.weight != b.weight) return a.weight > b.weight;
        if (a.chunks != b.chunks) return a.chunks < b.chunks;
        return a.distance < b.distance;
    }

    Extent extent(Link link) const {
        const auto kind = std::size_t(link.kind);
        if (kind < weights_.size()) return {1, 1, weights_[kind]};
        const Phrase& phrase = phrases_.phrases[kind - weights_.size()];
        return {std::uint32_t(phrase.length), std::uint32_t(phrase.hypothesis_length),
                std::uint32_t(phrase.weight)};
    }

    // Lists the links that begin at every reference position, relation after relation, then
    // phrases.
    void propose(Text hypothesis, Text reference, std::size_t r) {
        const bool same =
            hypothesis.length == reference.length &&
            std::equal(hypothesis.tokens, hypothesis.tokens + hypothesis.length, reference.tokens);
        const std::size_t n_kinds = same ? 1 : relations_.size();
        masks_.resize(relations_.size());
        candidates_.find(reference, hypothesis, Relation(), identical_);
        for (std::size_t kind = 0; kind < n_kinds; ++kind) {
            if (relations_[kind].is_identity()) {
                masks_[kind] = identical_;
                continue;
            }
            candidates_.find(reference, hypothesis, relations_[kind], masks_[kind]);
            for (std::size_t w = 0; w < identical_.words.size(); ++w) {
                masks_[kind].words[w] &= ~identical_.words[w];
            }
        }
        check_links(hypothesis, reference, n_kinds);
        phrases_here_.clear();
        if (!same) {
            for (auto k = phrases_.first[r]; k < phrases_.first[r + 1]; ++k) phrases_here_.push_back(k);
            std::stable_sort(phrases_here_.begin(), phrases_here_.end(), [&](auto a, auto b) {
                return phrases_.phrases[a].start < phrases_.phrases[b].start;
            });
        }
        links_.clear();
        first_.clear();
        auto here = phrases_here_.begin();
        for (std::size_t j = 0; j < reference.length; ++j) {
            first_.push_back(links_.size());
            for (std::size_t kind = 0; kind < n_kinds; ++kind) {
                for_each_position(masks_[kind][j], identical_.n_words, [&](std::size_t i) {
                    links_.push_back({std::int32_t(i), std::int32_t(kind)});
                });
            }
            for (; here != phrases_here_.end(); ++here) {
                const Phrase& phrase = phrases_.phrases[*here];
                if (phrase.start != std::int32_t(j)) break;
                const auto kind = std::int32_t(relations_.size()) + std::int32_t(*here);
                links_.push_back({phrase.hypothesis_start, kind});
            }
        }
        first_.push_back(links_.size());
    }

    // Refuses more possible links than the search can queue.
    void check_links(Text hypothesis, Text reference, std::size_t n_kinds) const {
        const std::size_t most = max_queued / beam_;
        if (n_kinds * hypothesis.length * reference.length <= most) return;
        std::size_t n_links = 0;
        for (std::size_t kind = 0; kind < n_kinds; ++kind) {
            n_links += count(masks_[kind].words.data(), masks_[kind].words.size());
        }
        check_count(hypothesis.length, reference.length, n_links, most, "possible links");
    }

    // A link is fixed if its tokens have no other link.
    void fix(std::size_t hypothesis_length, std::size_t reference_length) {
        n_links_.assign(reference_length, 0);
        n_hypothesis_links_.assign(hypothesis_length, 0);
        for_each_link(reference_length, [&](std::size_t j, Link link) {
            const auto [length, hypothesis_length, weight] = extent(link);
            for (std::size_t k = 0; k < length; ++k) ++n_links_[j + k];
            for (std::size_t k = 0; k < hypothesis_length; ++k) ++n_hypothesis_links_[link.position + k];
        });
        const auto is_one = [](std::uint32_t n) { return n == 1; };
        fixed_.assign(reference_length, 0);
        for_each_link(reference_length, [&](std::size_t j, Link link) {
            const auto [length, hypothesis_length, weight] = extent(link);
            const auto *at = &n_links_[j], *hypothesis_at = &n_hypothesis_links_[link.position];
            fixed_[j] = std::all_of(at, at + length, is_one) &&
                        std::all_of(hypothesis_at, hypothesis_at + hypothesis_length, is_one);
        });
    }

    template <class Visit>
    void for_each_link(std::size_t reference_length, Visit visit) const {
        for (std::size_t j = 0; j < reference_length; ++j) {
            for (std::size_t l = first_[j]; l < first_[j + 1]; ++l) visit(j, links_[l]);
        }
    }

    void take_fixed(std::size_t j) {
        const Link link = links_[first_[j]];
        const auto [length, hypothesis_length, weight] = extent(link);
        for (Alignment& alignment : alignments_) {
            alignment.weight += weight;
            alignment.chunks += alignment.end != -1 && alignment.end != link.position;
            alignment.distance += std::abs(std::int64_t(link.position) - std::int64_t(j));
            alignment.end = link.position + std::int32_t(hypothesis_length);
            alignment.next = j + length;
        }
    }

    // Stable insertion sort: the alignments are almost in order, as the last position changes
    // little.
    void rank() {
        for (std::size_t k = 1; k < alignments_.size(); ++k) {
            if (!precedes(alignments_[k], alignments_[k - 1])) continue;
            const Alignment moved = alignments_[k];
            std::size_t place = k;
            for (; place && precedes(moved, alignments_[place - 1]); --place) {
                alignments_[place] = alignments_[place - 1];
            }
            alignments_[place] = moved;
        }
    }

    // Queues every alignment with each of the free links of a position, and without a link.
    void branch(std::size_t j) {
        queue_.clear();
        origins_.clear();
        for (std::uint32_t parent = 0; parent < alignments_.size(); ++parent) {
            const Alignment& alignment = alignments_[parent];
            if (alignment.next > j) {  // inside a phrase
                queue(alignment.weight, alignment.chunks, alignment.distance, {parent, Link()});
                continue;
            }
            const std::uint64_t* used = &used_[alignment.used * n_words_];
            std::int64_t distance = alignment.distance;
            for (std::size_t l = first_[j]; l < first_[j + 1]; ++l) {
                const Link link = links_[l];
                const auto [length, hypothesis_length, weight] = extent(link);
                if (is_any_used(used, link.position, hypothesis_length)) continue;
                const bool ends = alignment.end != -1 && alignment.end != link.position;
                queue(alignment.weight + weight, alignment.chunks + ends, distance, {parent, link});
                distance += std::abs(std::int64_t(link.position) - std::int64_t(j));
            }
            queue(alignment.weight, alignment.chunks + (alignment.end != -1), distance,
                  {parent, Link()});
        }
    }

    static bool is_any_used(const std::uint64_t* used, std::int32_t position, std::uint32_t length) {
        for (std::uint32_t k = 0; k < length; ++k) {
            if (has(used, position + k)) return true;
        }
        return false;
    }

    void queue(std::uint32_t weight, std::uint32_t chunks, std::int64_t distance, Origin origin) {
        queue_.push_back({std::uint64_t(~weight) << 32 | chunks, distance, queue_.size()});
        origins_.push_back(origin);
    }

    // Keeps the best alignments of the queue, in order; of equals the first.
    void keep_best(std::size_t j) {
        if (queue_.size() > beam_) {
            std::nth_element(queue_.begin(), queue_.begin() + beam_, queue_.end());
            queue_.resize(beam_);
        }
        std::sort(queue_.begin(), queue_.end());
        kept_.resize(queue_.size());
        used_by_kept_.resize(queue_.size() * n_words_);
        for (std::size_t k = 0; k < queue_.size(); ++k) {
            const auto [parent, link] = origins_[queue_[k].place];
            const Alignment& from = alignments_[parent];
            Alignment& alignment = kept_[k];
            alignment.weight = ~std::uint32_t(queue_[k].rank >> 32);
            alignment.chunks = std::uint32_t(queue_[k].rank);
            alignment.distance = queue_[k].distance;
            alignment.end = from.next > j ? from.end : -1;
            alignment.next = from.next;
            alignment.last = from.last;
            alignment.used = std::uint32_t(k);
            std::uint64_t* used = &used_by_kept_[k * n_words_];
            std::copy_n(&used_[from.used * n_words_], n_words_, used);
            if (link.position >= 0) {
                const auto [length, hypothesis_length, weight] = extent(link);
                for (std::uint32_t i = 0; i < hypothesis_length; ++i) add(used, link.position + i);
                alignment.end = link.position + std::int32_t(hypothesis_length);
                alignment.next = j + length;
                taken_.push_back({link, std::int32_t(j), alignment.last});
                alignment.last = std::int32_t(taken_.size() - 1);
            }
        }
        alignments_.swap(kept_);
        used_.swap(used_by_kept_);
    }

    const std::vector<Relation>& relations_;
    const std::vector<std::uint32_t>& weights_;
    const Phrases& phrases_;
    const std::size_t beam_;

    Pulse pulse_;
    Candidates candidates_;
    Masks identical_;
    std::vector<Masks> masks_;
    std::vector<std::int64_t> phrases_here_;  // by start
    std::vector<Link> links_;                 // by the reference position where they begin
    std::vector<std::size_t> first_;          // the first link of every position, then their number
    std::vector<std::uint32_t> n_links_, n_hypothesis_links_;  // that cover every position
    std::vector<char> fixed_;  // by reference position: whether its only link is fixed

    std::size_t n_words_ = 0;
    std::vector<Alignment> alignments_, kept_;
    std::vector<std::uint64_t> used_, used_by_kept_;  // hypothesis positions, a row per alignment
    std::vector<Place> queue_;
    std::vector<Origin> origins_;
    std::vector<Taken> taken_;
};

// Writes the link of every token of every reference text, text after text. The kind of a phrase is
// its number plus the number of relations.
inline void beam_alignment(const Segments& segments, const std::vector<Relation>& relations,
                           const std::vector<std::uint32_t>& weights, const Phrases& phrases,
                           std::size_t beam, Link* links) {
    BeamAligner aligner(relations, weights, phrases, beam);
    for_each_pair(segments, [&](Text hypothesis, Text reference, std::size_t r) {
        aligner.align(hypothesis, reference, r, links);
        links += reference.length;
    });
}

}  // namespace mteval
