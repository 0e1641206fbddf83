#!/usr/bin/env python3
"""Check the estimates of the number of concepts against the numbers.

    cargo build --release && python3 bench/concepts_estimate.py FILE:SUPPORT...

Each context is counted once, and estimated with many seeds. Contexts with at most 200,000 concepts are
counted by the estimate too, so they show nothing. The result is written to bench/results.
"""

import json
import pathlib
import statistics
import subprocess
import sys

from setting import BENCH, arguments_of, machine, need, spent


def concepts(program, path, support, *flags):
    command = [program, "concepts", path, "--min-support", str(support), "--json", "--quiet", *flags]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def row(program, context, seeds):
    path, support = context.rsplit(":", 1)
    start = spent()
    number = concepts(program, path, support, "--count")["concepts"]
    counted = spent() - start
    found = [concepts(program, path, support, "--estimate", "--seed", str(seed)) for seed in range(seeds)]
    each = (spent() - start - counted) / seeds
    held = sum(one["low"] <= number <= one["high"] for one in found)
    width = statistics.median((one["high"] - one["low"]) / 2 / number for one in found)
    error = max(abs(one["concepts"] - number) / number for one in found)
    return (f"{pathlib.Path(path).stem:22}{support:>8}{number:>14,}{held:>5} of {seeds}{width:>9.1%}"
            f"{error:>11.1%}{each:>12.2f}{counted:>11.2f}")


def main():
    parser = arguments_of(__doc__)
    parser.add_argument("contexts", nargs="*", metavar="FILE:SUPPORT")
    parser.add_argument("--seeds", type=int, default=40)
    arguments = parser.parse_args()
    need(arguments.pellucid, "cargo build --release")
    if arguments.quick:
        data = BENCH.parent / "examples" / "animals.csv"
        print(row(arguments.pellucid, f"{data}:0", 2))
        return
    lines = [f"{key}: {value}" for key, value in machine().items()]
    lines += ["", "95 % intervals: how many of the seeds hold the number, half of the width (median),",
              "the largest error of an estimate, CPU seconds of an estimate, CPU seconds to count", "",
              f"{'context':22}{'support':>8}{'concepts':>14}{'held':>11}{'width':>9}{'error':>11}"
              f"{'estimate':>12}{'count':>11}"]
    print("\n".join(lines))
    for context in arguments.contexts:
        lines.append(row(arguments.pellucid, context, arguments.seeds))
        print(lines[-1], flush=True)
    (BENCH / "results" / "concepts_estimate.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
