// The kernels of this folder, compiled for the processor.
#include "cuda_on_cpu.h"

// The names of its functions are also those of other kernels' functions.
namespace {
namespace lockstep {
EMULATED_SHARED(shared_memory);
#include "lockstep.cu"
} // namespace lockstep

namespace survey {
#include "survey.cu"
} // namespace survey
} // namespace

static constexpr emulator::Kernel KERNELS[] = {
    {"live_1", emulator::call<lockstep::live_1, lockstep::Lockstep>},
    {"live_2", emulator::call<lockstep::live_2, lockstep::Lockstep>},
    {"live_4", emulator::call<lockstep::live_4, lockstep::Lockstep>},
    {"lay_planes", emulator::call<survey::lay_planes, survey::Survey>},
    {"match_rows", emulator::call<survey::match_rows, survey::Survey>},
    {"vote_rows", emulator::call<survey::vote_rows, survey::Survey>},
};

// Answers with an emulator::Outcome.
extern "C" int pellucid_emulate_matching(const char* kernel, unsigned grid, unsigned threads, size_t shared,
                                         const void* work) {
    return emulator::emulate(KERNELS, lockstep::shared_memory, kernel, grid, threads, shared, work);
}
