#!/usr/bin/env python3
"""Compare the speed of classifier systems with XCSF, scikit-XCS and scikit-ExSTraCS.

    cargo build --release --package pellucid-cli
    python3 bench/xcs_vs_peers.py

Multiplexers: the same population and number of exploring steps on one thread, by CPU time. Rounds
alternate. The number of steps until 990 of 1,000 tests are correct is reported too, because a faster
loop that learns worse would be useless. XCSF learns from rewards like Pellucid, also updates on
exploiting steps, and adapts its mutation rate. The scikit learners need a table; their accuracy on
held-out rows is reported.

Tables: conditions over all columns, as in XCSF, on wine and breast cancer of scikit-learn, and on 200
rows with 10,000 columns of noise, the size in the GPU paper. Learning from rewards with exploring steps
from an empty population, with the same population and number of iterations. The default of Pellucid,
conditions over a few columns, is listed too, but is a different representation.

Prediction: rows drawn from wine, by a model trained on wine; peers predict fewer rows, and times are per row.
xcs_quality.py compares the accuracy.

The peers are installed into bench/.venv on first use. The result is written to bench/results/ as text
and JSON.
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

from setting import BENCH, PEERS, arguments_of, keep, machine, need

# The peers need scikit-learn before 1.6.
PACKAGES = ["scikit-learn<1.6", "xcsf", "scikit-XCS", "scikit-ExSTraCS"]
MODULES = {"xcsf": "xcsf", "scikit-XCS": "skXCS", "scikit-ExSTraCS": "skExSTraCS"}
# Bits, address bits, population, don't-care probability, timed steps, rounds.
PROBLEMS = [(6, 2, 400, 0.33, 4_000, 1), (11, 3, 800, 0.33, 10_000, 1), (20, 4, 2000, 0.5, 20_000, 2),
            (37, 5, 5000, 0.65, 5_000, 1)]
QUICK = [(6, 2, 400, 0.33, 1_000, 1)]
# The population and the number of iterations of each table.
TABLES = {"wine": (1000, 8_000), "cancer": (1000, 8_000), "noise-200x10000": (2000, 800)}
# The goals as ratios to XCSF: minimum and best case.
AIMS = {"multiplexer-20": (40, 100), "multiplexer-37": (60, 150), "wine": (16, 40), "cancer": (16, 40),
        "noise-200x10000": (3, 10),
        "predict": (100, None)}


def ours(command, bits, steps, seed):
    most = 1_000 if bits > 20 else 60_000
    output = subprocess.run([f"{command}-bench", "xcs", "--problems", f"multiplexer-{bits}", "--timed",
                             str(steps), "--seed", str(seed),
                           "--most-steps", str(most), "--json", "--quiet"], check=True, capture_output=True,
                            text=True).stdout
    return json.loads(output.splitlines()[-1])["rows"][0]


def theirs(*words):
    """Return the output of a peer, or its error."""
    done = subprocess.run([PEERS.python, BENCH / "peers" / "classifiers.py", *map(str, words)],
                          capture_output=True, text=True)
    if done.returncode != 0:
        return {"failed": done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no reason given"}
    return json.loads(done.stdout.splitlines()[-1])


def multiplexers(command, problems, peers):
    lines, rows = [], []
    for bits, address, population, dont_care, steps, rounds in problems:
        for seed in range(1, rounds + 1):
            own = ours(command, bits, steps, seed)
            speed, known = own["iterations_per_second"], own["explore_steps_to_99"]
            lines.append(f"multiplexer-{bits:<3} seed {seed}  pellucid         {speed:>12,.0f} steps/s  "
                         f"99 % after {known}")
            rows.append({"problem": f"multiplexer-{bits}", "seed": seed, "who": "pellucid", **own})
            for peer in peers if bits <= 11 else [peer for peer in peers if peer == "xcsf"]:
                # The scikit learners are far slower, so their rate is measured on fewer steps.
                count = steps if peer == "xcsf" else min(steps, 2_000)
                output = theirs("multiplexer", peer, address, population, dont_care, count, seed)
                if "failed" in output:
                    lines.append(f"multiplexer-{bits:<3} seed {seed}  {peer:<16} failed: {output['failed']}")
                    continue
                rate = count / output["seconds"]
                quality = (f"99 % after {output['explore_steps_to_99']}" if peer == "xcsf"
                           else f"accuracy {output['accuracy']:.3f} after {count:,} steps")
                lines.append(f"multiplexer-{bits:<3} seed {seed}  {peer:<16} {rate:>12,.0f} steps/s  "
                             f"{quality}"
                             f"  ours is {speed / rate:.1f} times as fast")
                rows.append({"problem": f"multiplexer-{bits}", "seed": seed, "who": peer,
                             "steps_per_second": rate, **output,
                             "ratio": speed / rate})
    return lines, rows


def write_tables(folder, quick):
    """Write the tables, including a wide and short one of noise."""
    names = ["wine"] if quick else ["wine", "cancer"]
    subprocess.run([PEERS.python, BENCH / "peers" / "tidy.py", folder, folder, *names], check=True,
                   capture_output=True)
    if not quick:
        draw = random.Random(1)
        with open(folder / "noise-200x10000.csv", "w") as file:
            file.write(",".join(f"x{column}" for column in range(10_000)) + ",class\n")
            for row in range(200):
                file.write(",".join(f"{draw.random():.4f}" for _ in range(10_000)) + f",{'ab'[row % 2]}\n")
        names.append("noise-200x10000")
    return {name: folder / f"{name}.csv" for name in names}


def own_tables(command, file, population, iterations, seed, *more):
    output = subprocess.run([f"{command}-bench", "xcs", "--tables", file, "--population", str(population),
                             "--iterations", str(iterations),
                           "--trials", "1", "--seed", str(seed), "--json", "--quiet", *more], check=True,
                            capture_output=True, text=True)
    return json.loads(output.stdout.splitlines()[-1])["rows"]


def tables(command, files, peers, rounds):
    lines, rows = [], []
    for name, file in files.items():
        population, iterations = TABLES[name]
        for seed in range(1, rounds + 1):
            for own in own_tables(command, file, population, iterations, seed):
                speed = own["iterations_per_second"]
                line = (f"{name:<16} seed {seed}  pellucid {own['conditions']:<7} {speed:>12,.0f} steps/s  "
                        f"by {own['matching']}")
                row = {"table": name, "seed": seed, "who": "pellucid", **own}
                if "xcsf" in peers:
                    output = theirs("dense", "xcsf", file, population, iterations, seed)
                    if "failed" in output:
                        line += f"  xcsf failed: {output['failed']}"
                    else:
                        rate = iterations / output["seconds"]
                        line += f"  XCSF (dense) {rate:>9,.0f}: ours is {speed / rate:.1f} times as fast"
                        row |= {"xcsf_steps_per_second": rate, "ratio": speed / rate}
                print(line, flush=True)
                lines.append(line)
                rows.append(row)
    return lines, rows


def predicting(command, file, peers):
    own = [row for row in own_tables(command, file, 1000, 100, 1, "--predict", "1000000")
           if "predicted_rows" in row][0]
    rate = own["rows_per_second"]
    lines, rows = [f"predict          pellucid         {rate:>14,.0f} rows/s"], [own]
    for peer in peers:
        count = 100_000 if peer == "xcsf" else 2_000
        output = theirs("predict", peer, file, count, 1)
        if "failed" in output:
            lines.append(f"predict          {peer:<16} failed: {output['failed']}")
            continue
        other = count / output["seconds"]
        lines.append(f"predict          {peer:<16} {other:>14,.0f} rows/s  ours is {rate / other:,.0f} "
                     "times as fast")
        rows.append({"who": peer, "rows_per_second": other, "ratio": rate / other})
    return lines, rows


def main():
    args = arguments_of(__doc__).parse_args()
    need(args.pellucid, "cargo build --release --package pellucid-cli")
    if not args.quick:
        PEERS.make()
        if not PEERS.has("xcsf, skXCS, skExSTraCS, sklearn") and not PEERS.install(PACKAGES):
            print("not all peers could be installed", file=sys.stderr)
    peers = [peer for peer, module in MODULES.items() if PEERS.has(module)]
    absent = [peer for peer in MODULES if peer not in peers]
    lines, rows = multiplexers(args.pellucid, QUICK if args.quick else PROBLEMS, peers)
    of_tables = of_predicting = []
    if PEERS.has("sklearn"):
        with tempfile.TemporaryDirectory() as folder:
            files = write_tables(pathlib.Path(folder), args.quick)
            more, of_tables = tables(args.pellucid, files, peers, 1 if args.quick else 2)
            lines += ["", *more]
            more, of_predicting = predicting(args.pellucid, files["wine"], [] if args.quick else peers)
            lines += ["", *more]
    lines.append("")
    if absent:
        lines.append(f"not installed: {', '.join(absent)}")
    aims = [f"{name} {least}" + (f" (at best {best})" if best else "") for name,
            (least, best) in AIMS.items()]
    lines.append(f"aimed at, times XCSF: {', '.join(aims)}")
    setting = machine()
    text = "\n".join([f"{setting['processor']}, {setting['cores']} cores, load {setting['load']:.1f}", "",
                      *lines]) + "\n"
    keep("xcs_vs_peers", text, {"machine": setting, "multiplexers": rows, "tables": of_tables,
                                "predicting": of_predicting, "absent": absent}, args.quick)


if __name__ == "__main__":
    main()
