"""What the Python package costs beside the engine: a call, many calls, a large frame. Run in an environment with the package in it.

    python bench/python.py [--megabytes 1000]
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
    """Megabytes of this process: now, and the most so far."""
    with open("/proc/self/status") as status:
        lines = dict(line.split(":", 1) for line in status)
    return tuple(int(lines[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM"))


def forget_the_most():
    with open("/proc/self/clear_refs", "w") as refs:
        refs.write("5")


def least(what, repeats):
    """The least of some repeats: seconds on the clock, and seconds that the process was given."""
    clock, given = [], []
    for _ in range(repeats):
        start, own = time.perf_counter(), time.process_time()
        done = what()
        clock.append(time.perf_counter() - start)
        given.append(time.process_time() - own)
        if isinstance(done, RuleClassifier):
            # The run itself is the engine's, and the same on the command line.
            clock[-1] -= done.model_.run["seconds"]
    return 1e3 * min(clock), 1e3 * min(given)


def calls(repeats=60):
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    model = RuleClassifier(mode="g3p-mi", population=100, generations=1, inner_folds=0, n_jobs=1)
    row = X.head(1)
    # Frames and arrays have models of their own: an array has no column names to compare.
    of_arrays = clone(model).fit(X.to_numpy(), y)
    for told, what in (
        ("fit of 569 x 30 beside the run", lambda: model.fit(X, y)),
        ("predict of one row of a frame", lambda: model.predict(row)),
        ("predict of one row of an array", lambda: of_arrays.predict(row.to_numpy())),
    ):
        clock, given = least(what, repeats)
        print(f"{told}, the least of {repeats}: {clock:.2f} ms on the clock, {given:.2f} ms of the processor")


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
    print(f"a frame of {megabytes} MB, {rows} rows by {columns}: {before:.0f} MB in all")
    small = data.head(1000)
    chosen = RuleClassifier(mode="g3p-mi", population=20, generations=1, inner_folds=0)
    model = RuleClassifier(mode="g3p-mi", population=20, generations=1, inner_folds=0).fit(small, y[:1000])
    engine = None

    def laid_out():
        nonlocal engine
        engine = pellucid.Engine(data, y, device="cpu")

    for told, what in (
        ("laid out", laid_out),
        ("predicted", lambda: model.predict(data)),
        ("learned from", lambda: chosen.fit(data, y)),
    ):
        for _ in range(2):
            engine = None
            gc.collect()
            forget_the_most()
            start = time.perf_counter()
            what()
            seconds = time.perf_counter() - start
            now, most = memory()
            print(f"  {told} in {seconds:.2f} s: {now - before:+.0f} MB afterwards, at most {most - before:+.0f} MB on the way")
    counts = pellucid.Engine(data, y, device="cpu").evaluate(["c0 > 500 and c1 <= 300"])
    assert counts.sum() == ((data["c0"] > 500) & (data["c1"] <= 300)).sum()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=int, default=1000)
    arguments = parser.parse_args()
    calls()
    leak()
    frame(arguments.megabytes)
