// One-to-one links between two texts: each relation in turn links as many tokens as it can, with
// the fewest crossings or the fewest chunks. A stage, which finds the links of one relation, has
// three phases: fix the links that are in every best set, bound the costs of the others, search.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fixed_links.hpp"
#include "limits.hpp"
#include "relations.hpp"
#include "stage_bounds.hpp"
#include "stage_search.hpp"
#include "texts.hpp"

namespace mteval {

// Finds the links of one relation. Keeps the memory of its phases from one call to the next.
class Stage {
public:
    Stage(const Costs& costs, std::size_t limit) : costs_(costs), search_(costs, limit) {}

    // Adds links to `linked`, the column of every row or no_column. masks: the columns that each
    // row can be linked to; they change.
    void link(Masks& masks, std::size_t n_columns, std::vector<std::int32_t>& linked) {
        fixed_.find(masks, n_columns, linked, costs_.in_order());
        linked = fixed_.columns;
        if (!fixed_.is_any_open()) return;
        bounds_.find(fixed_, costs_);
        search_.find(fixed_, bounds_, linked);
    }

private:
    const Costs costs_;
    FixedLinks fixed_;
    StageBounds bounds_;
    StageSearch search_;
};

// Links the tokens of two texts, relation after relation.
class StagedAligner {
public:
    StagedAligner(const std::vector<Relation>& relations, const Costs& costs, std::size_t limit)
        : relations_(relations), stage_(costs, limit) {}

    // Writes the link of every reference position.
    void align(Text hypothesis, Text reference, Link* links) {
        linked_.assign(hypothesis.length, no_column);
        rows_.assign(hypothesis.tokens, hypothesis.tokens + hypothesis.length);
        columns_.assign(reference.tokens, reference.tokens + reference.length);
        std::fill_n(links, reference.length, Link());
        for (std::size_t kind = 0; kind < relations_.size(); ++kind) {
            const Text rows{rows_.data(), rows_.size()}, columns{columns_.data(), columns_.size()};
            if (!candidates_.find(rows, columns, relations_[kind], masks_)) continue;
            stage_.link(masks_, columns_.size(), linked_);
            note_links(std::int32_t(kind), links);
        }
    }

private:
    // Writes the links of a stage, and makes their tokens match nothing in the next one.
    void note_links(std::int32_t kind, Link* links) {
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            const std::int32_t column = linked_[row];
            if (column == no_column || rows_[row] < 0) continue;
            links[column] = {std::int32_t(row), kind};
            rows_[row] = columns_[column] = -1;
        }
    }

    const std::vector<Relation>& relations_;
    Stage stage_;
    Candidates candidates_;
    Masks masks_;
    std::vector<std::int32_t> linked_;          // by row: the column of its link, or no_column
    std::vector<std::int32_t> rows_, columns_;  // tokens that have no link yet, otherwise -1
};

// Writes the link of every token of every reference text, text after text.
inline void staged_alignment(const Segments& segments, const std::vector<Relation>& relations,
                             bool crossings_first, std::size_t limit, Link* links) {
    StagedAligner aligner(relations, Costs::of(crossings_first), limit);
    for_each_pair(segments, [&](Text hypothesis, Text reference, std::size_t) {
        aligner.align(hypothesis, reference, links);
        links += reference.length;
    });
}

}  // namespace mteval
