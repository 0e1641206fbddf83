#!/usr/bin/env bash
# Concepts on a GPU beside the CPU, in one run.
#
#   bench/concepts_gpu.sh [--quick] [PELLUCID] > bench/results/concepts_gpu.txt
#
# Contexts as .dat files in a folder named by CONTEXTS are searched beside the generated ones. Where there is
# compute-sanitizer and the test binary `concepts_on_gpu` (named by CONCEPTS), the kernels are also checked for wrong memory
# accesses and races.
source "$(dirname "$0")/gpu_setting.sh"

head_lines "Concepts on a GPU beside the CPU"

title "Concepts: counted, and streamed as packed records; seconds of the search, opening a device not among them"
if [ -n "$quick" ]; then
    cp "$(dirname "$0")/../tests/data/contexts/baskets.dat" "$folder/"
else
    sound "$pellucid" generate context --graph chung-lu --objects 955 --density 0.02 --seed 1 \
        --out "$folder/heavy-tailed.dat" 2>/dev/null
fi
for density in $(either 0.3 '0.2 0.3 0.35'); do
    sound "$pellucid" generate context --objects "$(either 60 1000)" --attributes "$(either 12 100)" --density "$density" \
        --seed 1 --out "$folder/random-$density.dat" 2>/dev/null
done
summary() { sed 's/.*"concepts":\([0-9]*\).*"digest":"\([0-9a-f]*\)".*"seconds":\([0-9.e-]*\).*/\1 \2 \3 s/'; }
for file in "$folder"/*.dat ${CONTEXTS:+"$CONTEXTS"/*.dat}; do
    : >"$folder/counts"
    for device in $(devices cpu cuda:0 cuda:0 cuda:0,cuda:0); do
        found=$(timeout 60 "$pellucid" concepts "$file" --count --device "$device" --json --quiet | tail -1 | summary)
        echo "$(basename "$file"), --device $device: $found"
        echo "$found" | cut -d' ' -f1,2 >>"$folder/counts"
    done
    grep -qvE '^[0-9]+ [0-9a-f]{16}$' "$folder/counts" && wrong "$file: no count"
    [ "$(sort -u "$folder/counts" | wc -l)" = 1 ] || wrong "$file: devices differ"
    for device in $(devices cpu cuda:0); do
        start=$EPOCHREALTIME
        sound timeout 60 "$pellucid" concepts "$file" --format binary --out /dev/null --device "$device" --quiet
        echo "$(basename "$file"), streamed, --device $device: whole process $(python3 -c "print(round($EPOCHREALTIME - $start, 3))") s"
    done
done

if [ -z "$quick" ]; then
    title "pellucid-bench concepts --device cuda:0"
    "$pellucid-bench" concepts --device cuda:0 --quiet
fi

if [ -n "${CONCEPTS:-}" ] && command -v compute-sanitizer >/dev/null; then
    title "The tests of concepts on the GPU, and under compute-sanitizer"
    "$CONCEPTS" 2>&1 | grep 'test result'
    for tool in memcheck racecheck; do
        echo "$tool: $(PROPTEST_CASES=6 compute-sanitizer --tool $tool "$CONCEPTS" --test-threads=1 2>&1 | grep -E 'SUMMARY')"
    done
fi
