// Breeding in a niche.
#pragma once

template <int WORDS> __device__ bool System<WORDS>::accurate(const RuleRecord& rule) const {
    if (rule.experience <= own.subsumption_experience) return false;
    if (own.flags & SUPERVISED)
        return over((double)rule.correct, (double)max(rule.experience, 1u)) >= own.accurate_from;
    return (double)rule.error < times(own.forgiven_error, own.reward);
}

// The most general accurate rule of the niche subsumes the more specific ones.
template <int WORDS> __device__ void System<WORDS>::subsume_niche() {
    // Its specificity, then its position: the first one wins a tie.
    u64 widest = ~0ull;
    for (u32 place = lane; place < niche_count; place += 32) {
        const u32 slot = niche[place];
        if (!accurate(rules[slot])) continue;
        u32 asks = 0;
        for (int word = 0; word < WORDS; word++) asks += (u32)__popcll(care[word * capacity + slot]);
        widest = min(widest, (u64)asks << 32 | place);
    }
    if (!__any_sync(ALL, widest != ~0ull)) return;
    for (int by = 16; by > 0; by /= 2) widest = min(widest, __shfl_xor_sync(ALL, widest, by));
    const u32 chosen = niche[(u32)widest];
    const Condition<WORDS> outer = condition(chosen);
    u32 gained = 0, kept = 0;
#pragma unroll 1
    for (u32 first = 0; first < niche_count; first += 32) {
        const bool there = first + lane < niche_count;
        const u32 slot = there ? niche[first + lane] : chosen;
        const bool narrower = there && slot != chosen && contains(outer, condition(slot));
        const u32 going = __ballot_sync(ALL, narrower), staying = __ballot_sync(ALL, there && !narrower);
#pragma unroll 1
        for (u32 left = going; left != 0; left &= left - 1)
            gained += remove(__shfl_sync(ALL, slot, __ffs((int)left) - 1));
        if (there && !narrower) niche[kept + (u32)__popc(staying & ((1u << lane) - 1))] = slot;
        kept += (u32)__popc(staying);
        __syncwarp();
    }
    niche_count = kept;
    if (gained > 0) copy(chosen, gained);
}

// Draws a member of the niche by roulette. If every lane can have one member, sums in any order decide,
// unless the draw is so near to the border of two sectors that rounding could decide; then all is added in
// the order of the set.
template <int WORDS> __device__ u32 System<WORDS>::roulette(double& wheel, bool& is_wheel) {
    const double unit = draws.unit();
    if (niche_count <= 32) {
        if (!is_wheel) {
            wheel = lane < niche_count ? (double)rules[niche[lane]].fitness : 0.0;
            for (u32 by = 1; by < 32; by *= 2) {
                const double before = __shfl_up_sync(ALL, wheel, by);
                if (lane >= by) wheel = plus(wheel, before);
            }
            is_wheel = true;
        }
        const double total = __shfl_sync(ALL, wheel, 31), left = minus(times(unit, total), wheel);
        const u32 past = __ballot_sync(ALL, lane < niche_count && left < 0.0);
        const bool is_near = lane < niche_count && !(fabs(left) > times(1e-9, total));
        if (!__any_sync(ALL, is_near) && past != 0) return niche[__ffs((int)past) - 1];
    }
    gather(niche_count, [&](u32 place) { return rules[niche[place]].fitness; });
    double total = 0.0;
    in_order(niche_count, [&](u32, float fitness) {
        total = plus(total, (double)fitness);
        return false;
    });
    double aim = times(unit, total);
    u32 chosen = niche_count - 1;
    in_order(niche_count, [&](u32 place, float fitness) {
        aim = minus(aim, (double)fitness);
        if (!(aim < 0.0)) return false;
        chosen = place;
        return true;
    });
    // All lanes have read the values.
    __syncwarp();
    return niche[chosen];
}

// Draws a parent from the niche: by tournament among a share of its copies, or by roulette. After a
// tournament the values of the members are in `floats` and `doubles` and need not be computed again for the
// second parent.
template <int WORDS> __device__ u32 System<WORDS>::parent(bool& gathered, double& wheel, bool& is_wheel) {
    if (own.tournament > 0.0) {
        const double stays_out = minus(1.0, own.tournament);
        if (!gathered) {
#pragma unroll 1
            for (u32 place = lane; place < niche_count; place += 32) {
                const RuleRecord& rule = rules[niche[place]];
                floats[place] = over(rule.fitness, (float)rule.copies);
                doubles[place] = power(stays_out, rule.copies);
            }
            gathered = true;
            __syncwarp();
        }
#pragma unroll 1
        for (int round = 0; round < 4; round++) {
            u32 best = NOWHERE;
            float most = 0.0f;
#pragma unroll 1
            for (u32 place = 0; place < niche_count; place++) {
                const float each = floats[place];
                if ((best == NOWHERE || each > most) && draws.unit() >= doubles[place])
                    best = place, most = each;
            }
            if (best != NOWHERE) return niche[best];
        }
        // No member takes part: use roulette, which may need the memory.
        __syncwarp();
        gathered = false;
    }
    return roulette(wheel, is_wheel);
}

// Inserts a child: as a copy of a parent that subsumes it, as a copy of an equal rule, or as a new rule.
template <int WORDS>
__device__ void System<WORDS>::settle(const Condition<WORDS>& one, const RuleRecord& born,
                                      const u32 (&parents)[2]) {
    if (own.flags & SUBSUME_CHILDREN) {
        // One lane compares each.
        const u32 slot = lane == 0 ? parents[0] : parents[1];
        bool takes_in = false;
        if (lane < 2) {
            const RuleRecord& rule = rules[slot];
            takes_in = rule.copies > 0 && rule.label == born.label && accurate(rule) &&
                       contains(condition(slot), one);
        }
        const u32 found = __ballot_sync(ALL, takes_in);
        if (found != 0) {
            copy(found & 1 ? parents[0] : parents[1], 1);
            return;
        }
    }
#pragma unroll 1
    for (u32 first = 0; first < matched_count; first += 32) {
        bool same = false;
        u32 slot = 0;
        if (first + lane < matched_count) {
            slot = matched[first + lane] & SLOT;
            same = label_of[slot] == born.label && (alive[slot / 32] >> slot % 32 & 1);
            for (int word = 0; word < WORDS; word++)
                same = same && care[word * capacity + slot] == one.care[word] &&
                       value[word * capacity + slot] == one.value[word];
        }
        const u32 found = __ballot_sync(ALL, same);
        if (found != 0) {
            copy(__shfl_sync(ALL, slot, __ffs((int)found) - 1), 1);
            return;
        }
    }
    const u32 slot = insert(one, born);
    if (lane == 0) matched[matched_count] = slot | born.label << 24;
    matched_count++;
    __syncwarp();
}

// Breeds in the niche if the last time is long enough ago, and deletes rules to make room.
template <int WORDS> __device__ void System<WORDS>::breed() {
    u64 number = 0, stamps = 0;
#pragma unroll 1
    for (u32 place = lane; place < niche_count; place += 32) {
        const RuleRecord& rule = rules[niche[place]];
        number += rule.copies;
        stamps += rule.copies * (time - rule.stamp);
    }
    number = __reduce_add_sync(ALL, (u32)number), stamps = summed(stamps);
    if (number == 0 || stamps <= own.breeding_pause * number) return;
#pragma unroll 1
    for (u32 place = lane; place < niche_count; place += 32) rules[niche[place]].stamp = time;
    __syncwarp();
    // The code for both children exists once, which saves instruction cache: the children are swapped after
    // the first one.
    bool gathered = false, is_wheel = false;
    double wheel = 0.0;
    u32 parents[2] = {0, 0};
#pragma unroll 1
    for (int child = 0; child < 2; child++)
        parents[0] = parents[1], parents[1] = parent(gathered, wheel, is_wheel);
    Condition<WORDS> children[2];
    RuleRecord born[2];
    for (int child = 0; child < 2; child++) {
        const RuleRecord rule = rules[parents[child]];
        children[child] = condition(parents[child]);
        born[child] = {};
        born[child].label = rule.label, born[child].copies = 1, born[child].stamp = time;
        born[child].prediction = rule.prediction, born[child].error = rule.error,
        born[child].niche = rule.niche;
        born[child].fitness = over(rule.fitness, (float)rule.copies);
    }
    if (draws.chance(own.crossover_rate)) {
        u32 start = 0, end = 0;
        if (own.flags & TWO_POINT) {
            const u32 one = (u32)draws.below(own.columns + 1), other = (u32)draws.below(own.columns + 1);
            start = min(one, other), end = max(one, other);
        }
        for (int word = 0; word < WORDS; word++) {
            // Nothing is drawn for words without columns.
            if (!is_used(word)) break;
            const u64 stretch = first_columns(end, word) & ~first_columns(start, word);
            const u64 mask = own.flags & TWO_POINT ? stretch : draws.word();
            const u64 cares = (children[0].care[word] ^ children[1].care[word]) & mask;
            const u64 values = (children[0].value[word] ^ children[1].value[word]) & mask;
            children[0].care[word] ^= cares, children[1].care[word] ^= cares;
            children[0].value[word] ^= values, children[1].value[word] ^= values;
        }
        born[0].prediction = born[1].prediction = times(plus(born[0].prediction, born[1].prediction), 0.5f);
        born[0].error = born[1].error = times(plus(born[0].error, born[1].error), 0.5f);
        born[0].fitness = born[1].fitness = times(plus(born[0].fitness, born[1].fitness), 0.5f);
    }
    // Inserting a child draws nothing, so the second child may be mutated after the first one is inserted.
#pragma unroll 1
    for (int child = 0; child < 2; child++) {
        born[0].error = times(born[0].error, 0.25f);
        born[0].fitness = times(born[0].fitness, 0.1f);
        turn_drawn(children[0], mutated);
        if (!(own.flags & SUPERVISED) && draws.chance(own.mutation) && own.labels > 1) {
            const u32 other = (u32)draws.below(own.labels - 1);
            born[0].label = other >= born[0].label ? other + 1 : other;
        }
        settle(children[0], born[0], parents);
        children[0] = children[1], born[0] = born[1];
    }
    make_room();
}
