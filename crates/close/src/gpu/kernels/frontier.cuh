// The search for all formal concepts of a context by Close-by-One. Every warp walks its own part of the tree.
//
// A node is a concept, given by its extent. The lanes of a warp share the extent: E words each, word e * 32 +
// lane. The warp closes the node, tests which attributes lead to new concepts, and continues with the first
// one. The rest of the node waits as a frame on the stack of the warp, so memory does not grow with the
// number of concepts. Only while other warps are idle are children of the oldest frame put into a ring, from
// which idle warps take them by ticket.
//
// A launch is a slice. It ends when the search is complete, when a warp has processed its share of nodes, or
// when there is no room for more records. Unfinished work stays in memory, and the next launch continues it.
//
// Intents are stored in two ways: see `close_tall.cu` and `close_wide.cu`. They share the ring and the
// slices, which are in this file, and the walk through the tree, which is in `tree.cuh`.
#pragma once

#include "arguments.cuh"

typedef unsigned short u16;

#define ALL 0xffffffffu
#define LANES 32u
// The maximum number of nodes that a warp gives away at a time.
#define GIFTS 31u

// The words of `control`.
#define HEAD (u32)(OFFSET_OF(Control, head) / 4)
#define TAIL (u32)(OFFSET_OF(Control, tail) / 4)
#define STOP (u32)(OFFSET_OF(Control, stop) / 4)
#define PENDING (u32)(OFFSET_OF(Control, pending) / 4)
#define USED (u32)(OFFSET_OF(Control, used) / 4)
// Two words each: the number of concepts, the digest.
#define FOUND (u32)(OFFSET_OF(Control, concepts) / 4)
// Three lanes read the first three words at once.
static_assert(HEAD == 0u && TAIL == 32u && STOP == 64u, "lines of 32 words");

// The state of a warp.
#define IDLE 0u
#define WAITING 1u // has a ticket
#define WORKING 2u // has frames

extern __shared__ uint4 context[];

__device__ __forceinline__ u32 lane() { return threadIdx.x & 31u; }

// Returns the bits of word `word` that represent members below `end`.
__device__ __forceinline__ u32 below(u32 end, u32 word) {
    u32 first = word * 32u;
    return end <= first ? 0u : end >= first + 32u ? ~0u : (1u << (end - first)) - 1u;
}

__device__ __forceinline__ u32 look(const u32* at) { return *(const volatile u32*)at; }

__device__ __forceinline__ u64 mixed(u64 number) {
    u64 x = number + 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

// Returns the sum over all lanes, added in parts that cannot overflow.
__device__ __forceinline__ u64 sum_of_lanes(u64 number) {
    u64 low = __reduce_add_sync(ALL, (u32)number & 0xffffu);
    u64 middle = __reduce_add_sync(ALL, (u32)number >> 16);
    u64 high = __reduce_add_sync(ALL, (u32)(number >> 32));
    return low + (middle << 16) + (high << 32);
}

// The variables of a warp that persist from node to node.
struct Walk {
    u32 depth, base; // the stack has the frames from base to depth
    u32 ticket, state;
    u32 nodes;
    u32 chunk, used; // the current chunk and the number of its records
    bool stopping;
    u32 waiting; // the number of idle warps at the last check
    u64 concepts, digest;
};

__device__ __forceinline__ u32 warp_number() { return (blockIdx.x * blockDim.x + threadIdx.x) / LANES; }

__device__ __forceinline__ Walk begin(const SearchWork& search) {
    const u32* state = search.states + warp_number() * STATE_WORDS;
    Walk walk;
    walk.state = state[0], walk.depth = state[1], walk.base = state[2], walk.ticket = state[3];
    walk.nodes = 0u, walk.chunk = ALL, walk.used = 0u, walk.stopping = false, walk.waiting = 1u;
    walk.concepts = walk.digest = 0ull;
    return walk;
}

// Stores the unfinished work and adds the results to the totals.
__device__ __forceinline__ void end(const SearchWork& search, const Walk& walk) {
    if (lane() == 0u) {
        u32* state = search.states + warp_number() * STATE_WORDS;
        state[0] = walk.state, state[1] = walk.depth, state[2] = walk.base, state[3] = walk.ticket;
        if (walk.chunk != ALL) {
            search.filled[walk.chunk] = walk.used;
        }
        if (walk.concepts != 0ull) {
            atomicAdd((u64*)(search.control + FOUND), walk.concepts);
            atomicAdd((u64*)(search.control + FOUND) + 1, walk.digest);
        }
    }
}

// Ensures that there is room for one more record. If there is none, the slice ends.
__device__ __forceinline__ void make_room(const SearchWork& search, Walk& walk) {
    if (search.chunks == 0u || (walk.chunk != ALL && walk.used < CHUNK)) {
        return;
    }
    u32 chunk = 0u;
    if (lane() == 0u) {
        if (walk.chunk != ALL) {
            search.filled[walk.chunk] = CHUNK;
        }
        chunk = atomicAdd(search.control + USED, 1u);
        if (chunk >= search.chunks) {
            *(volatile u32*)(search.control + STOP) = 1u;
        }
    }
    chunk = __shfl_sync(ALL, chunk, 0);
    walk.used = 0u;
    walk.chunk = chunk < search.chunks ? chunk : ALL;
    walk.stopping |= chunk >= search.chunks;
}

// Reads the number of idle warps and whether the slice ends: always while warps are idle, otherwise from time
// to time.
__device__ __forceinline__ void look_around(const SearchWork& search, Walk& walk) {
    if (walk.waiting == 0u && (walk.nodes & 3u) != 0u) {
        return;
    }
    u32 seen = lane() < 3u ? look(search.control + lane() * 32u) : 0u;
    u32 waiting = __shfl_sync(ALL, seen, 0) - __shfl_sync(ALL, seen, 1);
    walk.stopping |= __shfl_sync(ALL, seen, 2) != 0u;
    walk.waiting = (int)waiting > 0 ? waiting : 0u;
}

__device__ __forceinline__ void count_node(const SearchWork& search, Walk& walk) {
    walk.nodes++;
    if (walk.nodes >= search.slice) {
        walk.stopping = true;
        if (lane() == 0u) {
            *(volatile u32*)(search.control + STOP) = 1u;
        }
    }
}

// Returns the first of the tickets for nodes that will be put into the ring, at most GIFTS. The caller has
// just seen idle warps, so a ring with GIFTS slots for every warp, and one more, cannot overflow.
__device__ __forceinline__ u32 reserve(const SearchWork& search, u32 nodes) {
    u32 first = 0u;
    if (lane() == 0u) {
        atomicAdd(search.control + PENDING, nodes);
        first = atomicAdd(search.control + TAIL, nodes);
    }
    return __shfl_sync(ALL, first, 0);
}

// Returns the slot of a ticket, and the round in which the ticket reaches it.
__device__ __forceinline__ u32 place_of(const SearchWork& search, u32 ticket) {
    return ticket & (search.places - 1u);
}
__device__ __forceinline__ u32 round_of(const SearchWork& search, u32 ticket) {
    return ticket & ~(search.places - 1u);
}

// Waits until the last node in the slot of a ticket was read. It almost always was.
__device__ __forceinline__ void wait_for_place(const SearchWork& search, u32 ticket) {
    const u32* turn = search.ready + place_of(search, ticket);
    while (__shfl_sync(ALL, lane() == 0u ? look(turn) : 0u, 0) != round_of(search, ticket)) {
        __nanosleep(100);
    }
    __threadfence();
}

// Marks the node in the slot of a ticket as ready for the warp that has the ticket.
__device__ __forceinline__ void hand_out(const SearchWork& search, u32 ticket) {
    __threadfence();
    __syncwarp();
    if (lane() == 0u) {
        *(volatile u32*)(search.ready + place_of(search, ticket)) = round_of(search, ticket) + 1u;
    }
}

// Marks the slot of a ticket as free for the next ticket that reaches it.
__device__ __forceinline__ void free_place(const SearchWork& search, u32 ticket) {
    __threadfence();
    __syncwarp();
    if (lane() == 0u) {
        *(volatile u32*)(search.ready + place_of(search, ticket)) = round_of(search, ticket) + search.places;
    }
}

// Requests a node for a warp without work, and waits. Returns false at the end of the slice or of the search.
__device__ __forceinline__ bool receive(const SearchWork& search, Walk& walk) {
    if (walk.state == WORKING) {
        if (lane() == 0u) {
            __threadfence();
            atomicAdd(search.control + PENDING, ALL);
        }
        walk.state = IDLE;
    }
    make_room(search, walk);
    if (walk.stopping) {
        return false;
    }
    if (walk.state == IDLE) {
        u32 ticket = lane() == 0u ? atomicAdd(search.control + HEAD, 1u) : 0u;
        walk.ticket = __shfl_sync(ALL, ticket, 0);
        walk.state = WAITING;
    }
    const u32* turn = search.ready + place_of(search, walk.ticket);
    for (u32 polls = 1u;; polls++) {
        u32 news = 0u;
        if (lane() == 0u) {
            if (look(turn) == round_of(search, walk.ticket) + 1u) {
                news = 1u;
            } else if ((polls & 7u) == 0u) {
                bool over = look(search.control + PENDING) == 0u || look(search.control + STOP) != 0u;
                if (!over && polls > search.patience) {
                    // End the slice for all warps. A node in the slot of a warp that has left stays there
                    // until the next slice, and the ring must not reach the slot again before that.
                    *(volatile u32*)(search.control + STOP) = 1u;
                    over = true;
                }
                news = over ? 2u : 0u;
            }
        }
        news = __shfl_sync(ALL, news, 0);
        if (news != 0u) {
            __threadfence();
            walk.state = news == 1u ? WORKING : WAITING;
            return news == 1u;
        }
        __nanosleep(min(40u * polls, 400u));
    }
}

// Copies the context to shared memory if it fits, and returns its location.
struct Tables {
    const u32* columns;
    const u32* rows;
};

__device__ __forceinline__ Tables tables(const SearchWork& search) {
    u32* shared = (u32*)context;
    Tables tables = {search.columns, search.rows};
    if (search.shared_columns != 0u) {
        for (u32 word = threadIdx.x; word < search.shared_columns; word += blockDim.x) {
            shared[word] = search.columns[word];
        }
        tables.columns = shared;
        shared += search.shared_columns;
    }
    if (search.symmetric) {
        tables.rows = tables.columns;
    } else if (search.shared_rows != 0u) {
        for (u32 word = threadIdx.x; word < search.shared_rows; word += blockDim.x) {
            shared[word] = search.rows[word];
        }
        tables.rows = shared;
    }
    __syncthreads();
    return tables;
}

// The words of a set of objects that this lane has.
template <u32 E> struct Objects {
    u32 words[E];

    __device__ __forceinline__ Objects among(const u32* column) const {
        Objects both;
#pragma unroll
        for (u32 e = 0u; e < E; e++) {
            both.words[e] = words[e] & column[e * LANES + lane()];
        }
        return both;
    }

    __device__ __forceinline__ u32 ones() const {
        u32 ones = 0u;
#pragma unroll
        for (u32 e = 0u; e < E; e++) {
            ones += (u32)__popc(words[e]);
        }
        return ones;
    }

    // Returns whether all objects, of all lanes, are in a column.
    __device__ __forceinline__ bool within(const u32* column) const {
        u32 out = 0u;
#pragma unroll
        for (u32 e = 0u; e < E; e++) {
            out |= words[e] & ~column[e * LANES + lane()];
        }
        return !__any_sync(ALL, out != 0u);
    }

    __device__ __forceinline__ void load(const u32* from) {
#pragma unroll
        for (u32 e = 0u; e < E; e++) {
            words[e] = __ldcg(from + e * LANES + lane());
        }
    }

    __device__ __forceinline__ void store(u32* to) const {
#pragma unroll
        for (u32 e = 0u; e < E; e++) {
            to[e * LANES + lane()] = words[e];
        }
    }
};
