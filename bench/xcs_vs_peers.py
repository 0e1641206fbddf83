#!/usr/bin/env python3
"""Classifier systems beside XCSF, scikit-XCS and scikit-ExSTraCS, in one run on one machine.

    cargo build --release --package pellucid-cli
    python3 bench/xcs_vs_peers.py

Multiplexers: the same population and number of exploring steps, on one thread, by the processor's time; rounds of ours and theirs
alternate, and the steps until 990 of 1,000 tests are right stand beside the speed, since a faster loop that learns worse is
worth nothing. XCSF learns from rewards as ours does there, updates on exploiting steps too, and adapts its mutation. The
scikit learners take a table: their figure is the accuracy on rows they have not seen.

Tables: wine and breast cancer of scikit-learn, ten folds, scikit-ExSTraCS and `pellucid cv xcs` with the same population and
iterations. Ours breeds intervals over the order of values and names few columns in a rule: another representation.

The peers are installed into bench/.venv on first use. The result goes to bench/results/ as text and JSON.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from setting import BENCH, PEERS, arguments_of, keep, machine, need

PACKAGES = ["scikit-learn", "xcsf", "scikit-XCS", "scikit-ExSTraCS"]
MODULES = {"xcsf": "xcsf", "scikit-XCS": "skXCS", "scikit-ExSTraCS": "skExSTraCS"}
# Bits, address bits, population, don't care, steps that are timed, rounds.
PROBLEMS = [(6, 2, 400, 0.33, 5_000, 3), (11, 3, 800, 0.33, 10_000, 3), (20, 4, 2000, 0.5, 20_000, 2)]
QUICK = [(6, 2, 400, 0.33, 1_000, 1)]
# What was aimed at: times XCSF on 20 bits.
AIM = 40


def ours(command, bits, steps, seed):
    told = subprocess.run([command, "bench", "xcs", "--problems", f"multiplexer-{bits}", "--timed", str(steps), "--seed", str(seed),
                           "--json", "--quiet"], check=True, capture_output=True, text=True).stdout
    return json.loads(told.splitlines()[-1])["rows"][0]


def theirs(*words):
    """What a peer says, or why it does not."""
    done = subprocess.run([PEERS.python, BENCH / "peers" / "classifiers.py", *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        return {"failed": done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no reason given"}
    return json.loads(done.stdout.splitlines()[-1])


def multiplexers(command, problems, peers):
    lines, rows = [], []
    for bits, address, population, dont_care, steps, rounds in problems:
        for seed in range(1, rounds + 1):
            own = ours(command, bits, steps, seed)
            speed, known = own["iterations_per_second"], own["explore_steps_to_99"]
            lines.append(f"multiplexer-{bits:<3} seed {seed}  pellucid         {speed:>12,.0f} steps/s  99 % after {known}")
            rows.append({"problem": f"multiplexer-{bits}", "seed": seed, "who": "pellucid", **own})
            for peer in peers:
                # What takes a table is far slower: fewer steps, and its rate is that of those.
                count = steps if peer == "xcsf" else min(steps, 2_000)
                told = theirs("multiplexer", peer, address, population, dont_care, count, seed)
                if "failed" in told:
                    lines.append(f"multiplexer-{bits:<3} seed {seed}  {peer:<16} failed: {told['failed']}")
                    continue
                rate = count / told["seconds"]
                quality = (f"99 % after {told['explore_steps_to_99']}" if peer == "xcsf"
                           else f"accuracy {told['accuracy']:.3f} after {count:,} steps")
                lines.append(f"multiplexer-{bits:<3} seed {seed}  {peer:<16} {rate:>12,.0f} steps/s  {quality}"
                             f"  ours is {speed / rate:.1f} times as fast")
                rows.append({"problem": f"multiplexer-{bits}", "seed": seed, "who": peer, "steps_per_second": rate, **told,
                             "ratio": speed / rate})
    return lines, rows


def write_tables(folder):
    script = f"""
import csv, sklearn.datasets as sets
for name, load in [("wine", sets.load_wine), ("cancer", sets.load_breast_cancer)]:
    data = load()
    with open({str(folder)!r} + "/" + name + ".csv", "w", newline="") as out:
        rows = csv.writer(out)
        rows.writerow([*data.feature_names, "class"])
        rows.writerows([*row, data.target_names[code]] for row, code in zip(data.data, data.target))
"""
    subprocess.run([PEERS.python, "-c", script], check=True)


def tables(command, population, iterations):
    lines, rows = [], []
    with tempfile.TemporaryDirectory() as folder:
        write_tables(folder)
        for name in ["wine", "cancer"]:
            file = pathlib.Path(folder) / f"{name}.csv"
            told = subprocess.run([command, "cv", "xcs", file, "--target", "class", "--population", str(population), "--iterations",
                                   str(iterations), "--threads", "1", "--json", "--quiet"], check=True, capture_output=True, text=True)
            own = json.loads(told.stdout.splitlines()[-1])
            peer = theirs("table", "scikit-ExSTraCS", file, population, iterations, 1)
            mean, seconds = own["accuracy"]["mean"], own["seconds"]
            lines.append(f"{name:<8} pellucid         accuracy {mean:.3f}  {seconds:.1f} s")
            if "failed" in peer:
                lines.append(f"{name:<8} scikit-ExSTraCS  failed: {peer['failed']}")
            else:
                lines.append(f"{name:<8} scikit-ExSTraCS  accuracy {peer['accuracy']:.3f}  {peer['seconds']:.1f} s")
            rows.append({"table": name, "pellucid": {"accuracy": mean, "seconds": seconds}, "scikit-ExSTraCS": peer})
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
    of_tables = []
    if not args.quick and PEERS.has("sklearn, skExSTraCS"):
        more, of_tables = tables(args.pellucid, 1000, 8_000)
        lines += ["", *more]
    lines.append("")
    if absent:
        lines.append(f"not installed: {', '.join(absent)}")
    lines.append(f"aimed at on 20 bits: {AIM} times XCSF")
    setting = machine()
    text = "\n".join([f"{setting['processor']}, {setting['cores']} cores, load {setting['load']:.1f}", "", *lines]) + "\n"
    keep("xcs_vs_peers", text, {"machine": setting, "multiplexers": rows, "tables": of_tables, "absent": absent}, args.quick)


if __name__ == "__main__":
    main()
