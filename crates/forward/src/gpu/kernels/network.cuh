// The outputs of nodes and networks. Every operation is explicit, so that no compiler fuses or reorders
// operations that spec.rs separates.
#pragma once

#include "work.cuh"

#define LOG2_E 1.44269504088896340736f
#define LEAST (-87.0f * LOG2_E)
#define MOST (60.0f * LOG2_E)
#define ROUNDER 12582912.0f

// Returns two to a power.
__device__ __forceinline__ float power_of_two(float power) {
    // NaN becomes the minimum, as on the CPU.
    power = fminf(fmaxf(power, LEAST), MOST);
    float rounded = __fadd_rn(power, ROUNDER);
    float fraction = __fsub_rn(power, __fsub_rn(rounded, ROUNDER));
    float sum = __uint_as_float(0x3aaddd0bu);
    sum = __fmaf_rn(sum, fraction, __uint_as_float(0x3c1e7545u));
    sum = __fmaf_rn(sum, fraction, __uint_as_float(0x3d635ba9u));
    sum = __fmaf_rn(sum, fraction, __uint_as_float(0x3e75fcdeu));
    sum = __fmaf_rn(sum, fraction, __uint_as_float(0x3f317215u));
    sum = __fmaf_rn(sum, fraction, 1.0f);
    return __uint_as_float(__float_as_uint(sum) + (__float_as_uint(rounded) << 23));
}

// Applies the activation function of a node to its sum; for an RBF this is the squared distance.
__device__ __forceinline__ float activate(u32 kind, float once, float sum) {
    if (kind == RBF) return power_of_two(__fmul_rn(once, sum));
    if (kind == RELU) return sum > 0.0f ? sum : 0.0f;
    float power = power_of_two(__fmul_rn(sum, kind == SIGMOID ? -LOG2_E : 2.0f * LOG2_E));
    float below = __fadd_rn(1.0f, power);
    return kind == SIGMOID ? __fdiv_rn(1.0f, below) : __fsub_rn(1.0f, __fdiv_rn(2.0f, below));
}

// Converts the output of a network to a score.
__device__ __forceinline__ float score_of(float output) {
    float score = __fadd_rn(output, 0.0f);
    // Neither NaN nor infinite.
    return fabsf(score) < __uint_as_float(0x7f800000u) ? score : __uint_as_float(0xff800000u);
}

// A network of one hidden layer for rows in registers. If there are fewer than N features, the others are
// zeros, and so are their links. R is the number of rows of a thread.
template <u32 N, u32 R = ROWS> struct Near {
    static const u32 COUNT = R;
    float x[R][N];

    __device__ __forceinline__ void load(const float* tiles, u32 features, u32 first, u32 step, u32 rows) {
#pragma unroll
        for (u32 r = 0; r < R; r++) {
            u32 row = min(first + r * step, rows - 1u);
            const float* from = tiles + place_of(row, 0, features);
#pragma unroll
            for (u32 i = 0; i < N; i++) x[r][i] = i < features ? __ldg(from + i * TILE) : 0.0f;
        }
    }

    // The network is in shared memory.
    __device__ __forceinline__ void score(const ForwardWork& work, const float* network,
                                          float (&scores)[R]) const {
        const Layer& layer = work.layers[0];
#pragma unroll
        for (u32 r = 0; r < R; r++) scores[r] = 0.0f;
        const float *once = network + layer.once, *weights = network + work.outputs,
                    *links = network + layer.links;
        if (layer.kind == RBF) {
            for (u32 node = 0; node < layer.nodes; node++, links += N * 2u) {
                float sum[R];
                distances(reinterpret_cast<const float4*>(links), sum);
                // Written out, so that the kind of the node is not tested for every row.
#pragma unroll
                for (u32 r = 0; r < R; r++)
                    scores[r] =
                        __fmaf_rn(weights[node], power_of_two(__fmul_rn(once[node], sum[r])), scores[r]);
            }
        } else {
            for (u32 node = 0; node < layer.nodes; node++, links += N) {
                float sum[R];
                sums(reinterpret_cast<const float4*>(links), once[node], sum);
#pragma unroll
                for (u32 r = 0; r < R; r++)
                    scores[r] = __fmaf_rn(weights[node], activate(layer.kind, once[node], sum[r]), scores[r]);
            }
        }
#pragma unroll
        for (u32 r = 0; r < R; r++) scores[r] = score_of(scores[r]);
    }

    __device__ __forceinline__ void distances(const float4* links, float (&sum)[R]) const {
#pragma unroll
        for (u32 r = 0; r < R; r++) sum[r] = 0.0f;
#pragma unroll
        for (u32 i = 0; i < N; i += 2u) {
            float4 two = links[i / 2u];
#pragma unroll
            for (u32 r = 0; r < R; r++) {
                float apart = __fmaf_rn(two.x, x[r][i], two.y);
                sum[r] = __fmaf_rn(apart, apart, sum[r]);
            }
#pragma unroll
            for (u32 r = 0; r < R; r++) {
                float apart = __fmaf_rn(two.z, x[r][i + 1u], two.w);
                sum[r] = __fmaf_rn(apart, apart, sum[r]);
            }
        }
    }

    __device__ __forceinline__ void sums(const float4* links, float bias, float (&sum)[R]) const {
#pragma unroll
        for (u32 r = 0; r < R; r++) sum[r] = bias;
#pragma unroll
        for (u32 i = 0; i < N; i += 4u) {
            float4 four = links[i / 4u];
#pragma unroll
            for (u32 r = 0; r < R; r++) {
                sum[r] = __fmaf_rn(four.x, x[r][i], sum[r]);
                sum[r] = __fmaf_rn(four.y, x[r][i + 1u], sum[r]);
                sum[r] = __fmaf_rn(four.z, x[r][i + 2u], sum[r]);
                sum[r] = __fmaf_rn(four.w, x[r][i + 3u], sum[r]);
            }
        }
    }
};

// Any network, for rows in GPU memory.
struct Far {
    static const u32 COUNT = ROWS;
    const float* tiles;
    u32 features, first, step, rows;

    __device__ __forceinline__ void load(const float* from, u32 count, u32 at, u32 by, u32 end) {
        tiles = from, features = count, first = at, step = by, rows = end;
    }

    // Returns the output of a node for numbers in tiles.
    __device__ __forceinline__ void respond(const Layer& layer, const float* network, u32 node,
                                            const float* from, const u32 (&row)[ROWS],
                                            float (&given)[ROWS]) const {
        float once = __ldg(network + layer.once + node);
        bool radial = layer.kind == RBF;
        const float* links = network + layer.links + node * layer.stride * (radial ? 2u : 1u);
        float sum[ROWS];
#pragma unroll
        for (u32 r = 0; r < ROWS; r++) sum[r] = radial ? 0.0f : once;
        for (u32 i = 0; i < layer.fan_in; i++) {
#pragma unroll
            for (u32 r = 0; r < ROWS; r++) {
                float x = from[place_of(row[r], i, layer.fan_in)];
                if (radial) {
                    float apart = __fmaf_rn(__ldg(links + 2u * i), x, __ldg(links + 2u * i + 1u));
                    sum[r] = __fmaf_rn(apart, apart, sum[r]);
                } else {
                    sum[r] = __fmaf_rn(__ldg(links + i), x, sum[r]);
                }
            }
        }
#pragma unroll
        for (u32 r = 0; r < ROWS; r++) given[r] = activate(layer.kind, once, sum[r]);
    }

    // The network is in GPU memory.
    __device__ __forceinline__ void score(const ForwardWork& work, const float* network,
                                          float (&scores)[ROWS]) const {
        u32 row[ROWS], own[ROWS];
#pragma unroll
        for (u32 r = 0; r < ROWS; r++) {
            row[r] = min(first + r * step, rows - 1u);
            own[r] = threadIdx.x + r * blockDim.x;
            scores[r] = 0.0f;
        }
        const float* from = tiles;
        const Layer& last = work.layers[work.layer_count - 1u];
        if (work.layer_count == 2u) {
            // Only this thread reads these values.
            const Layer& layer = work.layers[0];
            u64 tiles_of_block = (blockDim.x * ROWS + TILE - 1u) / TILE;
            float* hidden = work.hidden + blockIdx.x * tiles_of_block * TILE * layer.nodes;
            for (u32 node = 0; node < layer.nodes; node++) {
                float given[ROWS];
                respond(layer, network, node, from, row, given);
#pragma unroll
                for (u32 r = 0; r < ROWS; r++) hidden[place_of(own[r], node, layer.nodes)] = given[r];
            }
            from = hidden;
#pragma unroll
            for (u32 r = 0; r < ROWS; r++) row[r] = own[r];
        }
        for (u32 node = 0; node < last.nodes; node++) {
            float given[ROWS], weight = __ldg(network + work.outputs + node);
            respond(last, network, node, from, row, given);
#pragma unroll
            for (u32 r = 0; r < ROWS; r++) scores[r] = __fmaf_rn(weight, given[r], scores[r]);
        }
#pragma unroll
        for (u32 r = 0; r < ROWS; r++) scores[r] = score_of(scores[r]);
    }
};

// Copies some networks to shared memory if rows read them there.
template <u32 N, u32 R>
__device__ __forceinline__ const float* bring(const Near<N, R>&, const ForwardWork& work, u32 first,
                                              u32 count) {
    float* here = reinterpret_cast<float*>(slots);
    const float* from = work.networks + (u64)first * work.words;
    __syncthreads();
    for (u32 i = threadIdx.x; i < count * work.words; i += blockDim.x) here[i] = from[i];
    __syncthreads();
    return here;
}
__device__ __forceinline__ const float* bring(const Far&, const ForwardWork& work, u32 first, u32) {
    return work.networks + (u64)first * work.words;
}
