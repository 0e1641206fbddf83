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

// The argument of all kernels.
struct Relate {
    // [subject + 1]: its first edge; the last entry is the end.
    const u32* offsets;
    // [edge].
    const u32* objects;
    // [object][QUADS].
    uint4* rows;
    // [lane]: the address of its words.
    const u64* sets;
    // [1 + planes][QUADS]: the lanes that count objects outside their sets; the bits of the minimums.
    const uint4* asked;
    // The requested subjects. Null for all, in order.
    const u32* list;
    // [class][words].
    const u32* masks;
    // [lane][classes].
    u32* counts;
    // [lane][words].
    u32* bits;
    // [piece]: its first edge and the end.
    const uint4* pieces;
    // [hub + 1]: its subject and its first piece; the last entry is the end.
    const uint2* hubs;
    // [piece][planes + 1, or 1][QUADS]. For a few sets: [piece][lane], numbers of one word.
    uint4* partials;
    u32 subjects;
    u32 lanes;
    u32 planes;
    u32 words;
    u32 object_tiles;
    u32 classes;
    u32 hub_count;
    u32 piece_count;
    u32 hub_edges;
    u32 unused;
};
static_assert(sizeof(Relate) == 136, "size");
static_assert(OFFSET_OF(Relate, offsets) == 0, "offset");
static_assert(OFFSET_OF(Relate, objects) == 8, "offset");
static_assert(OFFSET_OF(Relate, rows) == 16, "offset");
static_assert(OFFSET_OF(Relate, sets) == 24, "offset");
static_assert(OFFSET_OF(Relate, asked) == 32, "offset");
static_assert(OFFSET_OF(Relate, list) == 40, "offset");
static_assert(OFFSET_OF(Relate, masks) == 48, "offset");
static_assert(OFFSET_OF(Relate, counts) == 56, "offset");
static_assert(OFFSET_OF(Relate, bits) == 64, "offset");
static_assert(OFFSET_OF(Relate, pieces) == 72, "offset");
static_assert(OFFSET_OF(Relate, hubs) == 80, "offset");
static_assert(OFFSET_OF(Relate, partials) == 88, "offset");
static_assert(OFFSET_OF(Relate, subjects) == 96, "offset");
static_assert(OFFSET_OF(Relate, lanes) == 100, "offset");
static_assert(OFFSET_OF(Relate, planes) == 104, "offset");
static_assert(OFFSET_OF(Relate, words) == 108, "offset");
static_assert(OFFSET_OF(Relate, object_tiles) == 112, "offset");
static_assert(OFFSET_OF(Relate, classes) == 116, "offset");
static_assert(OFFSET_OF(Relate, hub_count) == 120, "offset");
static_assert(OFFSET_OF(Relate, piece_count) == 124, "offset");
static_assert(OFFSET_OF(Relate, hub_edges) == 128, "offset");
static_assert(OFFSET_OF(Relate, unused) == 132, "offset");

// The kernels of relate.cu.
#define RELATE_KERNELS(KERNEL) \
    KERNEL(lay_rows, Relate) \
    KERNEL(count_pieces_few, Relate) \
    KERNEL(relate_few, Relate) \
    KERNEL(count_pieces_0, Relate) \
    KERNEL(count_pieces_2, Relate) \
    KERNEL(count_pieces_4, Relate) \
    KERNEL(count_pieces_32, Relate) \
    KERNEL(relate_0, Relate) \
    KERNEL(relate_2, Relate) \
    KERNEL(relate_4, Relate) \
    KERNEL(relate_32, Relate)
