// Written from gpu/argument.rs by PELLUCID_UPDATE=1 cargo nextest run headers; do not edit.
#pragma once

typedef unsigned int u32;
typedef unsigned long long u64;

// Where a field lies: NVRTC has no headers and spells it in its own way.
#ifdef __CUDACC_RTC__
#define OFFSET_OF(type, field) __INTADDR__(&(((type*)0)->field))
#else
#define OFFSET_OF(type, field) __builtin_offsetof(type, field)
#endif

// A rule and its copies.
struct RuleRecord {
    u64 digest;
    u64 stamp;
    u32 label;
    u32 copies;
    u32 experience;
    u32 correct;
    float prediction;
    float error;
    float fitness;
    float niche;
};
static_assert(sizeof(RuleRecord) == 48, "size");
static_assert(OFFSET_OF(RuleRecord, digest) == 0, "offset");
static_assert(OFFSET_OF(RuleRecord, stamp) == 8, "offset");
static_assert(OFFSET_OF(RuleRecord, label) == 16, "offset");
static_assert(OFFSET_OF(RuleRecord, copies) == 20, "offset");
static_assert(OFFSET_OF(RuleRecord, experience) == 24, "offset");
static_assert(OFFSET_OF(RuleRecord, correct) == 28, "offset");
static_assert(OFFSET_OF(RuleRecord, prediction) == 32, "offset");
static_assert(OFFSET_OF(RuleRecord, error) == 36, "offset");
static_assert(OFFSET_OF(RuleRecord, fitness) == 40, "offset");
static_assert(OFFSET_OF(RuleRecord, niche) == 44, "offset");

// The state and the constants of a learner. The first half changes while it learns.
struct LearnerRecord {
    u64 life[4];
    u64 world[4];
    u64 time;
    u64 copies;
    u64 made;
    double fitness;
    u32 used;
    u32 free_count;
    // The number of predictions, and the number of correct ones.
    u32 asked;
    u32 right;
    double learning_rate;
    double accuracy_fall;
    double forgiven_error;
    double accurate_from;
    double crossover_rate;
    double mutation;
    double tournament;
    double deletion_share;
    double exploration;
    double reward;
    double first_prediction;
    double named;
    // The rows of its table and their order. Null if it learns multiplexers.
    const u64* rows;
    const u32* row_labels;
    const u32* order;
    u64 breeding_pause;
    u32 population;
    u32 accuracy_power;
    u32 deletion_experience;
    u32 subsumption_experience;
    u32 labels;
    u32 least_labels;
    u32 columns;
    u32 address;
    u32 flags;
    u32 steps;
};
static_assert(sizeof(LearnerRecord) == 280, "size");
static_assert(OFFSET_OF(LearnerRecord, life) == 0, "offset");
static_assert(OFFSET_OF(LearnerRecord, world) == 32, "offset");
static_assert(OFFSET_OF(LearnerRecord, time) == 64, "offset");
static_assert(OFFSET_OF(LearnerRecord, copies) == 72, "offset");
static_assert(OFFSET_OF(LearnerRecord, made) == 80, "offset");
static_assert(OFFSET_OF(LearnerRecord, fitness) == 88, "offset");
static_assert(OFFSET_OF(LearnerRecord, used) == 96, "offset");
static_assert(OFFSET_OF(LearnerRecord, free_count) == 100, "offset");
static_assert(OFFSET_OF(LearnerRecord, asked) == 104, "offset");
static_assert(OFFSET_OF(LearnerRecord, right) == 108, "offset");
static_assert(OFFSET_OF(LearnerRecord, learning_rate) == 112, "offset");
static_assert(OFFSET_OF(LearnerRecord, accuracy_fall) == 120, "offset");
static_assert(OFFSET_OF(LearnerRecord, forgiven_error) == 128, "offset");
static_assert(OFFSET_OF(LearnerRecord, accurate_from) == 136, "offset");
static_assert(OFFSET_OF(LearnerRecord, crossover_rate) == 144, "offset");
static_assert(OFFSET_OF(LearnerRecord, mutation) == 152, "offset");
static_assert(OFFSET_OF(LearnerRecord, tournament) == 160, "offset");
static_assert(OFFSET_OF(LearnerRecord, deletion_share) == 168, "offset");
static_assert(OFFSET_OF(LearnerRecord, exploration) == 176, "offset");
static_assert(OFFSET_OF(LearnerRecord, reward) == 184, "offset");
static_assert(OFFSET_OF(LearnerRecord, first_prediction) == 192, "offset");
static_assert(OFFSET_OF(LearnerRecord, named) == 200, "offset");
static_assert(OFFSET_OF(LearnerRecord, rows) == 208, "offset");
static_assert(OFFSET_OF(LearnerRecord, row_labels) == 216, "offset");
static_assert(OFFSET_OF(LearnerRecord, order) == 224, "offset");
static_assert(OFFSET_OF(LearnerRecord, breeding_pause) == 232, "offset");
static_assert(OFFSET_OF(LearnerRecord, population) == 240, "offset");
static_assert(OFFSET_OF(LearnerRecord, accuracy_power) == 244, "offset");
static_assert(OFFSET_OF(LearnerRecord, deletion_experience) == 248, "offset");
static_assert(OFFSET_OF(LearnerRecord, subsumption_experience) == 252, "offset");
static_assert(OFFSET_OF(LearnerRecord, labels) == 256, "offset");
static_assert(OFFSET_OF(LearnerRecord, least_labels) == 260, "offset");
static_assert(OFFSET_OF(LearnerRecord, columns) == 264, "offset");
static_assert(OFFSET_OF(LearnerRecord, address) == 268, "offset");
static_assert(OFFSET_OF(LearnerRecord, flags) == 272, "offset");
static_assert(OFFSET_OF(LearnerRecord, steps) == 276, "offset");

// Offsets in bytes from the start of the state of a learner.
struct StatePlaces {
    u32 rules;
    u32 care;
    u32 value;
    u32 weights;
    u32 free;
};
static_assert(sizeof(StatePlaces) == 20, "size");
static_assert(OFFSET_OF(StatePlaces, rules) == 0, "offset");
static_assert(OFFSET_OF(StatePlaces, care) == 4, "offset");
static_assert(OFFSET_OF(StatePlaces, value) == 8, "offset");
static_assert(OFFSET_OF(StatePlaces, weights) == 12, "offset");
static_assert(OFFSET_OF(StatePlaces, free) == 16, "offset");

// Offsets in bytes from the start of the memory of a learner for sets that are too large for shared
// memory.
struct SetPlaces {
    u32 matched;
    u32 niche;
    u32 floats;
    u32 doubles;
};
static_assert(sizeof(SetPlaces) == 16, "size");
static_assert(OFFSET_OF(SetPlaces, matched) == 0, "offset");
static_assert(OFFSET_OF(SetPlaces, niche) == 4, "offset");
static_assert(OFFSET_OF(SetPlaces, floats) == 8, "offset");
static_assert(OFFSET_OF(SetPlaces, doubles) == 12, "offset");

// Offsets in bytes from the start of shared memory; NOWHERE for arrays that do not fit.
struct SharedPlaces {
    u32 rules;
    u32 care;
    u32 value;
    u32 weights;
    u32 sums;
    u32 alive;
    u32 bits;
    u32 labels;
    u32 matched;
    u32 niche;
    u32 floats;
    u32 doubles;
    u32 asked;
    u32 own;
    u32 free;
};
static_assert(sizeof(SharedPlaces) == 60, "size");
static_assert(OFFSET_OF(SharedPlaces, rules) == 0, "offset");
static_assert(OFFSET_OF(SharedPlaces, care) == 4, "offset");
static_assert(OFFSET_OF(SharedPlaces, value) == 8, "offset");
static_assert(OFFSET_OF(SharedPlaces, weights) == 12, "offset");
static_assert(OFFSET_OF(SharedPlaces, sums) == 16, "offset");
static_assert(OFFSET_OF(SharedPlaces, alive) == 20, "offset");
static_assert(OFFSET_OF(SharedPlaces, bits) == 24, "offset");
static_assert(OFFSET_OF(SharedPlaces, labels) == 28, "offset");
static_assert(OFFSET_OF(SharedPlaces, matched) == 32, "offset");
static_assert(OFFSET_OF(SharedPlaces, niche) == 36, "offset");
static_assert(OFFSET_OF(SharedPlaces, floats) == 40, "offset");
static_assert(OFFSET_OF(SharedPlaces, doubles) == 44, "offset");
static_assert(OFFSET_OF(SharedPlaces, asked) == 48, "offset");
static_assert(OFFSET_OF(SharedPlaces, own) == 52, "offset");
static_assert(OFFSET_OF(SharedPlaces, free) == 56, "offset");

// The argument of all kernels: the positions of the arrays of a learner, in shared memory or in its own
// part of GPU memory.
struct LockstepWork {
    LearnerRecord* learners;
    unsigned char* states;
    unsigned char* sets;
    u64 state_bytes;
    u64 set_bytes;
    StatePlaces at;
    SetPlaces sets_at;
    SharedPlaces within;
    // The number of slots of a population, and the number of set members that fit in shared memory.
    u32 capacity;
    u32 small;
    u32 explores;
    u32 unused;
};
static_assert(sizeof(LockstepWork) == 152, "size");
static_assert(OFFSET_OF(LockstepWork, learners) == 0, "offset");
static_assert(OFFSET_OF(LockstepWork, states) == 8, "offset");
static_assert(OFFSET_OF(LockstepWork, sets) == 16, "offset");
static_assert(OFFSET_OF(LockstepWork, state_bytes) == 24, "offset");
static_assert(OFFSET_OF(LockstepWork, set_bytes) == 32, "offset");
static_assert(OFFSET_OF(LockstepWork, at) == 40, "offset");
static_assert(OFFSET_OF(LockstepWork, sets_at) == 60, "offset");
static_assert(OFFSET_OF(LockstepWork, within) == 76, "offset");
static_assert(OFFSET_OF(LockstepWork, capacity) == 136, "offset");
static_assert(OFFSET_OF(LockstepWork, small) == 140, "offset");
static_assert(OFFSET_OF(LockstepWork, explores) == 144, "offset");
static_assert(OFFSET_OF(LockstepWork, unused) == 148, "offset");

// The kernels of lockstep.cu.
#define LOCKSTEP_KERNELS(KERNEL) \
    KERNEL(live_1, LockstepWork) \
    KERNEL(live_2, LockstepWork) \
    KERNEL(live_4, LockstepWork)
