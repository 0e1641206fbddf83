// Numbers and draws that equal those of the CPU, bit for bit: this file repeats `pellucid_learn::rng`.
//
// Every rounding is explicit, because a compiler that may fuse a multiplication and an addition rounds once
// where the CPU rounds twice. No function of a mathematics library is used.
#pragma once

typedef unsigned long long u64;
typedef unsigned u32;

__device__ __forceinline__ float plus(float a, float b) { return __fadd_rn(a, b); }
__device__ __forceinline__ float minus(float a, float b) { return __fsub_rn(a, b); }
__device__ __forceinline__ float times(float a, float b) { return __fmul_rn(a, b); }
__device__ __forceinline__ float over(float a, float b) { return __fdiv_rn(a, b); }
__device__ __forceinline__ double plus(double a, double b) { return __dadd_rn(a, b); }
__device__ __forceinline__ double minus(double a, double b) { return __dsub_rn(a, b); }
__device__ __forceinline__ double times(double a, double b) { return __dmul_rn(a, b); }
__device__ __forceinline__ double over(double a, double b) { return __ddiv_rn(a, b); }

// Returns an integer power, by squaring.
__device__ __forceinline__ double power(double base, u32 exponent) {
    double result = 1.0;
#pragma unroll 1
    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1) result = times(result, base);
        base = times(base, base);
    }
    return result;
}

// The natural logarithm of a normal positive number, by the series of the inverse hyperbolic tangent.
__device__ __noinline__ double logarithm(double x) {
    u64 bits = (u64)__double_as_longlong(x);
    double exponent = minus((double)(u32)(bits >> 52), 1023.0);
    double mantissa = __longlong_as_double((long long)((bits & ((1ull << 52) - 1)) | 1023ull << 52));
    if (mantissa > 1.41421356237309504880) {
        mantissa = times(mantissa, 0.5);
        exponent = plus(exponent, 1.0);
    }
    double s = over(minus(mantissa, 1.0), plus(mantissa, 1.0));
    double square = times(s, s), series = 0.0;
#pragma unroll
    for (int k = 11; k >= 1; k--) series = times(square, plus(series, 1.0 / (double)(2 * k + 1)));
    return plus(times(times(2.0, s), plus(1.0, series)), times(exponent, 0.693147180559945309417));
}

// A probability and the rate of the gaps between two events; `stretch` is its approximate inverse in binary
// logarithms.
struct Odds {
    double probability, rate;
    float stretch;

    __device__ static Odds of(double probability) {
        const double rate =
            probability > 0.0 && probability < 1.0 ? -logarithm(minus(1.0, probability)) : 0.0;
        return {probability, rate, rate > 0.0 ? (float)over(0.693147180559945309417, rate) : 0.0f};
    }
};

// The generator xoshiro256++ and its draws. All lanes that have a copy draw the same.
struct Draws {
    u64 state[4];

    __device__ __forceinline__ static u64 turned(u64 word, int by) { return word << by | word >> (64 - by); }

    __device__ __forceinline__ u64 word() {
        u64 result = turned(state[0] + state[3], 23) + state[0], kept = state[1] << 17;
        state[2] ^= state[0];
        state[3] ^= state[1];
        state[1] ^= state[2];
        state[0] ^= state[3];
        state[2] ^= kept;
        state[3] = turned(state[3], 45);
        return result;
    }

    // Rarely needed and long, so the code exists once.
    __device__ __noinline__ static u64 remainder(u64 number, u64 by) { return number % by; }

    // Draws an integer below n, all with the same probability (Lemire 2019). For n = 0 it returns 0 and draws
    // nothing.
    __device__ inline u64 below(u64 n) {
        if (n == 0) return 0;
        u64 drawn = word();
        if (drawn * n < n) {
            const u64 surplus = remainder(0 - n, n);
#pragma unroll 1
            while (drawn * n < surplus) drawn = word();
        }
        return __umul64hi(drawn, n);
    }

    // Draws one of the 2^53 multiples of 2^-53 below 1.
    __device__ __forceinline__ static double unit_of(u64 word) {
        return times((double)(word >> 11), 1.0 / 9007199254740992.0);
    }

    __device__ __forceinline__ double unit() { return unit_of(word()); }

    __device__ __forceinline__ bool chance(double probability) { return unit() < probability; }
};

// Returns the number of consecutive columns that are not drawn before the next one, given a random word; at
// most a maximum.
__device__ __noinline__ u32 exact_gap(u64 word, double rate, u32 most) {
    // For probabilities too small to be distinguished from 0, the rate is 0.
    if (!(rate > 0.0)) return most;
    const double gap = over(-logarithm(minus(1.0, Draws::unit_of(word))), rate);
    return (u32)min(__double2ull_rd(gap), (u64)most);
}

// The same with an approximate logarithm. The exact one is used only if an integer is so near that the
// approximation could be on the wrong side of it: its error is below 5e-6 unless the word is among the
// largest.
__device__ __forceinline__ u32 gap_of(u64 word, const Odds& odds, u32 most) {
    const u32 left = ~(u32)(word >> 32);
    const float gap = -odds.stretch * __log2f((float)left * (1.0f / 4294967296.0f)),
                doubt = 3e-5f * (gap + odds.stretch);
    const float least = floorf(gap - doubt);
    const bool is_sure = left >= 1u << 20 && doubt > 0.0f && least >= 0.0f && least == floorf(gap + doubt);
    if (!is_sure) return exact_gap(word, odds.rate, most);
    return least < (float)most ? (u32)least : most;
}
