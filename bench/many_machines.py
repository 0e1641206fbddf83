"""Rules and networks learned over rows that lie with Ray actors: what two workers gain over one, what a step costs beside counting, and what that makes of
a hundred machines. Run in an environment with the package and Ray in it.

    python bench/many_machines.py [--rows 20000000] [--grown-rows 1000000] [--network-rows 5000000] [--generations 4]

Processors are often busy with other things, so beside the seconds on the clock stand those that each process was given: what a step takes on cores of
its own is what the slowest worker and the process that asks were given, one after the other.
"""

import argparse
import json
import os
import tempfile
import time

import numpy as np
import pyarrow
import ray

from pellucid import _native
from pellucid._params import run_options, settings
from pellucid.ray._learn import _asking, _Part
from pellucid.ray._rows import Actors

COLUMNS = 8
POPULATION = 1000


class Part(_Part):
    """A part whose rows are made where they are, and which knows what it was given."""

    def __init__(self, parts, jobs, device, target, bag):
        frames = [made(*part) for part in parts]
        super().__init__([pyarrow.concat_tables(frames)], jobs, device, target, bag)
        self.after_answers = []

    def answer(self, *question):
        answer = super().answer(*question)
        self.after_answers.append(time.process_time())
        return answer

    def given(self):
        return time.process_time()

    def given_by_answer(self):
        return self.after_answers


def made(seed, rows):
    """Rows whose class has something to do with all of the columns: there are five rules to find."""
    draw = np.random.default_rng(seed)
    columns = {f"c{n}": draw.integers(0, 100, rows).astype(np.float64) for n in range(COLUMNS)}
    c = list(columns.values())
    y = ((c[0] > 60) & (c[1] <= 50)) | ((c[2] > 70) & (c[3] <= 30)) | ((c[4] > 85) & (c[5] > 20)) | (c[6] <= 8) | ((c[7] > 90) & (c[0] <= 40))
    y ^= draw.random(rows) < 0.1
    return pyarrow.table({**columns, "y": y})


def learned(rows, parts, workers, chosen):
    """What a step of learning takes, a generation or a rule: seconds on the clock, seconds given to the slowest worker and to who asks, how many questions,
    how much goes out and comes back; and the model."""
    actors = Actors(Part, [(seed, rows // parts) for seed in range(parts)], workers, 1, 0, "y", None)
    whole = _native.join_outlines(actors.ask("outline", False))
    asking = _asking(actors, ray.put(whole))
    asked = []
    # The first question lays the rows out.
    asking("tally", np.array([1, 0, 0, 0], dtype="<u8").tobytes())

    def now():
        return time.perf_counter(), np.array(actors.ask("given")), time.process_time()

    def ask(kind, question):
        nonlocal began
        answers = asking(kind, question)
        if kind == "plan":
            # What comes before it is done once, whatever is learned.
            began = now()
            asked.clear()
        elif kind != "judge":
            asked.append((len(question), answers[0].nbytes))
        return answers

    chosen = {"inner_folds": 0, "n_jobs": 1, **chosen}
    began = now()
    model, _ = _native.fit_parts(whole, ask, settings("rules", chosen), run_options(chosen))
    clock, given, asks = (after - before for before, after in zip(began, now()))
    text = model.to_json()
    path = json.loads(text)["model"].get("path")
    steps = len(path["rules"]) if path else len(asked)
    actors.close()
    out, back = (sum(sizes) / steps for sizes in zip(*asked))
    return {
        "clock": clock / steps,
        "worker": given.max() / steps,
        "asks": asks / steps,
        "questions": len(asked) / steps,
        "out": out,
        "back": back,
        "model": text,
    }


def simulated(nodes, rows, seconds_a_row, asks, out, back, bandwidth=1.25e9, round_trip=8e-3, a_call=0.2e-3):
    """Seconds of a generation on so many nodes: counting, and all that is not counting.

    The question goes to nodes as they are reached, each of which hands it on; calls and answers pass through the one process that asks.
    """
    counting = rows / nodes * seconds_a_row
    sending = out / bandwidth * np.ceil(np.log2(nodes + 1)) + nodes * a_call
    coming = nodes * (back / bandwidth + a_call)
    return counting, round_trip + sending + coming + asks


def bred(rows, parts, workers, chosen):
    """The same for a generation of networks: from the last question that is asked once before the first of them up to the first that is asked once after the last."""
    actors = Actors(Part, [(seed, rows // parts) for seed in range(parts)], workers, 1, 0, "y", None)
    whole = _native.join_outlines(actors.ask("outline", True))
    asking, stamps, planned = _asking(actors, ray.put(whole)), [], 0

    def ask(kind, question):
        nonlocal planned
        answers = asking(kind, question)
        if kind == "plan":
            planned = len(stamps)
        else:
            stamps.append((time.perf_counter(), time.process_time(), len(question), answers[0].nbytes))
        return answers

    options = {"inner_folds": 0, "n_jobs": 1, **chosen}
    model, _ = _native.fit_parts(whole, ask, settings("network", options), run_options(options), "network")
    given = np.array(actors.ask("given_by_answer"))
    actors.close()
    # After the last plan a few rows are asked for; at the end scores, a few rows, and scores again.
    first, last, steps = planned, len(stamps) - 4, options["generations"]
    stamps = np.array(stamps)
    clock, asks = (stamps[last, :2] - stamps[first, :2]) / steps
    out, back = stamps[first + 1 : last + 1, 2:].sum(axis=0) / steps
    return {
        "clock": clock,
        "worker": (given[:, last] - given[:, first]).max() / steps,
        "asks": asks,
        "questions": (last - first) / steps,
        "out": out,
        "back": back,
        "model": model.to_json(),
    }


def compared(name, parts, small, large, chosen, measured=learned):
    """One worker beside two, at two sizes; gives what one worker takes at the larger."""
    print(name)
    found = {}
    for rows in (small, large):
        for workers in (1, 2):
            one = found[rows, workers] = measured(rows, parts, workers, chosen)
            print(
                f"  {rows:>11,} rows, {workers} workers: {one['clock']:.3f} s on the clock, {one['worker']:.3f} s given to the slowest worker, "
                f"{1e3 * one['asks']:.1f} ms to who asks; {one['questions']:.1f} questions, {one['out'] / 1e3:.0f} KB out, "
                f"{one['back'] / 1e3:.0f} KB back from each; load {os.getloadavg()[0]:.1f}",
                flush=True,
            )
        assert found[rows, 1]["model"] == found[rows, 2]["model"], "the model depends on the number of workers"
    few, one, two = found[small, 2], found[large, 1], found[large, 2]
    print(
        f"  two workers over one: {one['clock'] / two['clock']:.2f} times on the clock, "
        f"{(one['worker'] + one['asks']) / (two['worker'] + two['asks']):.2f} times by what processes were given"
    )
    print(f"  beside counting: {1e3 * (few['clock'] - few['worker']):.1f} ms on the clock with {small:,} rows and two workers", flush=True)
    return one


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--grown-rows", type=int, default=1_000_000)
    parser.add_argument("--network-rows", type=int, default=5_000_000)
    parser.add_argument("--parts", type=int, default=4)
    parser.add_argument("--generations", type=int, default=4)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        os.environ.update(HOME=home, RAY_USAGE_STATS_ENABLED="0")
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        by_counts = {"mode": "g3p-mi", "population": POPULATION, "generations": arguments.generations}
        told = f"g3p-mi, a generation of {POPULATION} rules, {COLUMNS} columns of 100 values"
        one = compared(told, arguments.parts, 10_000, arguments.rows, by_counts)
        grown = {"always_vote": True, "most_rules": 5}
        told = f"default mode, a rule on each of four paths, {COLUMNS} columns of 100 values"
        compared(told, arguments.parts, 10_000, arguments.grown_rows, grown)
        told = f"networks, mode paper, a generation of 50 networks of 4 nodes, {COLUMNS} columns"
        compared(told, arguments.parts, 10_000, arguments.network_rows, {"mode": "paper", "generations": 2 * arguments.generations}, bred)
        a_row = one["worker"] / arguments.rows
        for name, each in (("one such core", a_row), ("16 cores at 2.9 ns a row and 1,000 rules", 2.9e-9), ("an H200 at 0.41 ns", 0.41e-9)):
            counting, rest = simulated(100, 1e11, each, one["asks"], one["out"], one["back"])
            print(f"simulated, 100 nodes of {name}, 1e11 rows: {counting:.2f} s a generation counting, {1e3 * rest:.0f} ms beside it")
        ray.shutdown()


if __name__ == "__main__":
    main()
