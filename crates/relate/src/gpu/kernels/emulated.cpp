// The kernels that follow roles, compiled for the CPU.
#include "cuda_on_cpu.h"

// Other kernels define functions with the same names.
namespace {
EMULATED_NO_SHARED(unused_memory);
#include "relate.cu"
} // namespace

#define NAMED(kernel, argument) {#kernel, emulator::call<kernel, argument>},
static constexpr emulator::Kernel KERNELS[] = {RELATE_KERNELS(NAMED)};

// Returns an emulator::Outcome.
extern "C" int pellucid_emulate_relate(const char* kernel, unsigned grid, unsigned threads, size_t shared, const void* work) {
    return emulator::emulate(KERNELS, unused_memory, kernel, grid, threads, shared, work);
}
