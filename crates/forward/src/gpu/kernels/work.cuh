// Definitions that the kernels share.
#pragma once

#include "arguments.cuh"

// The number of rows of a tile: the numbers of one feature for them are adjacent.
#define TILE 64u
// The number of rows of a thread.
#define ROWS 4u
// Includes every row.
#define EVERYONE 0xffffffffu

enum Kind : u32 { RBF, SIGMOID, TANH, RELU };

extern __shared__ uint4 slots[];

__device__ __forceinline__ u32 lane() { return threadIdx.x & 31u; }

// Returns the index of the number of a row and feature, in tiles with a number of features.
__device__ __forceinline__ u64 place_of(u32 row, u32 feature, u32 features) {
    return ((u64)(row / TILE) * features + feature) * TILE + row % TILE;
}

// Returns a key that is larger for larger scores.
__device__ __forceinline__ u32 key_of(float score) {
    u32 bits = __float_as_uint(score);
    return bits ^ ((u32)((int)bits >> 31) | 0x80000000u);
}

__device__ __forceinline__ float score_of_key(u32 key) {
    return __uint_as_float(key & 0x80000000u ? key ^ 0x80000000u : ~key);
}

// Returns which of 32 positions, from a first one on, are before an end.
__device__ __forceinline__ u32 mask_below(u32 first, u32 end) {
    if (first >= end) return 0u;
    u32 count = end - first;
    return count >= 32u ? ~0u : (1u << count) - 1u;
}
