// Architecture: compute_80
//
// The search in a *tall* context: up to 128 attributes, which every lane has. Every lane examines its own
// rows.

#include "arguments.cuh"
#include "frontier.cuh"
#include "tree.cuh"

// A set of up to 128 attributes. Every lane has a copy.
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

    // Removes and returns the first attribute.
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

    // Returns one of eight parts.
    __device__ __forceinline__ Attributes part(u32 number) const {
        Attributes part;
#pragma unroll
        for (u32 w = 0u; w < 4u; w++) {
            part.words[w] = words[w] & 0x01010101u << number;
        }
        return part;
    }

    // Writes the record of a concept: this intent and the number of objects.
    __device__ __forceinline__ void record(u32* record, u32 record_words, u32 size) const {
        u32 value = size;
#pragma unroll
        for (u32 w = 0u; w < 4u; w++) {
            value = lane() == w && w + 1u < record_words ? words[w] : value;
        }
        if (lane() < record_words) {
            record[lane()] = value;
        }
    }
};

template <u32 E> struct Tall {
    typedef Attributes Set;
    typedef TreeNode<E, Set> Node;
    // Byte w of lane b is the witness of attribute 32 w + b.
    typedef u32 Failed;
    static constexpr u32 NODE_WORDS = (E + 1u) * LANES;
    static constexpr u32 FRAME_WORDS = (E + 2u) * LANES;
    static constexpr u32 MANY = 16u;
    static constexpr u32 PARTS = 8u;
    static constexpr u32 NO_WITNESS = 255u;

    // The words after the extent: 4 of the intent, 4 of dead attributes, 4 of candidates or children, then
    // the rest.
    static __device__ __forceinline__ void store(u32* to, const Node& node) {
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

    static __device__ __forceinline__ void load(const u32* from, Node& node) {
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

    // Stores the remaining children of a frame.
    static __device__ __forceinline__ void store_left(u32* frame, const Set& left) {
        u32 value = lane() == 0u   ? left.words[0]
                    : lane() == 1u ? left.words[1]
                    : lane() == 2u ? left.words[2]
                                   : left.words[3];
        if (lane() < 4u) {
            frame[E * LANES + 8u + lane()] = value;
        }
        __syncwarp();
    }

    static __device__ __forceinline__ Failed nothing_failed(const SearchWork&) { return ALL; }

    static __device__ __forceinline__ void store_failed(u32* frame, Failed failed) {
        frame[NODE_WORDS + lane()] = failed;
    }

    static __device__ __forceinline__ Failed load_failed(const u32* frame) {
        return __ldcg(frame + NODE_WORDS + lane());
    }

    static __device__ __forceinline__ void inherit(Node& node, Failed failed, u32 child) {
#pragma unroll
        for (u32 w = 0u; w < 4u; w++) {
            node.dead.words[w] |= __ballot_sync(ALL, (failed >> 8u * w & 255u) < child);
        }
    }

    // Computes the support of every candidate and divides the candidates into dead attributes, members of the
    // intent and attributes to try.
    static __device__ __forceinline__ void close(const SearchWork& search, const Tables& tables, Node& node,
                                                 u32 size) {
        u32 fewest = max(search.min_support, 1u);
#pragma unroll
        for (u32 w = 0u; w < 4u; w++) {
            u32 open = below(search.attributes, w) & ~below(node.from, w) & ~node.intent.words[w] &
                       ~node.dead.words[w];
            node.candidates.words[w] = 0u;
            while (open != 0u) {
                // Two attributes at a time: their counts share a word.
                u32 one = (u32)__ffs((int)open) - 1u;
                open &= open - 1u;
                u32 other = open != 0u ? (u32)__ffs((int)open) - 1u : one;
                open &= open - 1u;
                u32 counts = node.extent.among(column_of<E>(tables, w * 32u + one)).ones();
                counts |= node.extent.among(column_of<E>(tables, w * 32u + other)).ones() << 16;
                counts = __reduce_add_sync(ALL, counts);
#pragma unroll
                for (u32 which = 0u; which < 2u; which++) {
                    u32 count = which == 0u ? counts & 0xffffu : counts >> 16,
                        bit = which == 0u ? one : other;
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

    // Returns the smallest attribute below `child` and outside the intent that all of the objects have, or
    // NO_WITNESS.
    static __device__ __forceinline__ u32 witness(const Tables& tables, const Node& node,
                                                  const Objects<E>& objects, u32 child) {
        Attributes open;
#pragma unroll
        for (u32 w = 0u; w < 4u; w++) {
            open.words[w] = below(child, w) & ~node.intent.words[w];
        }
        if (open.none()) {
            return NO_WITNESS;
        }
        // The first and the last object of every lane exclude most attributes.
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
            if (objects.within(column_of<E>(tables, attribute))) {
                return attribute;
            }
        }
        return NO_WITNESS;
    }

    static __device__ __forceinline__ Set test(const Tables& tables, const Node& node, Failed& failed) {
        Set children = {{0u, 0u, 0u, 0u}}, open = node.candidates;
        while (!open.none()) {
            u32 child = open.take();
            u32 found = witness(tables, node, node.extent.among(column_of<E>(tables, child)), child);
            if (found == NO_WITNESS) {
                children.put(child);
            } else if (lane() == (child & 31u)) {
                failed ^= (found ^ NO_WITNESS) << 8u * (child / 32u);
            }
        }
        return children;
    }
};

#define KERNEL(E, threads)                                          \
    extern "C" __global__ void __launch_bounds__(threads, 1)        \
        close_tall_##E(const __grid_constant__ SearchWork search) { \
        search_tree<Tall<E##u>>(search);                            \
    }

KERNEL(1, 1024)
KERNEL(2, 1024)
KERNEL(8, 512)
KERNEL(32, 256)
#undef KERNEL
