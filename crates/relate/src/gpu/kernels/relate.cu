// The relate contract on a GPU: decides for every subject, and for up to 512 sets at once, whether enough of
// its objects are in the set.
//
// Sets are first transposed: a row of 512 bits for every object. Then four threads process a subject, a
// quarter of the row each. They follow its edges and count in bit-sliced counters. The answers of 128
// subjects are stored in shared memory as rows, transposed into words of 32 subjects, and counted by class or
// written.
//
// A subject with very many edges would occupy four threads for a long time. Its edges are divided into
// pieces, and a block counts each piece in advance.
//
// For a few sets rows would be a waste: for one set, 511 of 512 bits. There a thread follows the edges of a
// subject and tests one bit for each object.

#include "arguments.cuh"

// The number of threads that share a row: a row is four times 16 bytes.
#define QUADS 4u
// The number of words of a row.
#define ROW_WORDS 16u
// The number of objects that a block transposes at a time.
#define TILE 256u
// The number of subjects that a block processes at a time.
#define ASKED 128u
// Marks the absence of a subject or an object.
#define NONE 0xffffffffu
// The number of words of a row in shared memory: one more, so that the same word of 32 rows is in 32 banks.
#define PADDED 17u
// The maximum number of classes counted in one launch.
#define CLASSES 4u

__device__ __forceinline__ uint4 splat(u32 word) { return make_uint4(word, word, word, word); }
__device__ __forceinline__ uint4 both(uint4 a, uint4 b) {
    return make_uint4(a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w);
}
__device__ __forceinline__ uint4 either(uint4 a, uint4 b) {
    return make_uint4(a.x | b.x, a.y | b.y, a.z | b.z, a.w | b.w);
}
__device__ __forceinline__ uint4 differ(uint4 a, uint4 b) {
    return make_uint4(a.x ^ b.x, a.y ^ b.y, a.z ^ b.z, a.w ^ b.w);
}
__device__ __forceinline__ u32 most(u32 a, u32 b, u32 c) { return (a & b) | (c & (a | b)); }
__device__ __forceinline__ uint4 majority(uint4 a, uint4 b, uint4 c) {
    return make_uint4(most(a.x, b.x, c.x), most(a.y, b.y, c.y), most(a.z, b.z, c.z), most(a.w, b.w, c.w));
}
__device__ __forceinline__ uint4 from_lane(uint4 a, int flip) {
    return make_uint4(__shfl_xor_sync(~0u, a.x, flip), __shfl_xor_sync(~0u, a.y, flip),
                      __shfl_xor_sync(~0u, a.z, flip), __shfl_xor_sync(~0u, a.w, flip));
}

// Counters of P bits, one for each of 128 lanes, with a mark for overflows. With 0 bits, only whether there
// was any.
template <int P> struct Counters {
    uint4 plane[P > 0 ? P : 1], over;

    __device__ __forceinline__ void clear() {
#pragma unroll
        for (int p = 0; p < (P > 0 ? P : 1); p++) plane[p] = splat(0u);
        over = splat(0u);
    }

    __device__ __forceinline__ void add(uint4 row) {
        if (P == 0) {
            plane[0] = either(plane[0], row);
            return;
        }
#pragma unroll
        for (int p = 0; p < P; p++) {
            uint4 carry = both(plane[p], row);
            plane[p] = differ(plane[p], row);
            row = carry;
        }
        over = either(over, row);
    }

    __device__ __forceinline__ void join(const Counters& other) {
        if (P == 0) {
            plane[0] = either(plane[0], other.plane[0]);
            return;
        }
        uint4 carry = splat(0u);
#pragma unroll
        for (int p = 0; p < P; p++) {
            uint4 a = plane[p], b = other.plane[p];
            plane[p] = differ(differ(a, b), carry);
            carry = majority(a, b, carry);
        }
        over = either(either(over, other.over), carry);
    }

    // Returns the counters of the lane whose number differs in some bits.
    __device__ __forceinline__ Counters shuffled(int flip) const {
        Counters other;
#pragma unroll
        for (int p = 0; p < (P > 0 ? P : 1); p++) other.plane[p] = from_lane(plane[p], flip);
        other.over = P == 0 ? over : from_lane(over, flip);
        return other;
    }

    __device__ __forceinline__ void load(const uint4* from) {
#pragma unroll
        for (int p = 0; p < (P > 0 ? P : 1); p++) plane[p] = from[p * QUADS];
        over = P == 0 ? splat(0u) : from[P * QUADS];
    }

    __device__ __forceinline__ void store(uint4* to) const {
#pragma unroll
        for (int p = 0; p < (P > 0 ? P : 1); p++) to[p * QUADS] = plane[p];
        if (P != 0) to[P * QUADS] = over;
    }

    // Returns the lanes whose counters are at least the minimums.
    __device__ __forceinline__ uint4 enough(const Relate& work, u32 quad) const {
        if (P == 0) return plane[0];
        uint4 result = splat(~0u);
#pragma unroll
        for (int p = 0; p < P; p++) {
            uint4 least = (u32)p < work.planes ? __ldg(work.asked + (1u + p) * QUADS + quad) : splat(0u);
            result = majority(result, plane[p], differ(least, splat(~0u)));
        }
        return either(result, over);
    }
};

// The number of rows of counters of a piece or partial result.
template <int P> __device__ __forceinline__ u32 height() { return P > 0 ? P + 1u : 1u; }

// Transposes 32 words of the lanes of a warp: bit i of lane j becomes bit j of lane i.
__device__ __forceinline__ u32 transposed(u32 word) {
    u32 lane = threadIdx.x & 31u, mask = 0x0000ffffu;
#pragma unroll
    for (u32 width = 16u; width != 0u; width >>= 1) {
        u32 other = __shfl_xor_sync(~0u, word, (int)width);
        word = (lane & width) ? (word & ~mask) | ((other & ~mask) >> width)
                              : (word & mask) | ((other & mask) << width);
        mask ^= mask << (width >> 1);
    }
    return word;
}

// Transposes sets. A warp processes 32 of them; every lane reads 32 bytes of its own set.
extern "C" __global__ void __launch_bounds__(512, 2) lay_rows(const __grid_constant__ Relate work) {
    __shared__ u32 rows[TILE * PADDED];
    u32 lane = threadIdx.x & 31u, word = threadIdx.x >> 5, set = word * 32u + lane;
    for (u32 tile = blockIdx.x; tile < work.object_tiles; tile += gridDim.x) {
        uint4 low = splat(0u), high = splat(0u);
        if (set < work.lanes) {
            const uint4* from = (const uint4*)__ldg(work.sets + set) + tile * 2u;
            low = __ldg(from), high = __ldg(from + 1);
        }
        u32 eight[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
        for (u32 part = 0; part < 8u; part++)
            rows[(part * 32u + lane) * PADDED + word] = transposed(eight[part]);
        __syncthreads();
        uint4* to = work.rows + (size_t)tile * TILE * QUADS;
        for (u32 place = threadIdx.x; place < TILE * QUADS; place += blockDim.x) {
            const u32* from = rows + (place / QUADS) * PADDED + (place % QUADS) * 4u;
            to[place] = make_uint4(from[0], from[1], from[2], from[3]);
        }
        __syncthreads();
    }
}

// Counts the edges of one piece of a hub: every four threads count some of them, then the counts are added.
template <int P> __device__ __forceinline__ void count_pieces(const Relate& work) {
    // Blocks have 1,024 threads, or 256 if counters are large.
    __shared__ uint4 joined[(P > 4 ? 8 : 32) * (P > 0 ? P + 1 : 1) * 4];
    u32 quad = threadIdx.x % QUADS, group = threadIdx.x / QUADS, groups = blockDim.x / QUADS;
    uint4 outside = __ldg(work.asked + quad);
    for (u32 piece = blockIdx.x; piece < work.piece_count; piece += gridDim.x) {
        uint4 edges = work.pieces[piece];
        Counters<P> counters;
        counters.clear();
#pragma unroll 4
        for (u32 edge = edges.x + group; edge < edges.y; edge += groups) {
            counters.add(differ(work.rows[(size_t)__ldg(work.objects + edge) * QUADS + quad], outside));
        }
        for (int flip = 4; flip < 32; flip <<= 1) counters.join(counters.shuffled(flip));
        u32 warp = threadIdx.x >> 5;
        if ((threadIdx.x & 31u) < QUADS) counters.store(joined + warp * height<P>() * QUADS + quad);
        __syncthreads();
        if (threadIdx.x < QUADS) {
            for (u32 other = 1; other < blockDim.x / 32u; other++) {
                Counters<P> more;
                more.load(joined + other * height<P>() * QUADS + quad);
                counters.join(more);
            }
            counters.store(work.partials + (size_t)piece * height<P>() * QUADS + quad);
        }
        __syncthreads();
    }
}

// Returns the index of a subject among the hubs.
__device__ __forceinline__ u32 hub_of(const Relate& work, u32 subject) {
    u32 low = 0, high = work.hub_count;
    while (high - low > 1u) {
        u32 middle = (low + high) / 2u;
        if (__ldg(&work.hubs[middle].x) <= subject) low = middle;
        else high = middle;
    }
    return low;
}

// A subject and the range of its edges.
struct Span {
    u32 subject, first, end;
};

__device__ __forceinline__ Span span(const Relate& work, u32 tile) {
    u32 number = tile * ASKED + threadIdx.x / QUADS;
    Span span = {NONE, 0u, 0u};
    if (number < work.subjects) {
        span.subject = work.list == 0 ? number : __ldg(work.list + number);
        span.first = __ldg(work.offsets + span.subject);
        span.end = __ldg(work.offsets + span.subject + 1u);
    }
    return span;
}

__device__ __forceinline__ u32 first_object(const Relate& work, const Span& span) {
    u32 edges = span.end - span.first;
    return edges != 0u && edges <= work.hub_edges ? __ldg(work.objects + span.first) : NONE;
}

__device__ __forceinline__ uint4 row_of(const Relate& work, u32 object, u32 quad) {
    return object == NONE ? splat(0u) : work.rows[(size_t)object * QUADS + quad];
}

template <int P>
__device__ __forceinline__ uint4 answer(const Relate& work, const Span& span, uint4 first_row, u32 quad,
                                        uint4 outside) {
    if (span.first == span.end) return splat(0u);
    Counters<P> counters;
    counters.clear();
    if (span.end - span.first <= work.hub_edges) {
        counters.add(differ(first_row, outside));
#pragma unroll 4
        for (u32 edge = span.first + 1u; edge < span.end; edge++) {
            counters.add(differ(work.rows[(size_t)__ldg(work.objects + edge) * QUADS + quad], outside));
        }
    } else {
        u32 hub = hub_of(work, span.subject), end = work.hubs[hub + 1u].y;
#pragma unroll 4
        for (u32 piece = work.hubs[hub].y; piece < end; piece++) {
            Counters<P> more;
            more.load(work.partials + (size_t)piece * height<P>() * QUADS + quad);
            counters.join(more);
        }
    }
    return counters.enough(work, quad);
}

template <int P> __device__ __forceinline__ void relate(const Relate& work) {
    __shared__ u32 rows[ASKED * PADDED];
    u32 quad = threadIdx.x % QUADS, place = threadIdx.x / QUADS;
    u32 lane = threadIdx.x & 31u, word = threadIdx.x >> 5, question = word * 32u + lane;
    uint4 outside = __ldg(work.asked + quad);
    u32 counts[CLASSES] = {0u, 0u, 0u, 0u};
    u32 tiles = (work.subjects + ASKED - 1u) / ASKED;
    // The edges of a subject lead to an object, and the object to a row. Each is loaded one tile ahead of the
    // previous one, to hide the latency.
    u32 tile = blockIdx.x;
    Span now = span(work, tile), next = span(work, tile + gridDim.x),
         later = span(work, tile + 2u * gridDim.x);
    u32 next_object = first_object(work, next);
    uint4 row = row_of(work, first_object(work, now), quad);
    for (; tile < tiles; tile += gridDim.x) {
        Span last = span(work, tile + 3u * gridDim.x);
        u32 later_object = first_object(work, later);
        uint4 next_row = row_of(work, next_object, quad);
        uint4 found = answer<P>(work, now, row, quad, outside);
        now = next, next = later, later = last;
        next_object = later_object;
        row = next_row;
        u32* to = rows + place * PADDED + quad * 4u;
        to[0] = found.x, to[1] = found.y, to[2] = found.z, to[3] = found.w;
        __syncthreads();
        u32 four[4];
#pragma unroll
        for (u32 part = 0; part < 4u; part++)
            four[part] = transposed(rows[(part * 32u + lane) * PADDED + word]);
        u32 at = tile * (ASKED / 32u);
        if (work.counts != 0) {
#pragma unroll
            for (u32 one = 0; one < CLASSES; one++) {
                if (one < work.classes) {
                    uint4 mask = __ldg((const uint4*)(work.masks + (size_t)one * work.words + at));
                    counts[one] += __popc(four[0] & mask.x) + __popc(four[1] & mask.y) +
                                   __popc(four[2] & mask.z) + __popc(four[3] & mask.w);
                }
            }
        } else if (question < work.lanes) {
            *(uint4*)(work.bits + (size_t)question * work.words + at) =
                make_uint4(four[0], four[1], four[2], four[3]);
        }
        __syncthreads();
    }
    if (work.counts != 0 && question < work.lanes) {
#pragma unroll
        for (u32 one = 0; one < CLASSES; one++) {
            if (one < work.classes && counts[one] != 0u) {
                atomicAdd(work.counts + (size_t)question * work.classes + one, counts[one]);
            }
        }
    }
}

// What a few sets are asked: each is followed by all threads, one set after the other.
struct FewQuestion {
    const u32* set;
    // All ones if objects outside the set count.
    u32 outside;
    u32 least;
};

__device__ __forceinline__ FewQuestion few_question(const Relate& work, u32 place) {
    const u32* asked = (const u32*)work.asked;
    FewQuestion question = {(const u32*)__ldg(work.sets + place), 0u, 0u};
    question.outside = 0u - (__ldg(asked) >> place & 1u);
    for (u32 plane = 0; plane < work.planes; plane++) {
        question.least |= (__ldg(asked + (1u + plane) * ROW_WORDS) >> place & 1u) << plane;
    }
    // Without planes any object is enough.
    question.least = question.least == 0u ? 1u : question.least;
    return question;
}

// Returns 1 if an object counts.
__device__ __forceinline__ u32 object_counts(const FewQuestion& question, u32 object) {
    return (__ldg(question.set + (object >> 5)) ^ question.outside) >> (object & 31u) & 1u;
}

__device__ __forceinline__ u32 sum_of_warp(u32 number) {
    for (int flip = 16; flip != 0; flip >>= 1) number += __shfl_xor_sync(~0u, number, flip);
    return number;
}

// Counts the edges of the pieces of hubs, for a few sets: one number for each piece and set.
extern "C" __global__ void __launch_bounds__(1024) count_pieces_few(const __grid_constant__ Relate work) {
    __shared__ u32 sums[32];
    u32* partials = (u32*)work.partials;
    for (u32 piece = blockIdx.x; piece < work.piece_count; piece += gridDim.x) {
        uint4 edges = work.pieces[piece];
        for (u32 place = 0; place < work.lanes; place++) {
            FewQuestion question = few_question(work, place);
            u32 count = 0;
#pragma unroll 4
            for (u32 edge = edges.x + threadIdx.x; edge < edges.y; edge += blockDim.x) {
                count += object_counts(question, __ldg(work.objects + edge));
            }
            count = sum_of_warp(count);
            if ((threadIdx.x & 31u) == 0u) sums[threadIdx.x >> 5] = count;
            __syncthreads();
            if (threadIdx.x == 0u) {
                count = 0;
                for (u32 warp = 0; warp < blockDim.x / 32u; warp++) count += sums[warp];
                partials[piece * work.lanes + place] = count;
            }
            __syncthreads();
        }
    }
}

// Returns whether a subject that is no hub has enough objects.
__device__ __forceinline__ bool has_enough(const Relate& work, const FewQuestion& question, u32 first,
                                           u32 end) {
    u32 count = 0;
    for (u32 edge = first; edge < end && count < question.least; edge++) {
        count += object_counts(question, __ldg(work.objects + edge));
    }
    return count >= question.least;
}

// Returns whether a hub has enough objects. All lanes of a warp add its pieces.
__device__ __forceinline__ bool hub_has_enough(const Relate& work, const FewQuestion& question, u32 place,
                                               u32 subject) {
    const u32* partials = (const u32*)work.partials;
    u32 hub = hub_of(work, subject), end = work.hubs[hub + 1u].y, count = 0;
    for (u32 piece = work.hubs[hub].y + (threadIdx.x & 31u); piece < end; piece += 32u) {
        count += partials[piece * work.lanes + place];
    }
    return sum_of_warp(count) >= question.least;
}

// Returns the answers for 32 subjects, one for each lane of a warp.
__device__ __forceinline__ u32 few_word(const Relate& work, const FewQuestion& question, u32 place,
                                        u32 word) {
    u32 number = word * 32u + (threadIdx.x & 31u), subject = NONE, first = 0u, end = 0u;
    if (number < work.subjects) {
        subject = work.list == 0 ? number : __ldg(work.list + number);
        first = __ldg(work.offsets + subject);
        end = __ldg(work.offsets + subject + 1u);
    }
    bool is_hub = end - first > work.hub_edges;
    bool found = !is_hub && has_enough(work, question, first, end);
    u32 hubs = __ballot_sync(~0u, is_hub), answer = __ballot_sync(~0u, found);
    while (hubs != 0u) {
        u32 lane = (u32)__ffs((int)hubs) - 1u;
        hubs &= hubs - 1u;
        if (hub_has_enough(work, question, place, __shfl_sync(~0u, subject, (int)lane))) answer |= 1u << lane;
    }
    return answer;
}

// Answers for a few sets. Every warp takes 32 subjects at a time.
extern "C" __global__ void __launch_bounds__(256) relate_few(const __grid_constant__ Relate work) {
    __shared__ u32 sums[8 * CLASSES];
    u32 lane = threadIdx.x & 31u, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
    u32 words = (work.subjects + 31u) / 32u;
    for (u32 place = 0; place < work.lanes; place++) {
        FewQuestion question = few_question(work, place);
        u32 count = 0;
        for (u32 word = blockIdx.x * warps + warp; word < words; word += gridDim.x * warps) {
            u32 answer = few_word(work, question, place, word);
            if (work.counts == 0) {
                if (lane == 0u) work.bits[(size_t)place * work.words + word] = answer;
            } else if (lane < work.classes) {
                count += (u32)__popc(answer & __ldg(work.masks + (size_t)lane * work.words + word));
            }
        }
        if (work.counts != 0) {
            // The first lanes have a class each.
            if (lane < CLASSES) sums[warp * CLASSES + lane] = count;
            __syncthreads();
            if (threadIdx.x < work.classes) {
                count = 0;
                for (u32 other = 0; other < warps; other++) count += sums[other * CLASSES + threadIdx.x];
                if (count != 0u) atomicAdd(work.counts + (size_t)place * work.classes + threadIdx.x, count);
            }
            __syncthreads();
        }
    }
}

extern "C" __global__ void __launch_bounds__(1024) count_pieces_0(const __grid_constant__ Relate work) {
    count_pieces<0>(work);
}
extern "C" __global__ void __launch_bounds__(1024) count_pieces_2(const __grid_constant__ Relate work) {
    count_pieces<2>(work);
}
extern "C" __global__ void __launch_bounds__(1024) count_pieces_4(const __grid_constant__ Relate work) {
    count_pieces<4>(work);
}
extern "C" __global__ void __launch_bounds__(256) count_pieces_32(const __grid_constant__ Relate work) {
    count_pieces<32>(work);
}
extern "C" __global__ void __launch_bounds__(512, 3) relate_0(const __grid_constant__ Relate work) {
    relate<0>(work);
}
extern "C" __global__ void __launch_bounds__(512, 2) relate_2(const __grid_constant__ Relate work) {
    relate<2>(work);
}
extern "C" __global__ void __launch_bounds__(512, 2) relate_4(const __grid_constant__ Relate work) {
    relate<4>(work);
}
extern "C" __global__ void __launch_bounds__(512) relate_32(const __grid_constant__ Relate work) {
    relate<32>(work);
}
