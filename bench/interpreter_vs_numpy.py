#!/usr/bin/env python3
"""Compare Pellucid with numpy: the same rules on the same rows, with equal counts.

    cargo build --release && python3 bench/interpreter_vs_numpy.py

numpy is installed into bench/.venv on first use. The result is written to bench/results/ as text and
JSON, with a description of the machine. Times are the fastest of several rounds, on one core unless a
row says otherwise. The rounds of Pellucid and numpy alternate, so that a busy machine slows both.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from setting import PEERS, arguments_of, keep, machine, need

# Populations after some generations and at the start.
AGES = ("later", "first")
# numpy would take seconds for all rules, so its rate is measured on an evenly spaced sample.
NUMPY_RULES = 50


class Size:
    """The size of the comparison."""

    def __init__(self, quick):
        self.rules, self.rows = (40, 3000) if quick else (1000, 100_000)
        self.rounds, self.seconds = (1, "0.01") if quick else (15, "0.15")


def ours(pellucid, size, *flags, simd=None):
    """Run one round of `pellucid-bench interpreter`. Return the seconds by population and cache."""
    command = [f"{pellucid}-bench", "interpreter", "--rules", str(size.rules), "--rows", str(size.rows),
               "--json",
               "--seconds", size.seconds, *flags]
    environment = dict(os.environ, **({"PELLUCID_SIMD": simd} if simd else {}))
    text = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    rows = json.loads(text)["rows"]
    return {(row["population"], row["cache"]): row["seconds"] for row in rows if row["population"] in AGES}


def dump(pellucid, size, folder):
    """Write the rules and rows to files. Return the number of nodes in the rules of each population."""
    command = [f"{pellucid}-bench", "interpreter", "--rules", str(size.rules), "--rows", str(size.rows),
               "--seconds", "0",
               "--json", "--dump", folder]
    subprocess.run(command, check=True, capture_output=True)
    return {age: json.loads((folder / f"rules-{age}.json").read_text())["nodes"] for age in AGES}


class Numpy:
    """Evaluates the rules of a dump with numpy on contiguous 32-bit columns."""

    def __init__(self, folder, population):
        import numpy

        self.numpy = numpy
        description = json.loads((folder / f"rules-{population}.json").read_text())
        self.rows = description["rows"]
        columns = numpy.fromfile(folder / "columns.f32", dtype="<f4")
        self.columns = columns.reshape(description["attributes"], self.rows)
        self.positive = numpy.fromfile(folder / "labels.u8", dtype=numpy.uint8).astype(bool)
        step = max(1, len(description["rules"]) // NUMPY_RULES)
        self.rules = description["rules"][::step]
        comparisons = [sum(len(conjunction) for conjunction in rule["or"]) for rule in self.rules]
        self.nodes = sum(4 * number - 1 for number in comparisons)

    def covered(self, rule):
        any_of = None
        for conjunction in rule["or"]:
            all_of = None
            for attribute, op, value in conjunction:
                value = self.numpy.float32(value)
                column = self.columns[attribute]
                bits = column > value if op == ">" else column <= value
                all_of = bits if all_of is None else self.numpy.logical_and(all_of, bits, out=all_of)
            any_of = all_of if any_of is None else self.numpy.logical_or(any_of, all_of, out=any_of)
        return any_of

    def all_covered(self):
        return map(self.covered, self.rules)

    def round(self):
        """Return the seconds for all rules. Checks that the counts are those of Pellucid."""
        start = time.perf_counter()
        counts = []
        for covered in self.all_covered():
            true = int(self.numpy.count_nonzero(covered & self.positive))
            counts.append([int(self.numpy.count_nonzero(covered)) - true, true])
        seconds = time.perf_counter() - start
        for rule, count in zip(self.rules, counts):
            assert rule["counts"] == count, f"counts differ: pellucid {rule['counts']}, peer {count}"
        return seconds

    def rate(self, seconds):
        return self.nodes * self.rows / seconds


def main():
    arguments = arguments_of(__doc__).parse_args()
    need(arguments.pellucid, "cargo build --release")
    size = Size(arguments.quick)
    if not PEERS.is_this():
        PEERS.make()
        if PEERS.has("numpy") or PEERS.install(["numpy"]):
            PEERS.enter(__file__)
        if not arguments.quick:
            sys.exit("numpy is not installed, so there is nothing to compare with")
        ours(arguments.pellucid, size)
        return print("numpy is not installed; skipped")
    with tempfile.TemporaryDirectory() as folder:
        nodes = dump(arguments.pellucid, size, pathlib.Path(folder))
        numpy = {age: Numpy(pathlib.Path(folder), age) for age in AGES}

    best = {}

    def least(name, seconds):
        best[name] = min(seconds, best.get(name, float("inf")))

    for _ in range(size.rounds):
        for age in AGES:
            least(("numpy", age), numpy[age].round())
        for name, flags, simd in (("one core", ["--threads", "1"], None),
                                  ("two threads", ["--threads", "2"], None),
                                  ("avx2", ["--threads", "1"], "avx2"),
                                  ("portable", ["--threads", "1"], "portable")):
            try:
                measured = ours(arguments.pellucid, size, *flags, simd=simd)
            except subprocess.CalledProcessError:
                if simd != "avx2":
                    raise
                continue  # The CPU does not support the instructions.
            for (age, cache), seconds in measured.items():
                least((name, age, cache), seconds)

    rate = {key: nodes[key[1]] * size.rows / seconds for key, seconds in best.items() if key[0] != "numpy"}
    peer = {age: numpy[age].rate(best["numpy", age]) for age in AGES}
    lines = [f"{key}: {value}" for key, value in machine().items()]
    lines += [f"{size.rules} rules of 12.5 comparisons x {size.rows} rows x 100 attributes of 2,000 "
              "distinct values",
              f"fastest of {size.rounds} rounds, alternating; G nodes/s, and the ratio to "
              "numpy on one core",
              "fresh: without a cache; warm: with cached rules, but without cached counts; "
              "flat: as learners evaluate", ""]
    lines.append(f"{'':24}{'some generations on':>28}{'first generation':>28}")
    lines.append(f"{'numpy':24}{peer['later'] / 1e9:>18.1f} {'1.0 x':>9}{peer['first'] / 1e9:>18.1f} "
                 f"{'1.0 x':>9}")
    for name in ("one core", "two threads", "avx2", "portable"):
        for cache in ("fresh", "warm", "flat"):
            if (name, "later", cache) in rate:
                cells = [(rate[name, age, cache] / 1e9, rate[name, age, cache] / peer[age]) for age in AGES]
                lines.append(f"{name + ', ' + cache:24}"
                             + "".join(f"{giga:>18.1f} {ratio:>7.1f} x" for giga, ratio in cells))
    one, two = rate["one core", "later", "warm"], rate["two threads", "later", "warm"]
    lines += ["", f"two threads / one: {two / one:.2f} (warm), "
              f"{rate['two threads', 'later', 'fresh'] / rate['one core', 'later', 'fresh']:.2f} (fresh)"]
    if ("avx2", "later", "warm") in rate:
        lines.append(f"avx2 / avx512: {rate['avx2', 'later', 'warm'] / one:.2f} (warm), "
                     f"{rate['avx2', 'later', 'fresh'] / rate['one core', 'later', 'fresh']:.2f} (fresh)")
    record = {"machine": machine(), "numpy_nodes_per_second": peer,
              "nodes_per_second": {" / ".join(key): value for key, value in rate.items()}}
    keep("interpreter_vs_numpy", "\n".join(lines) + "\n", record, arguments.quick)


if __name__ == "__main__":
    main()
