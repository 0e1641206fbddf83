// Networks against rows, compiled for the processor.
#include "cuda_on_cpu.h"

EMULATED_SHARED(slots);
#include "forward.cu"

static constexpr emulator::Kernel KERNELS[] = {
    {"forward_8", emulator::call<forward_8, Work>},   {"bracket_8", emulator::call<bracket_8, Work>},
    {"forward_12", emulator::call<forward_12, Work>}, {"bracket_12", emulator::call<bracket_12, Work>},
    {"forward_16", emulator::call<forward_16, Work>}, {"bracket_16", emulator::call<bracket_16, Work>},
    {"forward_20", emulator::call<forward_20, Work>}, {"bracket_20", emulator::call<bracket_20, Work>},
    {"forward_24", emulator::call<forward_24, Work>}, {"bracket_24", emulator::call<bracket_24, Work>},
    {"forward_any", emulator::call<forward_any, Work>}, {"bracket_any", emulator::call<bracket_any, Work>},
    {"settle", emulator::call<settle, Work>},         {"rank", emulator::call<rank, Work>},
    {"pairs", emulator::call<pairs, Work>},
    {"bred_8", emulator::call<bred_8, Bred>},         {"bred_12", emulator::call<bred_12, Bred>},
    {"bred_16", emulator::call<bred_16, Bred>},       {"bred_20", emulator::call<bred_20, Bred>},
    {"bred_24", emulator::call<bred_24, Bred>},
};

// Answers with an emulator::Outcome.
extern "C" int pellucid_emulate_forward(const char* kernel, unsigned grid, unsigned threads, size_t shared, const void* work) {
    return emulator::emulate(KERNELS, slots, kernel, grid, threads, shared, work);
}
