// Architecture: compute_80
//
// Many classifier systems that learn in parallel, each in a block of threads: the whole step of
// `pellucid_xcs` on the GPU.
//
// A step is a chain of small operations that depend on each other: matching, covering, the choice of an
// action, the update of a few dozen rules, and occasionally two children and the deletions for them. One
// learner cannot fill a GPU, but hundreds of independent ones can. The kernels are therefore not optimized
// for the speed of one learner but for the number of learners that run at the same time, with their
// conditions in shared memory.
//
// The first warp of a block is the *leader*. All its lanes have the same generator and make the same
// decisions; they divide the work on sets. The other warps wait for an input, match their part of the
// conditions with it, and wait again.
//
// Every result equals that of the CPU, bit for bit: sums of floating-point numbers are added in the order of
// the set, one after the other, by all lanes at once.
#include "arguments.cuh"
#include "draws.cuh"
#include "learner.cuh"
#include "system.cuh"
#include "breed.cuh"
#include "step.cuh"

// Shows a learner its next examples or problems.
template <int WORDS> __device__ void live(const LockstepWork& work) {
    System<WORDS> system(work);
    system.load();
    if (threadIdx.x < 32) {
        for (u32 step = 0; step < system.own.steps; step++) system.step(work.explores != 0);
        system.dismiss();
    } else {
        system.help();
    }
    system.store();
}

// The kernels by the number of words of a condition. Four blocks per multiprocessor leave 128 registers for a
// thread.
extern "C" __global__ void __launch_bounds__(128, 4) live_1(const __grid_constant__ LockstepWork work) {
    live<1>(work);
}
extern "C" __global__ void __launch_bounds__(128, 4) live_2(const __grid_constant__ LockstepWork work) {
    live<2>(work);
}
extern "C" __global__ void __launch_bounds__(128, 4) live_4(const __grid_constant__ LockstepWork work) {
    live<4>(work);
}
