# What the comparisons of a GPU share; they begin with `source "$(dirname "$0")/gpu_setting.sh"`.
#
#   SCRIPT [--quick] [PELLUCID]
#
# PELLUCID is the command, target/release/pellucid by default. --quick takes tiny inputs and seconds, for the
# gate: it shows that the script still runs and that the answers agree, and it needs no GPU. Sets `quick` (1 or nothing),
# `pellucid`, `gpu` (1 or nothing) and `folder`, which is gone at the end.
set -uo pipefail
quick=
if [ "${1:-}" = --quick ]; then quick=1; shift; fi
pellucid=${1:-target/release/pellucid}
[ -x "$pellucid" ] || { echo "there is no $pellucid; build it first: cargo build --release" >&2; exit 1; }
gpu=
"$pellucid" devices --json 2>/dev/null | grep -q '"id":"cuda:0"' && gpu=1
if [ -z "$gpu" ] && [ -z "$quick" ]; then echo "there is no GPU here, and so nothing to compare" >&2; exit 1; fi
folder=$(mktemp -d)
# What went wrong in a pipeline or between parentheses counts too.
ended() { local status=$?; [ -e "$folder/wrong" ] && status=1; rm -rf "$folder"; exit "$status"; }
trap ended EXIT

title() { printf '\n## %s\n\n' "$*"; }

# The devices named, without those that are not there.
devices() {
    local each
    for each in "$@"; do
        case $each in *cuda*) [ -n "$gpu" ] && echo "$each" ;; *) echo "$each" ;; esac
    done
}

# One of two words: the first in the quick form.
either() { if [ -n "$quick" ]; then echo "$1"; else echo "$2"; fi; }

# Says what is wrong and goes on; the script then ends with 1.
wrong() { echo "WRONG: $*" | tee -a "$folder/wrong"; }

# Runs a command that must succeed.
sound() { "$@" || wrong "$* ended with $?"; }

head_lines() {
    echo "# $1"
    echo
    sound "$pellucid" --version
    if [ -n "$gpu" ]; then
        nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
    else
        echo "there is no GPU here; only the CPU is asked"
    fi
    grep -m1 'model name' /proc/cpuinfo | cut -d: -f2 | sed "s/\$/, $(nproc) cores/"
}
