// Lines of a text.
#pragma once

#include <cstdint>
#include <string_view>

namespace mteval {

// Writes where each line begins, and where its line feed is. The text ends with a line feed.
inline void line_bounds(std::string_view text, std::int64_t* starts, std::int64_t* ends) {
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = text.find('\n', start);
        *starts++ = std::int64_t(start);
        *ends++ = std::int64_t(end);
        start = end + 1;
    }
}

}  // namespace mteval
