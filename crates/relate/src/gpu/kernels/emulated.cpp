// Roles followed, compiled for the processor.
#include "cuda_on_cpu.h"

// The names of its functions are also those of other kernels' functions.
namespace {
EMULATED_SHARED(unused_memory);
#include "relate.cu"
} // namespace

#define NAMED(kernel) {#kernel, emulator::call<kernel, Relate>}
static constexpr emulator::Kernel KERNELS[] = {
    NAMED(lay_rows),        NAMED(count_pieces_0), NAMED(count_pieces_2), NAMED(count_pieces_4),
    NAMED(count_pieces_32), NAMED(relate_0),       NAMED(relate_2),       NAMED(relate_4),
    NAMED(relate_32),
};

// Answers with an emulator::Outcome.
extern "C" int pellucid_emulate_relate(const char* kernel, unsigned grid, unsigned threads, size_t shared, const void* work) {
    return emulator::emulate(KERNELS, unused_memory, kernel, grid, threads, shared, work);
}
