// Networks on a GPU: the scores of rows, and statistics of their ranks.
//
// If only the top of all rows is requested, scores are not written. A sample of rows, drawn once, shows for
// each network between which two scores its threshold probably lies (`bracket`). Then all rows are scored
// (`forward`): rows above the bracket are only counted, and the keys of rows within it are collected. The
// threshold is found among these few keys (`settle`). If a bracket missed the threshold, the network is
// evaluated again in the other way: its scores are written, and every question is answered from them (`rank`,
// `pairs`).
//
// If a population is bred on the GPU, a generation starts with its children (`bred`), and a network whose
// bracket missed is evaluated again at once.
//
// A thread keeps the numbers of four rows in registers while networks pass through shared memory. The kernels
// with the suffix `_any` do the same for networks of two layers and for wide rows, from GPU memory.
//
// The files are plain CUDA C++ that a CPU can run as well: the tests run them without a GPU.

#include "arguments.cuh"
#include "around.cuh"
#include "breed.cuh"
#include "count.cuh"
#include "network.cuh"
#include "select.cuh"
#include "work.cuh"

template <class Rows> __device__ __forceinline__ void forward(const ForwardWork& work) {
    u32 step = blockDim.x, chunk = blockIdx.x / work.groups, group = blockIdx.x % work.groups;
    u32 first = chunk * step * ROWS + threadIdx.x;
    u32 from = group * work.group, count = min(work.group, work.network_count - from);
    Rows rows;
    rows.load(work.tiles, work.features, first, step, work.rows);
    const float* networks = bring(rows, work, from, count);
    WarpRows warp_rows(work, first - lane(), step);
    for (u32 i = 0; i < count; i++) {
        u32 network = from + i;
        float scores[ROWS];
        rows.score(work, networks + i * work.words, scores);
        if (work.scores) {
            float* out = work.scores + (u64)network * work.padded;
#pragma unroll
            for (u32 r = 0; r < ROWS; r++)
                if (first + r * step < work.rows) out[first + r * step] = scores[r];
        } else {
            count_around(work, network, scores, warp_rows, work.brackets[network]);
        }
    }
}

// One step of a bitonic sort.
__device__ __forceinline__ void sort_apart(u32* keys, u32 count, u32 size, u32 by) {
    __syncthreads();
    for (u32 i = threadIdx.x; i < count / 2u; i += blockDim.x) {
        u32 low = (i / by) * 2u * by + i % by, high = low + by;
        bool ascending = (low & size) == 0u;
        u32 one = keys[low], other = keys[high];
        if ((one > other) == ascending) keys[low] = other, keys[high] = one;
    }
}

// The number of keys that a warp sorts by itself, in registers, and the number of keys of a lane.
#define SEGMENT 128u
#define LANE_KEYS 4u

// The steps of a bitonic sort within a segment of a warp that starts at `first`, from the distance `by` on.
__device__ __forceinline__ void sort_steps(u32 (&own)[LANE_KEYS], u32 first, u32 size, u32 by) {
    u32 place = first + lane() * LANE_KEYS;
    for (; by >= LANE_KEYS; by /= 2u) {
        bool lower = ((place & by) == 0u) == ((place & size) == 0u);
#pragma unroll
        for (u32 e = 0; e < LANE_KEYS; e++) {
            u32 other = __shfl_sync(~0u, own[e], lane() ^ (by / LANE_KEYS));
            own[e] = lower ? min(own[e], other) : max(own[e], other);
        }
    }
#pragma unroll
    for (u32 near = LANE_KEYS / 2u; near > 0u; near /= 2u) {
        if (near > by) continue;
#pragma unroll
        for (u32 e = 0; e < LANE_KEYS; e++) {
            if ((e & near) != 0u) continue;
            u32 low = min(own[e], own[e + near]), high = max(own[e], own[e + near]);
            bool ascending = ((place + e) & size) == 0u;
            own[e] = ascending ? low : high, own[e + near] = ascending ? high : low;
        }
    }
}

// Sorts a power of two of keys in shared memory, ascending. All threads of the block take part. Only steps
// between the segments of two warps wait for the block.
__device__ __forceinline__ void sort_keys(u32* keys, u32 count) {
    if (count < SEGMENT) {
        for (u32 size = 2u; size <= count; size *= 2u)
            for (u32 by = size / 2u; by > 0u; by /= 2u) sort_apart(keys, count, size, by);
        __syncthreads();
        return;
    }
    for (u32 size = SEGMENT; size <= count; size *= 2u) {
        for (u32 by = size / 2u; by >= SEGMENT; by /= 2u) sort_apart(keys, count, size, by);
        __syncthreads();
        for (u32 first = threadIdx.x / 32u * SEGMENT; first < count; first += blockDim.x / 32u * SEGMENT) {
            uint4* here = reinterpret_cast<uint4*>(keys + first) + lane();
            u32 own[LANE_KEYS] = {here->x, here->y, here->z, here->w};
            // The first time, all smaller steps as well.
            for (u32 part = size == SEGMENT ? 2u : size; part <= size; part *= 2u)
                sort_steps(own, first, part, min(part, SEGMENT) / 2u);
            *here = make_uint4(own[0], own[1], own[2], own[3]);
        }
    }
    __syncthreads();
}

// Returns the key of a rank from the highest, and whether its neighbor has the same key.
__device__ __forceinline__ u32 end_of(const u32* keys, u32 last, u32 rank, bool& tied) {
    u32 place = last - rank, key = keys[place];
    tied |= (place > 0u && keys[place - 1u] == key) || (place < last && keys[place + 1u] == key);
    return key;
}

// Loads rows of the sample, from the first on.
template <class Rows>
__device__ __forceinline__ void load_sample(const ForwardWork& work, Rows& rows, u32 start) {
    rows.load(work.sample, work.features, start + threadIdx.x, blockDim.x, work.sample_rows);
}

// One block per network: finds the two scores of the sample between which its threshold lies. The first
// rows of the sample are loaded before. The ends are swapped if more than one row of the sample has the score
// of an end: many rows may have it.
template <class Rows>
__device__ __forceinline__ void bracket(const ForwardWork& work, u32* keys, Rows& rows) {
    u32 network = blockIdx.x;
    const float* here = bring(rows, work, network, 1u);
    for (u32 start = 0; start < work.sample_rows; start += blockDim.x * Rows::COUNT) {
        u32 first = start + threadIdx.x;
        if (start != 0u) load_sample(work, rows, start);
        float scores[Rows::COUNT];
        rows.score(work, here, scores);
#pragma unroll
        for (u32 r = 0; r < Rows::COUNT; r++)
            if (first + r * blockDim.x < work.sample_rows) keys[first + r * blockDim.x] = key_of(scores[r]);
    }
    sort_keys(keys, work.sample_rows);
    if (threadIdx.x == 0u) {
        u32 last = work.sample_rows - 1u;
        float2 ends = make_float2(__uint_as_float(0xff800000u), __uint_as_float(0x7f800000u));
        bool tied = false;
        if (work.upper_rank <= last) ends.y = score_of_key(end_of(keys, last, work.upper_rank, tied));
        if (work.lower_rank <= last) ends.x = score_of_key(end_of(keys, last, work.lower_rank, tied));
        work.brackets[network] = tied ? make_float2(ends.y, ends.x) : ends;
    }
}

// The maximum number of rows of a sample, and the number of a thread. There are few blocks, so each has many
// threads.
#define MOST_SAMPLE 2048u
#define SAMPLE_ROWS 2u

#define NEAR_KERNELS(N)                                                                                 \
    extern "C" __global__ void __launch_bounds__(128, 4)                                                \
        forward_##N(const __grid_constant__ ForwardWork work) {                                         \
        forward<Near<N>>(work);                                                                         \
    }                                                                                                   \
    extern "C" __global__ void __launch_bounds__(512)                                                   \
        bracket_##N(const __grid_constant__ ForwardWork work) {                                         \
        alignas(16) __shared__ u32 keys[MOST_SAMPLE];                                                   \
        Near<N, SAMPLE_ROWS> rows;                                                                      \
        load_sample(work, rows, 0u);                                                                    \
        bracket(work, keys, rows);                                                                      \
    }                                                                                                   \
    extern "C" __global__ void __launch_bounds__(512) bred_##N(const __grid_constant__ BredWork bred) { \
        alignas(16) __shared__ u32 keys[MOST_SAMPLE];                                                   \
        Near<N, SAMPLE_ROWS> rows;                                                                      \
        load_sample(bred.work, rows, 0u);                                                               \
        breed(bred.work, bred.children);                                                                \
        bracket(bred.work, keys, rows);                                                                 \
    }

#define COUNT_KERNEL(N)                                                                                 \
    extern "C" __global__ void __launch_bounds__(128, 4)                                                \
        count_##N(const __grid_constant__ ForwardWork work) {                                           \
        count_rows<N>(work);                                                                            \
    }

COUNT_KERNEL(7)
COUNT_KERNEL(11)
COUNT_KERNEL(15)
COUNT_KERNEL(19)
COUNT_KERNEL(23)
COUNT_KERNEL(24)
NEAR_KERNELS(8)
NEAR_KERNELS(12)
NEAR_KERNELS(16)
NEAR_KERNELS(20)
NEAR_KERNELS(24)

extern "C" __global__ void __launch_bounds__(128) forward_any(const __grid_constant__ ForwardWork work) {
    forward<Far>(work);
}
extern "C" __global__ void __launch_bounds__(512) bracket_any(const __grid_constant__ ForwardWork work) {
    alignas(16) __shared__ u32 keys[MOST_SAMPLE];
    Far rows;
    load_sample(work, rows, 0u);
    bracket(work, keys, rows);
}

// The scores of the rows of an item.
struct Asked {
    const float* scores;
    const u32* members;
    u32 rows;

    __device__ __forceinline__ Asked(const ForwardWork& work, const Item& item)
        : scores(work.scores + (u64)(item.network - work.first_network) * work.padded),
          members(item.members == EVERYONE ? nullptr
                                           : work.members + (u64)item.members * (work.padded / 32u)),
          rows(work.rows) {}
    __device__ __forceinline__ u32 size() const { return rows; }
    __device__ __forceinline__ bool get(u32 i, u32& key) const {
        key = key_of(scores[i]);
        return !members || (members[i / 32u] >> (i % 32u) & 1u);
    }
};

// Computes the top of an item from scores: the numbers of rows above the threshold and at it, of all rows and
// of the positives. All threads of a block call it.
__device__ __forceinline__ void count_top(const ForwardWork& work, const Item& item, Search& search,
                                          u32 (&sums)[4]) {
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
}

// Scores all rows with one network, by one block.
__device__ __forceinline__ void score_all(const ForwardWork& work, u32 network) {
    float* out = work.scores + (u64)network * work.padded;
    for (u32 start = 0; start < work.rows; start += blockDim.x * ROWS) {
        Far rows;
        float scores[ROWS];
        u32 first = start + threadIdx.x;
        rows.load(work.tiles, work.features, first, blockDim.x, work.rows);
        rows.score(work, work.networks + (u64)network * work.words, scores);
#pragma unroll
        for (u32 r = 0; r < ROWS; r++)
            if (first + r * blockDim.x < work.rows) out[first + r * blockDim.x] = scores[r];
    }
    __syncthreads();
}

// The keys in the band of a network, of both classes. A thread keeps its first keys, which are read several
// times.
struct Band {
    const u32 *negative, *positive;
    u32 negatives, positives;
    u32 kept[KEPT];

    __device__ __forceinline__ Band(const ForwardWork& work, u32 network, u32 negatives, u32 positives)
        : negative(work.band + (u64)network * (work.room + work.positive_room)),
          positive(negative + work.room), negatives(negatives), positives(positives) {
#pragma unroll
        for (u32 k = 0; k < KEPT; k++) kept[k] = read(min(threadIdx.x + k * blockDim.x, size() - 1u));
    }
    __device__ __forceinline__ u32 read(u32 i) const {
        return i < negatives ? negative[i] : positive[i - negatives];
    }
    __device__ __forceinline__ u32 size() const { return negatives + positives; }
    __device__ __forceinline__ bool get(u32 i, u32& key) const {
        key = read(i);
        return true;
    }
    // All keys of this thread, and whether they are of positives.
    template <class Each> __device__ __forceinline__ void each(const Each& each) const {
#pragma unroll
        for (u32 k = 0; k < KEPT; k++) {
            u32 i = threadIdx.x + k * blockDim.x;
            if (i < size()) each(kept[k], i >= negatives);
        }
        for (u32 i = threadIdx.x + KEPT * blockDim.x; i < size(); i += blockDim.x)
            each(read(i), i >= negatives);
    }
};

// Computes the top of the network of this block from the counts around the bracket.
__device__ __forceinline__ void find_top(const ForwardWork& work) {
    __shared__ Search search;
    __shared__ u32 more[4];
    u32 network = blockIdx.x;
    BracketCount negative = work.counts[2u * (u64)network], positive = work.counts[2u * (u64)network + 1u];
    NetworkResult result = {};
    u32 above = negative.above + positive.above, upper = negative.upper + positive.upper;
    u32 within = negative.within + positive.within, lower = negative.lower + positive.lower;
    // Every thread makes the same decision.
    if (work.wanted > above && work.wanted - above <= upper) {
        result.above = above, result.tied = upper;
        result.positives_above = positive.above, result.positives_tied = positive.upper;
    } else if (work.wanted > above + upper && work.wanted - above - upper <= within &&
               negative.within <= work.room && positive.within <= work.positive_room) {
        Band band(work, network, negative.within, positive.within);
        if (threadIdx.x < 4u) more[threadIdx.x] = 0u;
        float2 ends = work.brackets[network];
        u32 rank = work.wanted - above - upper, threshold;
        Even even(fminf(ends.x, ends.y), fmaxf(ends.x, ends.y));
        if (!even.select(band, rank, search, threshold)) threshold = select_key(band, rank, search);
        u32 counts[4] = {};
        band.each([&](u32 key, bool of_positive) {
            counts[0] += key > threshold, counts[1] += key == threshold;
            counts[2] += of_positive && key > threshold, counts[3] += of_positive && key == threshold;
        });
        for (u32 i = 0; i < 4u; i++) add_up(counts[i], &more[i]);
        __syncthreads();
        result.above = above + upper + more[0], result.tied = more[1];
        result.positives_above = positive.above + positive.upper + more[2], result.positives_tied = more[3];
    } else if (work.wanted > above + upper + within && work.wanted - above - upper - within <= lower) {
        result.above = above + upper + within, result.tied = lower;
        result.positives_above = positive.above + positive.upper + positive.within,
        result.positives_tied = positive.lower;
    } else if (work.scores) {
        // A network that missed must be evaluated again here, before the next generation is bred from it.
        score_all(work, network);
        count_top(work, Item{network, EVERYONE, work.wanted, 0u}, search, more);
        result.above = more[0], result.tied = more[1], result.positives_above = more[2],
        result.positives_tied = more[3];
    } else {
        result.missed = 1u;
    }
    if (threadIdx.x == 0u) work.results[network] = result;
}

// One block per network.
extern "C" __global__ void __launch_bounds__(1024) settle(const __grid_constant__ ForwardWork work) {
    find_top(work);
}

// One block per network, and one per child of the next generation, which is drawn at the same time: what is
// drawn does not depend on the parents.
extern "C" __global__ void __launch_bounds__(1024) settle_and_draw(const __grid_constant__ BredWork bred) {
    if (blockIdx.x < bred.work.network_count) find_top(bred.work);
    else if (threadIdx.x == 0u) draw(bred.work, bred.children, blockIdx.x - bred.work.network_count);
}

// One block per child.
extern "C" __global__ void __launch_bounds__(32) draw_first(const __grid_constant__ BredWork bred) {
    if (threadIdx.x == 0u) draw(bred.work, bred.children, blockIdx.x);
}

// One block per item: computes the top from scores.
extern "C" __global__ void __launch_bounds__(1024) rank(const __grid_constant__ ForwardWork work) {
    __shared__ Search search;
    __shared__ u32 sums[4];
    Item item = work.items[blockIdx.x];
    if (item.wanted == 0u) return;
    count_top(work, item, search, sums);
    if (threadIdx.x == 0u) {
        NetworkResult& result = work.results[blockIdx.x];
        result.above = sums[0], result.tied = sums[1];
        result.positives_above = sums[2], result.positives_tied = sums[3];
    }
}

// Returns the number of keys that are not above a key, or that are below it. The keys ascend, their number is
// a power of two, and the last is above all others.
template <bool BELOW> __device__ __forceinline__ u32 look_up(const u32* keys, u32 count, u32 key) {
    u32 place = 0;
    for (u32 half = count / 2u; half > 0u; half /= 2u) {
        u32 probe = keys[place + half - 1u];
        if (BELOW ? probe < key : probe <= key) place += half;
    }
    return place;
}

// One block per item, chunk of its positives and range of its negatives: compares positives with negatives.
extern "C" __global__ void __launch_bounds__(1024) pairs(const __grid_constant__ ForwardWork work) {
    __shared__ u32 found;
    __shared__ u64 won, tied;
    u32* keys = reinterpret_cast<u32*>(slots);
    u32 index = blockIdx.x / (work.chunks * work.stretches),
        rest = blockIdx.x % (work.chunks * work.stretches);
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
    // One more than the minimum: no score has the highest key.
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
        NetworkResult& result = work.results[index];
        atomicAdd(&result.won, won);
        atomicAdd(&result.pairs_tied, tied);
    }
}
