// The kernels of the concept search, compiled for the CPU.
#include "cuda_on_cpu.h"

// Other kernels define functions with the same names.
namespace {
EMULATED_SHARED(context);
#include "close_tall.cu"
#include "close_wide.cu"
} // namespace

#define NAMED(kernel, argument) {#kernel, emulator::call<kernel, argument>},
static constexpr emulator::Kernel KERNELS[] = {CLOSE_TALL_KERNELS(NAMED) CLOSE_WIDE_KERNELS(NAMED)};

// Returns an emulator::Outcome.
extern "C" int pellucid_emulate_close(const char* kernel, unsigned grid, unsigned threads, size_t shared, const void* work) {
    return emulator::emulate(KERNELS, context, kernel, grid, threads, shared, work);
}
