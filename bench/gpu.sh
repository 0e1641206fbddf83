#!/usr/bin/env bash
# All figures of a GPU on this machine, beside the processor's, in one run.
#
#   bench/gpu.sh [PELLUCID] > bench/results/gpu.txt
#
# PELLUCID is the command, target/release/pellucid unless said otherwise. It takes about two minutes and writes a table of
# 400 MB into a temporary folder. Where there is compute-sanitizer and a conformance test binary (named by CONFORMANCE), the
# kernels are also checked for wrong memory accesses and races.
set -uo pipefail
pellucid=${1:-target/release/pellucid}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

title() { printf '\n## %s\n\n' "$*"; }
seconds() {
    local start=$EPOCHREALTIME
    "$@" >/dev/null
    printf '%.2f' "$(echo "$EPOCHREALTIME - $start" | bc -l 2>/dev/null || python3 -c "print($EPOCHREALTIME - $start)")"
}

echo "# A GPU beside the processor"
echo
"$pellucid" --version
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
grep -m1 'model name' /proc/cpuinfo | cut -d: -f2 | sed "s/\$/, $(nproc) cores/"

title "pellucid devices"
"$pellucid" devices

for distinct in 256 2000; do
    for device in cuda:0 cpu cpu,cuda:0; do
        title "bench interpreter --device $device --distinct $distinct"
        "$pellucid" bench interpreter --device "$device" --distinct "$distinct" --rules 1000,10000 \
            --rows 100000,1000000 --seconds 0.3 --quiet | sed -n '/^Flat/,/^$/p'
    done
done

for device in cuda:0 cpu cpu,cuda:0; do
    title "bench rules --sets artificial7 --device $device (three times)"
    for _ in 1 2 3; do
        "$pellucid" bench rules --sets artificial7 --device "$device" --quiet | tail -n +6
    done
done

title "A million rows and 100 attributes from Parquet"
"$pellucid" generate artificial 7 --out "$folder/a7.parquet" 2>/dev/null
for device in cpu cuda:0; do
    echo "read, one hypothesis evaluated, --device $device: $(seconds "$pellucid" evaluate "$folder/a7.parquet" \
        --target class --bag bag --hypotheses <(echo 'x1 > 0.5') --device "$device" --quiet) s"
done

title "One seed, one model: 20 generations on that table"
for device in cpu cuda:0 cpu,cuda:0 cuda:0,cuda:0; do
    "$pellucid" learn rules "$folder/a7.parquet" --mode g3p-mi --generations 20 --seed 3 --device "$device" --quiet \
        --out "$folder/model.json" >/dev/null
    echo "$(md5sum <"$folder/model.json" | cut -c1-32)  $device"
done
"$pellucid" generate artificial 3 --out "$folder/a3.csv" 2>/dev/null
for level in scalar portable avx2 avx512; do
    PELLUCID_SIMD=$level "$pellucid" learn rules "$folder/a3.csv" --target class --bag bag --seed 3 --device cpu --quiet \
        --out "$folder/model.json" >/dev/null
    echo "$(md5sum <"$folder/model.json" | cut -c1-32)  $level, a smaller table"
done
for device in cuda:0 cpu,cuda:0 cuda:0,cuda:0; do
    "$pellucid" learn rules "$folder/a3.csv" --target class --bag bag --seed 3 --device "$device" --quiet \
        --out "$folder/model.json" >/dev/null
    echo "$(md5sum <"$folder/model.json" | cut -c1-32)  $device, the smaller table"
done

title "A GPU that fails, and one with room for little of the table"
PELLUCID_FAULT=cuda:0@5 "$pellucid" learn rules "$folder/a7.parquet" --mode g3p-mi --generations 20 --seed 3 \
    --device cuda:0,cpu --gpu-load 0.9 --out "$folder/model.json" 2>&1 >/dev/null | grep warning
echo "$(md5sum <"$folder/model.json" | cut -c1-32)  cuda:0 lost at its fifth call, the processor goes on"
PELLUCID_GPU_MEMORY=50000000 "$pellucid" learn rules "$folder/a7.parquet" --mode g3p-mi --generations 20 --seed 3 \
    --device cuda:0 --quiet --out "$folder/model.json" >/dev/null
echo "$(md5sum <"$folder/model.json" | cut -c1-32)  cuda:0 with 50 MB for a table of 125 MB"

if [ -n "${CONFORMANCE:-}" ] && command -v compute-sanitizer >/dev/null; then
    title "The conformance suite on the GPU, and under compute-sanitizer"
    "$CONFORMANCE" 2>&1 | grep 'test result'
    for tool in memcheck racecheck; do
        echo "$tool: $(compute-sanitizer --tool $tool "$CONFORMANCE" small_tables --test-threads=1 2>&1 | grep -E 'SUMMARY')"
        echo "$tool: $(compute-sanitizer --tool $tool "$CONFORMANCE" bags --test-threads=1 2>&1 | grep -E 'SUMMARY')"
    done
fi
