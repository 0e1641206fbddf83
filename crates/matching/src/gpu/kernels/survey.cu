// Conditions on a GPU: the rows that each condition matches, and the votes of a whole population.
//
// Rows are first stored as bit planes, by column: word w of plane p has bit p of the codes of rows 32 w to 32
// w + 31, and a last plane marks the codes that are not missing. A lane then tests a condition on 32 rows
// with a few logical instructions per test, as the CPU does with 512.

#include "arguments.cuh"
#include "bit_planes.cuh"

constexpr u32 ALL = ~0u;
constexpr u32 IS_SET = 1u << 31;
constexpr u32 MISSING = ~0u;

// A warp stores 32 rows of a column at a time.
extern "C" __global__ void __launch_bounds__(256) lay_planes(const __grid_constant__ SurveyWork work) {
    const u32 lane = threadIdx.x % 32, warps = gridDim.x * (blockDim.x / 32);
    const u64 all = (u64)work.column_count * work.words;
    for (u64 item = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; item < all; item += warps) {
        const u32 column = (u32)(item / work.words), word = (u32)(item % work.words),
                  place = word * 32 + lane;
        const u32 bits = work.columns[column].bits & ~IS_SET;
        u32 code = MISSING;
        if (place < work.row_count) code = work.codes[column * work.examples + work.rows[place]];
        const bool known = code != MISSING;
        u32* to = work.planes + (u64)work.columns[column].first * work.words + word;
        for (u32 bit = 0; bit <= bits; bit++) {
            const u32 plane = __ballot_sync(ALL, known && (bit == bits || (code >> bit & 1)));
            if (lane == 0) to[(u64)bit * work.words] = plane;
        }
    }
}

// Returns a word with all bits equal to one bit of a number.
__device__ __forceinline__ u32 spread_bit(u32 number, u32 bit) { return 0u - (number >> bit & 1u); }

// Returns which of 32 rows are within the bounds of a test, or have one of its codes.
__device__ __forceinline__ u32 satisfied(const u32* planes, u32 words, u32 bits, bool is_set,
                                         const CodeTest& test) {
    if (is_set) {
        u32 inside = 0;
        for (u64 left = (u64)test.high << 32 | test.low; left != 0; left &= left - 1) {
            const u32 code = (u32)__popcll(~left & (left - 1));
            if (bits < 6 && code >> bits != 0) break;
            u32 same = ALL;
            for (u32 bit = 0; bit < bits; bit++) {
                same = compare_plane<true>(same, planes[(u64)bit * words], spread_bit(code, bit));
            }
            inside |= same;
        }
        return inside;
    }
    // From the lowest bit up: a bit overrides the result of all lower ones.
    u32 not_below = ALL, above = 0;
    for (u32 bit = 0; bit < bits; bit++) {
        const u32 plane = planes[(u64)bit * words];
        not_below = compare_plane<false>(not_below, plane, ~spread_bit(test.low, bit));
        above = compare_plane<false>(above, plane, ~spread_bit(test.high, bit));
    }
    // Bounds past the last code.
    if (bits < 32 && test.high >> bits != 0) above = 0;
    if (bits < 32 && test.low >> bits != 0) not_below = 0;
    return not_below & ~above;
}

// Returns which of the 32 rows of a word a condition matches.
__device__ __forceinline__ u32 matched(const SurveyWork& work, u32 condition, u32 word) {
    const u32 from = word * 32;
    u32 left = from + 32 <= work.row_count ? ALL
               : from < work.row_count     ? (1u << (work.row_count - from)) - 1
                                           : 0;
    for (u32 test = work.starts[condition]; test < work.starts[condition + 1] && left != 0; test++) {
        const CodeTest asked = work.tests[test];
        const CodeColumn column = work.columns[asked.column];
        const u32 bits = column.bits & ~IS_SET;
        const u32* planes = work.planes + (u64)column.first * work.words + word;
        left &=
            planes[(u64)bits * work.words] & satisfied(planes, work.words, bits, column.bits & IS_SET, asked);
    }
    return left;
}

// One lane per condition and word.
extern "C" __global__ void __launch_bounds__(256) match_rows(const __grid_constant__ SurveyWork work) {
    const u64 all = (u64)work.condition_count * work.words;
    for (u64 item = (u64)blockIdx.x * blockDim.x + threadIdx.x; item < all;
         item += (u64)gridDim.x * blockDim.x)
        work.out[item] = matched(work, (u32)(item / work.words), (u32)(item % work.words));
}

// A block processes as many rows as it has threads, and the conditions in groups that fill a square. First a
// thread tests a condition on a word of rows, then it counts the votes for its own row. Conditions are sorted
// by label, so that the votes of one label are complete before those of the next begin.
extern "C" __global__ void __launch_bounds__(1024) vote_rows(const __grid_constant__ SurveyWork work) {
    __shared__ u32 square[1024];
    __shared__ ConditionVote ballots[32];
    const u32 lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    for (u32 first = blockIdx.x * warps; first < work.word_count; first += gridDim.x * warps) {
        u64 votes = 0, most = 0;
        u32 label = MISSING, best = MISSING;
        for (u32 start = 0; start < work.condition_count; start += 32) {
            // A lane has a word, so that adjacent lanes read adjacent words. With fewer than 32 warps, a warp
            // has several conditions.
            const u32 word = threadIdx.x % warps, number = threadIdx.x / warps;
            const bool there = start + number < work.condition_count && first + word < work.word_count;
            square[number * warps + word] =
                there ? matched(work, start + number, work.first_word + first + word) : 0;
            if (threadIdx.x < 32 && start + threadIdx.x < work.condition_count)
                ballots[threadIdx.x] = work.ballots[start + threadIdx.x];
            __syncthreads();
            const u32 end = min(work.condition_count - start, 32u);
            for (u32 place = 0; place < end; place++) {
                const ConditionVote ballot = ballots[place];
                if (ballot.label != label) {
                    if (votes > most) most = votes, best = label;
                    label = ballot.label, votes = 0;
                }
                if (square[place * warps + warp] >> lane & 1) votes += ballot.votes;
            }
            __syncthreads();
        }
        if (votes > most) best = label;
        const u32 row = (first + warp) * 32 + lane;
        const bool there = (work.first_word + first + warp) * 32 + lane < work.row_count;
        if (first + warp < work.word_count) work.out[row] = there ? best : MISSING;
    }
}
