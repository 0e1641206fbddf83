#!/usr/bin/env bash
# Concepts on a GPU beside the processor, in one run.
#
#   bench/concepts_gpu.sh [PELLUCID] > bench/results/concepts_gpu.txt
#
# PELLUCID is the command, target/release/pellucid unless said otherwise. Contexts as .dat files in a folder named by CONTEXTS
# are searched beside the generated ones. Where there is compute-sanitizer and the test binary `concepts_on_gpu` (named by
# CONCEPTS), the kernels are also checked for wrong memory accesses and races.
set -uo pipefail
pellucid=${1:-target/release/pellucid}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

title() { printf '\n## %s\n\n' "$*"; }

echo "# Concepts on a GPU beside the processor"
echo
"$pellucid" --version
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
grep -m1 'model name' /proc/cpuinfo | cut -d: -f2 | sed "s/\$/, $(nproc) cores/"

title "Concepts: counted, and streamed as packed records; seconds of the search, opening a device not among them"
"$pellucid" generate context --graph chung-lu --objects 955 --density 0.02 --seed 1 --out "$folder/heavy-tailed.dat" 2>/dev/null
for density in 0.2 0.3 0.35; do
    "$pellucid" generate context --objects 1000 --attributes 100 --density $density --seed 1 \
        --out "$folder/random-$density.dat" 2>/dev/null
done
told() { sed 's/.*"concepts":\([0-9]*\).*"digest":"\([0-9a-f]*\)".*"seconds":\([0-9.e-]*\).*/\1 \2 \3 s/'; }
for file in "$folder"/*.dat ${CONTEXTS:+"$CONTEXTS"/*.dat}; do
    for device in cpu cuda:0 cuda:0 cuda:0,cuda:0; do
        echo "$(basename "$file"), --device $device: $(timeout 60 "$pellucid" concepts "$file" --count --device $device --json --quiet | tail -1 | told)"
    done
    for device in cpu cuda:0; do
        start=$EPOCHREALTIME
        timeout 60 "$pellucid" concepts "$file" --format binary --out /dev/null --device $device --quiet
        echo "$(basename "$file"), streamed, --device $device: whole process $(python3 -c "print(round($EPOCHREALTIME - $start, 3))") s"
    done
done
title "bench concepts --device cuda:0"
"$pellucid" bench concepts --device cuda:0 --quiet

if [ -n "${CONCEPTS:-}" ] && command -v compute-sanitizer >/dev/null; then
    title "The tests of concepts on the GPU, and under compute-sanitizer"
    "$CONCEPTS" 2>&1 | grep 'test result'
    for tool in memcheck racecheck; do
        echo "$tool: $(PROPTEST_CASES=6 compute-sanitizer --tool $tool "$CONCEPTS" --test-threads=1 2>&1 | grep -E 'SUMMARY')"
    done
fi
