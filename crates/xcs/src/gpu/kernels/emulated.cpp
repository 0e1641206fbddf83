// Systems in lock-step, compiled for the processor.
#include "cuda_on_cpu.h"

// The names of its functions are also those of other kernels' functions.
namespace {
EMULATED_SHARED(shared_memory);
#include "lockstep.cu"
} // namespace

#define NAMED(kernel, argument) {#kernel, emulator::call<kernel, argument>},
static constexpr emulator::Kernel KERNELS[] = {LOCKSTEP_KERNELS(NAMED)};

// Answers with an emulator::Outcome.
extern "C" int pellucid_emulate_xcs(const char* kernel, unsigned grid, unsigned threads, size_t shared, const void* work) {
    return emulator::emulate(KERNELS, shared_memory, kernel, grid, threads, shared, work);
}
