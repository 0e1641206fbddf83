// The key of a given rank among many, exactly: by three rounds of counting digits (11, 11 and 10 bits, from
// the highest), or by one round of counting even steps between two scores.
#pragma once

#include "work.cuh"

#define DIGITS 2048u
// One word more after every 32, so that lanes that add up neighbouring words do not meet in a bank.
#define DIGIT_WORDS (DIGITS + DIGITS / 32u)

// Keys that are compared with each other at most.
#define MOST_IN_STEP 1024u
// Keys that a thread keeps.
#define KEPT 8u

// Words of shared memory that a search needs.
struct Search {
    u32 digits[DIGIT_WORDS];
    u32 sums[64];
    u32 prefix, left;
};

__device__ __forceinline__ u32 digit_place(u32 digit) { return digit + digit / 32u; }

// What all lanes before have, this one included.
__device__ __forceinline__ u32 sum_so_far(u32 value) {
#pragma unroll
    for (u32 by = 1; by < 32u; by *= 2u) {
        u32 before = __shfl_up_sync(~0u, value, by);
        if (lane() >= by) value += before;
    }
    return value;
}

// Finds, by the first warp, in which digit the rank lies, counted from the first. Gives it, and what is left
// of the rank.
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

// Adds up the digits, 32 at a time: a warp takes a chunk after the other.
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

// The key of rank `rank` (1 is the highest) among those that the source has. All threads of a block call it;
// `rank` is at most as many as there are.
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

// The same for keys between two scores, where these are not far apart: the distance from the upper end, cut
// into as many even steps as there are digits. Whoever is nearer has no later step, so only those within the
// step that has the rank need to be compared with each other.
struct Even {
    float upper, scale;

    __device__ __forceinline__ Even(float lower, float end) : upper(end), scale(__fdiv_rn((float)(DIGITS - 1u), __fsub_rn(end, lower))) {}
    __device__ __forceinline__ u32 step(u32 key) const {
        return min(__float2uint_rz(__fmul_rn(__fsub_rn(upper, score_of_key(key)), scale)), DIGITS - 1u);
    }

    // Whether the key was found: ends may be no numbers, and too many keys may be in one step.
    template <class Keys> __device__ __forceinline__ bool select(const Keys& keys, u32 rank, Search& search, u32& found) const {
        if (!(scale > 0.0f && scale < 1e30f)) return false;
        __syncthreads();
        clear_digits(search);
        keys.each([&](u32 key, bool) { atomicAdd(&search.digits[digit_place(step(key))], 1u); });
        add_digits(search);
        if (threadIdx.x < 32u) {
            u32 left = rank, digit = find_digit(search, left);
            __syncwarp();
            // The prefix is the step here; the first sum counts who is in it.
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
            // Several may write the same.
            if (higher < left && left <= higher + same) search.prefix = key;
        }
        __syncthreads();
        found = search.prefix;
        return true;
    }
};

// Adds up what all threads of a block bring.
__device__ __forceinline__ void add_up(u32 mine, u32* sum) {
#pragma unroll
    for (u32 by = 16; by > 0u; by /= 2u) mine += __shfl_down_sync(~0u, mine, by);
    if (lane() == 0u && mine != 0u) atomicAdd(sum, mine);
}
