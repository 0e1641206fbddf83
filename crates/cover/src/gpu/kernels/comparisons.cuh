// Fills the slots of a plan: compares columns with cuts, bit plane by bit plane, and copies planes. Included
// by cover.cu, which defines slots and lanes.

// Returns a word with all bits equal to bit `place` of a number. One half is a multiplication, because other
// units execute it than those that compare.
__device__ __forceinline__ u32 spread(u32 number, u32 place) {
    return (u32)((int)(number * (1u << (31u - place))) >> 31);
}

// Compares the first N of some planes that were read together.
template <u32 K, u32 N, bool EQUAL>
__device__ __forceinline__ void compare_planes(uint4 (&bits)[K], u32 (&cuts)[K], const uint4 (&read)[N],
                                               u32 count) {
#pragma unroll
    for (u32 i = 0; i < N; i++) {
        if (i < count) {
#pragma unroll
            for (u32 k = 0; k < K; k++) {
                bits[k] = compare_plane<EQUAL>(bits[k], read[i], spread(cuts[k], i));
            }
        }
    }
#pragma unroll
    for (u32 k = 0; k < K; k++) {
        cuts[k] >>= N;
    }
}

// Reads the next N planes of a column at once, so that there is one wait for all of them. The reads bypass
// the L1 cache, which is left to the plans.
template <u32 K, u32 N, bool EQUAL>
__device__ __forceinline__ void compare_next(uint4 (&bits)[K], u32 (&cuts)[K], const uint4*& column,
                                             u32& left) {
    uint4 read[N];
#pragma unroll
    for (u32 i = 0; i < N; i++) {
        read[i] = __ldcg(column + i * LANES);
    }
    compare_planes<K, N, EQUAL>(bits, cuts, read, N);
    column += N * LANES;
    left -= N;
}

// Compares one column with K cuts for each quarter. Each plane is read once for all of them. For an order
// this is "rank > cut" from the lowest plane up: a higher bit overrides the result of the lower ones unless
// it equals that of the cut, which is a majority of three.
template <u32 K, bool EQUAL>
__device__ __forceinline__ void compare(const CoverWork& work, uint4* slots, const uint4* planes, uint4 job,
                                        u32 first) {
    u32 left = job.y & 0xffu;
    const uint2* leaves = work.leaves + job.w + first * QUARTERS + quarter();
    uint4 bits[K];
    u32 cuts[K], ends[K];
#pragma unroll
    for (u32 k = 0; k < K; k++) {
        uint2 leaf = __ldg(leaves + k * QUARTERS);
        bits[k] = splat(EQUAL ? ~0u : 0u);
        cuts[k] = EQUAL ? leaf.x : ~leaf.x;
        ends[k] = leaf.y;
    }
    const uint4* column = planes + job.x * LANES;
    if (K < 4u) {
        // With few comparisons there are registers for more planes.
        while (left >= 8u) {
            compare_next<K, 8, EQUAL>(bits, cuts, column, left);
        }
    }
    while (left >= 4u) {
        compare_next<K, 4, EQUAL>(bits, cuts, column, left);
    }
    if (left != 0u) {
        uint4 read[3];
#pragma unroll
        for (u32 i = 0; i < 3u; i++) {
            read[i] = i < left ? __ldcg(column + i * LANES) : splat(0u);
        }
        compare_planes<K, 3, EQUAL>(bits, cuts, read, left);
    }
#pragma unroll
    for (u32 k = 0; k < K; k++) {
        // The slot; in the low bits, whether the result is negated, and whether it is the complement among
        // the rows with a value.
        u32 end = ends[k];
        uint4 result = bits[k];
        if (job.z != NONE) {
            uint4 opposite = splat(spread(end));
            result = (result ^ opposite) & (__ldcg(planes + job.z * LANES) | ~opposite);
        }
        if (end != NONE) {
            slots[(end >> 16) * LANES + lane()] = result ^ splat(spread(end >> 1));
        }
    }
}

// Copies planes to slots: up to four for each quarter, which are read together.
__device__ __forceinline__ void copy_planes(const CoverWork& work, uint4* slots, const uint4* planes,
                                            uint4 job, u32 fours) {
    const uint2* leaves = work.leaves + job.w + quarter();
    uint2 leaf[4];
    uint4 bits[4];
#pragma unroll
    for (u32 k = 0; k < 4u; k++) {
        leaf[k] = k < fours ? __ldg(leaves + k * QUARTERS) : make_uint2(0u, NONE);
    }
#pragma unroll
    for (u32 k = 0; k < 4u; k++) {
        bits[k] = leaf[k].y != NONE ? __ldcg(planes + leaf[k].x * LANES) : splat(0u);
    }
#pragma unroll
    for (u32 k = 0; k < 4u; k++) {
        u32 end = leaf[k].y;
        if (end != NONE) {
            slots[(end >> 16) * LANES + lane()] = bits[k] ^ splat(spread(end >> 1));
        }
    }
}

__device__ __forceinline__ void compare(const CoverWork& work, uint4* slots, const uint4* planes, uint4 job) {
    u32 fours = job.y >> 8 & 0xffu;
    if (job.y >> 16 == 2u) {
        copy_planes(work, slots, planes, job, fours);
    } else if (job.y >> 16) {
        for (u32 first = 0; first < fours; first++) {
            compare<1, true>(work, slots, planes, job, first);
        }
    } else if (fours == 4u) {
        compare<4, false>(work, slots, planes, job, 0u);
    } else if (fours == 3u) {
        compare<3, false>(work, slots, planes, job, 0u);
    } else if (fours == 2u) {
        compare<2, false>(work, slots, planes, job, 0u);
    } else {
        compare<1, false>(work, slots, planes, job, 0u);
    }
}

// Writes the slots of all comparisons of a plan, and after all slots one of zeros and one of ones.
__device__ __forceinline__ void fill(const CoverWork& work, uint4* slots, const TilePlan& plan, u32 tile) {
    const uint4* planes = work.planes + (size_t)tile * work.plane_count * LANES + lane();
    u32 index = warp();
    uint4 job = index < plan.jobs ? __ldg(work.jobs + plan.first_job + index) : splat(0u);
    for (; index < plan.jobs; index += warps()) {
        uint4 next =
            index + warps() < plan.jobs ? __ldg(work.jobs + plan.first_job + index + warps()) : splat(0u);
        compare(work, slots, planes, job);
        job = next;
    }
    if (threadIdx.x < 2u * LANES) {
        slots[plan.slots * LANES + threadIdx.x] = splat(threadIdx.x < LANES ? 0u : ~0u);
    }
}
