// Architecture: compute_80
//
// The search in a *wide* context: up to 1,024 attributes, one word of them in every lane. Rows are combined
// one by one with a vote.

#include "arguments.cuh"
#include "frontier.cuh"
#include "tree.cuh"

// The number of words of shared memory, and of a frame, for the witnesses of a node.
#define WITNESS_WORDS 512u
// The number of rows that are combined one by one before the remaining attributes are tested by column.
#define FEW_ROWS 24u

// A set of up to 1,024 attributes: lane l has the word of attributes 32 l to 32 l + 31.
struct Lines {
    u32 word;

    // Returns the bit of an attribute in the lane that has it, and 0 in the others.
    static __device__ __forceinline__ u32 mine(u32 attribute) {
        return lane() == attribute / 32u ? 1u << (attribute & 31u) : 0u;
    }

    __device__ __forceinline__ void put(u32 attribute) { word |= mine(attribute); }

    __device__ __forceinline__ u32 count() const { return __reduce_add_sync(ALL, (u32)__popc(word)); }

    __device__ __forceinline__ bool none() const { return !__any_sync(ALL, word != 0u); }

    // Removes and returns the first attribute. The set must not be empty.
    __device__ __forceinline__ u32 take() {
        u32 holder = (u32)__ffs((int)__ballot_sync(ALL, word != 0u)) - 1u;
        u32 held = __shfl_sync(ALL, word, (int)holder);
        if (lane() == holder) {
            word &= word - 1u;
        }
        return holder * 32u + (u32)__ffs((int)held) - 1u;
    }

    // Returns one of 32 parts.
    __device__ __forceinline__ Lines part(u32 number) const { return {word & 1u << number}; }

    // Writes the record of a concept: this intent and the number of objects.
    __device__ __forceinline__ void record(u32* record, u32 record_words, u32 size) const {
        if (lane() + 1u < record_words) {
            record[lane()] = word;
        }
        if (lane() == 0u) {
            record[record_words - 1u] = size;
        }
    }
};

// The candidates that failed, and the witness of each in half a word, at [bit][lane].
struct Failures {
    u32 word;
    u16* witnesses;
};

template <u32 E> struct Wide {
    typedef Lines Set;
    typedef TreeNode<E, Set> Node;
    typedef Failures Failed;
    // The extent, one line for each set, and one for the rest.
    static constexpr u32 NODE_WORDS = (E + 4u) * LANES;
    static constexpr u32 FRAME_WORDS = NODE_WORDS + LANES + WITNESS_WORDS;
    static constexpr u32 MANY = 64u;
    static constexpr u32 PARTS = 32u;
    static constexpr u32 NO_WITNESS = 0xffffu;

    static __device__ __forceinline__ void store(u32* to, const Node& node) {
        node.extent.store(to);
        to += E * LANES + lane();
        to[0] = node.intent.word;
        to[LANES] = node.dead.word;
        to[2u * LANES] = node.candidates.word;
        u32 value = lane() == 0u   ? node.from
                    : lane() == 1u ? node.part
                    : lane() == 2u ? (u32)node.keys
                                   : (u32)(node.keys >> 32);
        if (lane() < 4u) {
            to[3u * LANES] = value;
        }
    }

    static __device__ __forceinline__ void load(const u32* from, Node& node) {
        node.extent.load(from);
        from += E * LANES + lane();
        node.intent.word = __ldcg(from);
        node.dead.word = __ldcg(from + LANES);
        node.candidates.word = __ldcg(from + 2u * LANES);
        u32 value = __ldcg(from + 3u * LANES);
        node.from = __shfl_sync(ALL, value, 0);
        node.part = __shfl_sync(ALL, value, 1);
        node.keys = (u64)__shfl_sync(ALL, value, 3) << 32 | __shfl_sync(ALL, value, 2);
    }

    static __device__ __forceinline__ void store_left(u32* frame, const Set& left) {
        frame[(E + 2u) * LANES + lane()] = left.word;
    }

    // After the tables, every warp has shared memory for the witnesses of the current node.
    static __device__ __forceinline__ Failed nothing_failed(const SearchWork& search) {
        u32 before = search.shared_columns + (search.symmetric ? 0u : search.shared_rows);
        return {0u, (u16*)((u32*)context + before + threadIdx.x / LANES * WITNESS_WORDS)};
    }

    static __device__ __forceinline__ void store_failed(u32* frame, const Failed& failed) {
        frame[NODE_WORDS + lane()] = failed.word;
        u16* kept = (u16*)(frame + NODE_WORDS + LANES);
        for (u32 entries = failed.word; entries != 0u; entries &= entries - 1u) {
            u32 entry = ((u32)__ffs((int)entries) - 1u) * LANES + lane();
            kept[entry] = failed.witnesses[entry];
        }
    }

    static __device__ __forceinline__ Failed load_failed(u32* frame) {
        return {__ldcg(frame + NODE_WORDS + lane()), (u16*)(frame + NODE_WORDS + LANES)};
    }

    static __device__ __forceinline__ void inherit(Node& node, const Failed& failed, u32 child) {
        // Only attributes after the child are used later.
        for (u32 open = failed.word & ~below(child, lane()); open != 0u; open &= open - 1u) {
            u32 bit = (u32)__ffs((int)open) - 1u;
            if (failed.witnesses[bit * LANES + lane()] < child) {
                node.dead.word |= 1u << bit;
            }
        }
        __syncwarp();
    }

    // Computes the intent and the candidates, from the rows of the extent or from the columns, whichever are
    // fewer.
    static __device__ __forceinline__ void close(const SearchWork& search, const Tables& tables, Node& node,
                                                 u32 size) {
        u32 valid = below(search.attributes, lane());
        Set open = {valid & ~below(node.from, lane()) & ~node.intent.word & ~node.dead.word};
        u32 before = node.intent.word;
        u32 fewest = max(search.min_support, 1u);
        bool by_rows = size <= 4u * E * open.count();
        if (by_rows) {
            u32 all = valid, any = 0u;
#pragma unroll
            for (u32 e = 0u; e < E; e++) {
                for (u32 holders = __ballot_sync(ALL, node.extent.words[e] != 0u); holders != 0u;
                     holders &= holders - 1u) {
                    u32 holder = (u32)__ffs((int)holders) - 1u;
                    for (u32 word = __shfl_sync(ALL, node.extent.words[e], (int)holder); word != 0u;
                         word &= word - 1u) {
                        u32 object = (e * LANES + holder) * 32u + (u32)__ffs((int)word) - 1u;
                        u32 row = tables.rows[object * LANES + lane()];
                        all &= row;
                        any |= row;
                    }
                }
            }
            node.intent.word |= all & open.word;
            open.word &= any & ~all;
        }
        if (!by_rows || fewest > 1u) {
            Set left = open;
            while (!left.none()) {
                u32 child = left.take(), mine = Set::mine(child);
                u32 count = __reduce_add_sync(ALL, node.extent.among(column_of<E>(tables, child)).ones());
                if (count < fewest || count == size) {
                    open.word &= ~mine;
                    (count < fewest ? node.dead : node.intent).word |= mine;
                }
            }
        }
        node.candidates = open;
        u32 added = node.intent.word & ~before;
        if (__any_sync(ALL, added != 0u)) {
            u64 keys = 0ull;
            for (; added != 0u; added &= added - 1u) {
                keys += __ldg(search.keys + lane() * 32u + (u32)__ffs((int)added) - 1u);
            }
            node.keys += sum_of_lanes(keys);
        }
    }

    // See the tall search.
    static __device__ __forceinline__ u32 witness(const Tables& tables, const Node& node,
                                                  const Objects<E>& objects, u32 child) {
        Set open = {below(child, lane()) & ~node.intent.word};
        if (open.none()) {
            return NO_WITNESS;
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
                    open.word &= tables.rows[object * LANES + lane()];
                    if (open.none()) {
                        return NO_WITNESS;
                    }
                }
            }
        }
        while (!open.none()) {
            u32 attribute = open.take();
            if (steps < FEW_ROWS || objects.within(column_of<E>(tables, attribute))) {
                return attribute;
            }
        }
        return NO_WITNESS;
    }

    static __device__ __forceinline__ Set test(const Tables& tables, const Node& node, Failed& failed) {
        Set children = {0u}, open = node.candidates;
        while (!open.none()) {
            u32 child = open.take(), mine = Set::mine(child);
            u32 found = witness(tables, node, node.extent.among(column_of<E>(tables, child)), child);
            if (found == NO_WITNESS) {
                children.word |= mine;
            } else if (mine != 0u) {
                failed.word |= mine;
                failed.witnesses[(child & 31u) * LANES + lane()] = (u16)found;
            }
        }
        __syncwarp();
        return children;
    }
};

#define KERNEL(E, threads)                                          \
    extern "C" __global__ void __launch_bounds__(threads, 1)        \
        close_wide_##E(const __grid_constant__ SearchWork search) { \
        search_tree<Wide<E##u>>(search);                            \
    }

KERNEL(1, 1024)
KERNEL(2, 1024)
KERNEL(8, 512)
KERNEL(32, 256)
#undef KERNEL
