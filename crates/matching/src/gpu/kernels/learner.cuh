// What the host hands over: laid out as `gpu/lockstep/layout.rs` writes it.
#pragma once

// A rule and its copies.
struct Rule {
    u64 digest, stamp;
    u32 label, copies, experience, correct;
    float prediction, error, fitness, niche;
};

// What a learner is like. The first half changes while it lives.
struct Learner {
    u64 life[4], world[4];
    u64 time, copies, made;
    double fitness;
    u32 used, free_count, asked, right;

    double learning_rate, accuracy_fall, forgiven_error, accurate_from, crossover_rate, mutation, tournament, deletion_share,
        exploration, reward, first_prediction, named;
    // Rows of the table it learns from and their order, or none: then it meets multiplexers.
    const u64* rows;
    const u32* row_labels;
    const u32* order;
    u64 breeding_pause;
    u32 population, accuracy_power, deletion_experience, subsumption_experience;
    u32 labels, least_labels, columns, address;
    u32 flags, steps;
};

enum : u32 { SUPERVISED = 1, SUBSUME_CHILDREN = 2, SUBSUME_NICHE = 4, ERROR_FIRST = 8, TWO_POINT = 16 };

// Where the arrays of a learner lie: in shared memory, or else in a stretch of the card's memory of its own.
struct Lockstep {
    Learner* learners;
    unsigned char *states, *sets;
    u64 state_bytes, set_bytes;
    // Bytes from the start of a learner's stretch of states, and of sets that are too large for shared memory.
    u32 at_rules, at_care, at_value, at_weights, at_free;
    u32 at_matched, at_niche, at_floats, at_doubles;
    // Bytes from the start of shared memory; NOWHERE for what did not fit.
    u32 in_rules, in_care, in_value, in_weights, in_sums, in_alive, in_bits, in_labels;
    u32 in_matched, in_niche, in_floats, in_doubles, in_asked, in_own, in_free;
    // Slots of a population, and members of a set for which shared memory has room.
    u32 capacity, small;
    u32 explores;
};

constexpr u32 NOWHERE = ~0u;
constexpr u32 ALL = ~0u;
// Slots whose weights have a sum.
constexpr u32 SUMMED = 64;
// Numbers of a set that are read at a time; sets are padded with zeros, which change no sum.
constexpr u32 ABREAST = 8;
// A member of a set: its slot, and above it its label.
constexpr u32 SLOT = (1u << 24) - 1;

// What the other warps are asked.
struct Asked {
    u64 input[4], known[4];
    u32 slots, is_over;
};
