// Architecture: compute_80
//
// The search in a *tall* context: up to 128 attributes, which all lanes hold, and every lane looks at rows of its own.

#include "frontier.cuh"

// A node with more candidates than this is cut into parts while most warps are idle.
#define MANY_TALL 16u
#define TALL_PARTS 8u

// Up to 128 attributes, which all lanes hold.
struct Attributes {
    u32 words[4];

    __device__ __forceinline__ void put(u32 attribute) {
#pragma unroll
        for (u32 w = 0u; w < 4u; w++) {
            words[w] |= attribute / 32u == w ? 1u << (attribute & 31u) : 0u;
        }
    }

    __device__ __forceinline__ u32 count() const {
        return (u32)(__popc(words[0]) + __popc(words[1]) + __popc(words[2]) + __popc(words[3]));
    }

    __device__ __forceinline__ bool none() const { return (words[0] | words[1] | words[2] | words[3]) == 0u; }

    // Takes out the first one.
    __device__ __forceinline__ u32 take() {
        u32 taken = ALL;
#pragma unroll
        for (u32 w = 0u; w < 4u; w++) {
            if (taken == ALL && words[w] != 0u) {
                taken = w * 32u + (u32)__ffs((int)words[w]) - 1u;
                words[w] &= words[w] - 1u;
            }
        }
        return taken;
    }
};

template <u32 E> struct TallNode {
    Objects<E> extent;
    Attributes intent, dead, candidates;
    u32 from; // attributes below are done with
    u32 part; // whether it was closed before and only some candidates are to be tried
    u64 keys;
};

// The line behind the extent: 4 words of intent, 4 of dead attributes, 4 of candidates or children, then the rest.
template <u32 E> __device__ __forceinline__ void store_tall(u32* to, const TallNode<E>& node) {
    node.extent.store(to);
    u32 value = 0u;
#pragma unroll
    for (u32 w = 0u; w < 4u; w++) {
        value = lane() == w ? node.intent.words[w] : value;
        value = lane() == 4u + w ? node.dead.words[w] : value;
        value = lane() == 8u + w ? node.candidates.words[w] : value;
    }
    value = lane() == 12u ? node.from : value;
    value = lane() == 13u ? node.part : value;
    value = lane() == 14u ? (u32)node.keys : value;
    value = lane() == 15u ? (u32)(node.keys >> 32) : value;
    to[E * LANES + lane()] = value;
}

template <u32 E> __device__ __forceinline__ void load_tall(const u32* from, TallNode<E>& node) {
    node.extent.load(from);
    u32 value = __ldcg(from + E * LANES + lane());
#pragma unroll
    for (u32 w = 0u; w < 4u; w++) {
        node.intent.words[w] = __shfl_sync(ALL, value, (int)w);
        node.dead.words[w] = __shfl_sync(ALL, value, (int)(4u + w));
        node.candidates.words[w] = __shfl_sync(ALL, value, (int)(8u + w));
    }
    node.from = __shfl_sync(ALL, value, 12);
    node.part = __shfl_sync(ALL, value, 13);
    node.keys = (u64)__shfl_sync(ALL, value, 15) << 32 | __shfl_sync(ALL, value, 14);
}

// Words of a node, and of a frame, which also holds the witnesses.
#define TALL_NODE(E) ((E + 1u) * LANES)
#define TALL_FRAME(E) ((E + 2u) * LANES)
#define NO_WITNESS 255u

// Makes a node its child by attribute `child`. Bit b of word w of `witness` is for attribute 32 w + b, in lane b: what fails
// by a witness below the child fails in all of its subtree.
template <u32 E>
__device__ __forceinline__ void descend(const Search& search, const Tables& tables, TallNode<E>& node, u32 witness, u32 child) {
    node.extent = node.extent.among(tables.columns + (size_t)child * (E * LANES));
#pragma unroll
    for (u32 w = 0u; w < 4u; w++) {
        node.dead.words[w] |= __ballot_sync(ALL, (witness >> 8u * w & 255u) < child);
    }
    node.intent.put(child);
    node.keys += __ldg(search.keys + child);
    node.from = child + 1u;
    node.part = 0u;
}

// Splits the candidates' supports into what is dead, what belongs to the intent, and what remains to be tried.
template <u32 E>
__device__ __forceinline__ void close_tall(const Search& search, const Tables& tables, TallNode<E>& node, u32 size) {
    u32 fewest = max(search.min_support, 1u);
#pragma unroll
    for (u32 w = 0u; w < 4u; w++) {
        u32 open = below(search.attributes, w) & ~below(node.from, w) & ~node.intent.words[w] & ~node.dead.words[w];
        node.candidates.words[w] = 0u;
        while (open != 0u) {
            // Two at a time: their counts share a word.
            u32 one = (u32)__ffs((int)open) - 1u;
            open &= open - 1u;
            u32 other = open != 0u ? (u32)__ffs((int)open) - 1u : one;
            open &= open - 1u;
            u32 counts = node.extent.among(tables.columns + (size_t)(w * 32u + one) * (E * LANES)).ones();
            counts |= node.extent.among(tables.columns + (size_t)(w * 32u + other) * (E * LANES)).ones() << 16;
            counts = __reduce_add_sync(ALL, counts);
#pragma unroll
            for (u32 which = 0u; which < 2u; which++) {
                u32 count = which == 0u ? counts & 0xffffu : counts >> 16, bit = which == 0u ? one : other;
                if (which == 1u && other == one) {
                    continue;
                }
                if (count < fewest) {
                    node.dead.words[w] |= 1u << bit;
                } else if (count == size) {
                    node.intent.words[w] |= 1u << bit;
                    node.keys += __ldg(search.keys + w * 32u + bit);
                } else {
                    node.candidates.words[w] |= 1u << bit;
                }
            }
        }
    }
}

// The smallest attribute below `child` and outside the intent that all of the objects have, or NO_WITNESS.
template <u32 E>
__device__ __forceinline__ u32 tall_witness(const Tables& tables, const TallNode<E>& node, const Objects<E>& objects, u32 child) {
    Attributes open;
#pragma unroll
    for (u32 w = 0u; w < 4u; w++) {
        open.words[w] = below(child, w) & ~node.intent.words[w];
    }
    if (open.none()) {
        return NO_WITNESS;
    }
    // The first and the last object of every lane rule most attributes out.
    u32 first = 0u, last = 0u, first_word = 0u, last_word = 0u;
#pragma unroll
    for (u32 e = 0u; e < E; e++) {
        u32 word = objects.words[e];
        if (word != 0u) {
            first_word = first == 0u ? e : first_word;
            first = first == 0u ? word : first;
            last = word;
            last_word = e;
        }
    }
    uint4 row = make_uint4(ALL, ALL, ALL, ALL);
    if (first != 0u) {
        const uint4* rows = (const uint4*)tables.rows;
        uint4 one = rows[(first_word * LANES + lane()) * 32u + (u32)__ffs((int)first) - 1u];
        uint4 other = rows[(last_word * LANES + lane()) * 32u + 31u - (u32)__clz((int)last)];
        row = make_uint4(one.x & other.x, one.y & other.y, one.z & other.z, one.w & other.w);
    }
    open.words[0] = __reduce_and_sync(ALL, open.words[0] & row.x);
    if (child > 32u) {
        open.words[1] = __reduce_and_sync(ALL, open.words[1] & row.y);
    }
    if (child > 64u) {
        open.words[2] = __reduce_and_sync(ALL, open.words[2] & row.z);
    }
    if (child > 96u) {
        open.words[3] = __reduce_and_sync(ALL, open.words[3] & row.w);
    }
    while (!open.none()) {
        u32 attribute = open.take();
        if (objects.within(tables.columns + (size_t)attribute * (E * LANES))) {
            return attribute;
        }
    }
    return NO_WITNESS;
}

template <u32 E> __device__ __forceinline__ void list_tall(const Search& search, Walk& walk, const TallNode<E>& node, u32 size) {
    walk.concepts++;
    walk.digest += mixed(node.keys);
    if (search.chunks != 0u) {
        u32* record = search.records + (size_t)(walk.chunk * CHUNK + walk.used) * search.record_words;
        u32 value = size;
#pragma unroll
        for (u32 w = 0u; w < 4u; w++) {
            value = lane() == w && w + 1u < search.record_words ? node.intent.words[w] : value;
        }
        if (lane() < search.record_words) {
            record[lane()] = value;
        }
        walk.used++;
    }
}

// The children of a frame that are left.
template <u32 E> __device__ __forceinline__ void store_children(u32* frame, const Attributes& left) {
    u32 value = lane() == 0u ? left.words[0] : lane() == 1u ? left.words[1] : lane() == 2u ? left.words[2] : left.words[3];
    if (lane() < 4u) {
        frame[E * LANES + 8u + lane()] = value;
    }
    __syncwarp();
}

// Gives so many children of a node to warps that have nothing to do.
template <u32 E>
__device__ __forceinline__ void give_tall(const Search& search, const Tables& tables, const TallNode<E>& node, u32 witnesses, Attributes& left, u32 gifts) {
    gifts = min(min(gifts, left.count()), GIFTS);
    u32 first = reserve(search, gifts);
    for (u32 gift = 0u; gift < gifts; gift++) {
        TallNode<E> given = node;
        descend<E>(search, tables, given, witnesses, left.take());
        wait_for_place(search, first + gift);
        store_tall<E>(search.ring + (size_t)place_of(search, first + gift) * TALL_NODE(E), given);
        hand_out(search, first + gift);
    }
}

// Gives children of the oldest frame away.
template <u32 E>
__device__ __forceinline__ void give_oldest_tall(const Search& search, const Tables& tables, Walk& walk, u32* stack) {
    u32* frame = stack + (size_t)walk.base * TALL_FRAME(E);
    TallNode<E> node;
    load_tall<E>(frame, node);
    u32 witnesses = __ldcg(frame + TALL_NODE(E) + lane());
    Attributes left = node.candidates;
    give_tall<E>(search, tables, node, witnesses, left, walk.waiting);
    if (left.none()) {
        walk.base++;
    } else {
        store_children<E>(frame, left);
    }
}

// Cuts a closed node into parts, keeps the first and gives the others away.
template <u32 E> __device__ __forceinline__ void split_tall(const Search& search, TallNode<E>& node) {
    u32 first = reserve(search, TALL_PARTS - 1u);
    TallNode<E> given = node;
    given.part = 1u;
    for (u32 part = 1u; part < TALL_PARTS; part++) {
#pragma unroll
        for (u32 w = 0u; w < 4u; w++) {
            given.candidates.words[w] = node.candidates.words[w] & 0x01010101u << part;
        }
        u32 ticket = first + part - 1u;
        wait_for_place(search, ticket);
        store_tall<E>(search.ring + (size_t)place_of(search, ticket) * TALL_NODE(E), given);
        hand_out(search, ticket);
    }
#pragma unroll
    for (u32 w = 0u; w < 4u; w++) {
        node.candidates.words[w] &= 0x01010101u;
    }
}

template <u32 E> __device__ __forceinline__ void search_tall(const Search& search) {
    Tables where = tables(search);
    Walk walk = begin(search);
    u32* stack = search.stacks + (size_t)warp_number() * search.depth * TALL_FRAME(E);
    TallNode<E> node;
    bool have = false;
    for (;;) {
        if (!have) {
            if (walk.state == WORKING && walk.depth > walk.base) {
                make_room(search, walk);
                if (walk.stopping) {
                    break;
                }
                u32* frame = stack + (size_t)(walk.depth - 1u) * TALL_FRAME(E);
                load_tall<E>(frame, node);
                u32 witness = __ldcg(frame + TALL_NODE(E) + lane());
                Attributes left = node.candidates;
                u32 child = left.take();
                if (left.none()) {
                    walk.depth--;
                } else {
                    store_children<E>(frame, left);
                }
                descend<E>(search, where, node, witness, child);
            } else {
                walk.depth = walk.base = 0u;
                if (!receive(search, walk)) {
                    break;
                }
                load_tall<E>(search.ring + (size_t)place_of(search, walk.ticket) * TALL_NODE(E), node);
                free_place(search, walk.ticket);
            }
        }
        have = false;
        count_node(search, walk);
        look_around(search, walk);
        u32 size = __reduce_add_sync(ALL, node.extent.ones());
        if (!node.part) {
            close_tall<E>(search, where, node, size);
            list_tall<E>(search, walk, node, size);
            if (walk.waiting > search.crowd && node.candidates.count() > MANY_TALL) {
                split_tall<E>(search, node);
            }
        }
        // Which candidates lead to something new?
        Attributes children = {{0u, 0u, 0u, 0u}}, open = node.candidates;
        u32 witnesses = ALL;
        while (!open.none()) {
            u32 child = open.take();
            u32 found = tall_witness<E>(where, node, node.extent.among(where.columns + (size_t)child * (E * LANES)), child);
            if (found == NO_WITNESS) {
                children.put(child);
            } else if (lane() == (child & 31u)) {
                witnesses ^= (found ^ NO_WITNESS) << 8u * (child / 32u);
            }
        }
        if (!children.none()) {
            make_room(search, walk);
            u32 child = ALL;
            have = !walk.stopping;
            Attributes left = children;
            if (have) {
                child = left.take();
            }
            if (walk.waiting != 0u && !left.none()) {
                give_tall<E>(search, where, node, witnesses, left, walk.waiting);
            }
            if (!left.none()) {
                node.candidates = left;
                u32* frame = stack + (size_t)walk.depth * TALL_FRAME(E);
                store_tall<E>(frame, node);
                frame[TALL_NODE(E) + lane()] = witnesses;
                walk.depth++;
                __syncwarp();
            }
            if (have) {
                descend<E>(search, where, node, witnesses, child);
            }
        } else if (walk.waiting != 0u && walk.depth > walk.base) {
            give_oldest_tall<E>(search, where, walk, stack);
        }
    }
    end(search, walk);
}

#define KERNEL(E, threads)                                                                                             \
    extern "C" __global__ void __launch_bounds__(threads, 1) close_tall_##E(const __grid_constant__ Search search) {   \
        search_tall<E##u>(search);                                                                                     \
    }

KERNEL(1, 1024)
KERNEL(2, 1024)
KERNEL(8, 512)
KERNEL(32, 256)
#undef KERNEL
