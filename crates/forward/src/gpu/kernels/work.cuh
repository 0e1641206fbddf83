// What the kernels are given, and the words they share.
#pragma once

typedef unsigned int u32;
typedef unsigned long long u64;

// Rows of a tile: the numbers of one feature for them lie side by side.
#define TILE 64u
// Rows of one thread.
#define ROWS 4u
// Every row counts.
#define EVERYONE 0xffffffffu

enum Kind : u32 { RBF, SIGMOID, TANH, RELU };

struct Layer {
    u32 kind, nodes, fan_in;
    // Numbers from one node's links to the next, in links.
    u32 stride;
    // Where the links begin in a network, and what each node has once.
    u32 links, once;
};

// Who is asked about, and what.
struct Item {
    u32 network;
    // The part's place among the members, or EVERYONE.
    u32 members;
    // How many of the best; none: nobody asks.
    u32 wanted;
    u32 pairs;
};

// What comes back of an item, or of a network.
struct Result {
    // Not zero: the bracket was wrong, or too much was in it.
    u32 missed;
    u32 above, tied, positives_above, positives_tied;
    u32 unused;
    u64 won, pairs_tied;
};

// Rows of one class beside a network's bracket.
struct Count {
    u32 above, upper, lower, within;
};

struct Work {
    const float* tiles;    // [tile][feature][TILE]
    const float* sample;   // the same of some rows
    const float* networks; // [network][words]
    float* scores;         // [network][padded]; none: rows are counted beside the brackets
    float* hidden;         // [block][tile][node of the first layer][TILE]
    float2* brackets;      // [network]: lower end, upper end
    Count* counts;         // [network][negative, positive]
    u32* band;             // [network][room of negatives, then of positives]: keys within the bracket
    const u32* members;    // [part][padded / 32]
    const Item* items;
    Result* results;       // of items, or of networks
    u32 rows, positives, features, padded;
    u32 network_count, words, outputs, layer_count;
    Layer layers[2];
    // Networks that a block takes one after the other, and blocks that do so beside each other for the same rows.
    u32 group, groups;
    u32 room, positive_room;
    // Rows of the sample, and the ranks there of the bracket's ends, from the highest; past the last row: no end.
    u32 sample_rows, upper_rank, lower_rank, wanted;
    // Into how many stretches an item's negatives are cut, and into how many chunks, of so many, its positives.
    u32 stretches, chunks, chunk;
    // The network of the items whose scores come first.
    u32 first_network;
};

extern __shared__ uint4 slots[];

__device__ __forceinline__ u32 lane() { return threadIdx.x & 31u; }

// Where a row's number of a feature is, in tiles of so many features.
__device__ __forceinline__ u64 place_of(u32 row, u32 feature, u32 features) {
    return ((u64)(row / TILE) * features + feature) * TILE + row % TILE;
}

// Larger for larger scores.
__device__ __forceinline__ u32 key_of(float score) {
    u32 bits = __float_as_uint(score);
    return bits ^ ((u32)((int)bits >> 31) | 0x80000000u);
}

__device__ __forceinline__ float score_of_key(u32 key) {
    return __uint_as_float(key & 0x80000000u ? key ^ 0x80000000u : ~key);
}

// Which of 32 places from a first one on lie before an end.
__device__ __forceinline__ u32 mask_below(u32 first, u32 end) {
    if (first >= end) return 0u;
    u32 count = end - first;
    return count >= 32u ? ~0u : (1u << count) - 1u;
}
