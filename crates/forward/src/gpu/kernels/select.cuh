// The key of a given rank among many, exactly, by three rounds of counting digits: 11, 11 and 10 bits, from the highest.
#pragma once

#include "work.cuh"

#define DIGITS 2048u
// One word more after every 32, so that lanes that add up neighbouring words do not meet in a bank.
#define DIGIT_WORDS (DIGITS + DIGITS / 32u)

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

// Finds, by the first warp, in which digit the rank lies: digits count from the highest. Gives it, and what is left of the rank.
__device__ __forceinline__ void find_digit(Search& search, u32 bits) {
    u32 left = search.left;
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
    __syncwarp();
    if (lane() == 0u) {
        u32 digit = (1u << bits) - 1u - (chunk * 32u + source);
        search.prefix = search.prefix << bits | digit;
        search.left = left;
    }
}

// The key of rank `rank` (1 is the highest) among those that the source has. All threads of a block call it; `rank` is at most as many as
// there are.
template <class Source> __device__ u32 select_key(const Source& source, u32 rank, Search& search) {
    __syncthreads();
    if (threadIdx.x == 0u) search.prefix = 0u, search.left = rank;
    for (u32 round = 0; round < 3u; round++) {
        u32 bits = round == 2u ? 10u : 11u, shift = round == 0u ? 21u : round == 1u ? 10u : 0u;
        for (u32 i = threadIdx.x; i < DIGIT_WORDS; i += blockDim.x) search.digits[i] = 0u;
        __syncthreads();
        u32 prefix = search.prefix, last = (1u << bits) - 1u;
        for (u32 i = threadIdx.x; i < source.size(); i += blockDim.x) {
            u32 key;
            if (!source.get(i, key)) continue;
            if (round != 0u && key >> (shift + bits) != prefix) continue;
            atomicAdd(&search.digits[digit_place(last - (key >> shift & last))], 1u);
        }
        __syncthreads();
        for (u32 chunk = threadIdx.x; chunk < 64u; chunk += blockDim.x) {
            u32 sum = 0;
            for (u32 i = 0; i < 32u; i++) sum += search.digits[digit_place(chunk * 32u + i)];
            search.sums[chunk] = sum;
        }
        __syncthreads();
        if (threadIdx.x < 32u) find_digit(search, bits);
        __syncthreads();
    }
    return search.prefix;
}

// Adds up what all threads of a block bring.
__device__ __forceinline__ void add_up(u32 mine, u32* sum) {
#pragma unroll
    for (u32 by = 16; by > 0u; by /= 2u) mine += __shfl_down_sync(~0u, mine, by);
    if (lane() == 0u && mine != 0u) atomicAdd(sum, mine);
}
