// CUDA C++ for a host compiler: include this file, then a `.cu` file, and its kernels run on the CPU.
//
// A block is a ring of fibers, one per CUDA thread. Each runs until it must wait for others (at a barrier, or
// for the lanes of its warp) and switches to the next fiber that can continue. Blocks run one after the
// other. There is no polling: the thread that completes a barrier or an exchange of a warp makes the waiting
// ones ready. Every host thread has its own fibers, so launches on several host threads are independent.
//
// It detects wrong results, unwritten shared memory (which starts as garbage), writes past its end, and
// threads that wait forever. It cannot detect data races. Odd blocks run their threads from the last to the
// first, so that results that depend on the order tend to differ.
//
// Dynamic shared memory is a named array in CUDA, and so it is here: EMULATED_SHARED(name) must define the
// array that the file declares as `extern __shared__ uint4 name[];`. Shared arrays of a fixed size keep the
// values of the last block.
#pragma once

#include "fiber.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>

#define __global__
#define __device__
#define __host__
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __shared__ thread_local

struct uint2 { unsigned x, y; } __attribute__((aligned(8)));
struct uint3 { unsigned x, y, z; };
struct uint4 { unsigned x, y, z, w; } __attribute__((aligned(16)));
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

struct float2 { float x, y; } __attribute__((aligned(8)));
struct float4 { float x, y, z, w; } __attribute__((aligned(16)));
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

inline thread_local uint3 threadIdx, blockIdx, blockDim, gridDim;
inline constexpr int warpSize = 32;

namespace emulator {

constexpr unsigned WARP = 32, MOST_THREADS = 1024;
// The shared memory of a block on the largest GPUs. The guard follows the bytes that a launch requests.
constexpr size_t MOST_SHARED = 227 << 10, GUARD = 256;
constexpr unsigned char GARBAGE = 0xA5, GUARD_BYTE = 0x5C;

// Each file has its own array, because two files may use the same name.
#define EMULATED_SHARED(name) \
    static thread_local uint4 name[(emulator::MOST_SHARED + emulator::GUARD) / sizeof(uint4)]
// For kernels without dynamic shared memory. Every host thread has all of these arrays, so they are small.
#define EMULATED_NO_SHARED(name) static thread_local uint4 name[emulator::GUARD / sizeof(uint4)]

enum class Exchange : unsigned { NONE, VOTE, SHUFFLE };

struct Thread {
    Context context;
    // The value that this lane contributes to the exchange of its warp, and the result.
    Exchange exchange;
    unsigned mask, source;
    uint64_t given, taken;
};

struct Kernel {
    const char* name;
    void (*body)(const void* work);
};

struct Launch {
    Kernel kernel;
    const void* work;
    unsigned grid, threads;
    size_t shared;
    uint4* memory;
};

void fiber_main();

// Runs one block at a time, of one launch, on one host thread.
class Machine {
  public:
    void run(const Launch& asked) {
        launch = asked;
        for (; started < asked.threads; started++)
            fiber_start(threads[started].context, fiber_main, stacks.bottom(started), stacks.top(started));
        gridDim = {asked.grid, 1, 1};
        blockDim = {asked.threads, 1, 1};
        for (unsigned block = 0; block < asked.grid; block++) run_block(block);
        for (unsigned thread = 0; thread < asked.threads; thread++)
            if (stacks.overflown(thread)) die("a thread needs more stack than the emulator gives it");
    }

    // The main function of a fiber: it runs the same thread number of block after block and launch after
    // launch.
    [[noreturn]] void live() {
        for (;;) {
            launch.kernel.body(launch.work);
            unfinished--;
            hand_over();
        }
    }

    void barrier() {
        if (++at_barrier < launch.threads) return hand_over();
        at_barrier = 0;
        for (unsigned place = 0; place < launch.threads; place++)
            if (in_order(place) != running) make_ready(in_order(place));
    }

    // Lets all others run first, for a thread that waits without a barrier.
    void yield() {
        make_ready(running);
        hand_over();
    }

    // Waits for all lanes of the mask. A vote returns the lanes whose value is not 0, a shuffle returns the
    // value of the named lane.
    uint64_t exchange(Exchange kind, unsigned mask, unsigned source, uint64_t given) {
        unsigned lane = running % WARP, first = running - lane;
        Thread& me = threads[running];
        if (!(mask >> lane & 1)) die("a thread is not in the mask of its own warp operation");
        me.exchange = kind, me.mask = mask, me.source = source, me.given = given;
        unsigned& arrived = arrivals[running / WARP];
        arrived |= 1u << lane;
        if ((arrived & mask) == mask) {
            arrived &= ~mask;
            complete(kind, mask, first);
        } else {
            hand_over();
        }
        return me.taken;
    }

  private:
    void run_block(unsigned block) {
        unsigned char* shared = reinterpret_cast<unsigned char*>(launch.memory);
        unsigned char* guard = shared + launch.shared;
        // Every block starts with garbage, not only the first.
        memset(shared, GARBAGE, launch.shared);
        memset(guard, GUARD_BYTE, GUARD);
        blockIdx = {block, 0, 0};
        backwards = block % 2 == 1;
        unfinished = launch.threads;
        ready_first = ready_count = at_barrier = 0;
        memset(arrivals, 0, sizeof arrivals);
        for (unsigned place = 1; place < launch.threads; place++) make_ready(in_order(place));
        enter(in_order(0));
        fiber_switch(home, threads[running].context);
        if (std::any_of(guard, guard + GUARD, [](unsigned char byte) { return byte != GUARD_BYTE; }))
            die("something was written behind the shared memory");
    }

    unsigned in_order(unsigned place) const { return backwards ? launch.threads - 1 - place : place; }

    void enter(unsigned thread) {
        running = thread;
        threadIdx = {thread, 0, 0};
    }

    void make_ready(unsigned thread) { ready[(ready_first + ready_count++) % MOST_THREADS] = thread; }

    // The running thread must wait (or has returned): switches to another one, or ends the block.
    void hand_over() {
        Context& mine = threads[running].context;
        if (ready_count == 0) {
            if (unfinished > 0) die("no thread can go on");
            return fiber_switch(mine, home);
        }
        unsigned next = ready[ready_first];
        ready_first = (ready_first + 1) % MOST_THREADS;
        ready_count--;
        enter(next);
        fiber_switch(mine, threads[next].context);
    }

    void complete(Exchange kind, unsigned mask, unsigned first) {
        uint64_t votes = 0;
        for (unsigned lane = 0; lane < WARP; lane++) {
            if (!(mask >> lane & 1)) continue;
            const Thread& thread = threads[first + lane];
            if (thread.exchange != kind || thread.mask != mask)
                die("the lanes of a warp are at different warp operations");
            votes |= uint64_t(thread.given != 0) << lane;
        }
        for (unsigned lane = 0; lane < WARP; lane++) {
            if (!(mask >> lane & 1)) continue;
            Thread& thread = threads[first + lane];
            if (kind == Exchange::VOTE) thread.taken = votes;
            else if (mask >> thread.source & 1) thread.taken = threads[first + thread.source].given;
            else memset(&thread.taken, GARBAGE, sizeof thread.taken);
            if (first + lane != running) make_ready(first + lane);
        }
    }

    [[noreturn]] void die(const char* why) const {
        unsigned in_warps = 0;
        for (unsigned arrived : arrivals) in_warps += static_cast<unsigned>(__builtin_popcount(arrived));
        fprintf(stderr,
                "emulator: kernel %s, block %u: %s (of %u threads %u have returned, %u wait at __syncthreads "
                "and %u for "
                "their warp; the last to run was %u)\n",
                launch.kernel.name, blockIdx.x, why, launch.threads, launch.threads - unfinished, at_barrier,
                in_warps, running);
        abort();
    }

    Launch launch{};
    Stacks stacks{MOST_THREADS};
    Context home{};
    Thread threads[MOST_THREADS]{};
    unsigned started = 0, running = 0, unfinished = 0, at_barrier = 0;
    unsigned arrivals[MOST_THREADS / WARP]{};
    // Each thread is in this ring at most once.
    unsigned ready[MOST_THREADS], ready_first = 0, ready_count = 0;
    bool backwards = false;
};

inline thread_local Machine* machine;

inline void fiber_main() { machine->live(); }

// A kernel with its argument, as a launch needs it.
template <auto kernel, class Work> void call(const void* work) { kernel(*static_cast<const Work*>(work)); }

enum Outcome : int { DONE, UNKNOWN_KERNEL, IMPOSSIBLE_SHAPE };

// Runs the kernel with a name to its end.
template <size_t COUNT, size_t VECTORS>
Outcome emulate(const Kernel (&kernels)[COUNT], uint4 (&memory)[VECTORS], const char* name, unsigned grid,
                unsigned threads, size_t shared, const void* work) {
    auto named = [=](const Kernel& kernel) { return strcmp(kernel.name, name) == 0; };
    const Kernel* kernel = std::find_if(kernels, kernels + COUNT, named);
    if (kernel == kernels + COUNT) return UNKNOWN_KERNEL;
    if (threads == 0 || threads > MOST_THREADS || threads % WARP != 0) return IMPOSSIBLE_SHAPE;
    if (shared + GUARD > sizeof memory) return IMPOSSIBLE_SHAPE;
    static thread_local std::unique_ptr<Machine> owned;
    if (!owned) owned = std::make_unique<Machine>();
    machine = owned.get();
    machine->run({*kernel, work, grid, threads, shared, memory});
    return DONE;
}

template <class T> T shuffle(unsigned mask, T value, unsigned source) {
    static_assert(sizeof(T) <= sizeof(uint64_t), "a shuffle moves at most 8 bytes");
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    bits = machine->exchange(Exchange::SHUFFLE, mask, source < WARP ? source : threadIdx.x % WARP, bits);
    memcpy(&value, &bits, sizeof value);
    return value;
}

inline unsigned vote(unsigned mask, bool mine) {
    return static_cast<unsigned>(machine->exchange(Exchange::VOTE, mask, 0, mine));
}

} // namespace emulator

using std::max;
using std::min;

inline void __syncthreads() { emulator::machine->barrier(); }
inline void __syncwarp(unsigned mask = ~0u) { emulator::vote(mask, true); }
inline unsigned __ballot_sync(unsigned mask, int mine) { return emulator::vote(mask, mine != 0); }
inline int __any_sync(unsigned mask, int mine) { return emulator::vote(mask, mine != 0) != 0; }
inline int __all_sync(unsigned mask, int mine) { return emulator::vote(mask, mine != 0) == mask; }
template <class T> T __shfl_sync(unsigned mask, T value, int lane) {
    return emulator::shuffle(mask, value, static_cast<unsigned>(lane) % emulator::WARP);
}
template <class T> T __shfl_xor_sync(unsigned mask, T value, int flip) {
    return emulator::shuffle(mask, value, threadIdx.x % emulator::WARP ^ static_cast<unsigned>(flip));
}
template <class T> T __shfl_down_sync(unsigned mask, T value, unsigned by) {
    return emulator::shuffle(mask, value, threadIdx.x % emulator::WARP + by);
}
template <class T> T __shfl_up_sync(unsigned mask, T value, unsigned by) {
    return emulator::shuffle(mask, value, threadIdx.x % emulator::WARP - by);
}

// Every lane receives the values of all lanes of the mask, one after the other.
template <class Combine> unsigned reduced(unsigned mask, unsigned value, Combine combine) {
    unsigned lane = threadIdx.x % emulator::WARP;
    for (unsigned by = 1; by < emulator::WARP; by *= 2) {
        unsigned other = emulator::shuffle(mask, value, lane ^ by);
        value = mask >> (lane ^ by) & 1 ? combine(value, other) : value;
    }
    return value;
}
inline unsigned __reduce_add_sync(unsigned mask, unsigned value) {
    return reduced(mask, value, [](unsigned a, unsigned b) { return a + b; });
}
inline unsigned __reduce_and_sync(unsigned mask, unsigned value) {
    return reduced(mask, value, [](unsigned a, unsigned b) { return a & b; });
}
inline unsigned __reduce_or_sync(unsigned mask, unsigned value) {
    return reduced(mask, value, [](unsigned a, unsigned b) { return a | b; });
}
inline void __nanosleep(unsigned) { emulator::machine->yield(); }
inline void __threadfence() {}

inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
// The function of a GPU is approximate, and so is this one. The name differs because the C library has a
// function with that name.
inline float rough_log2f(float number) { return log2f(number) * (1.0f + 0x1p-22f) - 0x1p-22f; }
#define __log2f rough_log2f
inline unsigned __float_as_uint(float number) {
    unsigned bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}
inline float __uint_as_float(unsigned bits) {
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

inline int __popc(unsigned bits) { return __builtin_popcount(bits); }
inline int __popcll(unsigned long long bits) { return __builtin_popcountll(bits); }
inline int __ffs(int bits) { return __builtin_ffs(bits); }
inline int __ffsll(long long bits) { return __builtin_ffsll(bits); }
inline unsigned __brev(unsigned bits) {
    unsigned turned = 0;
    for (int place = 0; place < 32; place++) turned |= (bits >> place & 1) << (31 - place);
    return turned;
}
inline int __clz(int bits) { return bits == 0 ? 32 : __builtin_clz(static_cast<unsigned>(bits)); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}

// Arithmetic that is rounded after every operation. The library is compiled without fused operations.
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
// Out of range, a GPU returns the nearest value.
inline unsigned __float2uint_rz(float value) {
    return !(value > 0.0f) ? 0 : value >= 4294967296.0f ? ~0u : static_cast<unsigned>(value);
}
inline unsigned long long __double2ull_rz(double value) {
    if (!(value > 0.0)) return 0;
    return value >= 18446744073709551616.0 ? ~0ull : static_cast<unsigned long long>(value);
}
inline unsigned long long __double2ull_rd(double value) { return __double2ull_rz(std::floor(value)); }
inline long long __double_as_longlong(double value) {
    long long bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
inline double __longlong_as_double(long long bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
template <class T> T __ldg(const T* from) { return *from; }
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
    unsigned long long both = (unsigned long long)high << 32 | low;
    unsigned picked = 0;
    for (int i = 0; i < 4; i++) picked |= (unsigned)(both >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
    return picked;
}
template <class T> T __ldcg(const T* from) { return *from; }

// No two threads of a launch run at the same time, so every operation is atomic.
template <class T, class Change> T atomically(T* at, Change change) {
    T before = *at;
    *at = change(before);
    return before;
}
inline unsigned atomicAdd(unsigned* at, unsigned by) {
    return atomically(at, [=](unsigned old) { return old + by; });
}
inline unsigned long long atomicAdd(unsigned long long* at, unsigned long long by) {
    return atomically(at, [=](unsigned long long old) { return old + by; });
}
inline unsigned atomicOr(unsigned* at, unsigned bits) {
    return atomically(at, [=](unsigned old) { return old | bits; });
}
inline unsigned atomicAnd(unsigned* at, unsigned bits) {
    return atomically(at, [=](unsigned old) { return old & bits; });
}
inline unsigned atomicMax(unsigned* at, unsigned value) {
    return atomically(at, [=](unsigned old) { return max(old, value); });
}
inline unsigned atomicCAS(unsigned* at, unsigned expected, unsigned value) {
    return atomically(at, [=](unsigned old) { return old == expected ? value : old; });
}
inline unsigned atomicMin(unsigned* at, unsigned value) {
    return atomically(at, [=](unsigned old) { return min(old, value); });
}
