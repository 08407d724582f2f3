// Tables that several threads may use at once.
#pragma once

#include <cstddef>
#include <mutex>

#include "pair_index.hpp"
#include "vocabulary.hpp"

namespace mteval::python {

// A table with a mutex. A thread may fill the table without the interpreter lock, but wait for the
// mutex with it. So a thread that has the mutex must not acquire the lock or run Python code.
template <class Table>
struct Shared : Table {
    std::mutex mutex;
};
using SharedVocabulary = Shared<Vocabulary>;
using SharedPairIndex = Shared<PairIndex>;

template <class SharedTable>
std::size_t size(SharedTable& table) {
    const std::lock_guard lock(table.mutex);
    return table.size();
}

}  // namespace mteval::python
