// Formulas over rows, compiled for the processor.
#include "cuda_on_cpu.h"

EMULATED_SHARED(slots);
#include "cover.cu"

static constexpr emulator::Kernel KERNELS[] = {
    {"tally_rows", emulator::call<tally_rows, Work>},
    {"tally_tall", emulator::call<tally_tall, Work>},
    {"tally_bags", emulator::call<tally_bags, Work>},
    {"cover_rows", emulator::call<cover_rows, Work>},
};

// Answers with an emulator::Outcome.
extern "C" int pellucid_emulate_cover(const char* kernel, unsigned grid, unsigned threads, size_t shared, const void* work) {
    return emulator::emulate(KERNELS, slots, kernel, grid, threads, shared, work);
}
