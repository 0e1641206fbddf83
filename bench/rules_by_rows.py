#!/usr/bin/env python3
"""Measure `learn rules` with its defaults on generated tables from 250 to 4 million rows.

    cargo build --release && python3 bench/rules_by_rows.py [--rows N,…] [--problem NAME,…] [--threads N]

The tables come from `pellucid-bench sweep`: five problems whose best possible accuracy and AUC are known.
Two properties are checked for every problem. Cost: a table never takes more than 1.3 times the CPU time of
a table with twice the rows. Quality: with more rows, accuracy and AUC on new rows do not fall by more than
three standard errors of the difference plus 0.002. The result is written to bench/results/ as text, JSON
and a curve (SVG).

The quick form compares the instructions of 1,000, 2,000, 4,000 and 8,000 rows under valgrind, if it is
installed, because times are noisy.
"""

import json
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from setting import arguments_of, keep, machine, need

MOST_RATIO = 1.3
NEW_ROWS = 100_000
PROBLEMS = ["exclusive-or", "mixed", "parity", "slopes", "ring"]
ROWS = [250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000, 512_000,
        1_000_000, 2_000_000, 4_000_000]
QUICK_ROWS = [1000, 2000, 4000, 8000]


def sweep(bench, problem, rows, threads):
    """Learn from one generated table."""
    command = [bench, "sweep", "--json", "--quiet", "--problem", problem, "--rows", str(rows),
               "--threads", str(threads)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])["rows"][0]


def instructions(pellucid, bench, problem, rows, folder):
    """Return the instructions, in millions, that training on a generated table takes."""
    table = folder / f"{problem}-{rows}.csv"
    subprocess.run([bench, "sweep", "--problem", problem, "--rows", str(rows), "--columns", "10",
                    "--write", table], check=True)
    counted = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
               pellucid, "learn", "rules", table, "--target", "class", "--threads", "1", "--quiet",
               "--out", folder / "model.json", "--force"]
    done = subprocess.run(counted, check=True, capture_output=True, text=True)
    refs = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    return int(refs[1].replace(",", "")) / 1e6


def dearer(costs):
    """Return the pairs of sizes of which the smaller one takes more than its share."""
    sizes = sorted(costs)
    pairs = [(size, 2 * size) for size in sizes if 2 * size in costs]
    return [(one, other, costs[one] / costs[other]) for one, other in pairs]


def worse(results):
    """Return the sizes whose quality falls beyond noise."""
    found = []
    for key in ("accuracy", "auc"):
        for one, other in zip(results, results[1:]):
            value = one[key]
            error = math.sqrt(2 * value * (1 - value) / NEW_ROWS)
            if other[key] < value - 3 * error - 0.002:
                found.append((key, one["rows"], other["rows"], value, other[key]))
    return found


def curve(results):
    """Return the CPU time by rows as a picture with logarithmic axes."""
    width, height, left, bottom = 640, 400, 60, 50
    rows = sorted({one["rows"] for one in results})
    times = [one["cpu_seconds"] for one in results]
    low, high = math.log10(min(times)), math.log10(max(times))
    across = lambda count: left + (width - left - 110) * math.log(count / rows[0]) / max(
        math.log(rows[-1] / rows[0]), 1e-9)
    down = lambda time: 20 + (height - bottom - 20) * (high - math.log10(time)) / max(high - low, 1e-9)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
             'font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    for count in rows[::2]:
        parts.append(f'<text x="{across(count):.0f}" y="{height - 30}" text-anchor="middle">'
                     f"{count:,}</text>")
    for power in range(math.ceil(low), math.floor(high) + 1):
        y = down(10 ** power)
        parts.append(f'<line x1="{left}" x2="{width - 110}" y1="{y:.0f}" y2="{y:.0f}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:.0f}" text-anchor="end">{10.0 ** power:g} s</text>')
    colors = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#555555"]
    for color, problem in zip(colors, dict.fromkeys(one["problem"] for one in results)):
        own = [one for one in results if one["problem"] == problem]
        points = " ".join(f'{across(one["rows"]):.1f},{down(one["cpu_seconds"]):.1f}' for one in own)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="2"/>')
        x, y = across(own[-1]["rows"]) + 6, down(own[-1]["cpu_seconds"]) + 4
        parts.append(f'<text x="{x:.0f}" y="{y:.0f}" fill="{color}">{problem}</text>')
    parts.append(f'<text x="{left}" y="14">CPU time of learn rules by rows</text>')
    middle = (width - 110 + left) / 2
    parts.append(f'<text x="{middle:.0f}" y="{height - 8}" text-anchor="middle">rows</text>')
    return "\n".join([*parts, "</svg>\n"])


def quick(options, bench):
    """Compare the instruction counts of small tables."""
    if not shutil.which("valgrind"):
        print("valgrind is not installed; instructions are not counted", file=sys.stderr)
        sweep(bench, "mixed", 250, 1)
        return
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        costs = {rows: instructions(options.pellucid, bench, "mixed", rows, folder)
                 for rows in QUICK_ROWS}
    failed = [pair for pair in dearer(costs) if pair[2] > MOST_RATIO]
    for one, other, ratio in dearer(costs):
        print(f"{one:,} rows take {ratio:.2f} times the instructions of {other:,}", file=sys.stderr)
    if failed:
        sys.exit(f"smaller tables cost more than {MOST_RATIO} times those with twice the rows: {failed}")


def main():
    parser = arguments_of(__doc__)
    parser.add_argument("--rows", default=",".join(map(str, ROWS)))
    parser.add_argument("--problem", default=",".join(PROBLEMS))
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    bench = options.pellucid.with_name("pellucid-bench")
    for program in (options.pellucid, bench):
        need(program, "cargo build --release")
    if options.quick:
        quick(options, bench)
        return
    results, lines, failures = [], [], []
    sizes = [int(rows) for rows in options.rows.split(",")]
    head = (f"{'problem':<14}{'rows':>10}{'CPU s':>9}{'s':>8}{'rules':>7}{'accuracy':>10}{'best':>8}"
            f"{'AUC':>8}{'best':>8}")
    lines.append(head)
    print(head)
    for problem in options.problem.split(","):
        own = []
        for rows in sizes:
            one = sweep(bench, problem, rows, options.threads)
            own.append(one)
            lines.append(f"{problem:<14}{rows:>10,}{one['cpu_seconds']:>9.2f}{one['seconds']:>8.2f}"
                         f"{one['rules']:>7}{one['accuracy']:>10.4f}{one['best_accuracy']:>8.4f}"
                         f"{one['auc']:>8.4f}{one['best_auc']:>8.4f}")
            print(lines[-1], flush=True)
        results += own
        costs = dearer({one["rows"]: one["cpu_seconds"] for one in own})
        failures += [f"{problem}: {one:,} rows take {ratio:.2f} times the CPU time of {other:,}"
                     for one, other, ratio in costs if ratio > MOST_RATIO]
        failures += [f"{problem}: {key} falls from {before:.4f} with {one:,} rows to {after:.4f} with "
                     f"{other:,}" for key, one, other, before, after in worse(own)]
    lines += ["", *(failures or ["Both properties hold for every problem."])]
    text = "\n".join([f"CPU: {machine()['processor']}, {options.threads} thread(s)", "", *lines, ""])
    keep("rules_by_rows", text, {"machine": machine(), "threads": options.threads, "results": results,
                                 "failures": failures}, quick=False)
    (pathlib.Path(__file__).parent / "results" / "rules_by_rows.svg").write_text(curve(results))


if __name__ == "__main__":
    main()
