#!/usr/bin/env python3
"""Compare classifier systems that predict a number: R², mean absolute error, size and CPU time, by folds.

    cargo build --release && python3 bench/xcs_numbers.py [--data FOLDER] [--arff-datasets CLONE]

The data sets are diabetes of scikit-learn and the three Friedman problems with 500 rows; with a folder
also the body mass index of Pima and the age of a part of Adult; with a clone of
renatopp/arff-datasets also real regression tables. All learners get the same folds, which this script
assigns.

`learn xcs` selects its size by its inner folds, whose time is included; the first row of a set is
its default. "as many rules" gives the rules learner at most as many rules in each fold, and the
tree one leaf more. XCSF is the package `xcsf` from PyPI, with conditions that are intervals, constant
or linear predictions, 2,000 rules and as many examples as `learn xcs` shows to one population;
columns and the target are scaled by the training fold, and missing values become the mean. Times are
CPU seconds for all folds, and nothing is tuned on the test folds. Peers are installed into bench/.venv
on first use.
"""

import os
import pathlib
import subprocess
import sys
import time

from numbers_vs_peers import folds_of, generated, matrix, ours, peers, real, scores
from setting import PEERS, arguments_of, keep, machine, need

ARFF = ["autompg", "housing", "machine.cpu", "stock", "abalone"]
# Of more rows, every n-th is used: XCSF takes minutes for each fold otherwise.
MOST_ROWS = 1500
XCSF = {"constant": {"type": "constant"}, "linear": {"type": "nlms_linear", "args": {"x0": 1.0}}}


def arff(clone):
    """Return the regression tables of a clone: names of columns, rows as text, targets."""
    found = {}
    for name in ARFF:
        show = ["git", "-C", clone, "show", f"HEAD:regression/{name}.arff"]
        text = subprocess.run(show, check=True, capture_output=True).stdout.decode(errors="replace")
        heads, rows, is_data = [], [], False
        for line in text.splitlines():
            line = line.strip()
            if not line or line.startswith("%"):
                continue
            if is_data:
                cells = [cell.strip().strip("'").replace("?", "") for cell in line.split(",")]
                rows += [cells] if len(cells) == len(heads) and cells[-1] else []
            elif line.lower().startswith("@attribute"):
                rest = line[len("@attribute"):].strip()
                heads.append(rest[1:].split("'")[0] if rest[0] == "'" else rest.split()[0])
            is_data = is_data or line.lower().startswith("@data")
        found[name] = heads[:-1], [row[:-1] for row in rows], [float(row[-1]) for row in rows]
    return found


def xcsf(heads, rows, target, splits, kind, examples):
    """Return the predictions and the seconds of XCSF, and the number of rules of its populations."""
    import numpy
    import xcsf as peer

    table, target = matrix(heads, rows), numpy.array(target)
    predicted, sizes, start = {}, [], time.process_time()
    for train, test in splits:
        means = numpy.nanmean(table[train], axis=0)
        filled = numpy.where(numpy.isnan(table), means, table)
        low, high = filled[train].min(axis=0), filled[train].max(axis=0)
        scaled = (filled - low) / numpy.maximum(high - low, 1e-12)
        middle, spread = target[train].mean(), target[train].std()
        model = peer.XCS(
            x_dim=table.shape[1], y_dim=1, n_actions=1, random_state=1, omp_num_threads=1, pop_size=2000,
            max_trials=examples(len(train)), perf_trials=1000, loss_func="mae", e0=0.01,
            condition={"type": "hyperrectangle_csr", "args": {"min": 0.0, "max": 1.0, "spread_min": 0.1}},
            action={"type": "integer"}, prediction=XCSF[kind],
        )
        model.fit(scaled[train], ((target[train] - middle) / spread)[:, None], verbose=False)
        found = model.predict(scaled[test]).ravel() * spread + middle
        predicted.update(zip(test, found))
        sizes.append(model.pset_size())
    return predicted, sizes, time.process_time() - start


def examples_of(rows):
    """Return the number of examples that `learn xcs` shows by default."""
    return min(max(20 * rows, 20_000), 100_000)


def compare(pellucid, heads, rows, target, splits):
    """Return for each learner the predictions, the number of rules of each fold, and the seconds."""
    xcs = ours(pellucid, heads, rows, target, splits, [], "xcs")
    known = pellucid, heads, rows, target, splits
    found = {
        "xcs": xcs,
        "xcs, small": ours(*known, ["--size", "small"], "xcs"),
        "xcs, all rules": ours(*known, ["--no-inner-folds"], "xcs"),
        "rules": ours(*known, ["--no-inner-folds"]),
        "rules, as many rules": ours(*known, ["--no-inner-folds"], sizes_of=xcs[1]),
    }
    found |= peers(heads, rows, target, splits, xcs[1])
    for kind in XCSF:
        found[f"XCSF, {kind}"] = xcsf(heads, rows, target, splits, kind, examples_of)
    return found


def main():
    parser = arguments_of(__doc__)
    parser.add_argument("--data", type=pathlib.Path,
                        help="folder with further tables; without it only those of scikit-learn")
    parser.add_argument("--arff-datasets", type=pathlib.Path, help="clone of renatopp/arff-datasets")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--sets", help="data sets, separated by semicolons, such as 'diabetes;friedman 1'")
    arguments = parser.parse_args()
    if not PEERS.is_this():
        PEERS.make()
        missing = [name for name in ("sklearn", "xcsf") if not PEERS.has(name)]
        if missing and (arguments.quick or not PEERS.install(["scikit-learn", "xcsf"])):
            print(f"{' and '.join(missing)}: not installed, so there is nothing to compare with")
            return
        # Threads of boosting use CPU time while they wait for each other.
        os.environ.update(OMP_NUM_THREADS="1")
        PEERS.enter(__file__)
    need(arguments.pellucid, "cargo build --release")
    folds = 3 if arguments.quick else arguments.folds
    sets = generated(arguments.quick)
    if arguments.data:
        sets |= real(arguments.data)
    if arguments.arff_datasets:
        sets |= arff(arguments.arff_datasets)
    if arguments.sets:
        sets = {name: sets[name] for name in arguments.sets.split(";")}
    record = {"machine": machine(), "sets": {}}
    lines = [f"{key}: {value}" for key, value in record["machine"].items()]
    lines += ["", f"{'':26}{'R²':>8}{'MAE':>12}{'rules':>8}{'seconds':>10}   ({folds} folds)"]
    for name, (heads, rows, target) in sets.items():
        step = -(-len(rows) // MOST_ROWS)
        rows, target = rows[::step], target[::step]
        print(f"{name}: {len(rows)} rows", file=sys.stderr)
        splits = folds_of(len(rows), folds)
        lines += ["", f"{name}, {len(rows)} rows, {len(heads)} columns"]
        record["sets"][name] = {}
        for learner, found in compare(arguments.pellucid, heads, rows, target, splits).items():
            predicted, sizes, seconds = found
            figures, size = scores(predicted, target), sum(sizes) / len(sizes) if sizes else None
            record["sets"][name][learner] = {**figures, "rules": size, "seconds": seconds}
            shown = f"{size:8.1f}" if sizes else f"{'':8}"
            lines.append(f"  {learner:24}{figures['r2']:8.3f}{figures['mae']:12.4g}{shown}{seconds:10.2f}")
    keep("xcs_numbers", "\n".join(line.rstrip() for line in lines) + "\n", record, arguments.quick)


if __name__ == "__main__":
    main()
