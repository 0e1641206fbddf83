// Numbers that the kernels share.
#pragma once

enum : u32 { SUPERVISED = 1, SUBSUME_CHILDREN = 2, SUBSUME_NICHE = 4, ERROR_FIRST = 8, TWO_POINT = 16 };

constexpr u32 NOWHERE = ~0u;
constexpr u32 ALL = ~0u;
// Slots whose weights have a sum.
constexpr u32 SUMMED = 64;
// Numbers of a set that are read at a time; sets are padded with zeros, which change no sum.
constexpr u32 ABREAST = 8;
// A member of a set: its slot, and above it its label.
constexpr u32 SLOT = (1u << 24) - 1;

// What the other warps are asked.
struct Asked {
    u64 input[4], known[4];
    u32 slots, is_over;
};
