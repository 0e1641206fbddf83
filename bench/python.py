"""What the Python package costs beside the engine: a call, a wheel, a large frame. Run in an environment with the package in it.

    python bench/python.py [--megabytes 1000]
"""

import argparse
import gc
import time

import numpy as np
import pandas
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


def calls(repeats=20):
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    over = []
    for _ in range(repeats):
        start = time.perf_counter()
        model = RuleClassifier(mode="g3p-mi", population=100, generations=1, inner_folds=0, n_jobs=1).fit(X, y)
        over.append(time.perf_counter() - start - model.model_.run["seconds"])
    row = X.head(1)
    asked = []
    for _ in range(5 * repeats):
        start = time.perf_counter()
        model.predict(row)
        asked.append(time.perf_counter() - start)
    print(f"fit of 569 x 30 beside the run itself, the least of {repeats}: {1e3 * min(over):.2f} ms")
    print(f"predict of one row, the least of {5 * repeats}: {1e3 * min(asked):.2f} ms")


def frame(megabytes):
    columns = 10
    rows = int(megabytes * 1e6 / 8 / columns)
    draw = np.random.default_rng(0)
    data = pandas.DataFrame({f"c{n}": draw.integers(0, 1000, rows).astype(float) for n in range(columns)})
    y = draw.integers(0, 2, rows)
    gc.collect()
    forget_the_most()
    before, _ = memory()
    print(f"a frame of {megabytes} MB, {rows} rows by {columns}: {before:.0f} MB in all")
    for turn in range(3):
        start = time.perf_counter()
        engine = pellucid.Engine(data, y, device="cpu")
        seconds = time.perf_counter() - start
        now, most = memory()
        counts = engine.evaluate(["c0 > 500 and c1 <= 300"])
        assert counts.sum() == ((data["c0"] > 500) & (data["c1"] <= 300)).sum()
        del engine
        gc.collect()
        after, _ = memory()
        print(
            f"  laid out in {seconds:.2f} s: {now - before:+.0f} MB while it is there, at most {most - before:+.0f} MB on the way, "
            f"{after - before:+.0f} MB afterwards"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=int, default=1000)
    arguments = parser.parse_args()
    calls()
    frame(arguments.megabytes)
