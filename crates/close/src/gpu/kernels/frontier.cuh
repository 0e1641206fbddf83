// All formal concepts of a context: the search of Close-by-One, every warp deep in a part of the tree.
//
// A node is a concept found by its extent, which the lanes of a warp hold together: E words each, word e * 32
// + lane. The warp closes it, tests which attributes lead to new concepts, and goes on with the first; what
// is left of a node waits as a frame on the warp's own stack, so that memory never grows with the number of
// concepts. Only when other warps have nothing to do are children of the oldest frame put into a ring, from
// which idle warps take them by ticket.
//
// A launch is a slice: it ends when all is done, when a warp has done its share of nodes, or when there is no
// room for more records. All that is unfinished lies in memory, and the next launch goes on with it.
//
// There are two ways to hold intents: `close_tall.cu` and `close_wide.cu`. What they share is here, the ring
// and the slices, and in `tree.cuh`, the walk itself.
#pragma once

#include "arguments.cuh"

typedef unsigned short u16;

#define ALL 0xffffffffu
#define LANES 32u
// Nodes that a warp gives away at a time.
#define GIFTS 31u

// Words of `control`.
#define HEAD (u32)(OFFSET_OF(Control, head) / 4)
#define TAIL (u32)(OFFSET_OF(Control, tail) / 4)
#define STOP (u32)(OFFSET_OF(Control, stop) / 4)
#define PENDING (u32)(OFFSET_OF(Control, pending) / 4)
#define USED (u32)(OFFSET_OF(Control, used) / 4)
// Two words each: concepts, digest.
#define FOUND (u32)(OFFSET_OF(Control, concepts) / 4)
// Three lanes look at the first three at once.
static_assert(HEAD == 0u && TAIL == 32u && STOP == 64u, "lines of 32 words");

// What a warp does.
#define IDLE 0u
#define WAITING 1u // with a ticket
#define WORKING 2u // has frames

extern __shared__ uint4 context[];

__device__ __forceinline__ u32 lane() { return threadIdx.x & 31u; }

// The bits of word `word` that stand for members below `end`.
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

// The sum over all lanes, in pieces small enough not to run over.
__device__ __forceinline__ u64 sum_of_lanes(u64 number) {
    u64 low = __reduce_add_sync(ALL, (u32)number & 0xffffu);
    u64 middle = __reduce_add_sync(ALL, (u32)number >> 16);
    u64 high = __reduce_add_sync(ALL, (u32)(number >> 32));
    return low + (middle << 16) + (high << 32);
}

// What a warp carries from node to node.
struct Walk {
    u32 depth, base; // frames base .. depth are on the stack
    u32 ticket, state;
    u32 nodes;
    u32 chunk, used; // the chunk at hand and its records so far
    bool stopping;
    u32 waiting; // warps that had nothing to do when this one last looked
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

// Keeps what is unfinished, and adds up what was found.
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

// Sees to it that there is room for one more record; if there is none the slice ends.
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

// Looks how many warps have nothing to do and whether the slice ends: always while there are such, else now
// and then.
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

// Tickets for so many nodes that will be put into the ring, at most GIFTS. Whoever asks for them has just
// seen warps that have nothing to do; a ring with GIFTS places for every warp, and one more, never runs over.
__device__ __forceinline__ u32 reserve(const SearchWork& search, u32 nodes) {
    u32 first = 0u;
    if (lane() == 0u) {
        atomicAdd(search.control + PENDING, nodes);
        first = atomicAdd(search.control + TAIL, nodes);
    }
    return __shfl_sync(ALL, first, 0);
}

// The place of a ticket, and the round in which the ticket comes to it.
__device__ __forceinline__ u32 place_of(const SearchWork& search, u32 ticket) { return ticket & (search.places - 1u); }
__device__ __forceinline__ u32 round_of(const SearchWork& search, u32 ticket) { return ticket & ~(search.places - 1u); }

// Waits until the last node at the place of a ticket was read, which it nearly always was.
__device__ __forceinline__ void wait_for_place(const SearchWork& search, u32 ticket) {
    const u32* turn = search.ready + place_of(search, ticket);
    while (__shfl_sync(ALL, lane() == 0u ? look(turn) : 0u, 0) != round_of(search, ticket)) {
        __nanosleep(100);
    }
    __threadfence();
}

// A node stands at the place of its ticket: whoever has that ticket may take it.
__device__ __forceinline__ void hand_out(const SearchWork& search, u32 ticket) {
    __threadfence();
    __syncwarp();
    if (lane() == 0u) {
        *(volatile u32*)(search.ready + place_of(search, ticket)) = round_of(search, ticket) + 1u;
    }
}

// The node of a ticket was read: the place is free for the ticket that comes round to it next.
__device__ __forceinline__ void free_place(const SearchWork& search, u32 ticket) {
    __threadfence();
    __syncwarp();
    if (lane() == 0u) {
        *(volatile u32*)(search.ready + place_of(search, ticket)) = round_of(search, ticket) + search.places;
    }
}

// A warp that has done all of its part asks for more, and waits. False at the end of the slice or of
// everything.
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
                    // Everyone: a node that is put at the place of a warp that has left stays there until the
                    // next slice, and the ring must not come round to it before.
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

// Copies the context into shared memory where it fits, and says where it is.
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

// The words of a set of objects that this lane holds.
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

    // Whether all objects, of all lanes, are in a column.
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
