"""Rules bred over rows that lie with Ray actors: what two workers gain over one, what a generation costs beside counting, and what that makes of
a hundred machines. Run in an environment with the package and Ray in it.

    python bench/ray.py [--rows 20000000] [--generations 4]

Processors are often busy with other things, so beside the seconds on the clock stand those that each process was given: what a generation takes on cores of
its own is what the slowest worker and the process that asks were given, one after the other.
"""

import argparse
import os
import tempfile
import time

import numpy as np
import pyarrow
import ray

from pellucid import _native
from pellucid._params import run_options, settings
from pellucid.ray._learn import _Part
from pellucid.ray._rows import Actors

COLUMNS = 8
POPULATION = 1000


class Part(_Part):
    """A part whose rows are made where they are, and which knows what it was given."""

    def __init__(self, parts, jobs, device, target, bag):
        frames = [made(*part) for part in parts]
        super().__init__([pyarrow.concat_tables(frames)], jobs, device, target, bag)

    def given(self):
        return time.process_time()


def made(seed, rows):
    """Rows whose class has something to do with two of the columns."""
    draw = np.random.default_rng(seed)
    columns = {f"c{n}": draw.integers(0, 100, rows).astype(np.float64) for n in range(COLUMNS)}
    y = ((columns["c0"] > 60) & (columns["c1"] <= 50)) ^ (draw.random(rows) < 0.1)
    return pyarrow.table({**columns, "y": y})


def learned(rows, parts, workers, generations):
    """Seconds of a generation: on the clock, given to the slowest worker, given to who asks; how much goes out and comes back; the model."""
    actors = Actors(Part, [(seed, rows // parts) for seed in range(parts)], workers, 1, 0, "y", None)
    whole = _native.join_outlines(actors.ask("outline"))
    sent = ray.put(whole)
    asked = []

    def ask(kind, question):
        before = actors.ask("given")
        start = time.perf_counter()
        answers = actors.ask("answer", sent, kind, ray.put(question))
        clock = time.perf_counter() - start
        given = np.subtract(actors.ask("given"), before)
        asked.append((kind, clock, given.max(), len(question), answers[0].nbytes))
        return np.sum(answers, axis=0, dtype=np.uint64)

    chosen = {"mode": "g3p-mi", "population": POPULATION, "generations": generations, "inner_folds": 0, "n_jobs": 1}
    # The first question lays the rows out.
    ask("tally", np.array([1, 0, 0, 0], dtype="<u8").tobytes())
    asked.clear()
    start, own = time.perf_counter(), time.process_time()
    model, _ = _native.fit_parts(whole, ask, settings("rules", chosen), run_options(chosen))
    steps = [one for one in asked if one[0] == "tally"]
    own = (time.process_time() - own) / len(steps)
    clock, given = (sum(step[place] for step in steps) / len(steps) for place in (1, 2))
    actors.close()
    out, back = (float(np.mean([step[place] for step in steps])) for place in (3, 4))
    return {"clock": clock, "worker": given, "asks": own, "out": out, "back": back, "model": model.to_json()}


def simulated(nodes, rows, seconds_a_row, asks, out, back, bandwidth=1.25e9, round_trip=8e-3, a_call=0.2e-3):
    """Seconds of a generation on so many nodes: counting, and all that is not counting.

    The question goes to nodes as they are reached, each of which hands it on; calls and answers pass through the one process that asks.
    """
    counting = rows / nodes * seconds_a_row
    sending = out / bandwidth * np.ceil(np.log2(nodes + 1)) + nodes * a_call
    coming = nodes * (back / bandwidth + a_call)
    return counting, round_trip + sending + coming + asks


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--parts", type=int, default=4)
    parser.add_argument("--generations", type=int, default=4)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ.update(HOME=home, RAY_USAGE_STATS_ENABLED="0")
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        print(f"rules bred in {POPULATION}, {COLUMNS} columns of 100 values, {arguments.generations} generations; load {os.getloadavg()[0]:.1f}")
        found = {}
        for rows in (10_000, arguments.rows):
            for workers in (1, 2):
                one = found[rows, workers] = learned(rows, arguments.parts, workers, arguments.generations)
                print(
                    f"{rows:>11,} rows, {workers} workers: {one['clock']:.3f} s a generation on the clock, "
                    f"{one['worker']:.3f} s given to the slowest worker, {1e3 * one['asks']:.1f} ms to who asks; "
                    f"{one['out'] / 1e3:.0f} KB out, {one['back'] / 1e3:.0f} KB back from each"
                )
            assert found[rows, 1]["model"] == found[rows, 2]["model"], "the model depends on the number of workers"
        small, one, two = found[10_000, 2], found[arguments.rows, 1], found[arguments.rows, 2]
        print(f"two workers over one: {one['clock'] / two['clock']:.2f} times on the clock, "
              f"{(one['worker'] + one['asks']) / (two['worker'] + two['asks']):.2f} times by what processes were given")
        print(f"a generation beside counting: {1e3 * (small['clock'] - small['worker']):.1f} ms on the clock with 10,000 rows and two workers")
        a_row = one["worker"] / arguments.rows
        for name, each in (("one such core", a_row), ("16 cores at 2.9 ns a row and 1,000 rules", 2.9e-9), ("an H200 at 0.41 ns", 0.41e-9)):
            counting, rest = simulated(100, 1e11, each, one["asks"], one["out"], one["back"])
            print(f"simulated, 100 nodes of {name}, 1e11 rows: {counting:.2f} s a generation counting, {1e3 * rest:.0f} ms beside it")
        ray.shutdown()


if __name__ == "__main__":
    main()
