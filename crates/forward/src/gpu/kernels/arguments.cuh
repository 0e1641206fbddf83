// Written from gpu/argument.rs by PELLUCID_UPDATE=1 cargo nextest run headers; do not edit.
#pragma once

typedef unsigned int u32;
typedef unsigned long long u64;

// Where a field lies: NVRTC has no headers and spells it in its own way.
#ifdef __CUDACC_RTC__
#define OFFSET_OF(type, field) __INTADDR__(&(((type*)0)->field))
#else
#define OFFSET_OF(type, field) __builtin_offsetof(type, field)
#endif

// A hidden layer.
struct Layer {
    u32 kind;
    u32 nodes;
    u32 fan_in;
    // The distance from the links of a node to those of the next.
    u32 stride;
    // The offsets in a network of the links, and of the numbers that each node has once.
    u32 links;
    u32 once;
};
static_assert(sizeof(Layer) == 24, "size");
static_assert(OFFSET_OF(Layer, kind) == 0, "offset");
static_assert(OFFSET_OF(Layer, nodes) == 4, "offset");
static_assert(OFFSET_OF(Layer, fan_in) == 8, "offset");
static_assert(OFFSET_OF(Layer, stride) == 12, "offset");
static_assert(OFFSET_OF(Layer, links) == 16, "offset");
static_assert(OFFSET_OF(Layer, once) == 20, "offset");

// A question about some rows of a network.
struct Item {
    u32 network;
    // The index of the part among the members, or EVERYONE.
    u32 members;
    // The size of the top, or 0 if the top is not requested.
    u32 wanted;
    u32 pairs;
};
static_assert(sizeof(Item) == 16, "size");
static_assert(OFFSET_OF(Item, network) == 0, "offset");
static_assert(OFFSET_OF(Item, members) == 4, "offset");
static_assert(OFFSET_OF(Item, wanted) == 8, "offset");
static_assert(OFFSET_OF(Item, pairs) == 12, "offset");

// The result of an item or of a network.
struct NetworkResult {
    // Not 0 if the bracket missed the threshold or had too many scores.
    u32 missed;
    u32 above;
    u32 tied;
    u32 positives_above;
    u32 positives_tied;
    u32 unused;
    u64 won;
    u64 pairs_tied;
};
static_assert(sizeof(NetworkResult) == 40, "size");
static_assert(OFFSET_OF(NetworkResult, missed) == 0, "offset");
static_assert(OFFSET_OF(NetworkResult, above) == 4, "offset");
static_assert(OFFSET_OF(NetworkResult, tied) == 8, "offset");
static_assert(OFFSET_OF(NetworkResult, positives_above) == 12, "offset");
static_assert(OFFSET_OF(NetworkResult, positives_tied) == 16, "offset");
static_assert(OFFSET_OF(NetworkResult, unused) == 20, "offset");
static_assert(OFFSET_OF(NetworkResult, won) == 24, "offset");
static_assert(OFFSET_OF(NetworkResult, pairs_tied) == 32, "offset");

// The numbers of rows of one class above, at the ends of, and within the bracket of a network.
struct BracketCount {
    u32 above;
    u32 within;
    u32 upper;
    u32 lower;
};
static_assert(sizeof(BracketCount) == 16, "size");
static_assert(OFFSET_OF(BracketCount, above) == 0, "offset");
static_assert(OFFSET_OF(BracketCount, within) == 4, "offset");
static_assert(OFFSET_OF(BracketCount, upper) == 8, "offset");
static_assert(OFFSET_OF(BracketCount, lower) == 12, "offset");

// The argument of the kernels that score and rank.
struct ForwardWork {
    // [tile][feature][TILE].
    const float* tiles;
    // The same for the rows of the sample.
    const float* sample;
    // [network][words].
    const float* networks;
    // [network][padded]. Null if rows are counted around the brackets.
    float* scores;
    // [block][tile][node of the first layer][TILE].
    float* hidden;
    // [network]: the lower and the upper end.
    float2* brackets;
    // [network][negative, positive].
    BracketCount* counts;
    // [network][room for negatives, then for positives]: the keys within the bracket.
    u32* band;
    // [part][padded / 32].
    const u32* members;
    const Item* items;
    // The results of items, or of networks.
    NetworkResult* results;
    u32 rows;
    u32 positives;
    u32 features;
    u32 padded;
    u32 network_count;
    u32 words;
    u32 outputs;
    u32 layer_count;
    Layer layers[2];
    // The number of networks that a block processes in sequence, and the number of blocks that process
    // the same rows in parallel.
    u32 group;
    u32 groups;
    u32 room;
    u32 positive_room;
    // The number of rows of the sample, and the ranks of the ends of the bracket in it, from the
    // highest. A rank past the last row means that there is no such end.
    u32 sample_rows;
    u32 upper_rank;
    u32 lower_rank;
    u32 wanted;
    // The number of ranges into which the negatives of an item are divided, and the number and size of
    // the chunks of its positives.
    u32 stretches;
    u32 chunks;
    u32 chunk;
    // The network whose scores come first.
    u32 first_network;
};
static_assert(sizeof(ForwardWork) == 216, "size");
static_assert(OFFSET_OF(ForwardWork, tiles) == 0, "offset");
static_assert(OFFSET_OF(ForwardWork, sample) == 8, "offset");
static_assert(OFFSET_OF(ForwardWork, networks) == 16, "offset");
static_assert(OFFSET_OF(ForwardWork, scores) == 24, "offset");
static_assert(OFFSET_OF(ForwardWork, hidden) == 32, "offset");
static_assert(OFFSET_OF(ForwardWork, brackets) == 40, "offset");
static_assert(OFFSET_OF(ForwardWork, counts) == 48, "offset");
static_assert(OFFSET_OF(ForwardWork, band) == 56, "offset");
static_assert(OFFSET_OF(ForwardWork, members) == 64, "offset");
static_assert(OFFSET_OF(ForwardWork, items) == 72, "offset");
static_assert(OFFSET_OF(ForwardWork, results) == 80, "offset");
static_assert(OFFSET_OF(ForwardWork, rows) == 88, "offset");
static_assert(OFFSET_OF(ForwardWork, positives) == 92, "offset");
static_assert(OFFSET_OF(ForwardWork, features) == 96, "offset");
static_assert(OFFSET_OF(ForwardWork, padded) == 100, "offset");
static_assert(OFFSET_OF(ForwardWork, network_count) == 104, "offset");
static_assert(OFFSET_OF(ForwardWork, words) == 108, "offset");
static_assert(OFFSET_OF(ForwardWork, outputs) == 112, "offset");
static_assert(OFFSET_OF(ForwardWork, layer_count) == 116, "offset");
static_assert(OFFSET_OF(ForwardWork, layers) == 120, "offset");
static_assert(OFFSET_OF(ForwardWork, group) == 168, "offset");
static_assert(OFFSET_OF(ForwardWork, groups) == 172, "offset");
static_assert(OFFSET_OF(ForwardWork, room) == 176, "offset");
static_assert(OFFSET_OF(ForwardWork, positive_room) == 180, "offset");
static_assert(OFFSET_OF(ForwardWork, sample_rows) == 184, "offset");
static_assert(OFFSET_OF(ForwardWork, upper_rank) == 188, "offset");
static_assert(OFFSET_OF(ForwardWork, lower_rank) == 192, "offset");
static_assert(OFFSET_OF(ForwardWork, wanted) == 196, "offset");
static_assert(OFFSET_OF(ForwardWork, stretches) == 200, "offset");
static_assert(OFFSET_OF(ForwardWork, chunks) == 204, "offset");
static_assert(OFFSET_OF(ForwardWork, chunk) == 208, "offset");
static_assert(OFFSET_OF(ForwardWork, first_network) == 212, "offset");

// How a child is made: the ranks of its parents. If both are equal, a node of the parent is mutated.
struct Birth {
    u32 one;
    u32 other;
    u32 node;
    u32 unused;
};
static_assert(sizeof(Birth) == 16, "size");
static_assert(OFFSET_OF(Birth, one) == 0, "offset");
static_assert(OFFSET_OF(Birth, other) == 4, "offset");
static_assert(OFFSET_OF(Birth, node) == 8, "offset");
static_assert(OFFSET_OF(Birth, unused) == 12, "offset");

// The parents and the parameters of breeding.
struct Children {
    // [network][genes].
    const float* parents;
    // [network]: the results of the parents.
    const NetworkResult* judged;
    // [network][genes].
    float* children;
    // [network][words]: the children, prepared for scoring.
    float* networks;
    // [network]: how the children are made, and the random words for it.
    Birth* births;
    u64* drawn;
    u64 key[2];
    u64 generation;
    // The probability of a mutation, and the mean of its draws.
    double mutated;
    double mean;
    // The rate at which the probability of selection falls with the rank.
    double rate;
    u32 genes;
    u32 unused;
};
static_assert(sizeof(Children) == 104, "size");
static_assert(OFFSET_OF(Children, parents) == 0, "offset");
static_assert(OFFSET_OF(Children, judged) == 8, "offset");
static_assert(OFFSET_OF(Children, children) == 16, "offset");
static_assert(OFFSET_OF(Children, networks) == 24, "offset");
static_assert(OFFSET_OF(Children, births) == 32, "offset");
static_assert(OFFSET_OF(Children, drawn) == 40, "offset");
static_assert(OFFSET_OF(Children, key) == 48, "offset");
static_assert(OFFSET_OF(Children, generation) == 64, "offset");
static_assert(OFFSET_OF(Children, mutated) == 72, "offset");
static_assert(OFFSET_OF(Children, mean) == 80, "offset");
static_assert(OFFSET_OF(Children, rate) == 88, "offset");
static_assert(OFFSET_OF(Children, genes) == 96, "offset");
static_assert(OFFSET_OF(Children, unused) == 100, "offset");

// A generation: the argument of the kernels that make children.
struct BredWork {
    ForwardWork work;
    Children children;
};
static_assert(sizeof(BredWork) == 320, "size");
static_assert(OFFSET_OF(BredWork, work) == 0, "offset");
static_assert(OFFSET_OF(BredWork, children) == 216, "offset");

// The kernels of forward.cu.
#define FORWARD_KERNELS(KERNEL) \
    KERNEL(settle, ForwardWork) \
    KERNEL(settle_and_draw, BredWork) \
    KERNEL(draw_first, BredWork) \
    KERNEL(rank, ForwardWork) \
    KERNEL(pairs, ForwardWork) \
    KERNEL(forward_8, ForwardWork) \
    KERNEL(forward_12, ForwardWork) \
    KERNEL(forward_16, ForwardWork) \
    KERNEL(forward_20, ForwardWork) \
    KERNEL(forward_24, ForwardWork) \
    KERNEL(forward_any, ForwardWork) \
    KERNEL(bracket_8, ForwardWork) \
    KERNEL(bracket_12, ForwardWork) \
    KERNEL(bracket_16, ForwardWork) \
    KERNEL(bracket_20, ForwardWork) \
    KERNEL(bracket_24, ForwardWork) \
    KERNEL(bracket_any, ForwardWork) \
    KERNEL(count_7, ForwardWork) \
    KERNEL(count_11, ForwardWork) \
    KERNEL(count_15, ForwardWork) \
    KERNEL(count_19, ForwardWork) \
    KERNEL(count_23, ForwardWork) \
    KERNEL(count_24, ForwardWork) \
    KERNEL(bred_8, BredWork) \
    KERNEL(bred_12, BredWork) \
    KERNEL(bred_16, BredWork) \
    KERNEL(bred_20, BredWork) \
    KERNEL(bred_24, BredWork)
