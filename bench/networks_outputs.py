#!/usr/bin/env python3
"""Compare networks for more than two classes and for numbers with peers.

    cargo build --release --package pellucid-cli
    python3 bench/networks_outputs.py [FOLDER]

The tables are those that scikit-learn includes or generates, and some in FOLDER, which are not part of the
repository; of a large table, 4,000 random rows are used. All learners get the same five folds, stratified
by class. The peers are HistGradientBoosting, an MLP and logistic or ridge regression of scikit-learn with
their defaults; for the MLP and the linear models, numbers are standardized, missing numbers are the
median, and categories are one-hot. HistGradientBoosting gets categories as such. Pellucid has its
defaults, with inner folds for the probabilities of classes. CPU time is that of fitting the five models;
for Pellucid it includes reading the file, inner folds and writing the model.

The peers are installed into bench/.venv on first use. The result is written to bench/results/ as text
and JSON.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

from setting import PEERS, ROOT, arguments_of, keep, machine, need, spent

PACKAGES = ["numpy", "pandas", "scikit-learn", "onnxruntime"]
MOST_ROWS = 4000
FOLDS = 5
# File, separator, has a header, target, columns left out, and what is predicted.
FILES = {
    "adult occupation": ("adult-train.csv.gz", ",", False, "x7", [], "classes"),
    "bank job": ("bank-additional-full.csv.gz", ";", True, "job", [], "classes"),
    "adult hours": ("adult-train.csv.gz", ",", False, "x13", [], "number"),
    "bank age": ("bank-additional-full.csv.gz", ";", True, "age", [], "number"),
    "parkinsons PPE": ("parkinsons.data", ",", True, "PPE", ["name"], "number"),
}
BUNDLED = {
    "iris": "classes", "wine": "classes", "digits": "classes", "diabetes": "number", "friedman1": "number",
}


def tables(folder, quick):
    """Yield the name, the task, the columns and the target of each table."""
    import numpy
    import pandas
    from sklearn import datasets

    for name, task in BUNDLED.items():
        if name == "friedman1":
            X, y = datasets.make_friedman1(n_samples=1000, noise=1.0, random_state=0)
            X = pandas.DataFrame(X, columns=[f"x{place + 1}" for place in range(X.shape[1])])
            y = pandas.Series(y)
        else:
            X, y = getattr(datasets, f"load_{name}")(return_X_y=True, as_frame=True)
        if task == "classes":
            y = pandas.Series([f"class {code}" for code in y])
        yield name, task, X.reset_index(drop=True), y.reset_index(drop=True)
        if quick:
            return
    for name, (file, separator, has_header, target, left_out, task) in FILES.items():
        path = next(iter(sorted(pathlib.Path(folder).rglob(file))), None)
        if path is None:
            continue
        frame = pandas.read_csv(path, sep=separator, header=0 if has_header else None, skipinitialspace=True,
                                na_values=["?", "unknown"], keep_default_na=False)
        if not has_header:
            frame.columns = [f"x{place + 1}" for place in range(frame.shape[1])]
        frame = frame.drop(columns=left_out).dropna(subset=[target])
        if len(frame) > MOST_ROWS:
            frame = frame.iloc[numpy.random.RandomState(0).permutation(len(frame))[:MOST_ROWS]]
        if task == "classes":
            counts = frame[target].value_counts()
            frame = frame[frame[target].map(counts) >= 2 * FOLDS]
        frame = frame.reset_index(drop=True)
        yield name, task, frame.drop(columns=target), frame[target]


def peers(task, X):
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.neural_network import MLPClassifier, MLPRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    words = [column for column in X if X[column].dtype == object or str(X[column].dtype) in ("str", "string")]
    numbers = [column for column in X if column not in words]

    def prepared():
        scaled = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
        one_hot = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
        return make_column_transformer((scaled, numbers), (one_hot, words))

    boosting = HistGradientBoostingClassifier if task == "classes" else HistGradientBoostingRegressor
    linear = LogisticRegression(max_iter=1000) if task == "classes" else Ridge()
    mlp = MLPClassifier if task == "classes" else MLPRegressor
    return {
        "hist-gradient-boosting": boosting(random_state=0, categorical_features="from_dtype"),
        "mlp": make_pipeline(prepared(), mlp(random_state=0)),
        "logistic" if task == "classes" else "ridge": make_pipeline(prepared(), linear),
    }


def figures(task, actual, classes, answers):
    """Return accuracy and log loss, or R² and mean absolute error."""
    import numpy
    from sklearn.metrics import accuracy_score, log_loss, mean_absolute_error, r2_score

    if task == "number":
        return r2_score(actual, answers), mean_absolute_error(actual, answers)
    shares = numpy.clip(answers, 1e-6, None)
    shares = shares / shares.sum(axis=1, keepdims=True)
    best = numpy.array(classes)[shares.argmax(axis=1)]
    return accuracy_score(actual, best), log_loss(actual, shares, labels=classes)


def by_peer(model, task, X, y, train, test, classes):
    import pandas

    frame = X.copy()
    for column in frame:
        if frame[column].dtype == object or str(frame[column].dtype) in ("str", "string"):
            is_boosting = type(model).__name__.startswith("Hist")
            frame[column] = frame[column].astype("category") if is_boosting else frame[column].astype(object)
            if not is_boosting:
                frame[column] = frame[column].where(frame[column].notna(), "missing")
    began = time.process_time()
    model.fit(frame.iloc[train], y.iloc[train])
    took = time.process_time() - began
    if task == "number":
        return model.predict(frame.iloc[test]), took
    found = pandas.DataFrame(model.predict_proba(frame.iloc[test]), columns=model.classes_)
    return found.reindex(columns=classes, fill_value=0.0).to_numpy(), took


def by_pellucid(command, flags, task, X, y, train, test, classes, folder):
    import pandas

    data, rest, model = (str(folder / name) for name in ("train.csv", "test.csv", "model.json"))
    frame = X.assign(target=y)
    frame.iloc[train].to_csv(data, index=False)
    frame.iloc[test].drop(columns="target").to_csv(rest, index=False)
    before = spent()
    subprocess.run([command, "learn", "network", data, "--target", "target", "--task", task, "--out", model,
                    "--force", "--quiet", "--threads", "1", "--device", "cpu", *flags], check=True,
                   stdout=subprocess.DEVNULL)
    took = spent() - before
    answers = subprocess.run([command, "predict", model, rest, "--quiet", "--json"], check=True,
                             capture_output=True, text=True).stdout
    lines = [json.loads(line) for line in answers.splitlines()][: len(test)]
    if task == "number":
        return [line["predicted"] for line in lines], took
    found = pandas.DataFrame([line["probability"] for line in lines])
    return found.reindex(columns=classes, fill_value=0.0).to_numpy(), took


def main():
    parser = arguments_of(__doc__)
    parser.add_argument("folder", nargs="?", type=pathlib.Path,
                        default=ROOT.parent / "shared" / "data" / "tabular", help="folder with the tables")
    parser.add_argument("--only", default="", help="tables, separated by commas")
    parser.add_argument("--flags", action="append", default=[],
                        help="flags of a variant, such as '--nodes 32'")
    parser.add_argument("--no-peers", action="store_true", help="run only Pellucid")
    args = parser.parse_args()
    need(args.pellucid, "cargo build --release --package pellucid-cli")
    if not PEERS.is_this():
        if not args.quick:
            PEERS.make()
            if not PEERS.has("numpy, pandas, sklearn") and not PEERS.install(PACKAGES):
                sys.exit("cannot install the peers")
        if not PEERS.has("numpy, pandas, sklearn"):
            print("not installed: numpy, pandas, scikit-learn")
            return
        PEERS.enter(__file__)
    import warnings

    import numpy
    from sklearn.model_selection import KFold, StratifiedKFold

    warnings.filterwarnings("ignore")
    lines, records = [], []
    for name, task, X, y in tables(args.folder, args.quick):
        if args.only and name not in args.only.split(","):
            continue
        classes = sorted(set(y)) if task == "classes" else []
        split = (StratifiedKFold if classes else KFold)(FOLDS, shuffle=True, random_state=0)
        folds = list(split.split(X, y))[: 1 if args.quick else FOLDS]
        variants = {"pellucid": []} if not args.flags else {}
        variants.update({f"pellucid {flags}": flags.split() for flags in args.flags})
        others = {} if args.no_peers or args.quick else peers(task, X)
        what = ("accuracy", "log loss") if classes else ("R²", "mean abs. error")
        kind = f"{len(classes)} classes" if classes else "a number"
        lines += ["", f"{name}: {len(X)} rows, {X.shape[1]} columns, {kind}",
                  f"  {'':<28}{what[0]:>12}{what[1]:>16}{'CPU s':>8}"]
        for who in [*variants, *others]:
            found, seconds = [], 0.0
            for train, test in folds:
                with tempfile.TemporaryDirectory() as temporary:
                    if who in variants:
                        own = [*variants[who], *(["--rounds", "2"] if args.quick else [])]
                        answers, took = by_pellucid(args.pellucid, own, task, X, y, train, test, classes,
                                                    pathlib.Path(temporary))
                    else:
                        answers, took = by_peer(others[who], task, X, y, train, test, classes)
                found.append(figures(task, y.iloc[test], classes, answers))
                seconds += took
            first, second = numpy.mean(found, axis=0)
            lines.append(f"  {who:<28}{first:>12.3f}{second:>16.3f}{seconds:>8.1f}")
            records.append({"table": name, "who": who, what[0]: first, what[1]: second, "seconds": seconds,
                            "folds": [list(map(float, one)) for one in found]})
            print(lines[-1], flush=True)
    setting = machine()
    head = f"{setting['processor']}, {setting['cores']} cores, load {setting['load']:.1f}"
    head += f"; means of {FOLDS} folds"
    text = "\n".join([head, *lines]) + "\n"
    is_partial = args.quick or bool(args.flags) or bool(args.only)
    keep("networks_outputs", text, {"machine": setting, "figures": records}, is_partial)


if __name__ == "__main__":
    main()
