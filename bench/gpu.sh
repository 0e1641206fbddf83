#!/usr/bin/env bash
# All figures of a GPU on this machine, beside the CPU's, in one run.
#
#   bench/gpu.sh [--quick] [PELLUCID] > bench/results/gpu.txt
#
# It takes about two minutes and writes a table of 400 MB into a temporary folder. Where there is compute-sanitizer and a
# conformance test binary (named by CONFORMANCE), the kernels are also checked for wrong memory accesses and races.
source "$(dirname "$0")/gpu_setting.sh"

seconds() {
    local start=$EPOCHREALTIME
    sound "$@" >/dev/null
    python3 -c "print(f'{$EPOCHREALTIME - $start:.2f}')"
}
# Learns a model and prints its fingerprint; all of one list must be the same.
fingerprint() {
    rm -f "$folder/model.json"
    sound "$pellucid" learn rules "$@" --seed 3 --quiet --out "$folder/model.json" >/dev/null
    md5sum <"$folder/model.json" | cut -c1-32
}
same() { [ "$(cut -d' ' -f1 "$1" | sort -u | wc -l)" = 1 ] || wrong "one seed gave several models"; }

head_lines "A GPU beside the CPU"

title "pellucid devices"
sound "$pellucid" devices

for distinct in 256 2000; do
    for device in $(devices cuda:0 cpu cpu,cuda:0); do
        title "pellucid-bench interpreter --device $device --distinct $distinct"
        sound "$pellucid-bench" interpreter --device "$device" --distinct "$distinct" --rules "$(either 20 1000,10000)" \
            --rows "$(either 1000 100000,1000000)" --seconds "$(either 0.01 0.3)" --quiet >"$folder/table"
        sed -n '/^Flat/,/^$/p' "$folder/table"
        grep -q '^Flat' "$folder/table" || wrong "bench interpreter has no table 'Flat'"
    done
done

set=$(either artificial1 artificial7)
for device in $(devices cuda:0 cpu cpu,cuda:0); do
    title "pellucid-bench rules --sets $set --device $device ($(either once 'three times'))"
    for _ in $(either 1 '1 2 3'); do
        sound "$pellucid-bench" rules --sets "$set" --generations "$(either 3 100)" --device "$device" --quiet | tail -n +6
    done
done

title "Many rows and 100 attributes from Parquet"
sound "$pellucid" generate artificial "$(either 1 7)" --out "$folder/large.parquet" 2>/dev/null
echo 'x1 > 0.5' >"$folder/hypothesis"
for device in $(devices cpu cuda:0); do
    echo "read, one hypothesis evaluated, --device $device: $(seconds "$pellucid" evaluate "$folder/large.parquet" \
        --target class --bag bag --hypotheses "$folder/hypothesis" --device "$device" --quiet) s"
done

title "One seed, one model: $(either 3 20) generations on that table"
short=(--mode g3p-mi --generations "$(either 3 20)")
for device in $(devices cpu cuda:0 cpu,cuda:0 cuda:0,cuda:0); do
    echo "$(fingerprint "$folder/large.parquet" "${short[@]}" --device "$device")  $device"
done | tee "$folder/large"
same "$folder/large"
sound "$pellucid" generate artificial "$(either 1 3)" --out "$folder/small.csv" 2>/dev/null
small=("$folder/small.csv" --target class --bag bag)
if [ -n "$quick" ]; then small+=("${short[@]}"); fi
{
    for level in scalar portable avx2 avx512; do
        # A CPU may lack the last two, or a part of the last that is needed; the program knows which.
        case $level in avx*) PELLUCID_SIMD=$level "$pellucid" devices >/dev/null 2>&1 || continue ;; esac
        echo "$(PELLUCID_SIMD=$level fingerprint "${small[@]}" --device cpu)  $level, a smaller table"
    done
    for device in $(devices cuda:0 cpu,cuda:0 cuda:0,cuda:0); do
        echo "$(fingerprint "${small[@]}" --device "$device")  $device, the smaller table"
    done
} | tee "$folder/small"
same "$folder/small"

if [ -n "$gpu" ]; then
    title "A GPU that fails, and one with room for little of the table"
    {
        echo "$(PELLUCID_FAULT=cuda:0@5 fingerprint "$folder/large.parquet" "${short[@]}" --device cuda:0,cpu \
            --gpu-load 0.9)  cuda:0 lost at its fifth call, the CPU goes on"
        echo "$(PELLUCID_GPU_MEMORY=$(either 1M 50M) fingerprint "$folder/large.parquet" "${short[@]}" \
            --device cuda:0)  cuda:0 with room for little of the table"
    } | tee -a "$folder/large"
    same "$folder/large"
fi

if [ -n "${CONFORMANCE:-}" ] && command -v compute-sanitizer >/dev/null; then
    title "The conformance suite on the GPU, and under compute-sanitizer"
    "$CONFORMANCE" 2>&1 | grep 'test result'
    for tool in memcheck racecheck; do
        echo "$tool: $(compute-sanitizer --tool $tool "$CONFORMANCE" small_tables --test-threads=1 2>&1 | grep -E 'SUMMARY')"
        echo "$tool: $(compute-sanitizer --tool $tool "$CONFORMANCE" bags --test-threads=1 2>&1 | grep -E 'SUMMARY')"
    done
fi
