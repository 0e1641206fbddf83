#!/usr/bin/env bash
# Class expressions on a GPU beside the CPU, in one run.
#
#   bench/logic_gpu.sh [--quick] [PELLUCID] > bench/results/logic_gpu.txt
#
# SECONDS_EACH is the time spent on each figure, 0.1 by default. Where there is compute-sanitizer and the test
# binary of worlds (named by WORLDS), the kernels are also checked for wrong memory accesses and races.
source "$(dirname "$0")/gpu_setting.sh"
each=$(either 0 "${SECONDS_EACH:-0.1}")
small=$(either --quick '')

head_lines "Class expressions on a GPU beside the CPU"

for device in $(devices cuda:0 cpu); do
    title "pellucid-bench logic --device $device"
    # shellcheck disable=SC2086
    sound "$pellucid-bench" logic --device "$device" --seconds "$each" --quiet $small
done

if [ -z "$quick" ]; then
    title "pellucid-bench logic --device cpu --threads 1"
    sound "$pellucid-bench" logic --device cpu --threads 1 --seconds "$each" --quiet

    title "Both together: whole hypotheses and batches of restrictions"
    sound "$pellucid-bench" logic --device cpu,cuda:0 --tables vi,own --seconds "$each" --quiet
fi

title "The same answers everywhere"
covered() {
    sound "$pellucid-bench" logic --device "$1" --threads "$2" --tables iii,iv,v,own --quick --seconds 0 --json --quiet |
        tr '{' '\n' | grep -o '"covered":[0-9]*' | md5sum | cut -d' ' -f1
}
expected=$(covered cpu 1)
[ "$expected" != "$(md5sum </dev/null | cut -d' ' -f1)" ] || wrong "bench logic tells no counts"
for device in $(devices cpu cuda:0); do
    if [ "$(covered "$device" 2)" = "$expected" ]; then echo "the same counts on $device"; else wrong "other counts on $device"; fi
done

if [ -n "${WORLDS:-}" ] && command -v compute-sanitizer >/dev/null; then
    title "The tests of worlds on the GPU, and under compute-sanitizer"
    "$WORLDS" 2>&1 | grep 'test result'
    for tool in memcheck racecheck; do
        echo "$tool: $(PROPTEST_CASES=6 compute-sanitizer --tool $tool "$WORLDS" --test-threads=1 2>&1 | grep -E 'SUMMARY')"
    done
fi
