// Constants that the kernels share.
#pragma once

enum : u32 { SUPERVISED = 1, SUBSUME_CHILDREN = 2, SUBSUME_NICHE = 4, ERROR_FIRST = 8, TWO_POINT = 16 };

constexpr u32 NOWHERE = ~0u;
constexpr u32 ALL = ~0u;
// The number of slots whose weights have a common sum.
constexpr u32 SUMMED = 64;
// The number of values of a set that are read at a time. Sets are padded with zeros, which change no sum.
constexpr u32 ABREAST = 8;
// A member of a set: its slot, and in the upper bits its label.
constexpr u32 SLOT = (1u << 24) - 1;

// The requests to the other warps.
struct Asked {
    u64 input[4], known[4];
    u32 slots, is_over;
};
