// Tokenized texts, as views of arrays. The bindings own the arrays and have checked them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mteval {

struct Text {
    const std::int32_t* tokens;
    std::size_t length;
};

struct Texts {
    const std::int32_t* ids;
    const std::int64_t* starts;
    const std::int64_t* ends;

    Text operator[](std::size_t i) const {
        return {ids + starts[i], static_cast<std::size_t>(ends[i] - starts[i])};
    }
};

// Hypotheses and references of the same segments. The references of segment i are the texts
// index[i] to index[i + 1] - 1.
struct Segments {
    std::size_t count;
    Texts hypotheses;
    Texts references;
    const std::int64_t* index;
};

// Groups of texts on both sides, for example the sentences of a hypothesis and of a reference.
// Group g is the texts index[g] to index[g + 1] - 1. The groups contain all texts.
struct Groups {
    std::size_t count;
    Texts hypotheses;
    const std::int64_t* hypothesis_index;
    Texts references;
    const std::int64_t* reference_index;
};

}  // namespace mteval
