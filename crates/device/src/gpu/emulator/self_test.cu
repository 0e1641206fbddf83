// Kernels that use every CUDA feature of the other kernels, with results that are easy to compute.

typedef unsigned int u32;
typedef unsigned long long u64;

struct SelfTest {
    const u32* __restrict__ values; // one per thread of the grid
    u32* reversed;                  // the values of each block from the last to the first
    u32* warp_sums;                 // one per warp: the sum of its values
    u32* odd_lanes;                 // one per warp: the lanes with an odd value
    u32* some_multiple_of_64;       // one per warp: whether it has a multiple of 64
    u32* unwritten;                 // one per block: the first word of shared memory before any write
    u32* odd_values;                // one: the number of odd values
    u64* sum;                       // one: the sum of all values
};

extern __shared__ uint4 scratch[];

__device__ __forceinline__ u32 sum_of_warp(u32 value) {
#pragma unroll
    for (int flip = 16; flip > 0; flip /= 2) value += __shfl_xor_sync(0xffffffffu, value, flip);
    return value;
}

extern "C" __global__ void __launch_bounds__(1024, 1) self_test(const __grid_constant__ SelfTest work) {
    u32 thread = blockIdx.x * blockDim.x + threadIdx.x, warp = thread / 32;
    u32 value = __ldg(work.values + thread);
    if (threadIdx.x == 0) work.unwritten[blockIdx.x] = scratch[0].x;
    __syncthreads();

    // Twice, so that the second barrier of a round separates the readers of the first round from the writers
    // of the second.
    for (u32 round = 0; round < 2; round++) {
        scratch[threadIdx.x] = make_uint4(value + round, 0, 0, 0);
        __syncthreads();
        u32 mirrored = scratch[blockDim.x - 1 - threadIdx.x].x;
        if (round == 1) work.reversed[thread] = mirrored - round;
        __syncthreads();
    }

    u32 total = sum_of_warp(value);
    u32 odd = __ballot_sync(0xffffffffu, value & 1);
    u32 some = __any_sync(0xffffffffu, value % 64 == 0) != 0;
    // Both halves of the warp at once, each among its own lanes.
    u32 half = threadIdx.x % 32 < 16 ? 0x0000ffffu : 0xffff0000u;
    u32 odd_in_half = __ballot_sync(half, value & 1);
    if (threadIdx.x % 32 == 0) {
        work.warp_sums[warp] = total;
        work.odd_lanes[warp] = odd;
        work.some_multiple_of_64[warp] = some;
        atomicAdd(work.sum, static_cast<u64>(total));
    }
    if (threadIdx.x % 16 == 0) atomicAdd(work.odd_values, static_cast<u32>(__popc(odd_in_half)));
}

// Three errors that the emulator must report.
extern "C" __global__ void leaves_a_barrier(const __grid_constant__ SelfTest) {
    if (threadIdx.x != 0) __syncthreads();
}

extern "C" __global__ void splits_a_warp(const __grid_constant__ SelfTest work) {
    if (threadIdx.x == 0) work.odd_lanes[0] = __shfl_xor_sync(0xffffffffu, 1u, 1);
    else work.odd_lanes[0] = __ballot_sync(0xffffffffu, 1);
}

extern "C" __global__ void writes_behind_shared_memory(const __grid_constant__ SelfTest) {
    scratch[blockDim.x] = make_uint4(1, 2, 3, 4);
}
