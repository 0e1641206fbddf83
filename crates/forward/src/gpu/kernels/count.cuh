// Scores rows with networks of one layer of RBF nodes and counts them around the brackets. This is what most
// of the time is spent on, so it has a layout of its own in shared memory: the links of a node, then its
// factor and its weight, so that a node is read in a few loads of 16 bytes.
#pragma once

#include "around.cuh"
#include "network.cuh"
#include "work.cuh"

// The number of floats of a node with N inputs.
template <u32 N> struct NodeSize {
    static const u32 FLOATS = (2u * N + 2u + 3u) / 4u * 4u;
};

// Returns four numbers of a node: of its links, its factor and its weight, in this order.
template <u32 N>
__device__ __forceinline__ float4 node_numbers(const ForwardWork& work, const float* network, u32 node,
                                               u32 first) {
    const Layer& layer = work.layers[0];
    const float* links = network + layer.links + node * layer.stride * 2u;
    float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (first < min(2u * N, 2u * layer.stride)) four = *reinterpret_cast<const float4*>(links + first);
    if (first + 4u <= 2u * N) return four;
    float once = network[layer.once + node], weight = network[work.outputs + node];
    // The last links of an odd number of inputs are in the same four numbers.
    if (N % 2u == 1u) return make_float4(four.x, four.y, once, weight);
    return make_float4(once, weight, 0.0f, 0.0f);
}

// The number of loads of a thread that are on their way together: a block waits before it scores anything.
#define BATCH 4u

// Copies networks to shared memory: [network][node][floats of a node], then the ends of the brackets.
template <u32 N> __device__ __forceinline__ void pack(const ForwardWork& work, u32 first, u32 count) {
    const u32 FOURS = NodeSize<N>::FLOATS / 4u;
    u32 nodes = work.layers[0].nodes, all = count * nodes * FOURS;
    float4* to = reinterpret_cast<float4*>(slots);
    for (u32 start = threadIdx.x; start < all; start += BATCH * blockDim.x) {
        float4 fours[BATCH];
#pragma unroll
        for (u32 k = 0; k < BATCH; k++) {
            u32 i = min(start + k * blockDim.x, all - 1u), node = i / FOURS;
            const float* network = work.networks + (u64)(first + node / nodes) * work.words;
            fours[k] = node_numbers<N>(work, network, node % nodes, i % FOURS * 4u);
        }
#pragma unroll
        for (u32 k = 0; k < BATCH; k++)
            if (start + k * blockDim.x < all) to[start + k * blockDim.x] = fours[k];
    }
    float2* ends = reinterpret_cast<float2*>(to + all);
    for (u32 i = threadIdx.x; i < count; i += blockDim.x) ends[i] = work.brackets[first + i];
    __syncthreads();
}

// Adds the output of a node of a packed network to scores. `place` is where the node begins, in units of 16
// bytes, and is moved behind it.
template <u32 N>
__device__ __forceinline__ void add_node(const Near<N>& rows, u32& place, float (&scores)[ROWS]) {
    const float4* node = reinterpret_cast<const float4*>(slots) + place;
    float sum[ROWS];
#pragma unroll
    for (u32 r = 0; r < ROWS; r++) sum[r] = 0.0f;
    float4 four;
#pragma unroll
    for (u32 i = 0; i < N; i++) {
        if (i % 2u == 0u) four = node[i / 2u];
        float weight = i % 2u == 0u ? four.x : four.z, center = i % 2u == 0u ? four.y : four.w;
#pragma unroll
        for (u32 r = 0; r < ROWS; r++) {
            float apart = __fmaf_rn(weight, rows.x[r][i], center);
            sum[r] = __fmaf_rn(apart, apart, sum[r]);
        }
    }
    if (N % 2u == 0u) four = node[N / 2u], four.z = four.x, four.w = four.y;
    place += NodeSize<N>::FLOATS / 4u;
#pragma unroll
    for (u32 r = 0; r < ROWS; r++)
        scores[r] = __fmaf_rn(four.w, power_of_two(__fmul_rn(four.z, sum[r])), scores[r]);
}

template <u32 N> __device__ __forceinline__ void count_rows(const ForwardWork& work) {
    u32 step = blockDim.x, chunk = blockIdx.x / work.groups, group = blockIdx.x % work.groups;
    u32 first = chunk * step * ROWS + threadIdx.x;
    u32 from = group * work.group, count = min(work.group, work.network_count - from);
    Near<N> rows;
    rows.load(work.tiles, work.features, first, step, work.rows);
    pack<N>(work, from, count);
    WarpRows warp_rows(work, first - lane(), step);
    u32 nodes = work.layers[0].nodes, place = 0;
    const float2* ends = reinterpret_cast<const float2*>(slots) + count * nodes * (NodeSize<N>::FLOATS / 2u);
    for (u32 i = 0; i < count; i++) {
        float scores[ROWS];
#pragma unroll
        for (u32 r = 0; r < ROWS; r++) scores[r] = 0.0f;
        for (u32 left = nodes; left != 0u; left--) add_node<N>(rows, place, scores);
#pragma unroll
        for (u32 r = 0; r < ROWS; r++) scores[r] = score_of(scores[r]);
        count_around(work, from + i, scores, warp_rows, ends[i]);
    }
}
