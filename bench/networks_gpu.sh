#!/usr/bin/env bash
# Networks on a GPU beside the CPU, and beside JAX and PyTorch where Python has them, in one run.
#
#   bench/networks_gpu.sh [--quick] [PELLUCID] > bench/results/networks_gpu.txt
#
# SIZES, as in "50x66277 500x1000000", names other populations and rows than those of the paper. Where there is compute-sanitizer and the
# conformance test binary of forward (named by FORWARD), the kernels are also checked for wrong memory accesses and races.
source "$(dirname "$0")/gpu_setting.sh"

head_lines "Networks on a GPU beside the CPU, and beside JAX and PyTorch"

peers=$(dirname "$0")/peers/networks.py
can=
for library in jax torch; do python3 -c "import numpy, $library" 2>/dev/null && can="$can $library"; done
names() {
    local library
    for library in $can; do
        case $library in jax) echo jax-top_k jax-sort ;; torch) echo torch-topk torch-kthvalue torch-compiled ;; esac
    done
}

# A generation: genes to the device, lifts back; the least of many by the clock.
for size in ${SIZES:-$(either 5x3000 '50x66277 500x66277 5000x66277 50x1000000 500x1000000 5000x1000000')}; do
    population=${size%x*} rows=${size#*x}
    title "$population networks, $rows rows, 19 inputs, 4 radial nodes, lift at 20 %: milliseconds of a generation"
    for device in $(devices cuda:0 cpu); do
        # One of the large sizes takes a CPU half a minute.
        [ "$device" = cpu ] && [ "$((population * rows))" -gt 50000000 ] && continue
        sound "$pellucid-bench" networks --populations "$population" --rows "$rows" --device "$device" --seconds "$(either 0.01 1)" \
            --json --quiet >"$folder/ours"
        python3 -c "import json; row = json.loads(open('$folder/ours').read().splitlines()[-1])['rows'][0]
print(f\"{'pellucid, $device':<24} {1000 * row['seconds']:10.4f}\")"
        [ -e "$folder/first" ] || cp "$folder/ours" "$folder/first"
    done
    [ -n "$gpu" ] && for name in $(names); do
        timeout 120 python3 "$peers" speed_on_gpu "$name" "$population" "$rows" 19 4 1 >"$folder/theirs" 2>"$folder/errors" ||
            { echo "$name: $(tail -n 1 "$folder/errors")"; continue; }
        python3 -c "import json; ours = json.loads(open('$folder/first').read().splitlines()[-1])['rows'][0]
theirs = json.loads(open('$folder/theirs').read().splitlines()[-1])
print(f\"{'$name':<24} {1000 * theirs['seconds']:10.4f}  ours is {theirs['seconds'] / ours['seconds']:.1f} times as fast\")"
    done
    rm -f "$folder/first"
done

# The table of the paper's run in size: 94,682 rows of 19 numbers, one in 45 positive.
python3 - "$(either 600 94682)" >"$folder/table.csv" <<'END'
import math, random, sys
stream = random.Random(7)
print(",".join([f"x{number}" for number in range(19)] + ["answers"]))
for _ in range(int(sys.argv[1])):
    row = [stream.gauss(0, 1) for _ in range(19)]
    likely = math.exp(-4.6 + row[0] + 0.7 * row[1] - 0.5 * row[2] ** 2 + 0.8 * row[3] * row[4])
    print(",".join([f"{value:.4f}" for value in row] + ["yes" if stream.random() < likely / (1 + likely) else "no"]))
END
# Learns a model and prints its fingerprint and the seconds of it.
learned() {
    rm -f "$folder/model.json"
    sound "$pellucid" learn network "$folder/table.csv" --target answers --no-inner-folds --seed 3 --quiet --json --out "$folder/model.json" \
        "$@" >"$folder/result"
    local seconds
    seconds=$(python3 -c "import json; print(f\"{json.loads(open('$folder/result').read().splitlines()[-1])['seconds']:.2f}\")")
    echo "$(md5sum <"$folder/model.json" | cut -c1-32) $seconds s, $*"
}
same() { [ "$(cut -d' ' -f1 "$1" | sort -u | wc -l)" = 1 ] || wrong "one seed gave several models"; }

title "One seed, one model, whatever the device"
for mode in paper default; do
    for device in $(devices cpu cuda:0 cuda:0,cuda:0); do
        learned --mode $mode --generations "$(either 3 300)" --device "$device"
    done | tee "$folder/all"
    same "$folder/all"
done

title "The paper's run: 50 networks, $(either 20 12,000) generations, 20 halves of the held-out rows"
for device in $(devices cuda:0 cuda:0 cuda:0); do learned --mode paper --generations "$(either 20 12000)" --device "$device"; done

if command -v compute-sanitizer >/dev/null && [ -n "${FORWARD:-}" ]; then
    title "Conformance on the GPU, and under compute-sanitizer"
    "$FORWARD" 2>&1 | grep 'test result'
    for tool in memcheck racecheck; do
        echo "$tool: $(compute-sanitizer --tool $tool "$FORWARD" a_network_without 2>&1 | grep -E 'SUMMARY')"
    done
fi
