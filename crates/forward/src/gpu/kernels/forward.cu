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

// Beside their brackets, the scores of a warp's rows for one network: counted, or put into the band.
template <bool WHOLE>
__device__ __forceinline__ void count_class(const Work& work, u32 network, u32 positive, const float (&scores)[ROWS],
                                            u32 first, u32 step, float2 bracket) {
    u32 above = 0, ends = 0, within = 0;
    u32 inside[ROWS];
#pragma unroll
    for (u32 r = 0; r < ROWS; r++) {
        bool higher = scores[r] > bracket.y, lower = scores[r] < bracket.x;
        u32 mask = mask_of<WHOLE>(work, positive, first + r * step);
        above += __popc(__ballot_sync(~0u, higher) & mask);
        u32 between = __ballot_sync(~0u, !higher && !lower) & mask;
        u32 end = __ballot_sync(~0u, scores[r] == bracket.x || scores[r] == bracket.y) & mask;
        inside[r] = between & ~end;
        ends |= end;
        within += __popc(inside[r]);
    }
    Count* count = work.counts + 2u * (u64)network + positive;
    if (lane() == 0u && above != 0u) atomicAdd(&count->above, above);
    if (ends != 0u) {
        // Rare, unless many rows have the same score.
        u32 upper = 0, lower = 0;
#pragma unroll
        for (u32 r = 0; r < ROWS; r++) {
            u32 mask = mask_of<WHOLE>(work, positive, first + r * step);
            u32 at_upper = __ballot_sync(~0u, scores[r] == bracket.y) & mask;
            upper += __popc(at_upper);
            lower += __popc(__ballot_sync(~0u, scores[r] == bracket.x) & mask & ~at_upper);
        }
        if (lane() == 0u && upper != 0u) atomicAdd(&count->upper, upper);
        if (lane() == 0u && lower != 0u) atomicAdd(&count->lower, lower);
    }
    if (within == 0u) return;
    u32 at = 0;
    if (lane() == 0u) at = atomicAdd(&count->within, within);
    at = __shfl_sync(~0u, at, 0);
    u32* band = work.band + (u64)network * (work.room + work.positive_room) + (positive ? work.room : 0u);
    u32 room = positive ? work.positive_room : work.room;
#pragma unroll
    for (u32 r = 0; r < ROWS; r++) {
        u32 place = at + __popc(inside[r] & ((1u << lane()) - 1u));
        // What has no room is counted, and so it is known that it is missing.
        if ((inside[r] >> lane() & 1u) && place < room) band[place] = key_of(scores[r]);
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
    u32 warp_last = warp_first + (ROWS - 1u) * step + 31u;
    bool negatives = warp_first >= work.positives && warp_last < work.rows, positives = warp_last < work.positives;
    for (u32 i = 0; i < count; i++) {
        u32 network = from + i;
        float scores[ROWS];
        rows.score(work, networks + i * work.words, scores);
        if (work.scores) {
            float* out = work.scores + (u64)network * work.padded;
#pragma unroll
            for (u32 r = 0; r < ROWS; r++)
                if (first + r * step < work.rows) out[first + r * step] = scores[r];
            continue;
        }
        float2 bracket = work.brackets[network];
        if (negatives || positives) {
            count_class<true>(work, network, positives, scores, warp_first, step, bracket);
        } else {
            count_class<false>(work, network, 0u, scores, warp_first, step, bracket);
            count_class<false>(work, network, 1u, scores, warp_first, step, bracket);
        }
    }
}

// Sorts a power of two of keys in shared memory, ascending; all threads of the block do it.
__device__ __forceinline__ void sort_keys(u32* keys, u32 count) {
    for (u32 size = 2u; size <= count; size *= 2u) {
        for (u32 by = size / 2u; by > 0u; by /= 2u) {
            __syncthreads();
            for (u32 i = threadIdx.x; i < count / 2u; i += blockDim.x) {
                u32 low = (i / by) * 2u * by + i % by, high = low + by;
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

// The keys in a network's band, of both classes.
struct Band {
    const u32 *negative, *positive;
    u32 negatives, positives;

    __device__ __forceinline__ u32 size() const { return negatives + positives; }
    __device__ __forceinline__ bool get(u32 i, u32& key) const {
        key = i < negatives ? negative[i] : positive[i - negatives];
        return true;
    }
};

// A block for each network: who is in the top, from what was counted beside the bracket.
extern "C" __global__ void __launch_bounds__(1024) settle(const __grid_constant__ Work work) {
    __shared__ Search search;
    __shared__ u32 more[4];
    u32 network = blockIdx.x;
    Count negative = work.counts[2u * (u64)network], positive = work.counts[2u * (u64)network + 1u];
    Result result = {};
    u32 above = negative.above + positive.above, upper = negative.upper + positive.upper;
    u32 within = negative.within + positive.within, lower = negative.lower + positive.lower;
    // Every thread comes to the same decision.
    if (work.wanted > above && work.wanted - above <= upper) {
        result.above = above, result.tied = upper;
        result.positives_above = positive.above, result.positives_tied = positive.upper;
    } else if (work.wanted > above + upper && work.wanted - above - upper <= within && negative.within <= work.room &&
               positive.within <= work.positive_room) {
        const u32* keys = work.band + (u64)network * (work.room + work.positive_room);
        Band band = {keys, keys + work.room, negative.within, positive.within};
        if (threadIdx.x < 4u) more[threadIdx.x] = 0u;
        u32 threshold = select_key(band, work.wanted - above - upper, search);
        u32 counts[4] = {};
        for (u32 i = threadIdx.x; i < band.size(); i += blockDim.x) {
            u32 key;
            band.get(i, key);
            bool of_positive = i >= band.negatives;
            counts[0] += key > threshold, counts[1] += key == threshold;
            counts[2] += of_positive && key > threshold, counts[3] += of_positive && key == threshold;
        }
        for (u32 i = 0; i < 4u; i++) add_up(counts[i], &more[i]);
        __syncthreads();
        result.above = above + upper + more[0], result.tied = more[1];
        result.positives_above = positive.above + positive.upper + more[2], result.positives_tied = more[3];
    } else if (work.wanted > above + upper + within && work.wanted - above - upper - within <= lower) {
        result.above = above + upper + within, result.tied = lower;
        result.positives_above = positive.above + positive.upper + positive.within, result.positives_tied = positive.lower;
    } else {
        result.missed = 1u;
    }
    if (threadIdx.x == 0u) work.results[network] = result;
}

// The scores that an item asks about.
struct Asked {
    const float* scores;
    const u32* members;
    u32 rows;

    __device__ __forceinline__ Asked(const Work& work, const Item& item)
        : scores(work.scores + (u64)(item.network - work.first_network) * work.padded),
          members(item.members == EVERYONE ? nullptr : work.members + (u64)item.members * (work.padded / 32u)),
          rows(work.rows) {}
    __device__ __forceinline__ u32 size() const { return rows; }
    __device__ __forceinline__ bool get(u32 i, u32& key) const {
        key = key_of(scores[i]);
        return !members || (members[i / 32u] >> (i % 32u) & 1u);
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
    for (u32 i = threadIdx.x; i < asked.size(); i += blockDim.x) {
        u32 key;
        if (!asked.get(i, key)) continue;
        bool of_positive = i < work.positives;
        counts[0] += key > threshold, counts[1] += key == threshold;
        counts[2] += of_positive && key > threshold, counts[3] += of_positive && key == threshold;
    }
    for (u32 i = 0; i < 4u; i++) add_up(counts[i], &sums[i]);
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
