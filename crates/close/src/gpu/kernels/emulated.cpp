// The search for concepts, compiled for the processor.
#include "cuda_on_cpu.h"

// The names of its functions are also those of other kernels' functions.
namespace {
EMULATED_SHARED(context);
#include "close_tall.cu"
#include "close_wide.cu"
} // namespace

#define NAMED(kernel) {#kernel, emulator::call<kernel, Search>}
static constexpr emulator::Kernel KERNELS[] = {
    NAMED(close_tall_1), NAMED(close_tall_2), NAMED(close_tall_8), NAMED(close_tall_32),
    NAMED(close_wide_1), NAMED(close_wide_2), NAMED(close_wide_8), NAMED(close_wide_32),
};

// Answers with an emulator::Outcome.
extern "C" int pellucid_emulate_close(const char* kernel, unsigned grid, unsigned threads, size_t shared, const void* work) {
    return emulator::emulate(KERNELS, context, kernel, grid, threads, shared, work);
}
