#!/usr/bin/env bash
# Class expressions on a GPU beside the processor, in one run.
#
#   bench/logic_gpu.sh [PELLUCID] > bench/results/logic_gpu.txt
#
# PELLUCID is the command, target/release/pellucid unless said otherwise. SECONDS_EACH is the time spent on each figure, 0.1
# unless said otherwise. Where there is compute-sanitizer and the engine's test binary of worlds (named by WORLDS), the kernels
# are also checked for wrong memory accesses and races.
set -uo pipefail
pellucid=${1:-target/release/pellucid}
each=${SECONDS_EACH:-0.1}

title() { printf '\n## %s\n\n' "$*"; }

echo "# Class expressions on a GPU beside the processor"
echo
"$pellucid" --version
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
grep -m1 'model name' /proc/cpuinfo | cut -d: -f2 | sed "s/\$/, $(nproc) cores/"

title "bench logic --device cuda:0"
"$pellucid" bench logic --device cuda:0 --seconds "$each" --quiet

title "bench logic --device cpu, all cores"
"$pellucid" bench logic --device cpu --seconds "$each" --quiet

title "bench logic --device cpu --threads 1"
"$pellucid" bench logic --device cpu --threads 1 --seconds "$each" --quiet

title "Both together: whole hypotheses and batches of restrictions"
"$pellucid" bench logic --device cpu,cuda:0 --tables vi,own --seconds "$each" --quiet

title "The same answers on both"
covered() { "$pellucid" bench logic --device "$1" --tables iii,iv,v,own --quick --seconds 0 --json --quiet | tr '{' '\n' | grep -o '"covered":[0-9]*' | md5sum | cut -d' ' -f1; }
[ "$(covered cpu)" = "$(covered cuda:0)" ] && echo "the same counts" || echo "DIFFERENT COUNTS"

if [ -n "${WORLDS:-}" ] && command -v compute-sanitizer >/dev/null; then
    title "The tests of worlds on the GPU, and under compute-sanitizer"
    "$WORLDS" 2>&1 | grep 'test result'
    for tool in memcheck racecheck; do
        echo "$tool: $(PROPTEST_CASES=6 compute-sanitizer --tool $tool "$WORLDS" --test-threads=1 2>&1 | grep -E 'SUMMARY')"
    done
fi
