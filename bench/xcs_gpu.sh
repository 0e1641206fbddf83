#!/usr/bin/env bash
# Classifier systems on a GPU beside the CPU, in one run.
#
#   bench/xcs_gpu.sh [--quick] [PELLUCID] > bench/results/xcs_gpu.txt
#
# Where there is compute-sanitizer and the test binaries of matching and of the learner (named by MATCHING and LOCKSTEP), the
# kernels are also checked for wrong memory accesses and races.
source "$(dirname "$0")/gpu_setting.sh"

head_lines "Classifier systems on a GPU beside the CPU"

# Agents learn the same everywhere, and a population elects the same: the command itself fails where they do not.
for learners in $(either 3 '16 132 256 1024'); do
    title "pellucid-bench xcs --learners $learners: agents side by side"
    sound "$pellucid-bench" xcs --problems "$(either multiplexer-6 multiplexer-11,multiplexer-20)" --learners "$learners" \
        --timed "$(either 50 20000)" --quiet
done
if [ -z "$quick" ]; then
    title "pellucid-bench xcs --problems multiplexer-37 --learners 256"
    sound "$pellucid-bench" xcs --problems multiplexer-37 --learners 256 --timed 10000 --quiet
fi

title "pellucid-bench xcs --rows: a whole population votes on the rows of a table"
for rules in $(either 20 '200 2000 10000'); do
    sound "$pellucid-bench" xcs --rows "$(either 300 1000000)" --population "$rules" --quiet
done

title "cv xcs: folds side by side, the same scores everywhere"
sound "$pellucid" generate multiplexer --bits "$(either 6 20)" --rows "$(either 60 4000)" --out "$folder/bits.csv" 2>/dev/null
scored() {
    sound "$pellucid" cv xcs "$folder/bits.csv" --target class --iterations "$(either 1000 50000)" --folds "$(either 2 10)" \
        --repeats "$(either 1 3)" --seed 3 --device "$1" --json --quiet >"$folder/scores"
    python3 - "$folder/scores" "$1" <<'END'
import json, sys
result = json.loads(open(sys.argv[1]).read().splitlines()[-1])
print(f"accuracy {result['accuracy']['mean']:.6f}, --device {sys.argv[2]}: {result['seconds']:.2f} s")
END
}
for device in $(devices cpu cpu,cuda:0); do scored "$device"; done | tee "$folder/all"
[ "$(cut -d, -f1 "$folder/all" | sort -u | wc -l)" = 1 ] || wrong "folds learned otherwise on another device"

if command -v compute-sanitizer >/dev/null; then
    for tests in "${MATCHING:-}" "${LOCKSTEP:-}"; do
        [ -n "$tests" ] || continue
        title "$(basename "$tests") on the GPU, and under compute-sanitizer"
        "$tests" 2>&1 | grep 'test result'
        for tool in memcheck racecheck; do
            echo "$tool: $(compute-sanitizer --tool $tool "$tests" s --test-threads=1 2>&1 | grep -E 'SUMMARY')"
        done
    done
fi
