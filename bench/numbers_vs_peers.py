#!/usr/bin/env python3
"""Compare rules that predict a number with peers: R², mean absolute error and size, by cross-validation.

    cargo build --release && python3 bench/numbers_vs_peers.py [--data FOLDER]

The data sets are diabetes of scikit-learn (442 patients) and the three Friedman problems with 500 rows;
with a folder also the body mass index of Pima and the age of Adult. All learners get the same folds,
which this script assigns. Pellucid gets them as training and test files. Text is one-hot encoded for the
peers. The peers are a decision tree with one leaf more than Pellucid has rules, a decision tree whose
size is selected by inner cross-validation, histogram gradient boosting with its defaults, ridge
regression, and the mean of the training fold.

Times are CPU seconds for all folds. Nothing is tuned on the test folds. Peers are installed into
bench/.venv on first use.
"""

import csv
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from peers.tidy import ADULT, PIMA
from setting import PEERS, arguments_of, keep, machine, need, spent

REAL = {
    "pima, bmi": ("pima-indians-diabetes.csv", [*PIMA, "diabetes"], "bmi"),
    "adult, age": ("adult-train.csv", [*ADULT, "income"], "age"),
}


def generated(quick):
    """Return the column names, the rows as text, and the targets of each generated data set."""
    from sklearn import datasets

    found = {}
    size = 120 if quick else 500
    makers = ((datasets.make_friedman1, 1.0), (datasets.make_friedman2, 125.0),
              (datasets.make_friedman3, 0.1))
    for number, (make, noise) in enumerate(makers[:1] if quick else makers, 1):
        table, target = make(n_samples=size, noise=noise, random_state=number)
        heads = [f"x{column}" for column in range(table.shape[1])]
        rows = [[f"{cell:.5f}" for cell in row] for row in table]
        found[f"friedman {number}"] = heads, rows, [float(f"{y:.5f}") for y in target]
    if not quick:
        known = datasets.load_diabetes(scaled=False)
        rows = [[str(cell) for cell in row] for row in known.data]
        found["diabetes"] = list(known.feature_names), rows, [float(y) for y in known.target]
    return found


def real(folder):
    """Return the same for the tables in a folder."""
    found = {}
    for name, (file, heads, target) in REAL.items():
        paths = [path for path in (folder / file, folder / f"{file}.gz") if path.is_file()]
        if not paths:
            print(f"{name}: cannot find {file}", file=sys.stderr)
            continue
        with (gzip.open if paths[0].suffix == ".gz" else open)(paths[0], "rt") as text:
            rows = [[cell.strip() for cell in row] for row in csv.reader(text) if len(row) == len(heads)]
        place = heads.index(target)
        if rows[0][place].replace(".", "").isdigit() is False:
            rows = rows[1:]
        others = [head for head in heads if head != target]
        targets = [float(row[place]) for row in rows]
        found[name] = others, [row[:place] + row[place + 1:] for row in rows], targets
    return found


def folds_of(count, folds):
    from sklearn.model_selection import KFold

    return list(KFold(folds, shuffle=True, random_state=0).split(range(count)))


def write(path, heads, rows, target, places):
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow([*heads, "the number"])
        out.writerows([*rows[place], repr(target[place])] for place in places)


def ours(pellucid, heads, rows, target, splits, flags, learner="rules", sizes_of=None):
    """Return the predictions, the numbers of rules and the seconds of a learner of Pellucid.

    With `sizes_of`, the most rules of each fold.
    """
    predicted, sizes, seconds = {}, [], 0.0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for fold, (train, test) in enumerate(splits):
            most = ["--rules", str(sizes_of[fold])] if sizes_of else []
            for name, places in (("train.csv", train), ("test.csv", test)):
                write(folder / name, heads, rows, target, places)
            start = spent()
            learn = [pellucid, "learn", learner, folder / "train.csv", "--target", "the number", "--task",
                     "number", *flags, *most, "--json", "--quiet", "--force", "--out", folder / "m.json"]
            result = subprocess.run(learn, check=True, capture_output=True, text=True).stdout.splitlines()[-1]
            seconds += spent() - start
            sizes.append(json.loads(result)["rules"])
            predict = [pellucid, "predict", folder / "m.json", folder / "test.csv", "--quiet"]
            lines = subprocess.run(predict, check=True, capture_output=True,
                                   text=True).stdout.splitlines()[1:]
            predicted.update((place, float(line.split(",")[-2]))
                             for place, line in zip(test, lines, strict=True))
    return predicted, sizes, seconds


def matrix(heads, rows):
    """Return a table of numbers: NaN for empty cells, and a column for each word of columns with words."""
    import numpy

    def number(text):
        try:
            return float(text) if text else float("nan")
        except ValueError:
            return None

    columns = []
    for place in range(len(heads)):
        cells = [row[place] for row in rows]
        numbers = [number(cell) for cell in cells]
        if None in numbers:
            columns += [[float(cell == word) for cell in cells] for word in sorted(set(cells))]
        else:
            columns.append(numbers)
    return numpy.array(columns).T


def peers(heads, rows, target, splits, sizes):
    import numpy
    from sklearn.dummy import DummyRegressor
    from sklearn.ensemble import HistGradientBoostingRegressor
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import RidgeCV
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeRegressor

    table, target = matrix(heads, rows), numpy.array(target)
    leaves = {"max_leaf_nodes": [2, 3, 5, 8, 12, 20, 30, 50]}
    learners = {
        "tree, as many leaves":
            lambda size: DecisionTreeRegressor(max_leaf_nodes=max(2, size + 1), random_state=0),
        "tree, size chosen": lambda _: GridSearchCV(DecisionTreeRegressor(random_state=0), leaves, cv=5),
        "boosting": lambda _: HistGradientBoostingRegressor(random_state=0),
        "ridge": lambda _: make_pipeline(SimpleImputer(), StandardScaler(),
                                         RidgeCV(numpy.logspace(-3, 3, 13))),
        "mean": lambda _: DummyRegressor(),
    }
    found = {}
    for name, make in learners.items():
        predicted, start = {}, time.process_time()
        for (train, test), size in zip(splits, sizes):
            model = make(size).fit(table[train], target[train])
            predicted.update(zip(test, model.predict(table[test])))
        found[name] = predicted, None, time.process_time() - start
    return found


def scores(predicted, target):
    mean = sum(target) / len(target)
    off = [predicted[place] - y for place, y in enumerate(target)]
    squares = sum(one * one for one in off)
    return {"r2": 1 - squares / sum((y - mean) ** 2 for y in target), "mae": sum(map(abs, off)) / len(off)}


def main():
    parser = arguments_of(__doc__)
    parser.add_argument("--data", type=pathlib.Path,
                        help="folder with further tables; without it only those of scikit-learn")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--sets", help="data sets, separated by semicolons, such as 'diabetes;friedman 1'")
    arguments = parser.parse_args()
    if not PEERS.is_this():
        PEERS.make()
        if not PEERS.has("sklearn") and (arguments.quick or not PEERS.install(["scikit-learn"])):
            print("scikit-learn is not installed, so there is nothing to compare with")
            return
        # Threads of boosting use CPU time while they wait for each other.
        os.environ.update(OMP_NUM_THREADS="1")
        PEERS.enter(__file__)
    need(arguments.pellucid, "cargo build --release")
    folds = 3 if arguments.quick else arguments.folds
    sets = generated(arguments.quick)
    if arguments.data:
        sets |= real(arguments.data)
    if arguments.sets:
        sets = {name: sets[name] for name in arguments.sets.split(";")}
    record = {"machine": machine(), "sets": {}}
    lines = [f"{key}: {value}" for key, value in record["machine"].items()]
    lines += ["",
              f"{'':26}{'R²':>8}{'MAE':>12}{'rules':>8}{'seconds':>10}   ({folds} folds; of "
              "adult 3)"]
    for name, (heads, rows, target) in sets.items():
        print(f"{name}: {len(rows)} rows", file=sys.stderr)
        splits = folds_of(len(rows), 3 if len(rows) > 10000 else folds)
        found, kinds = {}, {"default": [], "small": ["--size", "small"], "list": ["--mode", "list"]}
        for kind, flags in kinds.items():
            flags = [*flags, "--no-inner-folds"]
            found[f"ours, {kind}"] = ours(arguments.pellucid, heads, rows, target, splits, flags)
        found |= peers(heads, rows, target, splits, found["ours, default"][1])
        lines += ["", f"{name}, {len(rows)} rows"]
        record["sets"][name] = {}
        for learner, (predicted, sizes, seconds) in found.items():
            figures = scores(predicted, target)
            size = sum(sizes) / len(sizes) if sizes else None
            record["sets"][name][learner] = {**figures, "rules": size, "seconds": seconds}
            shown = f"{size:8.1f}" if sizes else f"{'':8}"
            lines.append(f"  {learner:24}{figures['r2']:8.3f}{figures['mae']:12.4g}{shown}{seconds:10.2f}")
    keep("numbers_vs_peers", "\n".join(line.rstrip() for line in lines) + "\n", record, arguments.quick)


if __name__ == "__main__":
    main()
