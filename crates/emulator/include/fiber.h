// Fibers: many threads of control on one host thread, which switch to each other explicitly.
//
// A context is the position at which a fiber stopped. `fiber_switch` stores the running fiber and continues
// another one. On common machines it saves only the registers that a function call must preserve, which takes
// a few nanoseconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

#if defined(__ELF__) && (defined(__x86_64__) || defined(__aarch64__)) && !defined(FIBERS_BY_UCONTEXT)
#define FIBERS_BY_HAND
#else
#include <ucontext.h>
#endif

namespace emulator {

using FiberMain = void (*)();

#ifdef FIBERS_BY_HAND

// The stack pointer; everything else is on the stack.
using Context = void*;

// A symbol that is local to the including file, because several files may include this one.
extern "C" void fiber_switch_by_hand(Context* keep, Context next) asm("fiber_switch_by_hand");

#ifdef __x86_64__
asm(R"(
    .pushsection .text
    .type fiber_switch_by_hand, @function
fiber_switch_by_hand:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size fiber_switch_by_hand, . - fiber_switch_by_hand
    .popsection
)");
constexpr size_t RETURN_WORD = 6, FRAME_WORDS = 8;
#else
asm(R"(
    .pushsection .text
    .type fiber_switch_by_hand, %function
fiber_switch_by_hand:
    sub sp, sp, #160
    stp x19, x20, [sp, #0]
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x19, x20, [sp, #0]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    add sp, sp, #160
    ret
    .size fiber_switch_by_hand, . - fiber_switch_by_hand
    .popsection
)");
constexpr size_t RETURN_WORD = 11, FRAME_WORDS = 20;
#endif

inline void fiber_switch(Context& keep, Context& next) { fiber_switch_by_hand(&keep, next); }

// Sets up a context as if the fiber had stopped just before the first instruction of `main`.
inline void fiber_start(Context& context, FiberMain main, char*, char* top) {
    // `top` is a multiple of 16. On x86-64 the word above the return address takes the place of the return
    // address of a caller.
    uint64_t* frame = reinterpret_cast<uint64_t*>(top) - FRAME_WORDS;
    for (size_t word = 0; word < FRAME_WORDS; word++) frame[word] = 0;
    frame[RETURN_WORD] = reinterpret_cast<uint64_t>(main);
    context = frame;
}

#else

using Context = ucontext_t;

inline void fiber_switch(Context& keep, Context& next) { swapcontext(&keep, &next); }

inline void fiber_start(Context& context, FiberMain main, char* bottom, char* top) {
    getcontext(&context);
    context.uc_stack.ss_sp = bottom;
    context.uc_stack.ss_size = static_cast<size_t>(top - bottom);
    context.uc_link = nullptr;
    makecontext(&context, main, 0);
}

#endif

// Adjacent stacks, in memory that is allocated when it is first written.
class Stacks {
  public:
    explicit Stacks(size_t count) : bytes(count * STACK) {
        int flags = MAP_PRIVATE | MAP_ANONYMOUS;
        void* found = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
        if (found == MAP_FAILED) {
            fprintf(stderr, "emulator: no memory for %zu stacks\n", count);
            abort();
        }
        memory = static_cast<char*>(found);
    }
    ~Stacks() { munmap(memory, bytes); }
    Stacks(const Stacks&) = delete;
    Stacks& operator=(const Stacks&) = delete;

    char* bottom(size_t which) const { return memory + which * STACK; }
    // Staggered: stacks that start at the same offset of a page would compete for the same cache lines.
    char* top(size_t which) const { return bottom(which) + STACK - which % COLOURS * COLOUR_BYTES; }
    // The memory is initialized with zeros, and only a stack that is full has written its last word.
    bool overflown(size_t which) const { return *reinterpret_cast<const uint64_t*>(bottom(which)) != 0; }

  private:
    static constexpr size_t STACK = 64 << 10, COLOURS = 16, COLOUR_BYTES = 256;
    char* memory;
    size_t bytes;
};

} // namespace emulator
