// A learner: its rules, matching, insertion and deletion.
#pragma once

extern __shared__ uint4 shared_memory[];

template <int WORDS> struct Condition {
    u64 care[WORDS], value[WORDS];
};

template <int WORDS> struct System {
    const LockstepWork& work;
    // A local copy.
    LearnerRecord& own;
    const u32 lane, warp, warps, capacity;
    // The arrays, in shared or GPU memory.
    RuleRecord* rules;
    u64 *care, *value, *weights, *sums;
    u32 *alive, *bits, *free_slots;
    unsigned char* label_of;
    Asked* asked;

    // Variables, the same in all lanes of the leader.
    Draws draws, world;
    u64 time, copies, made;
    double fitness;
    u32 used, free_count, right_count, asked_count, shown = 0;
    // The current sets: in shared memory if they are small.
    u32 *matched, *niche, matched_count, niche_count, present;
    float* floats;
    double* doubles;
    u64 input[WORDS], known[WORDS];
    // Probabilities whose rates need a logarithm.
    Odds named, mutated;

    __device__ System(const LockstepWork& work)
        : work(work), own(*here<LearnerRecord>(work.within.own)), lane(threadIdx.x % 32),
          warp(threadIdx.x / 32), warps(blockDim.x / 32), capacity(work.capacity) {}

    template <class T> __device__ T* there(u32 at) const {
        return reinterpret_cast<T*>(work.states + work.state_bytes * blockIdx.x + at);
    }
    template <class T> __device__ T* aside(u32 at) const {
        return reinterpret_cast<T*>(work.sets + work.set_bytes * blockIdx.x + at);
    }
    template <class T> __device__ static T* here(u32 in) {
        return reinterpret_cast<T*>(reinterpret_cast<unsigned char*>(shared_memory) + in);
    }
    template <class T> __device__ T* place(u32 in, u32 at) const {
        return in == NOWHERE ? there<T>(at) : here<T>(in);
    }

    // Copies the arrays that are in shared memory from or to the state of the learner; all threads.
    template <bool IN, class T> __device__ void carry(u32 in, u32 at, u32 count) const {
        if (in == NOWHERE) return;
        u64 *outside = there<u64>(at), *inside = here<u64>(in);
        move(IN ? outside : inside, IN ? inside : outside, count * (u32)sizeof(T) / (u32)sizeof(u64));
    }

    __device__ static void move(const u64* from, u64* to, u32 count) {
        for (u32 place = threadIdx.x; place < count; place += blockDim.x) to[place] = from[place];
    }

    __device__ u64* header() const { return reinterpret_cast<u64*>(work.learners + blockIdx.x); }

    __device__ void load() {
        rules = place<RuleRecord>(work.within.rules, work.at.rules);
        care = place<u64>(work.within.care, work.at.care);
        value = place<u64>(work.within.value, work.at.value);
        weights = place<u64>(work.within.weights, work.at.weights);
        sums = here<u64>(work.within.sums);
        alive = here<u32>(work.within.alive);
        bits = here<u32>(work.within.bits);
        label_of = here<unsigned char>(work.within.labels);
        asked = here<Asked>(work.within.asked);
        free_slots = place<u32>(work.within.free, work.at.free);
        move(header(), reinterpret_cast<u64*>(&own), sizeof(LearnerRecord) / sizeof(u64));
        carry<true, u32>(work.within.free, work.at.free, capacity);
        carry<true, RuleRecord>(work.within.rules, work.at.rules, capacity);
        carry<true, u64>(work.within.care, work.at.care, capacity * WORDS);
        carry<true, u64>(work.within.value, work.at.value, capacity * WORDS);
        carry<true, u64>(work.within.weights, work.at.weights, capacity);
        for (u32 word = threadIdx.x; word < capacity / 32; word += blockDim.x) alive[word] = bits[word] = 0;
        __syncthreads();
        used = own.used;
        // Unused slots are not copied.
        for (u32 slot = used + threadIdx.x; slot < capacity; slot += blockDim.x) weights[slot] = 0;
        for (u32 block = threadIdx.x; block < capacity / SUMMED; block += blockDim.x) {
            u64 sum = 0;
            for (u32 slot = block * SUMMED; slot < (block + 1) * SUMMED; slot++)
                if (slot < used) sum += weights[slot];
            sums[block] = sum;
        }
        for (u32 slot = threadIdx.x; slot < used; slot += blockDim.x) {
            label_of[slot] = (unsigned char)rules[slot].label;
            if (rules[slot].copies > 0) atomicOr(&alive[slot / 32], 1u << slot % 32);
        }
        for (int word = 0; word < 4; word++)
            draws.state[word] = own.life[word], world.state[word] = own.world[word];
        time = own.time, copies = own.copies, made = own.made, fitness = own.fitness;
        free_count = own.free_count, right_count = own.right, asked_count = own.asked;
        named = Odds::of(own.named);
        mutated = Odds::of(own.mutation);
        __syncthreads();
    }

    __device__ void store() {
        __syncthreads();
        // The kernel does not use digests. Only the first warp knows the current number of used slots.
        if (threadIdx.x < 32)
#pragma unroll 1
            for (u32 slot = lane; slot < used; slot += 32) rules[slot].digest = digest(condition(slot));
        __syncthreads();
        carry<false, u32>(work.within.free, work.at.free, capacity);
        carry<false, RuleRecord>(work.within.rules, work.at.rules, capacity);
        carry<false, u64>(work.within.care, work.at.care, capacity * WORDS);
        carry<false, u64>(work.within.value, work.at.value, capacity * WORDS);
        carry<false, u64>(work.within.weights, work.at.weights, capacity);
        if (threadIdx.x == 0) {
            for (int word = 0; word < 4; word++)
                own.life[word] = draws.state[word], own.world[word] = world.state[word];
            own.time = time, own.copies = copies, own.made = made, own.fitness = fitness;
            own.used = used, own.free_count = free_count, own.right = right_count, own.asked = asked_count;
        }
        __syncthreads();
        move(reinterpret_cast<u64*>(&own), header(), sizeof(LearnerRecord) / sizeof(u64));
    }

    // Sums over the lanes of the leader, each below 2^58: in three parts, which cannot overflow.
    __device__ static u64 summed(u64 number) {
        const u32 part = (1u << 26) - 1;
        const u64 low = __reduce_add_sync(ALL, (u32)number & part);
        const u64 middle = __reduce_add_sync(ALL, (u32)(number >> 26) & part);
        return low + (middle << 26) + ((u64)__reduce_add_sync(ALL, (u32)(number >> 52)) << 52);
    }

    // Sums over the lanes up to this one.
    __device__ u64 summed_up(u64 number) const {
        for (u32 by = 1; by < 32; by *= 2) {
            u64 before = __shfl_up_sync(ALL, number, by);
            if (lane >= by) number += before;
        }
        return number;
    }

    // Returns the position of the set bit with a number.
    __device__ static u32 bit_number(u32 mask, u32 number) {
#pragma unroll 1
        for (; number > 0; number--) mask &= mask - 1;
        return (u32)__ffs((int)mask) - 1;
    }

    // ---- Matching.

    // The other warps: match conditions with inputs until there is no further request.
    __device__ void help() {
        for (;;) {
            __syncthreads();
            if (asked->is_over) return;
            hold();
            __syncthreads();
        }
    }

    __device__ void dismiss() {
        __syncwarp();
        if (lane == 0) asked->is_over = 1;
        __syncthreads();
    }

    // Matches a part of the conditions with the input, 32 at a time.
    __device__ void hold() {
        u64 in[WORDS], out[WORDS];
        for (int word = 0; word < WORDS; word++)
            in[word] = asked->input[word], out[word] = ~asked->known[word];
        const u32 words = (asked->slots + 31) / 32;
        // A warp processes every n-th word. Each lane keeps one until they are written together.
        for (u32 first = warp; first < words; first += 32 * warps) {
            const u32 count = min((words - first + warps - 1) / warps, 32u);
            u32 mine = 0;
#pragma unroll 4
            for (u32 number = 0; number < count; number++) {
                const u32 slot = (first + number * warps) * 32 + lane;
                u64 wrong = 0;
                for (int part = 0; part < WORDS; part++) {
                    const u32 at = part * capacity + slot;
                    wrong |= care[at] & (out[part] | (value[at] ^ in[part]));
                }
                const u32 right = __ballot_sync(ALL, wrong == 0);
                if (number == lane) mine = right;
            }
            const u32 word = first + lane * warps;
            if (lane < count) bits[word] = mine & alive[word];
        }
    }

    // Computes the bits of the rules that match the input.
    __device__ void form() {
        __syncwarp();
        if (lane == 0) {
            for (int word = 0; word < WORDS; word++)
                asked->input[word] = input[word], asked->known[word] = known[word];
            asked->slots = used;
            asked->is_over = 0;
        }
        __syncthreads();
        hold();
        __syncthreads();
    }

    // Lists the match set, ascending, from its bits, which are updated when rules are added or deleted.
    __device__ void list() {
        const u64* both = reinterpret_cast<const u64*>(bits);
        const u32 pairs = (used + 63) / 64, each = (pairs + 31) / 32;
        const u32 first = min(lane * each, pairs), end = min(first + each, pairs);
        u32 count = 0;
#pragma unroll 1
        for (u32 pair = first; pair < end; pair++) count += (u32)__popcll(both[pair]);
        u32 up_to = count;
        for (u32 by = 1; by < 32; by *= 2) {
            u32 before = __shfl_up_sync(ALL, up_to, by);
            if (lane >= by) up_to += before;
        }
        matched_count = __shfl_sync(ALL, up_to, 31);
        // There is room for two children.
        const bool small = matched_count + 2 <= work.small;
        matched = small ? here<u32>(work.within.matched) : aside<u32>(work.sets_at.matched);
        niche = small ? here<u32>(work.within.niche) : aside<u32>(work.sets_at.niche);
        floats = small ? here<float>(work.within.floats) : aside<float>(work.sets_at.floats);
        doubles = small ? here<double>(work.within.doubles) : aside<double>(work.sets_at.doubles);
        u32 at = up_to - count, seen = 0;
#pragma unroll 1
        for (u32 pair = first; pair < end; pair++)
#pragma unroll 1
            for (u64 left = both[pair]; left != 0; left &= left - 1)
                matched[at++] = pair * 64 + (u32)__ffsll((long long)left) - 1;
        __syncwarp();
        // Labels are loaded for many rules at a time.
#pragma unroll 1
        for (u32 place = lane; place < matched_count; place += 32) {
            const u32 slot = matched[place], label = label_of[slot];
            matched[place] = slot | label << 24;
            seen |= 1u << label;
        }
        present = __reduce_or_sync(ALL, seen);
        __syncwarp();
    }

    // Lists the rules of the match set with a label.
    __device__ void take_action(u32 label) {
        niche_count = 0;
#pragma unroll 1
        for (u32 first = 0; first < matched_count; first += 32) {
            const u32 member = first + lane < matched_count ? matched[first + lane] : ~0u;
            const bool mine = first + lane < matched_count && member >> 24 == label;
            const u32 taken = __ballot_sync(ALL, mine);
            if (mine) niche[niche_count + (u32)__popc(taken & ((1u << lane) - 1))] = member & SLOT;
            niche_count += (u32)__popc(taken);
        }
        __syncwarp();
    }

    // ---- Values of a set, one after the other.

    // Pads `floats` with zeros to a multiple of the step.
    __device__ void pad(u32 count) {
        if (lane < (ABREAST - count % ABREAST) % ABREAST) floats[count + lane] = 0.0f;
    }

    // Writes a value for every member of a set to `floats`.
    template <class Number> __device__ void gather(u32 count, Number number) {
#pragma unroll 1
        for (u32 place = lane; place < count; place += 32) floats[place] = number(place);
        pad(count);
        __syncwarp();
    }

    // Passes `floats` to a function in order, including the padding, until it returns true. A few values are
    // read ahead, because each operation waits for the previous one.
    template <class Show> __device__ void in_order(u32 count, Show show) {
        for (u32 place = 0; place < count; place += ABREAST) {
            float some[ABREAST];
#pragma unroll
            for (u32 next = 0; next < ABREAST; next++) some[next] = floats[place + next];
#pragma unroll
            for (u32 next = 0; next < ABREAST; next++)
                if (show(place + next, some[next])) return;
        }
    }

    // ---- Insertion and deletion. All lanes call these functions, and the first one writes.

    // Returns the deletion weight of a rule, in 64ths, for a mean fitness. It is long and called in many
    // places, so the code exists once.
    __device__ __noinline__ static u64 sector(float niche_size, u32 own_copies, bool is_known,
                                              float own_fitness, double all_fitness, u32 all_copies,
                                              double share) {
        const double number = own_copies;
        double found = times((double)niche_size, number);
        if (is_known) {
            const double each = over((double)own_fitness, number),
                         mean = over(all_fitness, (double)all_copies);
            if (each < times(share, mean)) found = times(found, fmin(over(mean, fmax(each, 1e-9)), 1e5));
        }
        return min(__double2ull_rz(times(fmax(found, 0.02), 64.0)), 1ull << 40);
    }

    __device__ u64 weight(float niche_size, u32 own_copies, u32 experience, float own_fitness,
                          double all_fitness) const {
        return sector(niche_size, own_copies, experience > own.deletion_experience, own_fitness, all_fitness,
                      (u32)copies, own.deletion_share);
    }

    // One lane sets the weight of a slot, while others may do the same for other slots.
    __device__ void weigh_beside(u32 slot, u64 now) {
        const u64 before = weights[slot];
        weights[slot] = now;
        // In halves, the lower one with its carry: in shared memory, a 64-bit addition would be a loop of
        // compare-and-swap.
        u32* const half = reinterpret_cast<u32*>(&sums[slot / SUMMED]);
        const u32 low = (u32)(now - before), found = atomicAdd(half, low);
        atomicAdd(half + 1, (u32)((now - before) >> 32) + (found + low < found));
    }

    // One lane sets the weight of a slot, and no other does.
    __device__ void weigh(u32 slot, u64 now) {
        sums[slot / SUMMED] += now - weights[slot];
        weights[slot] = now;
    }

    __device__ void copy(u32 slot, u32 number) {
        const RuleRecord rule = rules[slot];
        copies += number;
        const u64 now = weight(rule.niche, rule.copies + number, rule.experience, rule.fitness, fitness);
        __syncwarp();
        if (lane == 0) {
            rules[slot].copies = rule.copies + number;
            weigh(slot, now);
        }
        __syncwarp();
    }

    // A single copy, without experience.
    __device__ u32 insert(const Condition<WORDS>& one, const RuleRecord& rule) {
        const u32 slot = free_count > 0 ? free_slots[free_count - 1] : used;
        if (free_count > 0) free_count--;
        else used++;
        copies++;
        fitness = plus(fitness, (double)rule.fitness);
        made++;
        // The weight of a rule without experience.
        const u64 now = min(__double2ull_rz(times(fmax((double)rule.niche, 0.02), 64.0)), 1ull << 40);
        __syncwarp();
        if (lane == 0) {
            for (int word = 0; word < WORDS; word++) {
                care[word * capacity + slot] = one.care[word];
                value[word * capacity + slot] = one.value[word];
            }
            rules[slot] = rule;
            label_of[slot] = (unsigned char)rule.label;
            alive[slot / 32] |= 1u << slot % 32;
            // A new rule matches the current input.
            bits[slot / 32] |= 1u << slot % 32;
            weigh(slot, now);
        }
        __syncwarp();
        return slot;
    }

    // Deletes a rule with all its copies and returns their number.
    __device__ u32 remove(u32 slot) {
        const u32 number = rules[slot].copies;
        copies -= number;
        fitness = minus(fitness, (double)rules[slot].fitness);
        __syncwarp();
        if (lane == 0) {
            rules[slot].copies = 0;
            free_slots[free_count] = slot;
            alive[slot / 32] &= ~(1u << slot % 32);
            bits[slot / 32] &= ~(1u << slot % 32);
            weigh(slot, 0);
        }
        free_count++;
        __syncwarp();
        return number;
    }

    // Deletes copies until there are at most as many as allowed.
    __device__ void make_room() {
#pragma unroll 1
        while (copies > own.population) {
            const u32 slot = doomed();
            if (slot == NOWHERE) break;
            const RuleRecord rule = rules[slot];
            if (rule.copies <= 1) {
                remove(slot);
                continue;
            }
            copies--;
            const u64 now = weight(rule.niche, rule.copies - 1, rule.experience, rule.fitness, fitness);
            __syncwarp();
            if (lane == 0) {
                rules[slot].copies = rule.copies - 1;
                weigh(slot, now);
            }
            __syncwarp();
        }
    }

    // Returns the slot whose sector of the wheel contains a draw.
    __device__ u32 doomed() {
        const u32 blocks = (used + SUMMED - 1) / SUMMED, each = (blocks + 31) / 32;
        const u32 first = min(lane * each, blocks), end = min(first + each, blocks);
        u64 own_sum = 0;
#pragma unroll 1
        for (u32 block = first; block < end; block++) own_sum += sums[block];
        u64 up_to = summed_up(own_sum);
        u64 aim = draws.below(__shfl_sync(ALL, up_to, 31));
        const u32 past = __ballot_sync(ALL, up_to > aim);
        if (past == 0) return NOWHERE;
        int who = __ffs((int)past) - 1;
        aim -= __shfl_sync(ALL, up_to - own_sum, who);
        u32 block = (u32)who * each;
#pragma unroll 1
        for (; aim >= sums[block]; block++) aim -= sums[block];
        const u32 slot = block * SUMMED + 2 * lane;
        const u64 one = slot < used ? weights[slot] : 0, other = slot + 1 < used ? weights[slot + 1] : 0;
        up_to = summed_up(one + other);
        who = __ffs((int)__ballot_sync(ALL, up_to > aim)) - 1;
        if (who < 0) return NOWHERE;
        // Within the two slots of that lane.
        const u64 before = __shfl_sync(ALL, up_to - one - other, who), mine = __shfl_sync(ALL, one, who);
        return block * SUMMED + 2 * (u32)who + (aim - before < mine ? 0 : 1);
    }

    // ---- Conditions.

    __device__ static u64 folded(u64 digest, u64 word) {
        const u64 mixed = (digest ^ word) * 0x9E3779B97F4A7C15ull;
        return mixed ^ mixed >> 29;
    }

    // Returns whether a word has columns; the kernel may have more words than the columns need.
    __device__ bool is_used(int word) const { return word == 0 || 64 * (u32)word < own.columns; }

    __device__ u64 digest(const Condition<WORDS>& one) const {
        u64 digest = 0x5445524E;
        for (int word = 0; word < WORDS; word++)
            if (is_used(word)) digest = folded(digest, one.care[word]);
        for (int word = 0; word < WORDS; word++)
            if (is_used(word)) digest = folded(digest, one.value[word]);
        return digest;
    }

    __device__ Condition<WORDS> condition(u32 slot) const {
        Condition<WORDS> one;
        for (int word = 0; word < WORDS; word++) {
            one.care[word] = care[word * capacity + slot];
            one.value[word] = value[word * capacity + slot];
        }
        return one;
    }

    // Returns whether every test of the first condition is a test of the second.
    __device__ static bool contains(const Condition<WORDS>& outer, const Condition<WORDS>& inner) {
        u64 wrong = 0;
        for (int word = 0; word < WORDS; word++)
            wrong |= (outer.care[word] & ~inner.care[word]) |
                     ((outer.value[word] ^ inner.value[word]) & outer.care[word]);
        return wrong == 0;
    }

    // Draws columns, each with the same probability. One word decides the distance to the next.
    __device__ void drawn(const Odds& odds, u64 (&columns)[WORDS]) {
        for (int word = 0; word < WORDS; word++) columns[word] = 0;
        if (!(odds.probability > 0.0)) return;
        if (odds.probability >= 1.0) {
            for (int word = 0; word < WORDS; word++) columns[word] = first_columns(own.columns, word);
            return;
        }
#pragma unroll 1
        for (u32 from = 0;; from++) {
            from += gap_of(draws.word(), odds, own.columns);
            if (from >= own.columns) return;
            for (int word = 0; word < WORDS; word++)
                if (word == (int)(from / 64)) columns[word] |= 1ull << from % 64;
        }
    }

    // Returns the columns of a word before a position.
    __device__ static u64 first_columns(u32 place, int word) {
        const u32 first = 64 * (u32)word;
        return place >= first + 64 ? ~0ull : place <= first ? 0ull : (1ull << (place - first)) - 1;
    }

    // Flips the drawn columns: tests are removed, and columns without a test get a test for the value of the
    // input.
    __device__ void turn_drawn(Condition<WORDS>& one, const Odds& odds) {
        u64 columns[WORDS];
        drawn(odds, columns);
        for (int word = 0; word < WORDS; word++) {
            one.care[word] =
                (one.care[word] ^ (columns[word] & known[word])) & ~(columns[word] & ~known[word]);
            one.value[word] =
                (one.value[word] & ~columns[word]) | (columns[word] & one.care[word] & input[word]);
        }
    }

    // Makes a rule for the input and a label.
    __device__ void cover(u32 label) {
        // There are no tests yet, so a flipped column gets a test.
        Condition<WORDS> one = {};
        turn_drawn(one, named);
        RuleRecord rule = {};
        rule.label = label, rule.copies = 1, rule.stamp = time;
        rule.prediction = (float)own.first_prediction, rule.fitness = 0.01f, rule.niche = 1.0f;
        insert(one, rule);
        make_room();
    }

    // ---- See breed.cuh and step.cuh.

    __device__ bool accurate(const RuleRecord& rule) const;
    __device__ void subsume_niche();
    __device__ void breed();
    __device__ u32 parent(bool& gathered, double& wheel, bool& is_wheel);
    __device__ u32 roulette(double& wheel, bool& is_wheel);
    __device__ void settle(const Condition<WORDS>& one, const RuleRecord& born, const u32 (&parents)[2]);
    __device__ void share_out(const u32* set, u32 count, u32 mask);
    __device__ u32 copies_of_niche() const;
    __device__ void update(double target);
    __device__ void credit(u32 label);
    __device__ u32 vote();
    __device__ void match_all_labels(u32 right);
    __device__ u32 best_label();
    __device__ u32 random_label();
    __device__ u32 see();
    __device__ void step(bool explores);
};
