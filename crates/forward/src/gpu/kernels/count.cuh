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

// Copies networks to shared memory: [network][node][floats of a node], then the ends of the brackets.
template <u32 N> __device__ __forceinline__ void pack(const ForwardWork& work, u32 first, u32 count) {
    const Layer& layer = work.layers[0];
    float* nodes = reinterpret_cast<float*>(slots);
    // A warp copies a node.
    for (u32 node = threadIdx.x / 32u; node < count * layer.nodes; node += blockDim.x / 32u) {
        u32 own = node % layer.nodes;
        const float* network = work.networks + (u64)(first + node / layer.nodes) * work.words;
        const float* links = network + layer.links + own * layer.stride * 2u;
        float* to = nodes + node * NodeSize<N>::FLOATS;
        for (u32 i = lane(); i < 2u * N; i += 32u) to[i] = i < 2u * layer.stride ? links[i] : 0.0f;
        if (lane() == 0u) to[2u * N] = network[layer.once + own];
        if (lane() == 1u) to[2u * N + 1u] = network[work.outputs + own];
    }
    float2* ends = reinterpret_cast<float2*>(nodes + count * layer.nodes * NodeSize<N>::FLOATS);
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
