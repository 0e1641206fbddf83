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

// The work of a block on a tile. All indices are relative to the start of the lists in CoverWork.
struct TilePlan {
    u32 first_job;
    u32 jobs;
    // The number of slots. One of zeros and one of ones follow.
    u32 slots;
    // The last level is the roots, those before it are parts. Each uses only slots of earlier levels.
    u32 first_level;
    u32 levels;
};
static_assert(sizeof(TilePlan) == 20, "size");
static_assert(OFFSET_OF(TilePlan, first_job) == 0, "offset");
static_assert(OFFSET_OF(TilePlan, jobs) == 4, "offset");
static_assert(OFFSET_OF(TilePlan, slots) == 8, "offset");
static_assert(OFFSET_OF(TilePlan, first_level) == 12, "offset");
static_assert(OFFSET_OF(TilePlan, levels) == 16, "offset");

// A stack of tiles: the first rows of 1,024 bags, their second rows, and so on.
struct TileStack {
    u32 first_tile;
    u32 height;
    u32 join;
    u32 unused;
};
static_assert(sizeof(TileStack) == 16, "size");
static_assert(OFFSET_OF(TileStack, first_tile) == 0, "offset");
static_assert(OFFSET_OF(TileStack, height) == 4, "offset");
static_assert(OFFSET_OF(TileStack, join) == 8, "offset");
static_assert(OFFSET_OF(TileStack, unused) == 12, "offset");

// The argument of all kernels.
struct CoverWork {
    // [tile][plane][LANES].
    const uint4* planes;
    // [tile][LANES]: the positions that have a row.
    const uint4* occupied;
    // [tile, or stack][class][LANES].
    const uint4* labels;
    const TileStack* stacks;
    // [join][7][LANES]: one inner mask, then the reach of each step.
    const uint4* joins;
    const TilePlan* plans;
    // The first plane; the numbers of planes and of groups of four comparisons, and the kind; the
    // validity plane; the index among the leaves.
    const uint4* jobs;
    // For each job: [four comparisons][QUARTERS]: the cut; the use of the result.
    const uint2* leaves;
    // The first bundle and the end.
    const uint2* levels;
    // [bundle + 1]: its first step; the last entry is the end.
    const u32* starts;
    // [bundle][BUNDLE]: a slot or root. The top bit is set if the result is complemented.
    const u32* targets;
    // [step][QUARTERS].
    const uint4* steps;
    // [root][pair of classes]: one class in each half.
    u64* counts;
    // [root][tile][LANES].
    uint4* bits;
    // [block][root][plane of a counter][LANES].
    uint4* state;
    u32 plan_count;
    u32 plane_count;
    u32 tiles;
    u32 stack_count;
    // The number of label masks of a tile or stack: one for each class, or for each bit of its weights.
    u32 classes;
    u32 state_roots;
    // A bag is positive if it has low to high covered rows. The rows are counted in this number of
    // planes; 0 if one covered row is enough.
    u32 counter_planes;
    u32 low;
    u32 high;
    u32 has_high;
};
static_assert(sizeof(CoverWork) == 160, "size");
static_assert(OFFSET_OF(CoverWork, planes) == 0, "offset");
static_assert(OFFSET_OF(CoverWork, occupied) == 8, "offset");
static_assert(OFFSET_OF(CoverWork, labels) == 16, "offset");
static_assert(OFFSET_OF(CoverWork, stacks) == 24, "offset");
static_assert(OFFSET_OF(CoverWork, joins) == 32, "offset");
static_assert(OFFSET_OF(CoverWork, plans) == 40, "offset");
static_assert(OFFSET_OF(CoverWork, jobs) == 48, "offset");
static_assert(OFFSET_OF(CoverWork, leaves) == 56, "offset");
static_assert(OFFSET_OF(CoverWork, levels) == 64, "offset");
static_assert(OFFSET_OF(CoverWork, starts) == 72, "offset");
static_assert(OFFSET_OF(CoverWork, targets) == 80, "offset");
static_assert(OFFSET_OF(CoverWork, steps) == 88, "offset");
static_assert(OFFSET_OF(CoverWork, counts) == 96, "offset");
static_assert(OFFSET_OF(CoverWork, bits) == 104, "offset");
static_assert(OFFSET_OF(CoverWork, state) == 112, "offset");
static_assert(OFFSET_OF(CoverWork, plan_count) == 120, "offset");
static_assert(OFFSET_OF(CoverWork, plane_count) == 124, "offset");
static_assert(OFFSET_OF(CoverWork, tiles) == 128, "offset");
static_assert(OFFSET_OF(CoverWork, stack_count) == 132, "offset");
static_assert(OFFSET_OF(CoverWork, classes) == 136, "offset");
static_assert(OFFSET_OF(CoverWork, state_roots) == 140, "offset");
static_assert(OFFSET_OF(CoverWork, counter_planes) == 144, "offset");
static_assert(OFFSET_OF(CoverWork, low) == 148, "offset");
static_assert(OFFSET_OF(CoverWork, high) == 152, "offset");
static_assert(OFFSET_OF(CoverWork, has_high) == 156, "offset");

// The kernels of cover.cu.
#define COVER_KERNELS(KERNEL) \
    KERNEL(tally_rows, CoverWork) \
    KERNEL(tally_tall, CoverWork) \
    KERNEL(tally_bags, CoverWork) \
    KERNEL(cover_rows, CoverWork)
