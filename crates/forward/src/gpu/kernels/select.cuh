// The exact key of a rank among many keys: by three rounds that count digits (11, 11 and 10 bits, from the
// highest), or by one round that counts equal steps between two scores.
#pragma once

#include "work.cuh"

#define DIGITS 2048u
// One extra word after every 32, so that lanes that add adjacent words have no bank conflicts.
#define DIGIT_WORDS (DIGITS + DIGITS / 32u)

// The maximum number of keys that are compared with each other.
#define MOST_IN_STEP 1024u
// The number of keys that a thread keeps.
#define KEPT 8u

// The number of words of shared memory that a search needs.
struct Search {
    u32 digits[DIGIT_WORDS];
    u32 sums[64];
    u32 prefix, left;
};

__device__ __forceinline__ u32 digit_place(u32 digit) { return digit + digit / 32u; }

// Returns the sum over all lanes up to this one.
__device__ __forceinline__ u32 sum_so_far(u32 value) {
#pragma unroll
    for (u32 by = 1; by < 32u; by *= 2u) {
        u32 before = __shfl_up_sync(~0u, value, by);
        if (lane() >= by) value += before;
    }
    return value;
}

// Finds the digit that contains the rank, counted from the first. Only the first warp does this. Returns the
// digit and the remaining rank.
__device__ __forceinline__ u32 find_digit(Search& search, u32& left) {
    u32 one = search.sums[2u * lane()], other = search.sums[2u * lane() + 1u];
    u32 until = sum_so_far(one + other), before = until - one - other;
    u32 holder = __ballot_sync(~0u, before < left && left <= until);
    u32 source = holder ? __ffs(holder) - 1u : 0u;
    u32 skipped = __shfl_sync(~0u, before, source), first = __shfl_sync(~0u, one, source);
    u32 chunk = 2u * source;
    left -= skipped;
    if (left > first) {
        left -= first;
        chunk++;
    }
    u32 count = search.digits[digit_place(chunk * 32u + lane())];
    until = sum_so_far(count), before = until - count;
    holder = __ballot_sync(~0u, before < left && left <= until);
    source = holder ? __ffs(holder) - 1u : 0u;
    left -= __shfl_sync(~0u, before, source);
    return chunk * 32u + source;
}

__device__ __forceinline__ void clear_digits(Search& search) {
    for (u32 i = threadIdx.x; i < DIGIT_WORDS; i += blockDim.x) search.digits[i] = 0u;
    __syncthreads();
}

// Adds up the digits, 32 at a time: every warp processes several chunks.
__device__ __forceinline__ void add_digits(Search& search) {
    __syncthreads();
    for (u32 chunk = threadIdx.x / 32u; chunk < 64u; chunk += blockDim.x / 32u) {
        u32 sum = search.digits[digit_place(chunk * 32u + lane())];
#pragma unroll
        for (u32 by = 16; by > 0u; by /= 2u) sum += __shfl_xor_sync(~0u, sum, by);
        if (lane() == 0u) search.sums[chunk] = sum;
    }
    __syncthreads();
}

// Returns the key of rank `rank` (1 is the highest) among the keys of the source. All threads of a block call
// it; `rank` is at most the number of keys.
template <class Source> __device__ u32 select_key(const Source& source, u32 rank, Search& search) {
    __syncthreads();
    if (threadIdx.x == 0u) search.prefix = 0u, search.left = rank;
    for (u32 round = 0; round < 3u; round++) {
        u32 bits = round == 2u ? 10u : 11u, shift = round == 0u ? 21u : round == 1u ? 10u : 0u;
        clear_digits(search);
        u32 prefix = search.prefix, last = (1u << bits) - 1u;
        for (u32 i = threadIdx.x; i < source.size(); i += blockDim.x) {
            u32 key;
            if (!source.get(i, key)) continue;
            if (round != 0u && key >> (shift + bits) != prefix) continue;
            atomicAdd(&search.digits[digit_place(last - (key >> shift & last))], 1u);
        }
        add_digits(search);
        if (threadIdx.x < 32u) {
            u32 left = search.left, digit = find_digit(search, left);
            __syncwarp();
            if (lane() == 0u) search.prefix = search.prefix << bits | (last - digit), search.left = left;
        }
        __syncthreads();
    }
    return search.prefix;
}

// The same for keys between two scores that are not far apart. The distance from the upper end is divided
// into as many equal steps as there are digits. A nearer key has no later step, so only the keys within the
// step that contains the rank are compared with each other.
struct Even {
    float upper, scale;

    __device__ __forceinline__ Even(float lower, float end)
        : upper(end), scale(__fdiv_rn((float)(DIGITS - 1u), __fsub_rn(end, lower))) {}
    __device__ __forceinline__ u32 step(u32 key) const {
        return min(__float2uint_rz(__fmul_rn(__fsub_rn(upper, score_of_key(key)), scale)), DIGITS - 1u);
    }

    // Whether the key was found: the ends may be NaN, and too many keys may be in one step.
    template <class Keys>
    __device__ __forceinline__ bool select(const Keys& keys, u32 rank, Search& search, u32& found) const {
        if (!(scale > 0.0f && scale < 1e30f)) return false;
        __syncthreads();
        clear_digits(search);
        keys.each([&](u32 key, bool) { atomicAdd(&search.digits[digit_place(step(key))], 1u); });
        add_digits(search);
        if (threadIdx.x < 32u) {
            u32 left = rank, digit = find_digit(search, left);
            __syncwarp();
            // The prefix is the step here; the first sum counts its keys.
            if (lane() == 0u) {
                search.prefix = digit, search.left = left;
                search.sums[0] = search.digits[digit_place(digit)], search.sums[1] = 0u;
            }
        }
        __syncthreads();
        u32 digit = search.prefix, left = search.left, count = search.sums[0];
        if (count > MOST_IN_STEP) return false;
        keys.each([&](u32 key, bool) {
            if (step(key) == digit) search.digits[atomicAdd(&search.sums[1], 1u)] = key;
        });
        __syncthreads();
        for (u32 i = threadIdx.x; i < count; i += blockDim.x) {
            u32 key = search.digits[i], higher = 0, same = 0;
            for (u32 j = 0; j < count; j++) higher += search.digits[j] > key, same += search.digits[j] == key;
            // Several threads may write the same value.
            if (higher < left && left <= higher + same) search.prefix = key;
        }
        __syncthreads();
        found = search.prefix;
        return true;
    }
};

// Returns the sum over all threads of a block.
__device__ __forceinline__ void add_up(u32 mine, u32* sum) {
#pragma unroll
    for (u32 by = 16; by > 0u; by /= 2u) mine += __shfl_down_sync(~0u, mine, by);
    if (lane() == 0u && mine != 0u) atomicAdd(sum, mine);
}
