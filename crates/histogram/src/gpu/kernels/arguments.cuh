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

// The most columns that a block counts at once.
#define COLUMNS 8u

// The number of slots of a column in shared memory.
#define SLOTS 256u

// The number of rows in a task.
#define CHUNK 16384u

// A condition: the steps of a column that satisfy it, as bits.
struct StepBits {
    u32 column;
    u32 steps[8];
};
static_assert(sizeof(StepBits) == 36, "size");
static_assert(OFFSET_OF(StepBits, column) == 0, "offset");
static_assert(OFFSET_OF(StepBits, steps) == 4, "offset");

// A conjunction, or some of its columns.
struct Item {
    // The first condition and the number of conditions.
    u32 first_test;
    u32 tests;
    // The first of the columns to count and their number, at most COLUMNS.
    u32 first_column;
    u32 columns;
    // The first result, in words of 64 bits.
    u32 out;
};
static_assert(sizeof(Item) == 20, "size");
static_assert(OFFSET_OF(Item, first_test) == 0, "offset");
static_assert(OFFSET_OF(Item, tests) == 4, "offset");
static_assert(OFFSET_OF(Item, first_column) == 8, "offset");
static_assert(OFFSET_OF(Item, columns) == 12, "offset");
static_assert(OFFSET_OF(Item, out) == 16, "offset");

// A column to count.
struct Counted {
    u32 column;
    // The number of steps.
    u32 steps;
};
static_assert(sizeof(Counted) == 8, "size");
static_assert(OFFSET_OF(Counted, column) == 0, "offset");
static_assert(OFFSET_OF(Counted, steps) == 4, "offset");

// The argument of all kernels.
struct SumsWork {
    // [column][stride]: the step of each example.
    const unsigned char* steps;
    // [example]: its pseudo-random number.
    const u64* digests;
    // [example]: its group in the search.
    const u32* group_of;
    // [group][2]: the gradient and the curvature.
    const u32* groups;
    // [row]: its example; null if rows are all examples.
    const u32* sample;
    const Item* items;
    const StepBits* tests;
    const Counted* counted;
    // Sums, cleared before.
    u64* out;
    u64 stride;
    u32 rows;
    u32 item_count;
};
static_assert(sizeof(SumsWork) == 88, "size");
static_assert(OFFSET_OF(SumsWork, steps) == 0, "offset");
static_assert(OFFSET_OF(SumsWork, digests) == 8, "offset");
static_assert(OFFSET_OF(SumsWork, group_of) == 16, "offset");
static_assert(OFFSET_OF(SumsWork, groups) == 24, "offset");
static_assert(OFFSET_OF(SumsWork, sample) == 32, "offset");
static_assert(OFFSET_OF(SumsWork, items) == 40, "offset");
static_assert(OFFSET_OF(SumsWork, tests) == 48, "offset");
static_assert(OFFSET_OF(SumsWork, counted) == 56, "offset");
static_assert(OFFSET_OF(SumsWork, out) == 64, "offset");
static_assert(OFFSET_OF(SumsWork, stride) == 72, "offset");
static_assert(OFFSET_OF(SumsWork, rows) == 80, "offset");
static_assert(OFFSET_OF(SumsWork, item_count) == 84, "offset");

// The kernels of histogram.cu.
#define HISTOGRAM_KERNELS(KERNEL) \
    KERNEL(add_totals, SumsWork) \
    KERNEL(add_steps, SumsWork)
