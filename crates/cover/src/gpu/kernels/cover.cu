// The cover contract on a GPU: evaluates many formulas on all rows and counts the covered rows of each class.
//
// A block of threads processes a tile of 1,024 rows and a plan. It fills shared memory with slots, one for
// each distinct comparison of the plan: 1,024 bits each, computed from the bit planes of the tile. Then it
// combines slots into shared parts, and parts and slots into roots, and counts the bits of the roots. It
// writes only the counts.
//
// A slot is 128 bytes. Eight lanes read it together, 16 bytes each, so there are no bank conflicts, whichever
// slots are read. The four quarters of a warp therefore process four formulas at a time, and every lane two:
// a bundle is eight formulas with the same steps.
//
// The file is plain CUDA C++ that a CPU can run as well: the tests run it without a GPU.

#include "arguments.cuh"
#include "bit_planes.cuh"

// The number of lanes that share a slot.
#define LANES 8u
// The number of formulas in a bundle: two for each quarter of a warp.
#define BUNDLE 8u
// The number of parallel steps in a bundle: one for each quarter, for both of its formulas.
#define QUARTERS 4u
// The maximum number of threads of a block of tally_tall, which needs more registers than the others.
#define TALL_THREADS 512u
// Marks the absence of a plane, formula or join.
#define NONE 0x7fffffffu

extern __shared__ uint4 slots[];

__device__ __forceinline__ uint4 splat(u32 word) { return make_uint4(word, word, word, word); }
__device__ __forceinline__ uint4 operator&(uint4 a, uint4 b) {
    return make_uint4(a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w);
}
__device__ __forceinline__ uint4 operator|(uint4 a, uint4 b) {
    return make_uint4(a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w);
}
__device__ __forceinline__ uint4 operator^(uint4 a, uint4 b) {
    return make_uint4(a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w);
}
__device__ __forceinline__ uint4 operator~(uint4 a) { return make_uint4(~a.x, ~a.y, ~a.z, ~a.w); }
__device__ __forceinline__ bool any(uint4 a) { return (a.x | a.y | a.z | a.w) != 0; }
__device__ __forceinline__ u32 ones(uint4 a) { return __popc(a.x) + __popc(a.y) + __popc(a.z) + __popc(a.w); }
// Returns a word with all bits equal to the lowest bit.
__device__ __forceinline__ u32 spread(u32 bit) { return 0u - (bit & 1u); }
__device__ __forceinline__ uint4 majority(uint4 a, uint4 b, uint4 c) { return (a & b) | (c & (a | b)); }

__device__ __forceinline__ u32 warp() { return threadIdx.x >> 5; }
__device__ __forceinline__ u32 warps() { return blockDim.x >> 5; }
__device__ __forceinline__ u32 quarter() { return threadIdx.x >> 3 & 3u; }
__device__ __forceinline__ u32 lane() { return threadIdx.x & (LANES - 1u); }

// Prefetches memory that is read later.
__device__ __forceinline__ void prefetch(const uint4* line) {
#ifdef __CUDA_ARCH__
    asm volatile("prefetch.global.L2 [%0];" ::"l"(line));
#else
    (void)line;
#endif
}

#include "comparisons.cuh"

// Prefetches all planes of a tile.
__device__ __forceinline__ void prefetch_tile(const CoverWork& work, u32 tile) {
    const uint4* planes = work.planes + (size_t)tile * work.plane_count * LANES;
    for (u32 plane = threadIdx.x; plane < work.plane_count; plane += blockDim.x) {
        prefetch(planes + plane * LANES);
    }
}

// Prefetches the tile that this block processes after a unit, if it is another one.
__device__ __forceinline__ void prefetch_next(const CoverWork& work, u32 unit, u32 tile) {
    u32 next = (unit + gridDim.x) / work.plan_count;
    if (next != tile && next < work.tiles) {
        prefetch_tile(work, next);
    }
}

// The eight slots of a step: four for the first formula of the lane (x, y) and four for the second (z, w).
// Each has 16 bits, of which the upper two belong to the kind of the step.
#define SLOT_LOW(word) slots[((word) & 0x3fffu) + lane()]
#define SLOT_HIGH(word) slots[((word) >> 16 & 0x3fffu) + lane()]

// Returns the kind of a step.
__device__ __forceinline__ u32 kind_of(uint4 step) { return (step.x >> 14 & 3u) | (step.x >> 28 & 12u); }

// Runs the steps of a bundle: an OR of ANDs for each of the two formulas of the lane. A conjunction of more
// than four slots takes several steps and is accumulated in `long_a` and `long_b`.
__device__ __forceinline__ void combine(const CoverWork& work, const uint4* slots, u32 bundle, uint4& a,
                                        uint4& b) {
    a = b = splat(0u);
    uint4 long_a = splat(0u), long_b = splat(0u);
    u32 left = __ldg(work.starts + bundle);
    const uint4* next = work.steps + (size_t)left * QUARTERS + quarter();
    left = __ldg(work.starts + bundle + 1u) - left;
    if (left == 0u) {
        return;
    }
    uint4 step = __ldg(next);
    while (left-- != 0u) {
        // An empty step follows the last one.
        next += QUARTERS;
        uint4 following = __ldg(next);
        uint4 p = SLOT_LOW(step.x), q = SLOT_LOW(step.z);
        switch (kind_of(step)) {
        case 0: // a
            a = a | p;
            b = b | q;
            break;
        case 1: // a and b
            a = a | (p & SLOT_HIGH(step.x));
            b = b | (q & SLOT_HIGH(step.z));
            break;
        case 2: // a and b and c
            p = p & SLOT_HIGH(step.x) & SLOT_LOW(step.y);
            q = q & SLOT_HIGH(step.z) & SLOT_LOW(step.w);
            a = a | p;
            b = b | q;
            break;
        case 3: // a and b and c and d
            p = p & SLOT_HIGH(step.x) & SLOT_LOW(step.y);
            q = q & SLOT_HIGH(step.z) & SLOT_LOW(step.w);
            a = a | (p & SLOT_HIGH(step.y));
            b = b | (q & SLOT_HIGH(step.w));
            break;
        case 4: // a or b
            a = a | p | SLOT_HIGH(step.x);
            b = b | q | SLOT_HIGH(step.z);
            break;
        case 5: // a or b or c
            a = a | p | SLOT_HIGH(step.x);
            b = b | q | SLOT_HIGH(step.z);
            a = a | SLOT_LOW(step.y);
            b = b | SLOT_LOW(step.w);
            break;
        case 6: // a or b or c or d
            a = a | p | SLOT_HIGH(step.x);
            b = b | q | SLOT_HIGH(step.z);
            a = a | SLOT_LOW(step.y) | SLOT_HIGH(step.y);
            b = b | SLOT_LOW(step.w) | SLOT_HIGH(step.w);
            break;
        case 7: // a and b, or c and d
            a = a | (p & SLOT_HIGH(step.x));
            b = b | (q & SLOT_HIGH(step.z));
            a = a | (SLOT_LOW(step.y) & SLOT_HIGH(step.y));
            b = b | (SLOT_LOW(step.w) & SLOT_HIGH(step.w));
            break;
        case 8: // a long conjunction: the first four
            long_a = p & SLOT_HIGH(step.x) & SLOT_LOW(step.y);
            long_b = q & SLOT_HIGH(step.z) & SLOT_LOW(step.w);
            long_a = long_a & SLOT_HIGH(step.y);
            long_b = long_b & SLOT_HIGH(step.w);
            break;
        case 9: // four more
            long_a = long_a & p & SLOT_HIGH(step.x);
            long_b = long_b & q & SLOT_HIGH(step.z);
            long_a = long_a & SLOT_LOW(step.y) & SLOT_HIGH(step.y);
            long_b = long_b & SLOT_LOW(step.w) & SLOT_HIGH(step.w);
            break;
        case 10: // the last one
            a = a | (long_a & p);
            b = b | (long_b & q);
            break;
        case 11: // the last two
            a = a | (long_a & p & SLOT_HIGH(step.x));
            b = b | (long_b & q & SLOT_HIGH(step.z));
            break;
        case 12: // the last three
            long_a = long_a & p & SLOT_HIGH(step.x);
            long_b = long_b & q & SLOT_HIGH(step.z);
            a = a | (long_a & SLOT_LOW(step.y));
            b = b | (long_b & SLOT_LOW(step.w));
            break;
        default: // 13: the last four
            long_a = long_a & p & SLOT_HIGH(step.x);
            long_b = long_b & q & SLOT_HIGH(step.z);
            a = a | (long_a & SLOT_LOW(step.y) & SLOT_HIGH(step.y));
            b = b | (long_b & SLOT_LOW(step.w) & SLOT_HIGH(step.w));
            break;
        }
        step = following;
    }
}

// Returns the target of the first or second formula of the lane in a bundle.
__device__ __forceinline__ u32 target(const CoverWork& work, u32 bundle, u32 second) {
    return __ldg(work.targets + bundle * BUNDLE + second * QUARTERS + quarter());
}

// Returns the slots of the n-th tile that the block holds.
__device__ __forceinline__ uint4* slots_of(const TilePlan& plan, u32 n) {
    return slots + n * (plan.slots + 2u) * LANES;
}

// Fills all slots of a plan for some tiles, and returns the bundles of the roots.
__device__ __forceinline__ uint2 prepare(const CoverWork& work, const TilePlan& plan, u32 tile, u32 tiles) {
    for (u32 n = 0; n < tiles; n++) {
        fill(work, slots_of(plan, n), plan, tile + n);
    }
    __syncthreads();
    u32 level = plan.first_level;
    for (; level + 1u < plan.first_level + plan.levels; level++) {
        uint2 parts = __ldg(work.levels + level);
        for (u32 bundle = parts.x + warp(); bundle < parts.y; bundle += warps()) {
            u32 first = target(work, bundle, 0u), second = target(work, bundle, 1u);
            for (u32 n = 0; n < tiles; n++) {
                uint4* slots = slots_of(plan, n);
                uint4 a, b;
                combine(work, slots, bundle, a, b);
                if ((first & NONE) != NONE) {
                    slots[(first & NONE) * LANES + lane()] = a ^ splat(spread(first >> 31));
                }
                if ((second & NONE) != NONE) {
                    slots[(second & NONE) * LANES + lane()] = b ^ splat(spread(second >> 31));
                }
            }
        }
        __syncthreads();
    }
    return __ldg(work.levels + level);
}

// Returns the numbers of set bits of a formula in two classes, in one word.
__device__ __forceinline__ u32 of_two(uint4 bits, uint4 low, uint4 high) {
    return ones(bits & low) | ones(bits & high) << 16;
}

// Adds the counts of the lanes for two formulas, 16 bits for each of two classes, to the counts of the
// formulas.
__device__ __forceinline__ void add_up(const CoverWork& work, u32 of_a, u32 of_b, u32 first, u32 second,
                                       u32 pair, u32 pairs) {
    // Even lanes continue with the first formula, odd ones with the second.
    bool odd = lane() & 1u;
    u32 sum = (odd ? of_b : of_a) + __shfl_xor_sync(~0u, odd ? of_a : of_b, 1);
    sum += __shfl_xor_sync(~0u, sum, 2);
    sum += __shfl_xor_sync(~0u, sum, 4);
    u32 root = odd ? second : first;
    if (lane() < 2u && root != NONE && sum != 0u) {
        atomicAdd(work.counts + (size_t)root * pairs + pair, (u64)(sum >> 16) << 32 | (sum & 0xffffu));
    }
}

// Adds the numbers of set bits of two formulas to their counts, by class. Two classes share a word, 16 bits
// each.
__device__ __forceinline__ void count(const CoverWork& work, const uint4* labels, uint4 a, uint4 b, u32 first,
                                      u32 second) {
    u32 pairs = (work.classes + 1u) / 2u;
    for (u32 pair = 0; pair < pairs; pair++) {
        uint4 low = __ldg(labels + 2u * pair * LANES);
        uint4 high = 2u * pair + 1u < work.classes ? __ldg(labels + (2u * pair + 1u) * LANES) : splat(0u);
        add_up(work, of_two(a, low, high), of_two(b, low, high), first, second, pair, pairs);
    }
}

// The number of tiles that a block holds at a time if plans are small. Work that is the same for all of them
// is done once.
#define TALL 4u

// The steps of a bundle whose formulas are single conjunctions of at most eight slots, and their number of
// slots; 0 if the formulas have another form.
struct Conjunctions {
    uint4 low, high;
    u32 length;

    __device__ __forceinline__ Conjunctions(const CoverWork& work, u32 bundle) {
        u32 start = __ldg(work.starts + bundle), count = __ldg(work.starts + bundle + 1u) - start;
        const uint4* steps = work.steps + (size_t)start * QUARTERS + quarter();
        // An empty step follows the last one.
        low = __ldg(steps), high = __ldg(steps + QUARTERS);
        u32 kind = kind_of(low), last = kind_of(high);
        length = 0u;
        if (count == 1u && kind < 4u) length = kind + 1u;
        if (count == 2u && kind == 8u) length = last - 5u;
    }

    // Counts the conjunctions of the lane on all tiles that the block holds.
    template <u32 LENGTH>
    __device__ __forceinline__ void count(const TilePlan& plan, u32 first, u32 second,
                                          const uint4 (&in_low)[TALL], const uint4 (&in_high)[TALL],
                                          u32& of_a, u32& of_b) const {
        u32 of_first[4] = {low.x, low.y, high.x, high.y}, of_second[4] = {low.z, low.w, high.z, high.w};
        u32 at_a[LENGTH], at_b[LENGTH];
#pragma unroll
        for (u32 i = 0; i < LENGTH; i++) {
            at_a[i] = (of_first[i / 2u] >> 16u * (i % 2u) & 0x3fffu) + lane();
            at_b[i] = (of_second[i / 2u] >> 16u * (i % 2u) & 0x3fffu) + lane();
        }
#pragma unroll
        for (u32 n = 0; n < TALL; n++) {
            // Tiles that the block does not hold have empty classes.
            const uint4* here = slots_of(plan, n);
            uint4 a = here[at_a[0]], b = here[at_b[0]];
#pragma unroll
            for (u32 i = 1; i < LENGTH; i++) {
                a = a & here[at_a[i]];
                b = b & here[at_b[i]];
            }
            of_a += of_two(a ^ splat(spread(first >> 31)), in_low[n], in_high[n]);
            of_b += of_two(b ^ splat(spread(second >> 31)), in_low[n], in_high[n]);
        }
    }

    __device__ __forceinline__ void count(const TilePlan& plan, u32 first, u32 second,
                                          const uint4 (&in_low)[TALL], const uint4 (&in_high)[TALL],
                                          u32& of_a, u32& of_b) const {
        switch (length) {
#define LENGTH(N)                                                          \
    case N:                                                                \
        count<N>(plan, first, second, in_low, in_high, of_a, of_b);        \
        break;
            LENGTH(1u)
            LENGTH(2u)
            LENGTH(3u)
            LENGTH(4u)
            LENGTH(5u)
            LENGTH(6u)
            LENGTH(7u)
            LENGTH(8u)
#undef LENGTH
        }
    }
};

// Like tally_rows, for plans whose slots of several tiles fit, and for at most two classes.
extern "C" __global__ void __launch_bounds__(TALL_THREADS, 1)
    tally_tall(const __grid_constant__ CoverWork work) {
    u32 stacks = (work.tiles + TALL - 1u) / TALL;
    for (u32 unit = blockIdx.x; unit < stacks * work.plan_count; unit += gridDim.x) {
        u32 tile = unit / work.plan_count * TALL, tiles = min(TALL, work.tiles - tile);
        TilePlan plan = work.plans[unit % work.plan_count];
        uint2 roots = prepare(work, plan, tile, tiles);
        const uint4* labels = work.labels + (size_t)tile * work.classes * LANES + lane();
        // The masks of all tiles, in registers: they are the same for all roots.
        uint4 low[TALL], high[TALL];
#pragma unroll
        for (u32 n = 0; n < TALL; n++) {
            low[n] = n < tiles ? __ldg(labels + n * work.classes * LANES) : splat(0u);
            high[n] =
                n < tiles && work.classes > 1u ? __ldg(labels + (n * work.classes + 1u) * LANES) : splat(0u);
        }
        for (u32 bundle = roots.x + warp(); bundle < roots.y; bundle += warps()) {
            u32 first = target(work, bundle, 0u), second = target(work, bundle, 1u), of_a = 0u, of_b = 0u;
            Conjunctions conjunctions(work, bundle);
            if (conjunctions.length != 0u) {
                conjunctions.count(plan, first, second, low, high, of_a, of_b);
            } else {
#pragma unroll
                for (u32 n = 0; n < TALL; n++) {
                    if (n < tiles) {
                        uint4 a, b;
                        combine(work, slots_of(plan, n), bundle, a, b);
                        of_a += of_two(a ^ splat(spread(first >> 31)), low[n], high[n]);
                        of_b += of_two(b ^ splat(spread(second >> 31)), low[n], high[n]);
                    }
                }
            }
            add_up(work, of_a, of_b, first & NONE, second & NONE, 0u, 1u);
        }
        __syncthreads();
    }
}

extern "C" __global__ void __launch_bounds__(1024, 1) tally_rows(const __grid_constant__ CoverWork work) {
    for (u32 unit = blockIdx.x; unit < work.tiles * work.plan_count; unit += gridDim.x) {
        u32 tile = unit / work.plan_count;
        TilePlan plan = work.plans[unit % work.plan_count];
        uint2 roots = prepare(work, plan, tile, 1u);
        prefetch_next(work, unit, tile);
        const uint4* labels = work.labels + (size_t)tile * work.classes * LANES + lane();
        for (u32 bundle = roots.x + warp(); bundle < roots.y; bundle += warps()) {
            uint4 a, b;
            combine(work, slots, bundle, a, b);
            u32 first = target(work, bundle, 0u), second = target(work, bundle, 1u);
            a = a ^ splat(spread(first >> 31));
            b = b ^ splat(spread(second >> 31));
            count(work, labels, a, b, first & NONE, second & NONE);
        }
        __syncthreads();
    }
}

extern "C" __global__ void __launch_bounds__(1024, 1) cover_rows(const __grid_constant__ CoverWork work) {
    for (u32 unit = blockIdx.x; unit < work.tiles * work.plan_count; unit += gridDim.x) {
        u32 tile = unit / work.plan_count;
        TilePlan plan = work.plans[unit % work.plan_count];
        uint2 roots = prepare(work, plan, tile, 1u);
        prefetch_next(work, unit, tile);
        for (u32 bundle = roots.x + warp(); bundle < roots.y; bundle += warps()) {
            uint4 a, b;
            combine(work, slots, bundle, a, b);
            u32 first = target(work, bundle, 0u), second = target(work, bundle, 1u);
            if ((first & NONE) != NONE) {
                work.bits[((size_t)(first & NONE) * work.tiles + tile) * LANES + lane()] =
                    a ^ splat(spread(first >> 31));
            }
            if ((second & NONE) != NONE) {
                work.bits[((size_t)(second & NONE) * work.tiles + tile) * LANES + lane()] =
                    b ^ splat(spread(second >> 31));
            }
        }
        __syncthreads();
    }
}

// Adds one row to bit-sliced counters: plane k has bit k of 1,024 counters, and the last row marks the
// counters that overflowed.
__device__ __forceinline__ void add_row(const CoverWork& work, uint4* state, bool fresh, uint4 bits) {
    if (fresh) {
        state[0] = bits;
        for (u32 plane = 1u; plane <= work.counter_planes; plane++) {
            state[plane * LANES] = splat(0u);
        }
        return;
    }
    for (u32 plane = 0; plane < work.counter_planes; plane++) {
        if (!any(bits)) {
            return;
        }
        uint4 old = state[plane * LANES];
        state[plane * LANES] = old ^ bits;
        bits = old & bits;
    }
    state[work.counter_planes * LANES] = state[work.counter_planes * LANES] | bits;
}

// Returns the 64-bit words of a lane, shifted up.
__device__ __forceinline__ uint4 shift_words(uint4 bits, u32 by) {
    u64 low = ((u64)bits.y << 32 | bits.x) << by, high = ((u64)bits.w << 32 | bits.z) << by;
    return make_uint4((u32)low, (u32)(low >> 32), (u32)high, (u32)(high >> 32));
}

__device__ __forceinline__ uint4 add_words(uint4 a, uint4 b) {
    u64 low = ((u64)a.y << 32 | a.x) + ((u64)b.y << 32 | b.x),
        high = ((u64)a.w << 32 | a.z) + ((u64)b.w << 32 | b.z);
    return make_uint4((u32)low, (u32)(low >> 32), (u32)high, (u32)(high >> 32));
}

// Adds the counters of all lanes of a folded bag into its last lane: a scan in steps of 1, 2, 4 ... 32.
__device__ __forceinline__ void join_counts(const CoverWork& work, uint4* state, const uint4* join) {
    for (u32 power = 0; power < 6u; power++) {
        uint4 reach = __ldg(join + (1u + power) * LANES), carried = splat(0u);
        for (u32 plane = 0; plane < work.counter_planes; plane++) {
            uint4 old = state[plane * LANES], other = shift_words(old, 1u << power) & reach;
            state[plane * LANES] = old ^ other ^ carried;
            carried = majority(old, other, carried);
        }
        uint4 old = state[work.counter_planes * LANES];
        state[work.counter_planes * LANES] = old | (shift_words(old, 1u << power) & reach) | carried;
    }
}

// Returns the counters greater than a cut, as in the comparison of ranks.
__device__ __forceinline__ uint4 counters_above(const CoverWork& work, const uint4* state, u32 cut) {
    uint4 greater = splat(0u);
    for (u32 plane = 0; plane < work.counter_planes; plane++) {
        greater = majority(greater, state[plane * LANES], spread(~cut >> plane));
    }
    return greater;
}

// Returns the positive bags, after their last rows were added to the state.
__device__ __forceinline__ uint4 positive(const CoverWork& work, uint4* state, const uint4* join) {
    if (work.counter_planes == 0u) {
        uint4 present = state[0];
        if (join == 0) {
            return present;
        }
        // Adding ones to all positions but the last carries into the last exactly if one of them is set.
        uint4 inner = __ldg(join);
        return present | add_words(present & inner, inner);
    }
    if (join != 0) {
        join_counts(work, state, join);
    }
    uint4 over = state[work.counter_planes * LANES];
    uint4 enough = work.low == 0u ? splat(~0u) : counters_above(work, state, work.low - 1u);
    // Counters that overflowed are greater than every number that fits into them.
    return work.has_high ? enough & ~(counters_above(work, state, work.high) | over) : enough | over;
}

// Adds the bits of a formula for one row of the bags. Only the result after the last row is used.
__device__ __forceinline__ uint4 stack_row(const CoverWork& work, const TileStack& stack, u32 row,
                                           uint4* state, uint4 bits) {
    if (work.counter_planes == 0u) {
        state[0] = row == 0u ? bits : state[0] | bits;
    } else {
        add_row(work, state, row == 0u, bits);
    }
    if (row + 1u < stack.height) {
        return splat(0u);
    }
    return positive(work, state,
                    stack.join == NONE ? 0 : work.joins + (size_t)stack.join * 7u * LANES + lane());
}

extern "C" __global__ void __launch_bounds__(1024, 1) tally_bags(const __grid_constant__ CoverWork work) {
    u32 height = work.counter_planes + 1u;
    for (u32 unit = blockIdx.x; unit < work.stack_count * work.plan_count; unit += gridDim.x) {
        u32 index = unit / work.plan_count;
        TileStack stack = work.stacks[index];
        TilePlan plan = work.plans[unit % work.plan_count];
        const uint4* labels = work.labels + (size_t)index * work.classes * LANES + lane();
        for (u32 row = 0; row < stack.height; row++) {
            u32 tile = stack.first_tile + row;
            uint2 roots = prepare(work, plan, tile, 1u);
            if (row + 1u < stack.height) {
                prefetch_tile(work, tile + 1u);
            }
            uint4 occupied = __ldg(work.occupied + (size_t)tile * LANES + lane());
            for (u32 bundle = roots.x + warp(); bundle < roots.y; bundle += warps()) {
                uint4 a, b;
                combine(work, slots, bundle, a, b);
                u32 first = target(work, bundle, 0u), second = target(work, bundle, 1u);
                a = (a ^ splat(spread(first >> 31))) & occupied;
                b = (b ^ splat(spread(second >> 31))) & occupied;
                // A lane processes the same bundles in every row, so its counters are private.
                size_t place =
                    (size_t)blockIdx.x * work.state_roots + (bundle - roots.x) * BUNDLE + quarter();
                uint4* state = work.state + place * height * LANES + lane();
                a = stack_row(work, stack, row, state, a);
                b = stack_row(work, stack, row, state + (size_t)QUARTERS * height * LANES, b);
                if (row + 1u == stack.height) {
                    count(work, labels, a, b, first & NONE, second & NONE);
                }
            }
            __syncthreads();
        }
    }
}
