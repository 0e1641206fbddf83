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

// The number of concept records that a warp reserves at a time.
#define CHUNK 32u

// The number of words that a warp keeps between slices.
#define STATE_WORDS 4u

// The argument of all kernels.
struct SearchWork {
    // [attribute][extent word].
    const u32* columns;
    // [object][intent word]: 32 words in a wide context, 4 in a tall one.
    const u32* rows;
    // [attribute]: the key that the digest adds.
    const u64* keys;
    // The words of a Control.
    u32* control;
    // [slot of the ring]: the ticket whose turn it is, minus the number of the slot.
    u32* ready;
    // [slot of the ring]: a node.
    u32* ring;
    // [warp]: frames.
    u32* stacks;
    // [warp]: its state and its progress.
    u32* states;
    // Concepts in chunks: the words of the intent, then the support.
    u32* records;
    // [chunk]: the number of its records.
    u32* filled;
    u32 objects;
    u32 attributes;
    // The numbers of words of columns and of rows that are copied to shared memory: all or none. In a
    // symmetric context rows are columns, and there is one copy.
    u32 shared_columns;
    u32 shared_rows;
    u32 symmetric;
    // The number of slots of the ring, a power of two.
    u32 places;
    // The number of frames of a stack.
    u32 depth;
    u32 min_support;
    // The number of nodes after which a warp ends the slice.
    u32 slice;
    // The number of idle warps above which nodes are split.
    u32 crowd;
    // The number of polls after which an idle warp ends the slice: the warps with work may be in a block
    // that waits for this one to end.
    u32 patience;
    // The number of chunks, or 0 if concepts are only counted.
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

// The state of a search. Each number has its own cache line, so that waiting warps do not slow down
// working ones.
struct Control {
    // The number of tickets taken.
    u32 head;
    u32 head_line[31];
    // The number of nodes put into the ring.
    u32 tail;
    u32 tail_line[31];
    // Whether the slice ends.
    u32 stop;
    u32 stop_line[31];
    // The number of nodes in the ring plus the number of working warps.
    u32 pending;
    u32 pending_line[31];
    // The number of chunks taken.
    u32 used;
    u32 used_line[31];
    // The number of concepts found in the slice, and their digest.
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
