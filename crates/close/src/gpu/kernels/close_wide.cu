// Architecture: compute_80
//
// The search in a *wide* context: up to 1,024 attributes, one word of them in every lane, and rows are combined one by one
// with a vote.

#include "frontier.cuh"

// A node with more candidates than this is cut into parts while most warps are idle.
#define MANY_WIDE 64u
#define WIDE_PARTS 32u

// Lane l holds the word of attributes 32 l to 32 l + 31 of all sets of attributes.
template <u32 E> struct WideNode {
    Objects<E> extent;
    u32 intent, dead, candidates;
    u32 from;
    u32 part;
    u64 keys;
};

// Words of a node: the extent and a line for each set and the rest; and of a frame, which also holds what failed and its
// witnesses, half a word for each attribute: [bit][lane].
#define WIDE_NODE(E) ((E + 4u) * LANES)
#define WIDE_FRAME(E) ((E + 21u) * LANES)
#define WITNESS_WORDS 512u
// Rows that are combined one by one before what is left is tested column by column.
#define FEW_ROWS 24u

template <u32 E> __device__ __forceinline__ void store_wide(u32* to, const WideNode<E>& node) {
    node.extent.store(to);
    to += E * LANES + lane();
    to[0] = node.intent;
    to[LANES] = node.dead;
    to[2u * LANES] = node.candidates;
    u32 value = lane() == 0u ? node.from : lane() == 1u ? node.part : lane() == 2u ? (u32)node.keys : (u32)(node.keys >> 32);
    if (lane() < 4u) {
        to[3u * LANES] = value;
    }
}

template <u32 E> __device__ __forceinline__ void load_wide(const u32* from, WideNode<E>& node) {
    node.extent.load(from);
    from += E * LANES + lane();
    node.intent = __ldcg(from);
    node.dead = __ldcg(from + LANES);
    node.candidates = __ldcg(from + 2u * LANES);
    u32 value = __ldcg(from + 3u * LANES);
    node.from = __shfl_sync(ALL, value, 0);
    node.part = __shfl_sync(ALL, value, 1);
    node.keys = (u64)__shfl_sync(ALL, value, 3) << 32 | __shfl_sync(ALL, value, 2);
}

// Takes the first attribute out of a set.
__device__ __forceinline__ u32 take_first(u32& set) {
    u32 holder = (u32)__ffs((int)__ballot_sync(ALL, set != 0u)) - 1u;
    u32 word = __shfl_sync(ALL, set, (int)holder);
    if (lane() == holder) {
        set &= set - 1u;
    }
    return holder * 32u + (u32)__ffs((int)word) - 1u;
}

__device__ __forceinline__ u32 count_wide(u32 set) { return __reduce_add_sync(ALL, (u32)__popc(set)); }

template <u32 E>
__device__ __forceinline__ void descend(const Search& search, const Tables& tables, WideNode<E>& node, u32 failed, const u16* witnesses, u32 child) {
    node.extent = node.extent.among(tables.columns + (size_t)child * (E * LANES));
    // Only what comes behind the child is ever looked at again.
    for (u32 open = failed & ~below(child, lane()); open != 0u; open &= open - 1u) {
        u32 bit = (u32)__ffs((int)open) - 1u;
        if (witnesses[bit * LANES + lane()] < child) {
            node.dead |= 1u << bit;
        }
    }
    node.intent |= lane() == child / 32u ? 1u << (child & 31u) : 0u;
    node.keys += __ldg(search.keys + child);
    node.from = child + 1u;
    node.part = 0u;
    __syncwarp();
}

// Finds the intent and the candidates, either from the rows of the extent or from the columns, whichever are fewer.
template <u32 E>
__device__ __forceinline__ void close_wide(const Search& search, const Tables& tables, WideNode<E>& node, u32 size) {
    u32 valid = below(search.attributes, lane());
    u32 open = valid & ~below(node.from, lane()) & ~node.intent & ~node.dead;
    u32 before = node.intent;
    u32 fewest = max(search.min_support, 1u);
    bool by_rows = size <= 4u * E * count_wide(open);
    if (by_rows) {
        u32 all = valid, any = 0u;
#pragma unroll
        for (u32 e = 0u; e < E; e++) {
            for (u32 holders = __ballot_sync(ALL, node.extent.words[e] != 0u); holders != 0u; holders &= holders - 1u) {
                u32 holder = (u32)__ffs((int)holders) - 1u;
                for (u32 word = __shfl_sync(ALL, node.extent.words[e], (int)holder); word != 0u; word &= word - 1u) {
                    u32 object = (e * LANES + holder) * 32u + (u32)__ffs((int)word) - 1u;
                    u32 row = tables.rows[object * LANES + lane()];
                    all &= row;
                    any |= row;
                }
            }
        }
        node.intent |= all & open;
        open &= any & ~all;
    }
    if (!by_rows || fewest > 1u) {
        u32 left = open;
        while (__any_sync(ALL, left != 0u)) {
            u32 child = take_first(left), mine = lane() == child / 32u ? 1u << (child & 31u) : 0u;
            u32 count = __reduce_add_sync(ALL, node.extent.among(tables.columns + (size_t)child * (E * LANES)).ones());
            if (count < fewest || count == size) {
                open &= ~mine;
                (count < fewest ? node.dead : node.intent) |= mine;
            }
        }
    }
    node.candidates = open;
    u32 added = node.intent & ~before;
    if (__any_sync(ALL, added != 0u)) {
        u64 keys = 0ull;
        for (; added != 0u; added &= added - 1u) {
            keys += __ldg(search.keys + lane() * 32u + (u32)__ffs((int)added) - 1u);
        }
        node.keys += sum_of_lanes(keys);
    }
}

// As in tall contexts; NO_ATTRIBUTE where there is none.
#define NO_ATTRIBUTE 0xffffu

template <u32 E>
__device__ __forceinline__ u32 wide_witness(const Tables& tables, const WideNode<E>& node, const Objects<E>& objects, u32 child) {
    u32 open = below(child, lane()) & ~node.intent;
    if (!__any_sync(ALL, open != 0u)) {
        return NO_ATTRIBUTE;
    }
    u32 steps = 0u;
#pragma unroll
    for (u32 e = 0u; e < E; e++) {
        u32 holders = __ballot_sync(ALL, objects.words[e] != 0u);
        for (; holders != 0u && steps < FEW_ROWS; holders &= holders - 1u) {
            u32 holder = (u32)__ffs((int)holders) - 1u;
            u32 word = __shfl_sync(ALL, objects.words[e], (int)holder);
            for (; word != 0u && steps < FEW_ROWS; word &= word - 1u, steps++) {
                u32 object = (e * LANES + holder) * 32u + (u32)__ffs((int)word) - 1u;
                open &= tables.rows[object * LANES + lane()];
                if (!__any_sync(ALL, open != 0u)) {
                    return NO_ATTRIBUTE;
                }
            }
        }
    }
    while (__any_sync(ALL, open != 0u)) {
        u32 attribute = take_first(open);
        if (steps < FEW_ROWS || objects.within(tables.columns + (size_t)attribute * (E * LANES))) {
            return attribute;
        }
    }
    return NO_ATTRIBUTE;
}

template <u32 E> __device__ __forceinline__ void list_wide(const Search& search, Walk& walk, const WideNode<E>& node, u32 size) {
    walk.concepts++;
    walk.digest += mixed(node.keys);
    if (search.chunks != 0u) {
        u32* record = search.records + (size_t)(walk.chunk * CHUNK + walk.used) * search.record_words;
        if (lane() + 1u < search.record_words) {
            record[lane()] = node.intent;
        }
        if (lane() == 0u) {
            record[search.record_words - 1u] = size;
        }
        walk.used++;
    }
}

template <u32 E>
__device__ __forceinline__ void give_wide(const Search& search, const Tables& tables, const WideNode<E>& node, u32 failed, const u16* witnesses, u32& left, u32 gifts) {
    gifts = min(min(gifts, count_wide(left)), GIFTS);
    u32 first = reserve(search, gifts);
    for (u32 gift = 0u; gift < gifts; gift++) {
        WideNode<E> given = node;
        descend<E>(search, tables, given, failed, witnesses, take_first(left));
        wait_for_place(search, first + gift);
        store_wide<E>(search.ring + (size_t)place_of(search, first + gift) * WIDE_NODE(E), given);
        hand_out(search, first + gift);
    }
}

template <u32 E>
__device__ __forceinline__ void give_oldest_wide(const Search& search, const Tables& tables, Walk& walk, u32* stack) {
    u32* frame = stack + (size_t)walk.base * WIDE_FRAME(E);
    WideNode<E> node;
    load_wide<E>(frame, node);
    u32 failed = __ldcg(frame + WIDE_NODE(E) + lane()), left = node.candidates;
    const u16* witnesses = (const u16*)(frame + WIDE_NODE(E) + LANES);
    give_wide<E>(search, tables, node, failed, witnesses, left, walk.waiting);
    frame[(E + 2u) * LANES + lane()] = left;
    walk.base += __any_sync(ALL, left != 0u) ? 0u : 1u;
}

template <u32 E> __device__ __forceinline__ void split_wide(const Search& search, WideNode<E>& node) {
    u32 first = reserve(search, WIDE_PARTS - 1u);
    WideNode<E> given = node;
    given.part = 1u;
    for (u32 part = 1u; part < WIDE_PARTS; part++) {
        given.candidates = node.candidates & 1u << part;
        u32 ticket = first + part - 1u;
        wait_for_place(search, ticket);
        store_wide<E>(search.ring + (size_t)place_of(search, ticket) * WIDE_NODE(E), given);
        hand_out(search, ticket);
    }
    node.candidates &= 1u;
}

template <u32 E> __device__ __forceinline__ void search_wide(const Search& search) {
    Tables where = tables(search);
    Walk walk = begin(search);
    u32* stack = search.stacks + (size_t)warp_number() * search.depth * WIDE_FRAME(E);
    // Behind the tables every warp has room for the witnesses of the node at hand.
    u32 before = search.shared_columns + (search.symmetric ? 0u : search.shared_rows);
    u16* witnesses = (u16*)((u32*)context + before + threadIdx.x / LANES * WITNESS_WORDS);
    WideNode<E> node;
    bool have = false;
    for (;;) {
        if (!have) {
            if (walk.state == WORKING && walk.depth > walk.base) {
                make_room(search, walk);
                if (walk.stopping) {
                    break;
                }
                u32* frame = stack + (size_t)(walk.depth - 1u) * WIDE_FRAME(E);
                load_wide<E>(frame, node);
                u32 failed = __ldcg(frame + WIDE_NODE(E) + lane()), left = node.candidates;
                u32 child = take_first(left);
                if (__any_sync(ALL, left != 0u)) {
                    frame[(E + 2u) * LANES + lane()] = left;
                } else {
                    walk.depth--;
                }
                descend<E>(search, where, node, failed, (const u16*)(frame + WIDE_NODE(E) + LANES), child);
            } else {
                walk.depth = walk.base = 0u;
                if (!receive(search, walk)) {
                    break;
                }
                load_wide<E>(search.ring + (size_t)place_of(search, walk.ticket) * WIDE_NODE(E), node);
                free_place(search, walk.ticket);
            }
        }
        have = false;
        count_node(search, walk);
        look_around(search, walk);
        if (!node.part) {
            u32 size = __reduce_add_sync(ALL, node.extent.ones());
            close_wide<E>(search, where, node, size);
            list_wide<E>(search, walk, node, size);
            if (walk.waiting > search.crowd && count_wide(node.candidates) > MANY_WIDE) {
                split_wide<E>(search, node);
            }
        }
        u32 children = 0u, failed = 0u, open = node.candidates;
        while (__any_sync(ALL, open != 0u)) {
            u32 child = take_first(open), mine = lane() == child / 32u ? 1u << (child & 31u) : 0u;
            u32 found = wide_witness<E>(where, node, node.extent.among(where.columns + (size_t)child * (E * LANES)), child);
            if (found == NO_ATTRIBUTE) {
                children |= mine;
            } else if (mine != 0u) {
                failed |= mine;
                witnesses[(child & 31u) * LANES + lane()] = (u16)found;
            }
        }
        __syncwarp();
        if (__any_sync(ALL, children != 0u)) {
            make_room(search, walk);
            u32 child = 0u, left = children;
            have = !walk.stopping;
            if (have) {
                child = take_first(left);
            }
            if (walk.waiting != 0u && __any_sync(ALL, left != 0u)) {
                give_wide<E>(search, where, node, failed, witnesses, left, walk.waiting);
            }
            if (__any_sync(ALL, left != 0u)) {
                node.candidates = left;
                u32* frame = stack + (size_t)walk.depth * WIDE_FRAME(E);
                store_wide<E>(frame, node);
                frame[WIDE_NODE(E) + lane()] = failed;
                u16* kept = (u16*)(frame + WIDE_NODE(E) + LANES);
                for (u32 entries = failed; entries != 0u; entries &= entries - 1u) {
                    u32 entry = ((u32)__ffs((int)entries) - 1u) * LANES + lane();
                    kept[entry] = witnesses[entry];
                }
                walk.depth++;
                __syncwarp();
            }
            if (have) {
                descend<E>(search, where, node, failed, witnesses, child);
            }
        } else if (walk.waiting != 0u && walk.depth > walk.base) {
            give_oldest_wide<E>(search, where, walk, stack);
        }
    }
    end(search, walk);
}

#define KERNEL(E, threads)                                                                                             \
    extern "C" __global__ void __launch_bounds__(threads, 1) close_wide_##E(const __grid_constant__ Search search) {   \
        search_wide<E##u>(search);                                                                                     \
    }

KERNEL(1, 1024)
KERNEL(2, 1024)
KERNEL(8, 512)
KERNEL(32, 256)
#undef KERNEL
