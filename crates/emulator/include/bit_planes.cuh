// Comparisons of numbers that are stored as bit planes: word w of plane p has bit p of the numbers of 32
// rows.
//
// A comparison goes from the lowest plane up: a higher bit overrides the result of the lower ones unless it
// equals that of the cut. That is a majority of three. The kernels of several crates include this file.
#pragma once

__device__ __forceinline__ unsigned int majority(unsigned int a, unsigned int b, unsigned int c) {
    return (a & b) | (c & (a | b));
}
__device__ __forceinline__ uint4 majority(uint4 a, uint4 b, unsigned int c) {
    return make_uint4(majority(a.x, b.x, c), majority(a.y, b.y, c), majority(a.z, b.z, c),
                      majority(a.w, b.w, c));
}
__device__ __forceinline__ unsigned int same_bits(unsigned int plane, unsigned int mask) {
    return ~(plane ^ mask);
}
__device__ __forceinline__ uint4 same_bits(uint4 plane, unsigned int mask) {
    return make_uint4(same_bits(plane.x, mask), same_bits(plane.y, mask), same_bits(plane.z, mask),
                      same_bits(plane.w, mask));
}
__device__ __forceinline__ unsigned int both_bits(unsigned int a, unsigned int b) { return a & b; }
__device__ __forceinline__ uint4 both_bits(uint4 a, uint4 b) {
    return make_uint4(a.x & b.x, a.y & b.y, a.z & b.z, a.w & b.w);
}

// Compares one more plane. EQUAL: `mask` is the bit of the cut in all positions, and the result starts with
// ones. Otherwise `mask` is the inverted bit; a result that starts with zeros becomes "number > cut", and one
// that starts with ones becomes "number >= cut".
template <bool EQUAL, class Bits>
__device__ __forceinline__ Bits compare_plane(Bits bits, Bits plane, unsigned int mask) {
    return EQUAL ? both_bits(bits, same_bits(plane, mask)) : majority(bits, plane, mask);
}
