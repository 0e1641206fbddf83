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

// Records of concepts that a warp reserves at a time.
#define CHUNK 32u

// Words that a warp keeps between slices.
#define STATE_WORDS 4u

// The one argument of all kernels.
struct SearchWork {
    // [attribute][extent word].
    const u32* columns;
    // [object][intent word]: 32 in a wide context, 4 in a tall one.
    const u32* rows;
    // By attribute: what the digest adds up.
    const u64* keys;
    // A Control, word by word.
    u32* control;
    // By place of the ring: whose turn it is, less the number of the place.
    u32* ready;
    // By place: a node.
    u32* ring;
    // By warp: frames.
    u32* stacks;
    // By warp: what it does, and how far it is.
    u32* states;
    // Concepts in chunks: intent words, support.
    u32* records;
    // By chunk: its records.
    u32* filled;
    u32 objects;
    u32 attributes;
    // Words of columns and rows that are copied into shared memory: all or none. If rows are columns (a symmetric
    // context), there is one copy.
    u32 shared_columns;
    u32 shared_rows;
    u32 symmetric;
    // Of the ring, a power of two.
    u32 places;
    // Frames of a stack.
    u32 depth;
    u32 min_support;
    // Nodes after which a warp ends the slice.
    u32 slice;
    // Idle warps from which on nodes are cut into parts.
    u32 crowd;
    // Looks after which an idle warp ends the slice: whoever has work may be in a block that waits for this one to end.
    u32 patience;
    // None where nobody looks.
    u32 chunks;
    u32 record_words;
    u32 unused;
};
static_assert(sizeof(SearchWork) == 136, "size");
static_assert(OFFSET_OF(SearchWork, columns) == 0, "offset");
static_assert(OFFSET_OF(SearchWork, rows) == 8, "offset");
static_assert(OFFSET_OF(SearchWork, keys) == 16, "offset");
static_assert(OFFSET_OF(SearchWork, control) == 24, "offset");
static_assert(OFFSET_OF(SearchWork, ready) == 32, "offset");
static_assert(OFFSET_OF(SearchWork, ring) == 40, "offset");
static_assert(OFFSET_OF(SearchWork, stacks) == 48, "offset");
static_assert(OFFSET_OF(SearchWork, states) == 56, "offset");
static_assert(OFFSET_OF(SearchWork, records) == 64, "offset");
static_assert(OFFSET_OF(SearchWork, filled) == 72, "offset");
static_assert(OFFSET_OF(SearchWork, objects) == 80, "offset");
static_assert(OFFSET_OF(SearchWork, attributes) == 84, "offset");
static_assert(OFFSET_OF(SearchWork, shared_columns) == 88, "offset");
static_assert(OFFSET_OF(SearchWork, shared_rows) == 92, "offset");
static_assert(OFFSET_OF(SearchWork, symmetric) == 96, "offset");
static_assert(OFFSET_OF(SearchWork, places) == 100, "offset");
static_assert(OFFSET_OF(SearchWork, depth) == 104, "offset");
static_assert(OFFSET_OF(SearchWork, min_support) == 108, "offset");
static_assert(OFFSET_OF(SearchWork, slice) == 112, "offset");
static_assert(OFFSET_OF(SearchWork, crowd) == 116, "offset");
static_assert(OFFSET_OF(SearchWork, patience) == 120, "offset");
static_assert(OFFSET_OF(SearchWork, chunks) == 124, "offset");
static_assert(OFFSET_OF(SearchWork, record_words) == 128, "offset");
static_assert(OFFSET_OF(SearchWork, unused) == 132, "offset");

// How a search stands. Each number has a cache line of its own: waiting warps must not disturb the working ones.
struct Control {
    // Tickets taken.
    u32 head;
    u32 head_line[31];
    // Nodes put into the ring.
    u32 tail;
    u32 tail_line[31];
    // Whether the slice ends.
    u32 stop;
    u32 stop_line[31];
    // Nodes in the ring and warps at work.
    u32 pending;
    u32 pending_line[31];
    // Chunks taken.
    u32 used;
    u32 used_line[31];
    // Concepts found in the slice, and their digest.
    u64 concepts;
    u64 digest;
};
static_assert(sizeof(Control) == 656, "size");
static_assert(OFFSET_OF(Control, head) == 0, "offset");
static_assert(OFFSET_OF(Control, head_line) == 4, "offset");
static_assert(OFFSET_OF(Control, tail) == 128, "offset");
static_assert(OFFSET_OF(Control, tail_line) == 132, "offset");
static_assert(OFFSET_OF(Control, stop) == 256, "offset");
static_assert(OFFSET_OF(Control, stop_line) == 260, "offset");
static_assert(OFFSET_OF(Control, pending) == 384, "offset");
static_assert(OFFSET_OF(Control, pending_line) == 388, "offset");
static_assert(OFFSET_OF(Control, used) == 512, "offset");
static_assert(OFFSET_OF(Control, used_line) == 516, "offset");
static_assert(OFFSET_OF(Control, concepts) == 640, "offset");
static_assert(OFFSET_OF(Control, digest) == 648, "offset");

// The kernels of close_tall.cu.
#define CLOSE_TALL_KERNELS(KERNEL) \
    KERNEL(close_tall_1, SearchWork) \
    KERNEL(close_tall_2, SearchWork) \
    KERNEL(close_tall_8, SearchWork) \
    KERNEL(close_tall_32, SearchWork)

// The kernels of close_wide.cu.
#define CLOSE_WIDE_KERNELS(KERNEL) \
    KERNEL(close_wide_1, SearchWork) \
    KERNEL(close_wide_2, SearchWork) \
    KERNEL(close_wide_8, SearchWork) \
    KERNEL(close_wide_32, SearchWork)
