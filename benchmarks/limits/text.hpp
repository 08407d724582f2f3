// Lines of two files, and a clock of the processor.
#pragma once
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

inline std::string read(const char* path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<std::string_view> lines(const std::string& text) {
    std::vector<std::string_view> found;
    for (size_t start = 0, end; start < text.size(); start = end + 1) {
        end = text.find('\n', start);
        if (end == std::string::npos) end = text.size();
        found.emplace_back(text.data() + start, end - start);
    }
    return found;
}

// Hash the words of a line, which are separated by single spaces.
inline void words(std::string_view line, std::vector<uint64_t>& out) {
    out.clear();
    uint64_t hash = 0;
    for (unsigned char c : line) {
        if (c == ' ') {
            if (hash) out.push_back(hash);
            hash = 0;
        } else {
            hash = (hash ^ (c + 1)) * 0x9E3779B97F4A7C15u;
            hash ^= hash >> 29;
        }
    }
    if (hash) out.push_back(hash);
}

// Decode the characters of a line of valid UTF-8.
inline void characters(std::string_view line, std::vector<uint64_t>& out) {
    out.clear();
    for (size_t i = 0; i < line.size();) {
        unsigned char c = line[i++];
        if (c < 0x80) {
            out.push_back(c);
            continue;
        }
        int more = c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : 1;
        uint64_t point = c & (0x3F >> more);
        while (more--) point = point << 6 | (line[i++] & 0x3F);
        out.push_back(point);
    }
}

inline double seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }
