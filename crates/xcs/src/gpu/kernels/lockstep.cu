// Architecture: compute_80
//
// Many classifier systems that learn side by side, each a block of threads: the whole step of `pellucid_xcs`
// on the card.
//
// A step is a chain of small things, each of which needs the one before: who matches, a rule where none does,
// an action, the estimates of a few dozen rules, now and then two children and who must go for them. One
// learner cannot fill a GPU, but hundreds that know nothing of each other can. So nothing here is about one
// learner being fast: it is about as many of them as possible being on their way at the same time, with their
// conditions in shared memory.
//
// The first warp of a block is the *leader*. All its lanes hold the same generator and take the same
// decisions; they share work out where there is a set to go through, lane by lane. The other warps wait for
// what is to be matched, hold their part of the conditions against it, and wait again.
//
// Every result is that of the processor, bit for bit: sums of floating-point numbers are added in the order
// of the set, one after the other, by all lanes at once.
#include "arguments.cuh"
#include "draws.cuh"
#include "learner.cuh"
#include "system.cuh"
#include "breed.cuh"
#include "step.cuh"

// Shows a learner its next examples, or lets it meet its next problems.
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

// Of conditions of so many words each. Four blocks on a multiprocessor leave 128 registers for a thread.
extern "C" __global__ void __launch_bounds__(128, 4) live_1(const __grid_constant__ LockstepWork work) { live<1>(work); }
extern "C" __global__ void __launch_bounds__(128, 4) live_2(const __grid_constant__ LockstepWork work) { live<2>(work); }
extern "C" __global__ void __launch_bounds__(128, 4) live_4(const __grid_constant__ LockstepWork work) { live<4>(work); }
