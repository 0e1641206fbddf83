// The emulator's own kernels, for its tests.
#include "cuda_on_cpu.h"

EMULATED_SHARED(scratch);
#include "self_test.cu"

static constexpr emulator::Kernel KERNELS[] = {
    {"self_test", emulator::call<self_test, SelfTest>},
    {"leaves_a_barrier", emulator::call<leaves_a_barrier, SelfTest>},
    {"splits_a_warp", emulator::call<splits_a_warp, SelfTest>},
    {"writes_behind_shared_memory", emulator::call<writes_behind_shared_memory, SelfTest>},
};

// Answers with an emulator::Outcome.
extern "C" int pellucid_emulate_self_test(const char* kernel, unsigned grid, unsigned threads, size_t shared,
                                          const void* work) {
    return emulator::emulate(KERNELS, scratch, kernel, grid, threads, shared, work);
}
