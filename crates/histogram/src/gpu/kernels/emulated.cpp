// The kernels of this folder, compiled for the processor.
#include "cuda_on_cpu.h"

// The names of its functions are also those of other kernels' functions.
namespace {
EMULATED_NO_SHARED(unused_memory);
#include "histogram.cu"
} // namespace

#define NAMED(kernel, argument) {#kernel, emulator::call<kernel, argument>},
static constexpr emulator::Kernel KERNELS[] = {HISTOGRAM_KERNELS(NAMED)};

// Answers with an emulator::Outcome.
extern "C" int pellucid_emulate_histogram(const char* kernel, unsigned grid, unsigned threads, size_t shared,
                                          const void* work) {
    return emulator::emulate(KERNELS, unused_memory, kernel, grid, threads, shared, work);
}
