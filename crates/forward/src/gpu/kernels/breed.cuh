// Breeding on the GPU, with the same draws in the same order as on the CPU.
#pragma once

#include "network.cuh"
#include "work.cuh"

// The maximum number of networks of a population, and of random words for a child.
#define MOST_NETWORKS 1024u
#define MOST_DRAWN 256u

#define GOLDEN 0x9E3779B97F4A7C15ull

__device__ __forceinline__ u64 mix(u64 word) {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ull;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBull;
    return word ^ (word >> 31);
}

__device__ __forceinline__ u64 turned(u64 word, u32 by) { return word << by | word >> (64u - by); }

// A stream of random numbers: xoshiro256++, seeded by a key and two labels.
struct Stream {
    u64 state[4];

    __device__ __forceinline__ Stream(const u64 (&key)[2], u64 first, u64 second) {
        u64 a = key[0], b = key[1];
        u64 labels[2] = {first, second};
#pragma unroll
        for (u32 i = 0; i < 2u; i++) {
            u64 word = mix(labels[i] + GOLDEN);
            a = mix((a ^ word) + GOLDEN);
            b = mix(turned(b, 32u) + word * 0xD1342543DE82EF95ull + GOLDEN);
        }
        state[0] = mix(a + GOLDEN), state[1] = mix(a + 2u * GOLDEN);
        state[2] = mix(b + GOLDEN), state[3] = mix(b + 2u * GOLDEN);
    }

    __device__ __forceinline__ u64 next() {
        u64 drawn = turned(state[0] + state[3], 23u) + state[0], kept = state[1] << 17;
        state[2] ^= state[0], state[3] ^= state[1], state[1] ^= state[2], state[0] ^= state[3];
        state[2] ^= kept, state[3] = turned(state[3], 45u);
        return drawn;
    }

    // Returns an integer below another.
    __device__ __forceinline__ u64 below(u64 end) {
        u64 word = next(), low = word * end;
        if (low < end) {
            u64 surplus = (0ull - end) % end;
            while (low < surplus) word = next(), low = word * end;
        }
        return __umul64hi(word, end);
    }
};

// Converts a random word to a number from 0 to 1.
__device__ __forceinline__ double unit(u64 word) {
    return __dmul_rn((double)(word >> 11), 1.0 / 9007199254740992.0);
}

// The natural logarithm, with the same operations as in the streams of the CPU.
__device__ __forceinline__ double logarithm(double x) {
    u64 bits = __double_as_longlong(x);
    double exponent = __dsub_rn((double)(u32)(bits >> 52), 1023.0);
    double mantissa = __longlong_as_double((bits & 0xFFFFFFFFFFFFFull) | 1023ull << 52);
    if (mantissa > 1.41421356237309504880)
        mantissa = __dmul_rn(mantissa, 0.5), exponent = __dadd_rn(exponent, 1.0);
    double s = __ddiv_rn(__dsub_rn(mantissa, 1.0), __dadd_rn(mantissa, 1.0));
    double square = __dmul_rn(s, s), series = 0.0;
#pragma unroll
    for (u32 k = 11; k > 0u; k--) series = __dmul_rn(square, __dadd_rn(series, 1.0 / (double)(2u * k + 1u)));
    return __dadd_rn(__dmul_rn(__dmul_rn(2.0, s), __dadd_rn(1.0, series)),
                     __dmul_rn(exponent, 0.693147180559945309417));
}

__device__ __forceinline__ double exponential(u64 word) { return -logarithm(__dsub_rn(1.0, unit(word))); }

// Draws the rank of a parent.
__device__ __forceinline__ u32 ranked(Stream& stream, double rate, u32 population) {
    for (;;) {
        double rank = floor(__ddiv_rn(exponential(stream.next()), rate));
        if (rank < (double)population) return (u32)rank;
    }
}

// Returns the index of a gene in a prepared network of one layer, and converts its value.
__device__ __forceinline__ void put_gene(const ForwardWork& work, float* network, u32 gene, float value) {
    const Layer& layer = work.layers[0];
    bool radial = layer.kind == RBF;
    u32 weights = layer.nodes * layer.fan_in, width = radial ? 2u : 1u, links = weights * width;
    if (gene < links) {
        u32 of = gene < weights ? gene : gene - weights;
        u32 place = (of / layer.fan_in * layer.stride + of % layer.fan_in) * width;
        network[layer.links + place + (gene < weights ? 0u : 1u)] = gene < weights ? value : -value;
    } else if (gene < links + layer.nodes) {
        network[layer.once + gene - links] = radial ? -__fmul_rn(value, LOG2_E) : value;
    } else {
        network[work.outputs + gene - links - layer.nodes] = value;
    }
}

// Returns the number of positives that are certainly in the top.
__device__ __forceinline__ u32 found_strictly(const NetworkResult& result, u32 wanted) {
    bool all = wanted - min(result.above, wanted) >= result.tied;
    return result.positives_above + (all ? result.positives_tied : 0u);
}

// Draws how the child with an index is made. One thread does this: every draw depends on the one before.
__device__ __forceinline__ void draw(const ForwardWork& work, const Children& breeding, u32 place) {
    const Layer& layer = work.layers[0];
    u32 population = work.network_count;
    Birth& birth = breeding.births[place];
    u64* drawn = breeding.drawn + (u64)place * MOST_DRAWN;
    Stream stream(breeding.key, breeding.generation, place);
    u32 parent = ranked(stream, breeding.rate, population), words, other = parent, node = 0u;
    if (unit(stream.next()) < breeding.mutated || population < 2u) {
        node = (u32)stream.below(layer.nodes);
        words = 2u * ((layer.kind == RBF ? 2u : 1u) * layer.fan_in + 2u);
    } else {
        do other = ranked(stream, breeding.rate, population);
        while (other == parent);
        words = (breeding.genes + 63u) / 64u;
    }
    for (u32 i = 0; i < words; i++) drawn[i] = stream.next();
    birth.one = parent, birth.other = other, birth.node = node;
}

// Returns the number of a gene among those that belong to a node of a network of one layer, or a number past
// the last one if it does not belong to the node.
__device__ __forceinline__ u32 number_in_node(const Layer& layer, u32 node, u32 gene) {
    u32 weights = layer.nodes * layer.fan_in, links = weights * (layer.kind == RBF ? 2u : 1u), number = 0;
    if (gene < links) {
        if (gene >= weights) gene -= weights, number = layer.fan_in;
        return gene / layer.fan_in == node ? number + gene % layer.fan_in : ~0u;
    }
    number = links / layer.nodes;
    gene -= links;
    if (gene >= layer.nodes) gene -= layer.nodes, number++;
    return gene == node ? number : ~0u;
}

// Makes the child with the index of the block: a copy of the best parent, or a child by mutation of a node or
// by crossover of two parents, as it was drawn. All threads of the block call it.
__device__ __forceinline__ void breed(const ForwardWork& work, const Children& breeding) {
    __shared__ u32 found[MOST_NETWORKS], order[MOST_NETWORKS];
    u32 population = work.network_count, place = blockIdx.x;
    Birth birth = breeding.births[place];
    if (place == 0u) birth.one = birth.other = 0u;
    const u64* drawn = breeding.drawn + (u64)place * MOST_DRAWN;
    for (u32 i = threadIdx.x; i < population; i += blockDim.x)
        found[i] = found_strictly(breeding.judged[i], work.wanted);
    __syncthreads();
    // Ties keep the order.
    for (u32 i = threadIdx.x; i < population; i += blockDim.x) {
        u32 rank = 0;
        for (u32 j = 0; j < population; j++) rank += found[j] > found[i] || (found[j] == found[i] && j < i);
        order[rank] = i;
    }
    // Reset the counts.
    if (threadIdx.x < 2u) work.counts[2u * place + threadIdx.x] = BracketCount{};
    __syncthreads();
    const Layer& layer = work.layers[0];
    const float* one = breeding.parents + (u64)order[birth.one] * breeding.genes;
    const float* other = breeding.parents + (u64)order[birth.other] * breeding.genes;
    float *child = breeding.children + (u64)place * breeding.genes,
          *network = breeding.networks + (u64)place * work.words;
    for (u32 gene = threadIdx.x; gene < breeding.genes; gene += blockDim.x) {
        float value = one[gene];
        if (birth.one != birth.other) {
            if (drawn[gene / 64u] >> (gene % 64u) & 1u) value = other[gene];
        } else if (place != 0u) {
            u32 number = number_in_node(layer, birth.node, gene);
            if (number != ~0u) {
                double size = __dmul_rn(breeding.mean, exponential(drawn[2u * number]));
                double draw = unit(drawn[2u * number + 1u]) < 0.5 ? size : -size;
                value = __fadd_rn(value, (float)draw);
            }
        }
        child[gene] = value;
        put_gene(work, network, gene, value);
    }
}
