// Counts scores around the bracket of a network: above it, at its ends and within it.
#pragma once

#include "work.cuh"

// The rows of a warp: those of its first lane and the distance to the next row of a lane, and whether all of
// them are of one class. The mask of the lanes before this one is kept, because it is used for every network.
struct WarpRows {
    u32 first, step, lanes_before;
    bool negatives, positives;

    __device__ __forceinline__ WarpRows(const ForwardWork& work, u32 from, u32 by)
        : first(from), step(by), lanes_before((1u << lane()) - 1u) {
        u32 last = first + (ROWS - 1u) * step + 31u;
        negatives = first >= work.positives && last < work.rows, positives = last < work.positives;
    }

    // Returns the lanes that have a row of a class.
    __device__ __forceinline__ u32 mask(const ForwardWork& work, u32 positive, u32 r) const {
        u32 before = mask_below(first + r * step, work.positives);
        return positive ? before : mask_below(first + r * step, work.rows) & ~before;
    }
};

// Adds the numbers of rows of a class above and within a bracket, and writes the keys of the rows that are
// inside into the band of the class.
__device__ __forceinline__ void put(const ForwardWork& work, u32 network, u32 positive,
                                    const float (&scores)[ROWS], const u32 (&inside)[ROWS],
                                    const WarpRows& rows, u32 above, u32 within) {
    u32 at = 0;
    if (rows.lanes_before == 0u) {
        // One operation counts both: neither exceeds 32 bits.
        u64* count = reinterpret_cast<u64*>(&work.counts[2u * network + positive].above);
        at = (u32)(atomicAdd(count, (u64)within << 32 | above) >> 32);
    }
    at = __shfl_sync(~0u, at, 0);
    // Keys without room are counted, so that it is known that they are missing.
    if (at + within > (positive ? work.positive_room : work.room)) return;
    u64 band = (u64)network * (work.room + work.positive_room) + (positive ? work.room : 0u);
    band = band * 4u + reinterpret_cast<u64>(work.band);
#pragma unroll
    for (u32 r = 0; r < ROWS; r++) {
        // Nearly always some lanes have a key, so only the write depends on it.
        u32 key = key_of(scores[r]), place = at + __popc(inside[r] & rows.lanes_before);
        u32* to = reinterpret_cast<u32*>(band + (u64)place * 4u);
        if (inside[r] & (rows.lanes_before + 1u)) *to = key;
        at += __popc(inside[r]);
    }
}

// Counts the scores of a class. The ends of the bracket belong to the band. WHOLE: all rows are of the class.
template <bool WHOLE>
__device__ __forceinline__ void count_class(const ForwardWork& work, u32 network, u32 positive,
                                            const float (&scores)[ROWS], const WarpRows& rows,
                                            float2 bracket) {
    u32 above = 0, within = 0;
    u32 inside[ROWS];
#pragma unroll
    for (u32 r = 0; r < ROWS; r++) {
        bool is_above = scores[r] > bracket.y;
        u32 higher = __ballot_sync(~0u, is_above);
        inside[r] = __ballot_sync(~0u, scores[r] >= bracket.x && !is_above);
        if (!WHOLE) {
            u32 mask = rows.mask(work, positive, r);
            higher &= mask, inside[r] &= mask;
        }
        above += __popc(higher), within += __popc(inside[r]);
    }
    if ((above | within) != 0u) put(work, network, positive, scores, inside, rows, above, within);
}

// The same if many rows may have the score of an end: those are only counted.
__device__ __forceinline__ void count_tied(const ForwardWork& work, u32 network, u32 positive,
                                           const float (&scores)[ROWS], const WarpRows& rows,
                                           float2 bracket) {
    u32 above = 0, within = 0, upper = 0, lower = 0;
    u32 inside[ROWS];
#pragma unroll
    for (u32 r = 0; r < ROWS; r++) {
        u32 mask = rows.mask(work, positive, r);
        u32 at_upper = __ballot_sync(~0u, scores[r] == bracket.y) & mask;
        u32 at_lower = __ballot_sync(~0u, scores[r] == bracket.x) & mask & ~at_upper;
        above += __popc(__ballot_sync(~0u, scores[r] > bracket.y) & mask);
        inside[r] = __ballot_sync(~0u, scores[r] > bracket.x && scores[r] < bracket.y) & mask;
        upper += __popc(at_upper), lower += __popc(at_lower), within += __popc(inside[r]);
    }
    BracketCount* count = work.counts + 2u * network + positive;
    if (lane() == 0u && upper != 0u) atomicAdd(&count->upper, upper);
    if (lane() == 0u && lower != 0u) atomicAdd(&count->lower, lower);
    if ((above | within) != 0u) put(work, network, positive, scores, inside, rows, above, within);
}

// Counts the scores of the rows of a warp around a bracket.
__device__ __forceinline__ void count_around(const ForwardWork& work, u32 network,
                                             const float (&scores)[ROWS], const WarpRows& rows,
                                             float2 bracket) {
    if ((rows.negatives || rows.positives) && bracket.x < bracket.y) {
        count_class<true>(work, network, rows.positives, scores, rows, bracket);
        return;
    }
#pragma unroll 1
    for (u32 positive = 0; positive < 2u; positive++) {
        // The ends are swapped if many rows may have the score of one.
        if (bracket.x < bracket.y) count_class<false>(work, network, positive, scores, rows, bracket);
        else count_tied(work, network, positive, scores, rows, make_float2(bracket.y, bracket.x));
    }
}
