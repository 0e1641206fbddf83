// Networks against rows, compiled for the processor.
#include "cuda_on_cpu.h"

EMULATED_SHARED(slots);
#include "forward.cu"

#define NAMED(kernel, argument) {#kernel, emulator::call<kernel, argument>},
static constexpr emulator::Kernel KERNELS[] = {FORWARD_KERNELS(NAMED)};

// Answers with an emulator::Outcome.
extern "C" int pellucid_emulate_forward(const char* kernel, unsigned grid, unsigned threads, size_t shared, const void* work) {
    return emulator::emulate(KERNELS, slots, kernel, grid, threads, shared, work);
}
