"""Distributed training of rules and networks with Ray.

Measures the speedup of two workers over one and the overhead of a step, and extrapolates to a hundred
machines. Run it in an environment with the package and Ray.

    python bench/many_machines.py [--rows 20000000] [--grown-rows 1000000] [--network-rows 5000000]
                                  [--generations 4]

The CPU time of each process is reported in addition to the wall time, because the machine may be busy.
On dedicated cores a step takes the CPU time of the slowest worker plus that of the coordinator.
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
from pellucid.ray._learn import _PartWorker, _request_function
from pellucid.ray._rows import Actors

COLUMNS = 8
POPULATION = 1000


class Part(_PartWorker):
    """A worker that generates its rows and records its CPU time."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.times = []

    def load(self, parts):
        super().load([pyarrow.concat_tables([generate(*part) for part in parts])])

    def answer(self, *request):
        answer = super().answer(*request)
        self.times.append(time.process_time())
        return answer

    def cpu_time(self):
        return time.process_time()

    def cpu_times(self):
        return self.times


def generate(seed, rows):
    """Return rows whose class depends on all columns through five rules."""
    draw = np.random.default_rng(seed)
    columns = {f"c{n}": draw.integers(0, 100, rows).astype(np.float64) for n in range(COLUMNS)}
    c = list(columns.values())
    y = ((c[0] > 60) & (c[1] <= 50)) | ((c[2] > 70) & (c[3] <= 30)) | ((c[4] > 85) & (c[5] > 20))
    y |= (c[6] <= 8) | ((c[7] > 90) & (c[0] <= 40))
    y ^= draw.random(rows) < 0.1
    return pyarrow.table({**columns, "y": y})


def measure_rules(rows, parts, workers, chosen):
    """Measure a step of training rules, which is a generation or a rule.

    Return the wall time, the CPU time of the slowest worker and of the coordinator, the number of requests
    and the bytes sent and received, each per step, and the model.
    """
    actors = Actors(Part, [(seed, rows // parts) for seed in range(parts)], workers, 1, 0, "y", None)
    whole = _native.join_outlines(actors.ask("outline", False))
    send = _request_function(actors, ray.put(whole))
    requests = []
    # The first request prepares the rows.
    send("tally", np.array([1, 0, 0, 0], dtype="<u8").tobytes())

    def now():
        return time.perf_counter(), np.array(actors.ask("cpu_time")), time.process_time()

    def ask(kind, question):
        nonlocal start
        answers = send(kind, question)
        if kind == "plan":
            # Everything before the plan is done once per run, so restart the measurement.
            start = now()
            requests.clear()
        elif kind != "judge":
            requests.append((len(question), answers[0].nbytes))
        return answers

    chosen = {"inner_folds": 0, "n_jobs": 1, **chosen}
    start = now()
    model, _ = _native.fit_parts(whole, ask, settings("rules", chosen), run_options(chosen))
    wall, worker, coordinator = (after - before for before, after in zip(start, now()))
    text = model.to_json()
    path = json.loads(text)["model"].get("path")
    steps = len(path["rules"]) if path else len(requests)
    actors.close()
    out, back = (sum(sizes) / steps for sizes in zip(*requests))
    return {
        "wall": wall / steps,
        "worker": worker.max() / steps,
        "coordinator": coordinator / steps,
        "requests": len(requests) / steps,
        "out": out,
        "back": back,
        "model": text,
    }


def simulate(
    nodes, rows, seconds_per_row, coordinator, out, back, bandwidth=1.25e9, round_trip=8e-3, per_call=0.2e-3
):
    """Return the seconds of a generation on a cluster: counting, and everything else.

    Nodes forward a request to other nodes. Calls and answers pass through the coordinator.
    """
    counting = rows / nodes * seconds_per_row
    sending = out / bandwidth * np.ceil(np.log2(nodes + 1)) + nodes * per_call
    receiving = nodes * (back / bandwidth + per_call)
    return counting, round_trip + sending + receiving + coordinator


def measure_networks(rows, parts, workers, chosen):
    """Measure a generation of networks, without the requests that are sent once per run."""
    actors = Actors(Part, [(seed, rows // parts) for seed in range(parts)], workers, 1, 0, "y", None)
    whole = _native.join_outlines(actors.ask("outline", True))
    send, stamps, planned = _request_function(actors, ray.put(whole)), [], 0

    def ask(kind, question):
        nonlocal planned
        answers = send(kind, question)
        if kind == "plan":
            planned = len(stamps)
        else:
            stamps.append((time.perf_counter(), time.process_time(), len(question), answers[0].nbytes))
        return answers

    options = {"inner_folds": 0, "n_jobs": 1, **chosen}
    model, _ = _native.fit_parts(whole, ask, settings("network", options), run_options(options), "network")
    cpu = np.array(actors.ask("cpu_times"))
    actors.close()
    # A run requests a few rows after the last plan, and scores, a few rows, and scores again at the end.
    first, last, steps = planned, len(stamps) - 4, options["generations"]
    stamps = np.array(stamps)
    wall, coordinator = (stamps[last, :2] - stamps[first, :2]) / steps
    out, back = stamps[first + 1 : last + 1, 2:].sum(axis=0) / steps
    return {
        "wall": wall,
        "worker": (cpu[:, last] - cpu[:, first]).max() / steps,
        "coordinator": coordinator,
        "requests": (last - first) / steps,
        "out": out,
        "back": back,
        "model": model.to_json(),
    }


def compare(name, parts, small, large, chosen, measure=measure_rules):
    """Compare one worker with two at two sizes. Return the measurement of one worker at the larger size."""
    print(name)
    found = {}
    for rows in (small, large):
        for workers in (1, 2):
            one = found[rows, workers] = measure(rows, parts, workers, chosen)
            print(
                f"  {rows:>11,} rows, {workers} workers: {one['wall']:.3f} s wall time, "
                f"{one['worker']:.3f} s CPU time of the slowest worker, "
                f"{1e3 * one['coordinator']:.1f} ms of the coordinator; {one['requests']:.1f} requests, "
                f"{one['out'] / 1e3:.0f} KB sent, {one['back'] / 1e3:.0f} KB received from each; "
                f"load {os.getloadavg()[0]:.1f}",
                flush=True,
            )
        same = found[rows, 1]["model"] == found[rows, 2]["model"]
        assert same, "the model depends on the number of workers"
    few, one, two = found[small, 2], found[large, 1], found[large, 2]
    cpu = (one["worker"] + one["coordinator"]) / (two["worker"] + two["coordinator"])
    print(f"  speedup of two workers: {one['wall'] / two['wall']:.2f} by wall time, {cpu:.2f} by CPU time")
    overhead = 1e3 * (few["wall"] - few["worker"])
    print(f"  overhead: {overhead:.1f} ms wall time with {small:,} rows and two workers", flush=True)
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
        name = f"g3p-mi, a generation of {POPULATION} rules, {COLUMNS} columns of 100 values"
        one = compare(name, arguments.parts, 10_000, arguments.rows, by_counts)
        grown = {"always_vote": True, "max_rules": 5}
        name = f"default mode, a rule on each of four paths, {COLUMNS} columns of 100 values"
        compare(name, arguments.parts, 10_000, arguments.grown_rows, grown)
        paper = {"mode": "paper", "generations": 2 * arguments.generations}
        name = f"networks, mode paper, a generation of 50 networks of 4 nodes, {COLUMNS} columns"
        compare(name, arguments.parts, 10_000, arguments.network_rows, paper, measure_networks)
        nodes = {
            "one core": one["worker"] / arguments.rows,
            "16 cores at 2.9 ns per row and 1,000 rules": 2.9e-9,
            "an H200 at 0.41 ns": 0.41e-9,
        }
        for name, per_row in nodes.items():
            counting, rest = simulate(100, 1e11, per_row, one["coordinator"], one["out"], one["back"])
            print(
                f"extrapolated to 100 nodes with {name}, 1e11 rows: {counting:.2f} s per generation "
                f"for counting, {1e3 * rest:.0f} ms overhead"
            )
        ray.shutdown()


if __name__ == "__main__":
    main()
