// Networks against rows on a GPU: scores, and what their ranks say.
//
// Where only the top of all rows is asked for, scores are not written at all. A few rows, drawn once, show for each network between which two
// scores its threshold most likely lies (`bracket`). Then all rows are scored (`forward`): those above the bracket are only counted, and the keys of
// those within it are put side by side. The threshold is found among these few (`settle`). A bracket that missed is told, and
// the network is done again the other way: its scores are written, and every question is answered from them (`rank`, `pairs`).
//
// A thread keeps the numbers of four rows in registers while networks pass by in shared memory. `_any` are the same for networks of two
// layers and for wide rows, from memory.
//
// Plain CUDA C++ without anything that a processor could not do too: the tests run these very files without a GPU.

#include "network.cuh"
#include "select.cuh"
#include "work.cuh"

// Which lanes of a warp have a row of some class; WHOLE: all have.
template <bool WHOLE> __device__ __forceinline__ u32 mask_of(const Work& work, u32 positive, u32 first) {
    if (WHOLE) return ~0u;
    u32 positives = mask_below(first, work.positives);
    return positive ? positives : mask_below(first, work.rows) & ~positives;
}

// Beside their brackets, the scores of a warp's rows for one network: told by a tally, and the keys of those within put into the warp's slot.
// Nobody waits for anybody: each warp has a slot of its own for each network.
template <bool WHOLE>
__device__ __forceinline__ void count_class(const Work& work, u32 network, u32 positive, u32 slot,
                                            const float (&scores)[ROWS], u32 first, u32 step, float2 bracket) {
    Tally tally = {};
    u32 ends = 0, inside[ROWS];
#pragma unroll
    for (u32 r = 0; r < ROWS; r++) {
        bool higher = scores[r] > bracket.y, lower = scores[r] < bracket.x;
        u32 mask = mask_of<WHOLE>(work, positive, first + r * step);
        tally.above += __popc(__ballot_sync(~0u, higher) & mask);
        u32 between = __ballot_sync(~0u, !higher && !lower) & mask;
        u32 end = __ballot_sync(~0u, scores[r] == bracket.x || scores[r] == bracket.y) & mask;
        inside[r] = between & ~end;
        ends |= end;
        tally.within += __popc(inside[r]);
    }
    if (ends != 0u) {
        // Rare, unless many rows have the same score.
#pragma unroll
        for (u32 r = 0; r < ROWS; r++) {
            u32 mask = mask_of<WHOLE>(work, positive, first + r * step);
            u32 at_upper = __ballot_sync(~0u, scores[r] == bracket.y) & mask;
            tally.upper += __popc(at_upper);
            tally.lower += __popc(__ballot_sync(~0u, scores[r] == bracket.x) & mask & ~at_upper);
        }
    }
    u64 place = (u64)network * work.slot_count + slot;
    if (lane() == 0u) work.tallies[place] = tally.packed();
    if (tally.within == 0u) return;
    u32* band = work.band + place * SLOT;
    u32 at = 0;
#pragma unroll
    for (u32 r = 0; r < ROWS; r++) {
        u32 own = at + __popc(inside[r] & ((1u << lane()) - 1u));
        // What has no room is counted, and so it is known that it is missing.
        if ((inside[r] >> lane() & 1u) && own < SLOT) band[own] = key_of(scores[r]);
        at += __popc(inside[r]);
    }
}

template <class Rows> __device__ __forceinline__ void forward(const Work& work) {
    u32 step = blockDim.x, chunk = blockIdx.x / work.groups, group = blockIdx.x % work.groups;
    u32 first = chunk * step * ROWS + threadIdx.x, warp_first = first - lane();
    u32 from = group * work.group, count = min(work.group, work.network_count - from);
    Rows rows;
    rows.load(work.tiles, work.features, first, step, work.rows);
    const float* networks = bring(rows, work, from, count);
    // Positives come first: one chunk may have rows of both classes, those before it are positive, those after it negative.
    u32 mixed = work.positives / work.chunk_rows, slot = blockDim.x / 32u * chunk + threadIdx.x / 32u;
    u32 spare = work.slot_count - blockDim.x / 32u + threadIdx.x / 32u;
    bool whole = (chunk + 1u) * work.chunk_rows <= work.rows;
    for (u32 i = 0; i < count; i++) {
        u32 network = from + i;
        float scores[ROWS];
        // Early, so that it has come when it is needed.
        float2 bracket = work.scores ? make_float2(0.0f, 0.0f) : __ldg(work.brackets + network);
        rows.score(work, networks + i * work.words, scores);
        if (work.scores) {
            float* out = work.scores + (u64)network * work.padded;
#pragma unroll
            for (u32 r = 0; r < ROWS; r++)
                if (first + r * step < work.rows) out[first + r * step] = scores[r];
            continue;
        }
        if (chunk != mixed && whole) {
            count_class<true>(work, network, chunk < mixed, slot, scores, warp_first, step, bracket);
        } else {
            count_class<false>(work, network, 0u, slot, scores, warp_first, step, bracket);
            if (chunk == mixed) count_class<false>(work, network, 1u, spare, scores, warp_first, step, bracket);
        }
    }
}

// Sorts a power of two of keys in shared memory, ascending; all threads of the block do it.
__device__ __forceinline__ void sort_keys(u32* keys, u32 count) {
    __syncthreads();
    for (u32 size = 2u; size <= count; size *= 2u) {
        for (u32 by = size / 2u; by > 0u; by /= 2u) {
            // A warp has 64 keys side by side to itself: only what comes from farther away has to be waited for.
            if (by >= 32u) __syncthreads();
            else __syncwarp();
            for (u32 i = threadIdx.x; i < count / 2u; i += blockDim.x) {
                u32 low = i + (i & ~(by - 1u)), high = low + by;
                bool ascending = (low & size) == 0u;
                u32 one = keys[low], other = keys[high];
                if ((one > other) == ascending) keys[low] = other, keys[high] = one;
            }
        }
    }
    __syncthreads();
}

__device__ __forceinline__ float score_of_key(u32 key) {
    return __uint_as_float(key & 0x80000000u ? key ^ 0x80000000u : ~key);
}

// A block for each network: between which two scores of the sample its threshold lies.
template <class Rows> __device__ __forceinline__ void bracket(const Work& work, u32* keys) {
    u32 network = blockIdx.x;
    Rows rows;
    const float* here = bring(rows, work, network, 1u);
    for (u32 start = 0; start < work.sample_rows; start += blockDim.x * ROWS) {
        u32 first = start + threadIdx.x;
        rows.load(work.sample, work.features, first, blockDim.x, work.sample_rows);
        float scores[ROWS];
        rows.score(work, here, scores);
#pragma unroll
        for (u32 r = 0; r < ROWS; r++)
            if (first + r * blockDim.x < work.sample_rows) keys[first + r * blockDim.x] = key_of(scores[r]);
    }
    sort_keys(keys, work.sample_rows);
    if (threadIdx.x == 0u) {
        u32 last = work.sample_rows - 1u;
        float2 ends = make_float2(__uint_as_float(0xff800000u), __uint_as_float(0x7f800000u));
        if (work.upper_rank <= last) ends.y = score_of_key(keys[last - work.upper_rank]);
        if (work.lower_rank <= last) ends.x = score_of_key(keys[last - work.lower_rank]);
        work.brackets[network] = ends;
    }
}

// The most rows of a sample.
#define MOST_SAMPLE 2048u

#define NEAR_KERNELS(N)                                                                                     \
    extern "C" __global__ void __launch_bounds__(128, 4) forward_##N(const __grid_constant__ Work work) {   \
        forward<Near<N>>(work);                                                                             \
    }                                                                                                       \
    extern "C" __global__ void __launch_bounds__(512) bracket_##N(const __grid_constant__ Work work) {      \
        __shared__ u32 keys[MOST_SAMPLE];                                                                   \
        bracket<Near<N>>(work, keys);                                                                       \
    }

NEAR_KERNELS(8)
NEAR_KERNELS(12)
NEAR_KERNELS(16)
NEAR_KERNELS(20)
NEAR_KERNELS(24)

extern "C" __global__ void __launch_bounds__(128) forward_any(const __grid_constant__ Work work) { forward<Far>(work); }
extern "C" __global__ void __launch_bounds__(512) bracket_any(const __grid_constant__ Work work) {
    __shared__ u32 keys[MOST_SAMPLE];
    bracket<Far>(work, keys);
}

// The keys in a network's band.
struct Band {
    const u32 *keys, *tallies;
    u32 slots, slot_count;
    // Warps of a block that scored rows, and how many slots from the first on are of positives; those of the chunk with both classes come last.
    u32 warps, positive_slots;

    __device__ __forceinline__ Band(const Work& work, u32 network) : slot_count(work.slot_count) {
        u64 first = (u64)network * work.slot_count;
        keys = work.band + first * SLOT, tallies = work.tallies + first;
        warps = work.chunk_rows / (32u * ROWS);
        u32 mixed = work.positives / work.chunk_rows;
        positive_slots = mixed * warps;
        // Without a chunk of both classes nobody has written the last slots.
        slots = work.slot_count - (mixed * work.chunk_rows < work.rows ? 0u : warps);
    }
    __device__ __forceinline__ bool is_positive(u32 slot) const { return slot < positive_slots || slot + warps >= slot_count; }

    // Calls `each` with every key and whether it is a positive's. A warp takes a slot at a time, and has several under way.
    template <class Each> __device__ __forceinline__ void for_each(const Each& each) const {
        u32 step = blockDim.x / 32u;
        for (u32 first = threadIdx.x / 32u; first < slots; first += step * 32u) {
            u32 own = first + lane() * step, filled = own < slots ? Tally::unpack(tallies[own]).within : 0u;
            for (u32 k = 0; k < 32u && first + k * step < slots; k += AHEAD) {
                u32 count[AHEAD], key[AHEAD];
#pragma unroll
                for (u32 j = 0; j < AHEAD; j++) {
                    count[j] = __shfl_sync(~0u, filled, k + j);
                    if (lane() < count[j]) key[j] = keys[(first + (k + j) * step) * SLOT + lane()];
                }
#pragma unroll
                for (u32 j = 0; j < AHEAD; j++) {
                    u32 slot = first + (k + j) * step;
                    if (lane() < count[j]) each(key[j], is_positive(slot));
                    for (u32 i = lane() + 32u; i < count[j]; i += 32u) each(keys[slot * SLOT + i], is_positive(slot));
                }
            }
        }
    }
};

// A block for each network: who is in the top, from what was counted beside the bracket.
extern "C" __global__ void __launch_bounds__(1024) settle(const __grid_constant__ Work work) {
    __shared__ Search search;
    __shared__ u32 sums[8], crowded, found[4], few_count;
    __shared__ u32 few[FEW], few_positive[FEW];
    u32 network = blockIdx.x;
    Band band(work, network);
    if (threadIdx.x < 8u) sums[threadIdx.x] = 0u;
    if (threadIdx.x < 4u) found[threadIdx.x] = 0u;
    if (threadIdx.x == 0u) crowded = 0u, few_count = 0u;
    search.clear();
    __syncthreads();
    // Of all rows, then of positives: above, at the upper end, within, at the lower end.
    u32 mine[8] = {};
    for (u32 slot = threadIdx.x; slot < band.slots; slot += blockDim.x) {
        Tally tally = Tally::unpack(band.tallies[slot]);
        u32 positive = band.is_positive(slot) ? ~0u : 0u;
        mine[0] += tally.above, mine[1] += tally.upper, mine[2] += tally.within, mine[3] += tally.lower;
        mine[4] += tally.above & positive, mine[5] += tally.upper & positive;
        mine[6] += tally.within & positive, mine[7] += tally.lower & positive;
        if (tally.within > SLOT) atomicOr(&crowded, 1u);
    }
    add_up(mine, sums);
    __syncthreads();
    Result result = {};
    u32 above = sums[0], upper = sums[1], within = sums[2], lower = sums[3];
    // Every thread comes to the same decision.
    if (work.wanted > above && work.wanted - above <= upper) {
        result.above = above, result.tied = upper;
        result.positives_above = sums[4], result.positives_tied = sums[5];
    } else if (work.wanted > above + upper && work.wanted - above - upper <= within && crowded == 0u) {
        // The keys lie between those of the bracket's ends, and so in few digits of about equal size.
        float2 bracket = work.brackets[network];
        u32 base = key_of(bracket.x), range = key_of(bracket.y) - base, bits = 32u - __clz((int)range);
        u32 shift = bits > DIGIT_BITS ? bits - DIGIT_BITS : 0u;
        band.for_each([&](u32 key, bool) { atomicAdd(&search.digits[digit_place(DIGITS - 1u - ((key - base) >> shift))], 1u); });
        search.find(work.wanted - above - upper, DIGIT_BITS);
        u32 digit = search.prefix, left = search.left, counts[4] = {};
        band.for_each([&](u32 key, bool positive) {
            u32 own = (key - base) >> shift;
            counts[0] += own > digit, counts[2] += positive && own > digit;
            if (own == digit) {
                u32 place = atomicAdd(&few_count, 1u);
                if (place < FEW) few[place] = key, few_positive[place] = positive;
            }
        });
        __syncthreads();
        if (few_count <= FEW) {
            // Whose place among the few is the one that is looked for is the threshold, with all that are equal.
            for (u32 i = threadIdx.x; i < few_count; i += blockDim.x) {
                u32 higher = 0, equal = 0, of_higher = 0, of_equal = 0, before = 0;
                for (u32 other = 0; other < few_count; other++) {
                    bool is_higher = few[other] > few[i], is_equal = few[other] == few[i];
                    higher += is_higher, equal += is_equal, before += is_equal && other < i;
                    of_higher += is_higher && few_positive[other], of_equal += is_equal && few_positive[other];
                }
                if (higher < left && left <= higher + equal && before == 0u) {
                    // All that are equal would say the same; the first of them does.
                    sums[0] = higher, sums[1] = equal, sums[2] = of_higher, sums[3] = of_equal;
                }
            }
            add_up(counts, found);
            __syncthreads();
            result.above = above + upper + found[0] + sums[0], result.tied = sums[1];
            result.positives_above = sums[4] + sums[5] + found[2] + sums[2], result.positives_tied = sums[3];
        } else {
            // Very many are equal, or nearly so.
            u32 threshold = select_key(band, work.wanted - above - upper, search);
            counts[0] = counts[2] = 0u;
            band.for_each([&](u32 key, bool positive) {
                counts[0] += key > threshold, counts[1] += key == threshold;
                counts[2] += positive && key > threshold, counts[3] += positive && key == threshold;
            });
            add_up(counts, found);
            __syncthreads();
            result.above = above + upper + found[0], result.tied = found[1];
            result.positives_above = sums[4] + sums[5] + found[2], result.positives_tied = found[3];
        }
    } else if (work.wanted > above + upper + within && work.wanted - above - upper - within <= lower) {
        result.above = above + upper + within, result.tied = lower;
        result.positives_above = sums[4] + sums[5] + sums[6], result.positives_tied = sums[7];
    } else {
        result.missed = 1u;
    }
    if (threadIdx.x == 0u) work.results[network] = result;
}

// The scores that an item asks about.
struct Asked {
    const float* scores;
    const u32* members;
    u32 rows, positives;

    __device__ __forceinline__ Asked(const Work& work, const Item& item)
        : scores(work.scores + (u64)(item.network - work.first_network) * work.padded),
          members(item.members == EVERYONE ? nullptr : work.members + (u64)item.members * (work.padded / 32u)),
          rows(work.rows), positives(work.positives) {}
    __device__ __forceinline__ bool get(u32 i, u32& key) const {
        key = key_of(scores[i]);
        return !members || (members[i / 32u] >> (i % 32u) & 1u);
    }
    // Calls `each` with every key and whether it is a positive's.
    template <class Each> __device__ __forceinline__ void for_each(const Each& each) const {
        for (u32 i = threadIdx.x; i < rows; i += blockDim.x) {
            u32 key;
            if (get(i, key)) each(key, i < positives);
        }
    }
};

// A block for each item: who is in the top, from scores.
extern "C" __global__ void __launch_bounds__(1024) rank(const __grid_constant__ Work work) {
    __shared__ Search search;
    __shared__ u32 sums[4];
    Item item = work.items[blockIdx.x];
    if (item.wanted == 0u) return;
    Asked asked(work, item);
    if (threadIdx.x < 4u) sums[threadIdx.x] = 0u;
    u32 threshold = select_key(asked, item.wanted, search);
    u32 counts[4] = {};
    asked.for_each([&](u32 key, bool positive) {
        counts[0] += key > threshold, counts[1] += key == threshold;
        counts[2] += positive && key > threshold, counts[3] += positive && key == threshold;
    });
    add_up(counts, sums);
    __syncthreads();
    if (threadIdx.x == 0u) {
        Result& result = work.results[blockIdx.x];
        result.above = sums[0], result.tied = sums[1];
        result.positives_above = sums[2], result.positives_tied = sums[3];
    }
}

// How many of some ascending keys, a power of two of them of which the last is above all, are not above a key, or below it.
template <bool BELOW> __device__ __forceinline__ u32 look_up(const u32* keys, u32 count, u32 key) {
    u32 place = 0;
    for (u32 half = count / 2u; half > 0u; half /= 2u) {
        u32 probe = keys[place + half - 1u];
        if (BELOW ? probe < key : probe <= key) place += half;
    }
    return place;
}

// A block for each item, chunk of its positives and stretch of its negatives: how positives stand to negatives.
extern "C" __global__ void __launch_bounds__(1024) pairs(const __grid_constant__ Work work) {
    __shared__ u32 found;
    __shared__ u64 won, tied;
    u32* keys = reinterpret_cast<u32*>(slots);
    u32 index = blockIdx.x / (work.chunks * work.stretches), rest = blockIdx.x % (work.chunks * work.stretches);
    u32 chunk = rest / work.stretches, stretch = rest % work.stretches;
    Item item = work.items[index];
    if (!item.pairs) return;
    Asked asked(work, item);
    if (threadIdx.x == 0u) found = 0u, won = 0u, tied = 0u;
    for (u32 i = threadIdx.x; i < 2u * work.chunk; i += blockDim.x) keys[i] = ~0u;
    __syncthreads();
    u32 end = min((chunk + 1u) * work.chunk, work.positives);
    for (u32 i = chunk * work.chunk + threadIdx.x; i < end; i += blockDim.x) {
        u32 key;
        if (asked.get(i, key)) keys[atomicAdd(&found, 1u)] = key;
    }
    __syncthreads();
    // One more than there are at least: no score has the highest key.
    u32 positives = found, count = 1u;
    while (count <= positives) count *= 2u;
    sort_keys(keys, count);
    u64 own_won = 0, own_tied = 0;
    u32 negatives = work.rows - work.positives, each = (negatives + work.stretches - 1u) / work.stretches;
    u32 first = work.positives + stretch * each, last = min(first + each, work.rows);
    for (u32 i = first + threadIdx.x; i < last; i += blockDim.x) {
        u32 key;
        if (!asked.get(i, key)) continue;
        u32 place = look_up<false>(keys, count, key);
        own_won += positives - place;
        if (place > 0u && keys[place - 1u] == key) own_tied += place - look_up<true>(keys, count, key);
    }
    atomicAdd(&won, own_won);
    atomicAdd(&tied, own_tied);
    __syncthreads();
    if (threadIdx.x == 0u) {
        Result& result = work.results[index];
        atomicAdd(&result.won, won);
        atomicAdd(&result.pairs_tied, tied);
    }
}
