// A step: the input, the action and the updates.
#pragma once

// Returns the number of copies in the niche.
template <int WORDS> __device__ u32 System<WORDS>::copies_of_niche() const {
    u32 number = 0;
#pragma unroll 1
    for (u32 place = lane; place < niche_count; place += 32) number += rules[niche[place]].copies;
    return __reduce_add_sync(ALL, number);
}

// Moves the fitness of the rules of a set toward the shares in `floats`, and updates their deletion weights.
// The sum of all shares and the fitness of the population are added in the order of the set.
template <int WORDS> __device__ void System<WORDS>::share_out(const u32* set, u32 count, u32 mask) {
    const float rate = (float)own.learning_rate;
    float total = 0.0f;
    in_order(count, [&](u32, float share) {
        total = plus(total, share);
        return false;
    });
#pragma unroll 1
    for (u32 first = 0; first < count; first += 32) {
        const u32 place = first + lane, slot = place < count ? set[place] & mask : 0;
        RuleRecord rule = {};
        float now = 0.0f;
        if (place < count) {
            rule = rules[slot];
            // If no rule of the set is accurate, there is nothing to share.
            float part = total > 0.0f ? over(floats[place], total) : 0.0f;
            now = plus(rule.fitness, times(rate, minus(part, rule.fitness)));
            rules[slot].fitness = now;
            doubles[place] = minus((double)now, (double)rule.fitness);
        }
        __syncwarp();
        double then = fitness;
        const u32 end = min(count - first, 32u);
#pragma unroll 1
        for (u32 other = 0; other < end; other += ABREAST) {
            double change[ABREAST];
#pragma unroll
            for (u32 next = 0; next < ABREAST; next++) change[next] = doubles[first + other + next];
#pragma unroll
            for (u32 next = 0; next < ABREAST; next++) {
                fitness = plus(fitness, other + next < end ? change[next] : 0.0);
                if (other + next == lane) then = fitness;
            }
        }
        if (place < count) weigh_beside(slot, weight(rule.niche, rule.copies, rule.experience, now, then));
        __syncwarp();
    }
}

// The update equations of learning from rewards, for every rule of the niche.
template <int WORDS> __device__ void System<WORDS>::update(double rewarded) {
    const float target = (float)rewarded, rate = (float)own.learning_rate;
    const float forgiven = (float)times(own.forgiven_error, own.reward), size = (float)copies_of_niche();
#pragma unroll 1
    for (u32 place = lane; place < niche_count; place += 32) {
        RuleRecord& rule = rules[niche[place]];
        const u32 experience = rule.experience == ~0u ? ~0u : rule.experience + 1;
        // The first estimates are plain means.
        const float mean = over(1.0f, (float)experience), step = mean > rate ? mean : rate;
        float prediction = rule.prediction, error = rule.error;
        if (own.flags & ERROR_FIRST)
            error = plus(error, times(step, minus(fabsf(minus(target, prediction)), error)));
        prediction = plus(prediction, times(step, minus(target, prediction)));
        if (!(own.flags & ERROR_FIRST))
            error = plus(error, times(step, minus(fabsf(minus(target, prediction)), error)));
        float accuracy = 1.0f;
        if (!(error < forgiven)) {
            const double ratio = (double)over(forgiven, error);
            accuracy = (float)times(own.accuracy_fall, power(ratio, own.accuracy_power));
        }
        rule.experience = experience, rule.prediction = prediction, rule.error = error;
        rule.niche = plus(rule.niche, times(step, minus(size, rule.niche)));
        floats[place] = times(accuracy, (float)rule.copies);
    }
    pad(niche_count);
    __syncwarp();
    share_out(niche, niche_count, ~0u);
}

// The update equations of learning from given classes: all matching rules gain experience, and those with the
// right class share fitness.
template <int WORDS> __device__ void System<WORDS>::credit(u32 label) {
    const float rate = (float)own.learning_rate, size = (float)copies_of_niche();
#pragma unroll 1
    for (u32 place = lane; place < matched_count; place += 32) {
        RuleRecord& rule = rules[matched[place] & SLOT];
        const u32 experience = rule.experience == ~0u ? ~0u : rule.experience + 1;
        rule.experience = experience;
        float share = 0.0f;
        if (rule.label == label) {
            const u32 correct = rule.correct == ~0u ? ~0u : rule.correct + 1;
            rule.correct = correct;
            const float mean = over(1.0f, (float)correct), step = mean > rate ? mean : rate;
            rule.niche = plus(rule.niche, times(step, minus(size, rule.niche)));
            const double often = over((double)correct, (double)max(experience, 1u));
            double accuracy = 1.0;
            if (!(often >= own.accurate_from))
                accuracy = power(over(often, own.accurate_from), own.accuracy_power);
            share = times((float)accuracy, (float)rule.copies);
        }
        floats[place] = share;
    }
    pad(matched_count);
    __syncwarp();
    share_out(matched, matched_count, SLOT);
}

// Returns the label with the most votes of the match set, by fitness, or NOWHERE if there is none. Every lane
// counts for one label.
template <int WORDS> __device__ u32 System<WORDS>::vote() {
#pragma unroll 1
    for (u32 place = lane; place < matched_count; place += 32)
        floats[place] = rules[matched[place] & SLOT].fitness;
    __syncwarp();
    float votes = 0.0f;
#pragma unroll 4
    for (u32 place = 0; place < matched_count; place++)
        if (matched[place] >> 24 == lane) votes = plus(votes, floats[place]);
    float most = votes;
    for (int by = 16; by > 0; by /= 2) most = fmaxf(most, __shfl_xor_sync(ALL, most, by));
    const u32 best = __ballot_sync(ALL, votes > 0.0f && votes == most);
    __syncwarp();
    return best == 0 ? NOWHERE : (u32)__ffs((int)best) - 1;
}

// Returns the label with the highest prediction; one of them at random in a tie.
template <int WORDS> __device__ u32 System<WORDS>::best_label() {
#pragma unroll 1
    for (u32 place = lane; place < matched_count; place += 32) {
        const RuleRecord& rule = rules[matched[place] & SLOT];
        floats[place] = rule.fitness;
        doubles[place] = times((double)rule.prediction, (double)rule.fitness);
    }
    __syncwarp();
    double predicted = 0.0, weights = 0.0;
    for (u32 place = 0; place < matched_count; place++)
        if (matched[place] >> 24 == lane)
            predicted = plus(predicted, doubles[place]), weights = plus(weights, (double)floats[place]);
    // NaN if no rule has the label.
    const double prediction = over(predicted, weights);
    double best = lane < own.labels ? prediction : over(0.0, 0.0);
    for (int by = 16; by > 0; by /= 2) best = fmax(best, __shfl_xor_sync(ALL, best, by));
    const u32 equal = __ballot_sync(ALL, lane < own.labels && prediction == best);
    __syncwarp();
    const u32 number = (u32)__popc(equal);
    if (number == 0) return (u32)draws.below(own.labels);
    return number == 1 ? (u32)__ffs((int)equal) - 1 : bit_number(equal, (u32)draws.below(number));
}

// Draws a label of the match set.
template <int WORDS> __device__ u32 System<WORDS>::random_label() {
    const u32 number = (u32)__popc(present);
    if (number == own.labels) return (u32)draws.below(number);
    return number == 0 ? 0 : bit_number(present, (u32)draws.below(number));
}

// Loads the next input and returns the right label.
template <int WORDS> __device__ u32 System<WORDS>::see() {
    if (own.rows != nullptr) {
        const u32 row = own.order[shown++];
        for (int word = 0; word < WORDS; word++) {
            input[word] = own.rows[(size_t)row * 2 * WORDS + word];
            known[word] = own.rows[(size_t)row * 2 * WORDS + WORDS + word];
        }
        return own.row_labels[row];
    }
    for (int word = 0; word < WORDS; word++) {
        const u32 first = 64 * (u32)word;
        const u32 there = own.columns > first ? min(own.columns - first, 64u) : 0;
        known[word] = there == 64 ? ~0ull : (1ull << there) - 1;
        input[word] = there > 0 ? world.word() & known[word] : 0;
    }
    auto bit = [&](u32 column) {
        u64 found = 0;
        for (int word = 0; word < WORDS; word++)
            if (word == (int)(column / 64)) found = input[word] >> column % 64 & 1;
        return (u32)found;
    };
    // The first bits are the address, the highest first; there are 1 to 7.
    return bit(own.address + (__brev((u32)input[0]) >> (32 - own.address)));
}

// Computes the match set, and covers if the given label, or too many of all labels, are missing in it.
template <int WORDS> __device__ void System<WORDS>::match_all_labels(u32 right) {
    const bool supervised = own.flags & SUPERVISED;
    const u32 all = own.labels >= 32 ? ~0u : (1u << own.labels) - 1, most = supervised ? 1 : 4 * own.labels;
    form();
#pragma unroll 1
    for (u32 tries = 0;; tries++) {
        list();
        if (supervised && tries == 0) {
            asked_count++;
            right_count += vote() == right;
            time++;
        }
        const bool enough = supervised ? present >> right & 1 : (u32)__popc(present) >= own.least_labels;
        if (enough || tries == most) return;
        const u32 missing = all & ~present;
        cover(supervised ? right : bit_number(missing, (u32)draws.below((u64)__popc(missing))));
    }
}

template <int WORDS> __device__ void System<WORDS>::step(bool explores) {
    const u32 right = see();
    match_all_labels(right);
    u32 action = right;
    if (!(own.flags & SUPERVISED)) {
        if (own.rows != nullptr) explores = draws.chance(own.exploration);
        if (!explores) {
            asked_count++;
            right_count += best_label() == right;
            return;
        }
        action = random_label();
        time++;
    }
    take_action(action);
    if (own.flags & SUPERVISED) {
        credit(right);
    } else {
        // A multiplexer pays 1,000, whatever the reward parameter of the learner is.
        const double paid = own.rows != nullptr ? own.reward : 1000.0;
        update(action == right ? paid : 0.0);
    }
    if (own.flags & SUBSUME_NICHE) subsume_niche();
    breed();
}
