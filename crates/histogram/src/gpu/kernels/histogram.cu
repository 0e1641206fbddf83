// Sums over the examples of conjunctions: in total, and by step of some columns.
//
// A task is one item and a chunk of rows. All sums are integers, so the order of additions does not matter.

#include "arguments.cuh"

constexpr u32 ALL = ~0u;
constexpr u32 NO_GROUP = ~0u;
// The sums of a step in shared memory: low and high half of the gradient, of the curvature, and the counts
// inside and outside the class in one word. Halves of 16 bits cannot overflow within a chunk.
constexpr u32 KINDS = 5;

// A row of a task: its example and group, NO_GROUP if it does not satisfy the conjunction.
struct Row {
    u64 example;
    u32 group;
};

__device__ __forceinline__ Row find_row(const SumsWork& work, const Item& item, u32 row) {
    const u64 example = work.sample ? work.sample[row] : row;
    u32 group = work.group_of[example];
    for (u32 test = 0; test < item.tests && group != NO_GROUP; test++) {
        const StepBits& bits = work.tests[item.first_test + test];
        const u32 step = work.steps[bits.column * work.stride + example];
        if (!(bits.steps[step / 32] >> step % 32 & 1)) group = NO_GROUP;
    }
    return Row{example, group};
}

__device__ __forceinline__ u64 add_up_warp(u64 number) {
    for (u32 by = 16; by > 0; by /= 2) number += __shfl_xor_sync(ALL, number, by);
    return number;
}

// Adds gradient, curvature, both counts and the digest of each conjunction.
extern "C" __global__ void __launch_bounds__(512) add_totals(const __grid_constant__ SumsWork work) {
    const u32 chunks = (work.rows + CHUNK - 1) / CHUNK;
    for (u64 task = blockIdx.x; task < (u64)work.item_count * chunks; task += gridDim.x) {
        const Item& item = work.items[task / chunks];
        const u32 first = (u32)(task % chunks) * CHUNK;
        u64 gradient = 0, curvature = 0, counts = 0, digest = 0;
        for (u32 at = threadIdx.x; at < CHUNK && first + at < work.rows; at += blockDim.x) {
            const Row row = find_row(work, item, first + at);
            if (row.group == NO_GROUP) continue;
            gradient += (u64)(long long)(int)work.groups[2ull * row.group];
            curvature += (u64)(long long)(int)work.groups[2ull * row.group + 1];
            counts += row.group % 2 ? 1ull << 32 : 1ull;
            digest += work.digests[row.example];
        }
        __syncwarp();
        const u64 sums[4] = {add_up_warp(gradient), add_up_warp(curvature), add_up_warp(counts),
                             add_up_warp(digest)};
        if (threadIdx.x % 32 == 0) {
            for (u32 kind = 0; kind < 4; kind++) atomicAdd(work.out + item.out + kind, sums[kind]);
        }
    }
}

// Returns how many slots one copy of the sums of a column takes. Columns with few steps have several copies,
// so that lanes wait less for each other.
__device__ __forceinline__ u32 copy_size(u32 steps) {
    u32 size = 8;
    while (size <= steps) size *= 2;
    return size;
}

// Adds gradient, curvature and both counts of each step of the columns of an item.
extern "C" __global__ void __launch_bounds__(512) add_steps(const __grid_constant__ SumsWork work) {
    __shared__ u32 sums[KINDS][COLUMNS][SLOTS];
    u32* const all = &sums[0][0][0];
    const u32 chunks = (work.rows + CHUNK - 1) / CHUNK;
    for (u64 task = blockIdx.x; task < (u64)work.item_count * chunks; task += gridDim.x) {
        const Item& item = work.items[task / chunks];
        const u32 first = (u32)(task % chunks) * CHUNK;
        for (u32 at = threadIdx.x; at < KINDS * COLUMNS * SLOTS; at += blockDim.x) all[at] = 0;
        __syncthreads();
        for (u32 at = threadIdx.x; at < CHUNK && first + at < work.rows; at += blockDim.x) {
            const Row row = find_row(work, item, first + at);
            if (row.group == NO_GROUP) continue;
            const u32 gradient = work.groups[2ull * row.group], curvature = work.groups[2ull * row.group + 1];
            const u32 parts[KINDS] = {gradient & 0xffff, (u32)((int)gradient >> 16), curvature & 0xffff,
                                      (u32)((int)curvature >> 16), row.group % 2 ? 1u << 16 : 1u};
            for (u32 column = 0; column < item.columns; column++) {
                const Counted counted = work.counted[item.first_column + column];
                const u32 step = work.steps[counted.column * work.stride + row.example];
                const u32 size = copy_size(counted.steps), copy = threadIdx.x % (SLOTS / size);
                const u32 slot = copy * size + (step < counted.steps ? step : counted.steps);
                for (u32 kind = 0; kind < KINDS; kind++) atomicAdd(&sums[kind][column][slot], parts[kind]);
            }
        }
        __syncthreads();
        u32 out = item.out;
        for (u32 column = 0; column < item.columns; column++) {
            const u32 steps = work.counted[item.first_column + column].steps, size = copy_size(steps);
            for (u32 step = threadIdx.x; step <= steps; step += blockDim.x) {
                u64 gradient = 0, curvature = 0, counts = 0;
                for (u32 slot = step; slot < SLOTS; slot += size) {
                    const u32 both = sums[4][column][slot];
                    gradient += ((u64)(long long)(int)sums[1][column][slot] << 16) + sums[0][column][slot];
                    curvature += ((u64)(long long)(int)sums[3][column][slot] << 16) + sums[2][column][slot];
                    counts += (u64)(both >> 16) << 32 | (both & 0xffff);
                }
                if (counts == 0) continue;
                u64* to = work.out + out + 3 * step;
                atomicAdd(to, gradient);
                atomicAdd(to + 1, curvature);
                atomicAdd(to + 2, counts);
            }
            out += 3 * (steps + 1);
        }
        __syncthreads();
    }
}
