#!/usr/bin/env python3
"""Compare the accuracy of rules and the speed of their evaluation with peers.

    cargo build --release && python3 bench/rules_vs_peers.py --data FOLDER

Accuracy is measured by repeated stratified cross-validation over bags, on the data sets of the
multiple-instance paper in the folder (`pellucid-bench rules --help` names the files). The peers get the
smallest and the largest value of every attribute of a bag. Their folds are assigned in the same way but
are not the same, so differences of a few points are noise.

Speed is that of evaluating the same 1,000 rules on 100,000 rows on one core. pyoperon and gplearn have
no comparisons, so a rule is translated to arithmetic with the same number of nodes: `x > c` becomes `x -
c`, `and` the minimum, and `or` the maximum; a row is covered if the result is positive (no value equals
a cut). All counts must be equal. Peers run in separate processes, in alternation, so that a busy machine
slows all of them. The fastest round is reported.

Peers are installed into bench/.venv on first use. Peers that cannot be installed or run are named in the
result, which is written to bench/results/ as text and JSON.
"""

import argparse
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import interpreter_vs_numpy as interpreter
from setting import PEERS, ROOT, arguments_of, keep, machine, need

# Modules and their names on PyPI.
PACKAGES = {"numpy": "numpy", "sklearn": "scikit-learn", "pyoperon": "pyoperon", "gplearn": "gplearn"}
SETS = {
    "eastWest": "eastWest.dat", "musk1": "musk1.dat", "musk2": "musk2.csv", "tiger": "tiger.dat",
        "elephant": "elephant.dat",
    "mutagenesis-atoms": "mutagenesis-atoms.dat", "mutagenesis-chains": "mutagenesis-chains.dat",
}
FLAGS = {"musk2": ["--target", "1", "--bag", "2"]}
SPEED_PEERS = ("numpy", "pyoperon", "gplearn")
# The data of quick runs.
QUICK = ("boxes", ROOT / "tests" / "data" / "tables" / "boxes.dat")


def inside_venv(quick):
    """Install the peers and run this script again in their environment."""
    PEERS.make()
    for module, package in PACKAGES.items():
        # Quick runs install nothing.
        if not PEERS.has(module) and (quick or not PEERS.install([package])):
            print(f"{package}: not installed, skipped", file=sys.stderr)
    # One core for all.
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
    PEERS.enter(__file__)


# Accuracy


def read_bags(name, path):
    """Return the rows of each bag and its class."""
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt") as file:
        lines = [line.strip() for line in file]
    if name == "musk2":
        rows = [(cells[1], cells[0], cells[2:]) for cells in (line.split(",") for line in lines if line)]
    else:
        lines = lines[[line.lower() for line in lines].index("@data") + 1:]
        cells = [[cell.strip() for cell in line.split(",")] for line in lines if line]
        rows = [(row[0], row[-1], row[1:-1]) for row in cells]
    bags, classes = {}, {}
    for bag, label, values in rows:
        bags.setdefault(bag, []).append([float(value) for value in values])
        assert classes.setdefault(bag, label) == label, f"{path}: bag {bag} has two classes"
    return list(bags.values()), list(classes.values())


def peers_accuracy(name, path, folds, repeats):
    """Return the accuracy of each fold and the total seconds of each learner."""
    import numpy
    from sklearn.dummy import DummyClassifier
    from sklearn.ensemble import ExtraTreesClassifier
    from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC
    from sklearn.tree import DecisionTreeClassifier

    bags, classes = read_bags(name, path)
    # Computed for each bag separately, so nothing leaks from other bags.
    least_and_greatest = numpy.array([[*numpy.min(bag, axis=0), *numpy.max(bag, axis=0)] for bag in bags])
    learners = {
        "ExtraTrees(100)": ExtraTreesClassifier(100, random_state=0),
        "SVC(RBF, C=10)": make_pipeline(StandardScaler(), SVC(C=10)),
        "tree of depth 5": DecisionTreeClassifier(max_depth=5, random_state=0),
        "most common class": DummyClassifier(),
    }
    found = {}
    for learner, model in learners.items():
        split = RepeatedStratifiedKFold(n_splits=folds, n_repeats=repeats, random_state=0)
        start = time.perf_counter()
        scores = cross_val_score(model, least_and_greatest, classes, cv=split, n_jobs=1)
        found[learner] = {"folds": scores.tolist(), "seconds": time.perf_counter() - start}
    return found


def our_accuracy(pellucid, name, path, folds, repeats):
    found = {}
    for mode in ("default", "g3p-mi"):
        command = [pellucid, "cv", "rules", path, *FLAGS.get(name, []), "--mode", mode, "--folds", str(folds),
                   "--repeats", str(repeats), "--threads", "1", "--json", "--quiet"]
        result = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        found[f"ours, {mode}"] = {
            "folds": result["accuracy"]["folds"], "seconds": result["seconds"],
            "rules": result["rules"]["mean"], "comparisons": result["comparisons"]["mean"],
        }
    return found


def accuracy(arguments):
    """Return the accuracy of each learner on each data set, and the lines of the report."""
    found, troubles = {}, []
    sets = {}
    for name, file in () if arguments.quick else SETS.items():
        paths = [path for path in (arguments.data / file, arguments.data / f"{file}.gz") if path.is_file()]
        if paths:
            sets[name] = paths[0]
        else:
            troubles.append(f"{name}: cannot find {file}")
    for name, path in [QUICK] if arguments.quick else sets.items():
        print(f"accuracy on {name}", file=sys.stderr)
        found[name] = {}
        for who, measure in (("pellucid", lambda *rest: our_accuracy(arguments.pellucid, *rest)),
                             ("scikit-learn", peers_accuracy)):
            try:
                found[name].update(measure(name, path, arguments.folds, arguments.repeats))
            except (ImportError, subprocess.CalledProcessError, ValueError) as error:
                message = f"{name}: {who} did not run: {getattr(error, 'stderr', None) or error}".strip()
                if who == "pellucid":
                    sys.exit(message)
                troubles.append(message)
    learners = list(dict.fromkeys(learner for by_learner in found.values() for learner in by_learner))

    def table(title, shown, is_listed=lambda learner: True):
        lines = ["", title, "", f"{'':20}" + "".join(f"{name:>20}" for name in found)]
        for learner in filter(is_listed, learners):
            cells = (by_learner.get(learner) for by_learner in found.values())
            lines.append(f"{learner:20}" + "".join(f"{shown(cell) if cell else '-':>20}" for cell in cells))
        return lines

    def mean_and_spread(cell):
        scores = cell["folds"]
        mean = sum(scores) / len(scores)
        spread = (sum((score - mean) ** 2 for score in scores) / max(1, len(scores) - 1)) ** 0.5
        return f"{mean:.3f} +- {spread:.3f}"

    lines = table(f"accuracy, {arguments.repeats} x {arguments.folds}-fold by bag, and its spread over folds",
                  mean_and_spread)
    lines += table("seconds for all folds, one thread; the peers' without making the least and greatest "
                   "values",
                   lambda cell: f"{cell['seconds']:.2f}")
    lines += table("rules / comparisons in a model, mean over folds",
                   lambda cell: f"{cell['rules']:.1f} / {cell['comparisons']:.1f}",
                   lambda learner: learner.startswith("ours"))
    return found, [*lines, *([""] if troubles else []), *troubles]


# Speed


class Pyoperon(interpreter.Numpy):
    """The rules as arithmetic in pyoperon, with 32-bit floats and one thread."""

    def __init__(self, folder, population):
        import pyoperon

        super().__init__(folder, population)
        self.pyoperon = pyoperon
        self.range = pyoperon.Range(0, self.rows)
        self.dataset = pyoperon.Dataset(self.columns.T)
        hashes = {variable.Index: variable.Hash for variable in self.dataset.Variables}
        kinds = pyoperon.NodeType
        # Some releases have the two names exchanged, so test them.
        lesser, greater = kinds.Fmin, kinds.Fmax
        probe = pyoperon.Tree([pyoperon.Node.Constant(1.0), pyoperon.Node.Constant(2.0),
                               pyoperon.Node(lesser)]).UpdateNodes()
        if pyoperon.Evaluate(probe, self.dataset, self.range)[0] != 1.0:
            lesser, greater = greater, lesser

        def comparison(attribute, op, value):
            variable, cut = pyoperon.Node.Variable(1.0), pyoperon.Node.Constant(value)
            variable.HashValue = hashes[attribute]
            # Operands come in reverse order before their operator.
            return [*((cut, variable) if op == ">" else (variable, cut)), pyoperon.Node(kinds.Sub)]

        def joined(parts, kind):
            nodes = parts[0]
            for part in parts[1:]:
                nodes = [*nodes, *part, pyoperon.Node(kind)]
            return nodes

        nodes = [joined([joined([comparison(*leaf) for leaf in conjunction], lesser)
                         for conjunction in rule["or"]], greater)
                 for rule in self.rules]
        assert sum(map(len, nodes)) == self.nodes
        self.trees = [pyoperon.Tree(nodes).UpdateNodes() for nodes in nodes]
        self.results = self.numpy.zeros(len(self.trees) * self.rows, dtype=self.numpy.float32)

    def all_covered(self):
        # Evaluating all trees into one buffer is two to three times as fast as tree by tree.
        self.pyoperon.EvaluateTrees(self.trees, self.dataset, self.range, self.results, 1)
        return self.results.reshape(len(self.trees), self.rows) > 0


class Gplearn(interpreter.Numpy):
    """The rules as arithmetic in gplearn, which uses 64-bit floats, with contiguous columns."""

    def __init__(self, folder, population):
        from gplearn.functions import max2, min2, sub2
        from gplearn.genetic import _Program

        super().__init__(folder, population)
        self.table = self.columns.T.astype(float)

        def comparison(attribute, op, value):
            return [sub2, attribute, value] if op == ">" else [sub2, value, attribute]

        def joined(parts, function):
            return [*[function] * (len(parts) - 1), *(node for part in parts for node in part)]

        def program(rule):
            nodes = joined([joined([comparison(*leaf) for leaf in conjunction], min2)
                            for conjunction in rule["or"]], max2)
            return _Program(
                function_set=[sub2, min2, max2], arities={2: [sub2, min2, max2]}, init_depth=(2, 6),
                            init_method="full",
                n_features=len(self.columns), const_range=(0.0, 1.0), metric=None, p_point_replace=0.05,
                parsimony_coefficient=0.0, random_state=None, program=nodes)

        self.programs = {id(rule): program(rule) for rule in self.rules}
        assert sum(len(program.program) for program in self.programs.values()) == self.nodes

    def covered(self, rule):
        return self.programs[id(rule)].execute(self.table) > 0


def one_peer(name, folder):
    """Run two rounds of one peer and print the result."""
    peer = {"numpy": interpreter.Numpy, "pyoperon": Pyoperon, "gplearn": Gplearn}[name](folder, "later")
    print(json.dumps({"rate": peer.rate(min(peer.round() for _ in range(2))), "rules": len(peer.rules)}))


def speed(arguments, folder):
    """Return the nodes per second of each program, and the lines of the report."""
    size = interpreter.Size(arguments.quick)
    nodes = interpreter.dump(arguments.pellucid, size, folder)["later"]
    rates, troubles = {}, {}

    def most(name, rate):
        rates[name] = max(rate, rates.get(name, 0.0))

    for turn in range(arguments.rounds):
        print(f"speed, round {turn + 1}", file=sys.stderr)
        own = interpreter.ours(arguments.pellucid, size, "--threads", "1")
        for (population, cache), seconds in own.items():
            if population == "later":
                most(f"ours, {cache}", nodes * size.rows / seconds)
        for peer in (peer for peer in SPEED_PEERS if peer not in troubles):
            command = [sys.executable, __file__, "--peer", peer, "--folder", folder]
            result = subprocess.run(command, capture_output=True, text=True)
            if result.returncode == 0:
                most(peer, json.loads(result.stdout)["rate"])
            else:
                last = result.stderr.strip().splitlines()[-1:] or [f"exit code {result.returncode}"]
                if "AssertionError" in last[0]:
                    sys.exit(f"{peer}: {last[0]}")
                troubles[peer] = f"{peer}: did not run: {last[0]}"
    lines = ["",
             f"{size.rules} rules of about 12 comparisons x {size.rows} rows, one core, fastest of "
             f"{arguments.rounds} turns; "
             "peers on every 20th rule", "",
             f"{'':20}{'G nodes/s':>12}{'ours, fresh / it':>20}"]
    for name, rate in rates.items():
        lines.append(f"{name:20}{rate / 1e9:>12.2f}{rates['ours, fresh'] / rate:>18.1f} x")
    return rates, [*lines, *troubles.values()]


def main():
    parser = arguments_of(__doc__)
    parser.add_argument("--data", type=pathlib.Path,
                        help="folder with the data sets; without it only speed is measured")
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=5, help="rounds of the speed comparison")
    parser.add_argument("--peer", choices=SPEED_PEERS, help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=pathlib.Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if not PEERS.is_this():
        inside_venv(arguments.quick)
    if arguments.peer:
        return one_peer(arguments.peer, arguments.folder)
    need(arguments.pellucid, "cargo build --release")
    if arguments.data and not arguments.data.is_dir():
        sys.exit(f"--data: cannot find folder {arguments.data}")
    if arguments.quick:
        arguments.folds, arguments.repeats, arguments.rounds = 3, 1, 1
    lines = [f"{key}: {value}" for key, value in machine().items()]
    record = {"machine": machine()}
    with tempfile.TemporaryDirectory() as folder:
        record["nodes_per_second"], section = speed(arguments, pathlib.Path(folder))
    lines += section
    if arguments.data or arguments.quick:
        record["accuracy"], section = accuracy(arguments)
        lines += section
    keep("rules_vs_peers", "\n".join(line.rstrip() for line in lines) + "\n", record, arguments.quick)


if __name__ == "__main__":
    main()
