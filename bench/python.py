"""Overhead of the Python package: single calls, many calls, and a large data frame.

    python bench/python.py [--megabytes 1000]

Run it in an environment with the package.
"""

import argparse
import gc
import time

import numpy as np
import pandas
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer

import pellucid
from pellucid import RuleClassifier


def memory():
    """Return the current and the peak memory of this process in megabytes."""
    with open("/proc/self/status") as status:
        lines = dict(line.split(":", 1) for line in status)
    return tuple(int(lines[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM"))


def reset_peak_memory():
    with open("/proc/self/clear_refs", "w") as refs:
        refs.write("5")


def least(what, repeats):
    """Return the lowest wall time and the lowest CPU time of some repeats, in milliseconds."""
    clock, given = [], []
    for _ in range(repeats):
        start, own = time.perf_counter(), time.process_time()
        done = what()
        clock.append(time.perf_counter() - start)
        given.append(time.process_time() - own)
        if isinstance(done, RuleClassifier):
            # Training takes the same time on the command line, so subtract it.
            clock[-1] -= done.model_.run["seconds"]
    return 1e3 * min(clock), 1e3 * min(given)


def calls(repeats=60):
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = RuleClassifier(mode="g3p-mi", population=100, generations=1, inner_folds=0, n_jobs=1)
    row = X.head(1)
    # Data frames and arrays need separate models, because an array has no column names.
    of_arrays = clone(model).fit(X.to_numpy(), y)
    for name, what in (
        ("fit of 569 x 30 without training", lambda: model.fit(X, y)),
        ("predict of one row of a data frame", lambda: model.predict(row)),
        ("predict of one row of an array", lambda: of_arrays.predict(row.to_numpy())),
    ):
        wall, cpu = least(what, repeats)
        print(f"{name}, lowest of {repeats}: {wall:.2f} ms wall time, {cpu:.2f} ms CPU time")


def leak(fits=100):
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = RuleClassifier(mode="g3p-mi", population=100, generations=2, inner_folds=0)
    for turn in range(fits + 1):
        model.fit(X, y).predict(X)
        if turn in (10, fits // 2, fits):
            gc.collect()
            print(f"after {turn} fits and predictions: {memory()[0]:.1f} MB")


def frame(megabytes):
    columns = 10
    rows = int(megabytes * 1e6 / 8 / columns)
    draw = np.random.default_rng(0)
    data = pandas.DataFrame({f"c{n}": draw.integers(0, 1000, rows).astype(float) for n in range(columns)})
    y = draw.integers(0, 2, rows)
    gc.collect()
    before, _ = memory()
    print(f"a data frame of {megabytes} MB, {rows} rows x {columns} columns: {before:.0f} MB in total")
    small = data.head(1000)
    chosen = RuleClassifier(mode="g3p-mi", population=20, generations=1, inner_folds=0)
    model = RuleClassifier(mode="g3p-mi", population=20, generations=1, inner_folds=0).fit(small, y[:1000])
    engine = None

    def create_engine():
        nonlocal engine
        engine = pellucid.Engine(data, y, device="cpu")

    for name, what in (
        ("engine created", create_engine),
        ("predicted", lambda: model.predict(data)),
        ("trained", lambda: chosen.fit(data, y)),
    ):
        for _ in range(2):
            engine = None
            gc.collect()
            reset_peak_memory()
            start = time.perf_counter()
            what()
            seconds = time.perf_counter() - start
            now, most = memory()
            print(f"  {name} in {seconds:.2f} s: {now - before:+.0f} MB afterwards, peak "
                  f"{most - before:+.0f} MB")
    counts = pellucid.Engine(data, y, device="cpu").evaluate(["c0 > 500 and c1 <= 300"])
    assert counts.sum() == ((data["c0"] > 500) & (data["c1"] <= 300)).sum()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=int, default=1000)
    arguments = parser.parse_args()
    calls()
    leak()
    frame(arguments.megabytes)
