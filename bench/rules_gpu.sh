#!/usr/bin/env bash
# The search for rules over very many rows on a GPU beside the CPU, in one run.
#
#   bench/rules_gpu.sh [--quick] [PELLUCID] > bench/results/rules_gpu.txt
#
# The tables are generated. Where there is compute-sanitizer and the test binary of the kernels (named by HISTOGRAM), they are also
# checked for wrong memory accesses and races.
source "$(dirname "$0")/gpu_setting.sh"

head_lines "The search for rules on a GPU beside the CPU"

# Prints the devices, the problem, its size, the seconds by the clock and of the CPU, and a digest of the scores.
searched() {
    sound "$pellucid-bench" sweep --problem "$1" --rows "$2" --columns "$3" --device "$4" --json --quiet >"$folder/found"
    python3 - "$folder/found" "$4" <<'END'
import json, sys
row = json.loads(open(sys.argv[1]).read().splitlines()[-1])["rows"][0]
print(f"{sys.argv[2]:<12} {row['problem']:<6} {row['rows']:>10,} rows: {row['seconds']:.2f} s, {row['cpu_seconds']:.1f} s of CPU time; "
      f"{row['rules']} rules, accuracy {row['accuracy']!r}, AUC {row['auc']!r}")
END
}

for size in $(either '6000:8' '1000000:30 10000000:50'); do
    rows=${size%:*} columns=${size#*:}
    title "$rows rows, $columns columns"
    for problem in $(either mixed 'mixed ring'); do
        # The first run on a GPU may compile the kernels.
        for device in $(devices cpu cpu,cuda:0 cpu cpu,cuda:0); do
            searched "$problem" "$rows" "$columns" "$device" | tee -a "$folder/$problem-$rows"
        done
        [ "$(sed 's/.*; //' "$folder/$problem-$rows" | sort -u | wc -l)" = 1 ] || wrong "rules of $problem differ between devices"
    done
done

if command -v compute-sanitizer >/dev/null && [ -n "${HISTOGRAM:-}" ]; then
    title "The kernels under compute-sanitizer"
    for tool in memcheck racecheck; do
        echo "$tool: $(compute-sanitizer --tool $tool "$HISTOGRAM" --test-threads=1 2>&1 | grep -E 'SUMMARY')"
    done
fi
