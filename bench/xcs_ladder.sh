#!/usr/bin/env bash
# The highest rungs of the ladder of multiplexers on a machine with many cores, and lock-step on its GPU.
#
#   bench/xcs_ladder.sh [SECONDS] [PELLUCID] > bench/results/xcs_ladder_cores.txt
#
# SECONDS is the time of each agent on the highest rungs, 150 by default; the whole takes about twice as long.
# It needs pellucid and pellucid-bench beside it, and no compiler.
set -uo pipefail
seconds=${1:-150}
bench=${2:-target/release/pellucid}-bench
[ -x "$bench" ] || { echo "there is no $bench; build it first: cargo build --release" >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# bits, mode, seed and further flags, one agent on one core each
agents() {
    for seed in 1 2 3 4; do
        echo "37 reward $seed"
        echo "37 supervised $seed"
        echo "70 supervised $seed"
    done
    for seed in 1 2; do
        echo "70 reward $seed"
        echo "70 reward $seed --population 50000"
        echo "135 supervised $seed"
        echo "135 supervised $seed --population 60000 --dont-care 0.85"
        echo "135 supervised $seed --population 100000 --dont-care 0.87"
    done
}

echo "# Multiplexers: steps to 99 %, one agent on each core ($(nproc) cores, at most $seconds s each)"
echo
run() {
    read -r bits mode seed more <<<"$1"
    # shellcheck disable=SC2086
    "$bench" ladder --bits "$bits" --modes "$mode" --seed "$seed" --most-seconds "$seconds" --quiet $more |
        tail -n 1 >"$folder/$bits-$mode-$seed-${more// /}"
}
export -f run
export bench seconds folder
agents | xargs -P "$(nproc)" -I{} bash -c 'run "{}"'
"$bench" ladder --quick --quiet | sed -n 2p
sort -n "$folder"/*

if "${bench%-bench}" devices --json 2>/dev/null | grep -q '"id":"cuda:0"'; then
    echo
    echo "# The same agents in lock-step on the GPU and on all threads"
    echo
    for learners in 16 256; do
        "$bench" xcs --problems multiplexer-20,multiplexer-37 --learners "$learners" --timed 50000 --quiet
    done
fi
