#!/usr/bin/env python3
"""Rules beside other readable models at equal size: accuracy, AUC, Brier score, conditions and processor time, and one picture.

    cargo build --release && python3 bench/rules_by_size.py --data FOLDER [--sets NAME,…] [--learners NAME,…] [--work FOLDER]

FOLDER holds the tables as they are published (see peers/tidy.py). Every learner gets the same folds, which are dealt here:
stratified, five of them, three of the large tables; the recordings of a person stay together (parkinsons). Each learner is
asked for 1, 2, 3, 5, 10, 20 and 50 rules. Of ours one run gives models of all sizes, which `predict --rules N` reads; the size it chooses itself, inside
the training part, is a row of its own. A decision tree has one leaf more than ours has rules, for what is said where no rule
holds. RuleFit's rules are its terms, FIGS' its splits, BoostedRules' its stumps. RIPPER takes fewer than it is allowed. An EBM has
no size: it stands beside the others with its terms, as do a random forest of 500 trees and gradient boosting with their leaves.

Peers keep the defaults of their packages. Their seconds are of learning alone, prepared data in memory, for each size anew
(BoostedRules: once for all); ours are of the whole process on one thread: reading the file, the inner folds that choose the size
and make the probabilities, writing the model. Nothing is tuned on the test folds.

With --work what each learner said of a table is kept in that folder, so that a run that was cut short goes on; a peer that takes
more than --most-seconds of the processor on a table is left out there. The result goes to bench/results/ as text, JSON and SVG.
"""

import csv
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from peers import tidy
from peers.sized import LEARNERS, SIZES, judged, lines_of
from peers.small_multiples import drawn
from setting import BENCH, PEERS, ROOT, arguments_of, keep, machine, need, spent

# What is imported, and what it is called on PyPI. imodels imports six without asking for it.
PACKAGES = {"sklearn": "scikit-learn", "pandas": "pandas", "six": "six", "imodels": "imodels",
            "interpret.glassbox": "interpret-core", "wittgenstein": "wittgenstein"}
SETS = ["adult", "bank", "pima", "ionosphere", "hepatitis", "breast-cancer", "parkinsons"]
LARGE = 10_000


def inside_venv(quick):
    PEERS.make()
    # The quick form asks only those that are quick.
    for module, package in () if quick else PACKAGES.items():
        if not PEERS.has(module) and not PEERS.install([package]):
            print(f"{package}: not installed, left out", file=sys.stderr)
    # One core for everyone, and nobody spins while waiting for another.
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
    PEERS.enter(__file__)


def dealt(rows, head, folds):
    """The rows of each training and test part."""
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

    classes = [row[-1] for row in rows]
    if "group" in head:
        groups = [row[head.index("group")] for row in rows]
        splits = StratifiedGroupKFold(folds, shuffle=True, random_state=0).split(rows, classes, groups)
    else:
        splits = StratifiedKFold(folds, shuffle=True, random_state=0).split(rows, classes)
    return [(train.tolist(), test.tolist()) for train, test in splits]


def ours(pellucid, head, rows, splits):
    """A record for each fold and size, as peers/rule_learners.py prints them."""
    positive = max(row[-1] for row in rows)
    grouped = ["--groups", "group"] if "group" in head else []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        model, train_file, test_file = folder / "model.json", folder / "train.csv", folder / "test.csv"

        def called(*words):
            begin = spent()
            done = subprocess.run([pellucid, *words, "--threads", "1", "--quiet"], check=True, capture_output=True, text=True)
            return done.stdout.splitlines(), spent() - begin

        def learned(*flags):
            lines, seconds = called("learn", "rules", train_file, "--target", "class", *grouped, "--out",
                                    model, "--force", "--json", *flags)
            told = json.loads(lines[-1])
            return json.loads(model.read_text()), told["rules"], told["comparisons"], seconds

        def predicted(*flags):
            lines = list(csv.DictReader(called("predict", model, test_file, *flags)[0]))
            return {"chances": [float(line[f"probability of {positive}"]) for line in lines],
                    "said": [int(line["predicted"] == positive) for line in lines]}

        for number, (train, test) in enumerate(splits):
            for file, places in ((train_file, train), (test_file, test)):
                with open(file, "w", newline="") as text:
                    csv.writer(text).writerows([head, *(rows[place] for place in places)])
            known, rules, conditions, seconds = learned()
            yield {"fold": number, "size": None, **predicted(), "rules": rules, "conditions": conditions, "seconds": seconds}
            if not known["model"].get("path"):
                # A short list was chosen, which has one size; the path is that of rules that vote.
                known, _, _, seconds = learned("--always-vote")
            path = known["model"]["path"]
            for size in SIZES:
                # The largest model on the path with at most so many rules, as `--rules` chooses.
                votes = max((stop["votes"] for stop in path["stops"] if len(stop["votes"]) <= size), key=len)
                told = [rule for rule, vote in zip(path["rules"], votes) if vote != 0]
                yield {"fold": number, "size": size, **predicted("--rules", str(size)), "rules": len(told),
                       "conditions": sum(rule["when"].count(" and ") + 1 for rule in told), "seconds": seconds}


def theirs(learner, table, folds, most):
    words = [PEERS.python, BENCH / "peers" / "rule_learners.py", learner, table, folds, ",".join(map(str, SIZES)), str(most)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        for line in running.stdout:
            yield json.loads(line)
        trouble = running.stderr.read().strip().splitlines()
    if running.returncode:
        beyond = f"ended by signal {-running.returncode}, beyond {most} s of the processor"
        raise ChildProcessError(trouble[-1] if trouble else beyond)


def said_of(name, arguments, work):
    """Records of every learner on a table, from the folder where they were kept or by asking."""
    table = work / f"{name}.csv"
    with open(table, newline="") as file:
        head, *rows = csv.reader(file)
    splits = dealt(rows, head, 2 if arguments.quick else 3 if len(rows) > LARGE else 5)
    folds = work / f"{name}.folds.json"
    folds.write_text(json.dumps(splits))
    asked = len(splits) * len(SIZES)
    found, troubles = {}, []
    for learner in LEARNERS:
        kept = work / f"{name}.{learner}.jsonl"
        if not kept.exists() and (not arguments.learners or learner in arguments.learners.split(",")):
            print(f"{name}: {learner}", file=sys.stderr)
            records = ours(arguments.pellucid, head, rows, splits) if learner == "ours" else theirs(
                learner, table, folds, arguments.most_seconds)
            unfinished = kept.with_suffix(".part")
            try:
                with open(unfinished, "w") as out:
                    for record in records:
                        out.write(json.dumps(record) + "\n")
                        out.flush()
            except subprocess.CalledProcessError as error:
                sys.exit(f"{name}: {error.stderr}")
            except ChildProcessError as error:
                troubles.append(f"{name}: {learner}: {error}")
                print(troubles[-1], file=sys.stderr)
                continue
            unfinished.rename(kept)
        if kept.exists():
            found[learner] = [json.loads(line) for line in kept.read_text().splitlines()]
            assert len(found[learner]) in (asked, len(splits), asked + len(splits)), f"{kept} is of another run: remove it"
    positive = max(row[-1] for row in rows)
    actual = [int(row[-1] == positive) for row in rows]
    figures = {learner: judged(records, actual, splits) for learner, records in found.items()}
    about = {"rows": len(rows), "columns": len(head) - 1 - ("group" in head), "folds": len(splits), "positive": sum(actual)}
    return about, figures, troubles


def versions():
    from importlib.metadata import PackageNotFoundError, version

    found = {}
    for package in PACKAGES.values():
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            pass
    return found


def main():
    parser = arguments_of(__doc__)
    parser.add_argument("--data", type=pathlib.Path, help="the folder with the published files")
    parser.add_argument("--sets", default=",".join(SETS), help="which of the tables, parted by commas")
    parser.add_argument("--learners", help="only these are asked, parted by commas; the others are told where they were kept")
    parser.add_argument("--work", type=pathlib.Path, help="folder where what learners said is kept")
    parser.add_argument("--most-seconds", type=int, default=1500, help="of the processor, for a peer on one table")
    parser.add_argument("--only-keep", action="store_true", help="keep what learners said in the folder of --work and write no result")
    arguments = parser.parse_args()
    if not arguments.quick and not arguments.data:
        parser.error("--data names the folder with the tables")
    if not PEERS.is_this():
        inside_venv(arguments.quick)
    need(arguments.pellucid, "cargo build --release")
    if arguments.quick and not PEERS.has("sklearn, pandas"):
        print("scikit-learn or pandas: not installed, so there is nothing to compare with")
        return
    with tempfile.TemporaryDirectory() as temporary:
        work = arguments.work or pathlib.Path(temporary)
        work.mkdir(parents=True, exist_ok=True)
        if arguments.quick:
            names = ["flats"]
            write_quick(work / "flats.csv")
            arguments.learners = "ours,decision tree"
        else:
            names = [name for name in arguments.sets.split(",") if tidy.write(arguments.data, work, [name])]
        if not names:
            print(f"none of the tables is in {arguments.data}")
            return
        record = {"machine": machine(), "versions": versions(), "sets": {}}
        troubles = []
        for name in names:
            about, figures, trouble = said_of(name, arguments, work)
            record["sets"][name] = {**about, "learners": figures}
            troubles += trouble
    record["troubles"] = troubles
    if arguments.only_keep:
        return
    text = "\n".join(line.rstrip() for line in lines_of(record)) + "\n"
    keep("rules_peers", text, record, arguments.quick)
    picture = drawn(record["sets"])
    if not arguments.quick:
        (BENCH / "results" / "rules_peers.svg").write_text(picture)


def write_quick(path):
    """A table of our own with words and gaps, and a class made of a number."""
    with open(ROOT / "examples" / "flats.csv", newline="") as file:
        head, *rows = itertools.islice(csv.reader(file), 80)
    place = head.index("rent")
    with open(path, "w", newline="") as out:
        table = csv.writer(out)
        table.writerow([*(name for name in head if name != "rent"), "class"])
        for number, row in enumerate(rows):
            cells = row[:place] + row[place + 1:]
            cells[number % len(cells)] = "" if number % 7 == 0 else cells[number % len(cells)]
            table.writerow([*cells, "dear" if float(row[place]) > 650 else "cheap"])


if __name__ == "__main__":
    main()
