// Evaluates formulas on rows, compiled for the CPU.
#include "cuda_on_cpu.h"

EMULATED_SHARED(slots);
#include "cover.cu"

#define NAMED(kernel, argument) {#kernel, emulator::call<kernel, argument>},
static constexpr emulator::Kernel KERNELS[] = {COVER_KERNELS(NAMED)};

// Returns an emulator::Outcome.
extern "C" int pellucid_emulate_cover(const char* kernel, unsigned grid, unsigned threads, size_t shared,
                                      const void* work) {
    return emulator::emulate(KERNELS, slots, kernel, grid, threads, shared, work);
}
