#!/usr/bin/env python3
"""Compare classifier systems on multiplexers of growing size: steps and seconds until 99 % are right.

    cargo build --release --package pellucid-cli --package pellucid-bench
    python3 bench/xcs_ladder.py [--bits 6,11,20,37,70] [--seconds 300]

Every system has the same CPU time for a rung and runs on one thread. Pellucid learns from rewards (XCS)
and from known classes (UCS), by `pellucid-bench ladder`. XCSF learns from rewards. scikit-ExSTraCS and HEROS
learn a table; see peers/ladder.py for how they are tested. A peer that does not reach a rung is not run on
higher ones. The number of rules is that of the population and, for Pellucid, that of the rules that remain
after its reduction; for ExSTraCS that of the compacted population, and for HEROS that of the best model.

The peers are installed into bench/.venv on first use. The result is written to bench/results/ as text
and JSON.
"""

import json
import subprocess
import sys
import tempfile

from setting import BENCH, PEERS, arguments_of, keep, machine, need

# The peers need scikit-learn before 1.6.
PACKAGES = ["scikit-learn<1.6", "xcsf", "scikit-ExSTraCS", "skheros"]
MODULES = {"xcsf": "xcsf", "scikit-ExSTraCS": "skExSTraCS", "heros": "skheros"}
# By bits: address bits, population, don't-care probability, rows of a table (as published for ExSTraCS).
RUNGS = {6: (2, 400, 0.33, 500), 11: (3, 800, 0.33, 1000), 20: (4, 2000, 0.5, 2000),
         37: (5, 5000, 0.65, 5000), 70: (6, 10_000, 0.8, 10_000), 135: (7, 30_000, 0.9, 40_000)}


def ours(command, bits, seconds, agents, quick):
    with tempfile.NamedTemporaryFile() as out:
        words = [f"{command}-bench", "ladder", "--bits", bits, "--most-seconds", seconds, "--agents", agents,
                 "--seed", 1, "--out", out.name, "--json", "--quiet"]
        output = subprocess.run([*map(str, words), *(["--quick"] if quick else [])], check=True,
                                capture_output=True, text=True).stdout
    return json.loads(output.splitlines()[-1])["rows"]


def theirs(*words):
    """Return the result of a peer, or its error."""
    done = subprocess.run([PEERS.python, BENCH / "peers" / "ladder.py", *map(str, words)],
                          capture_output=True, text=True)
    if done.returncode != 0:
        return {"failed": done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "no reason given"}
    return json.loads(done.stdout.splitlines()[-1])


def line(bits, who, seed, row):
    if "failed" in row:
        return f"{bits:>4} {who:<22} {seed:>4}  failed: {row['failed']}"
    steps = f"{row['steps']:,}" if row["reached"] else f"not in {row['steps']:,}"
    accuracy = row.get("population_accuracy", row.get("accuracy", row.get("right_of_1000", 0) / 1000))
    seconds = row.get("processor_seconds", row["seconds"])
    compact = f"{row['compact_rules']:>8,}" if "compact_rules" in row else f"{'':>8}"
    return (f"{bits:>4} {who:<22} {seed:>4} {steps:>16} {seconds:>9.2f} {row['rules']:>8,} {compact} "
            f"{accuracy:>9.3f}" + (f" {row['compact_accuracy']:>10.3f}" if "compact_accuracy" in row else ""))


def main():
    parser = arguments_of(__doc__)
    parser.add_argument("--bits", default="6,11,20,37", help="sizes of the multiplexers, separated by commas")
    parser.add_argument("--seconds", type=float, default=300, help="CPU seconds of a system for a rung")
    parser.add_argument("--agents", type=int, default=3, help="runs of Pellucid per rung, with other seeds")
    args = parser.parse_args()
    need(args.pellucid, "cargo build --release --package pellucid-cli")
    if not args.quick:
        PEERS.make()
        if not PEERS.has("xcsf, skExSTraCS, skheros") and not PEERS.install(PACKAGES):
            print("not all peers could be installed", file=sys.stderr)
    peers = [] if args.quick else [peer for peer, module in MODULES.items() if PEERS.has(module)]
    lines = [f"{'bits':>4} {'system':<22} {'seed':>4} {'steps to 99 %':>16} {'CPU s':>9} {'rules':>8} "
             f"{'compact':>8} {'accuracy':>9} {'of compact':>10}"]
    print(lines[0], flush=True)
    rows = []
    for bits in [6] if args.quick else [int(bits) for bits in args.bits.split(",")]:
        address, population, dont_care, table = RUNGS[bits]
        found = [(f"pellucid {row['mode']}", row["seed"], row) for row in
                 ours(args.pellucid, bits, args.seconds, 1 if args.quick else args.agents, args.quick)]
        for who, seed, row in found:
            lines.append(line(bits, who, seed, row))
            print(lines[-1], flush=True)
        for peer in list(peers):
            row = theirs(peer, address, population, dont_care, table, args.seconds, 1)
            found.append((peer, 1, row))
            lines.append(line(bits, peer, 1, row))
            print(lines[-1], flush=True)
            if not row.get("reached"):
                peers.remove(peer)
        rows += [{"bits": bits, "who": who, "seed": seed, **row} for who, seed, row in found]
    setting = machine()
    head = (f"{setting['processor']}, {setting['cores']} cores, load {setting['load']:.1f}; at most "
            f"{args.seconds:g} CPU seconds for a rung, one thread")
    keep("xcs_ladder", "\n".join([head, "", *lines]) + "\n", {"machine": setting, "rungs": rows}, args.quick)


if __name__ == "__main__":
    main()
