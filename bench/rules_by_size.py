#!/usr/bin/env python3
"""Compare rules with other readable models of the same size.

    cargo build --release && python3 bench/rules_by_size.py --data FOLDER [--sets NAME,…]
                                                            [--learners NAME,…] [--work FOLDER]
    cargo build --release && python3 bench/rules_by_size.py --tables FOLDER [--only ours] [--jobs N]

The scores are accuracy, AUC, Brier score, number of conditions and CPU time.

FOLDER contains the tables as published (see peers/tidy.py). All learners get the same folds, which this
script assigns: five stratified folds, or three for large tables. The recordings of a person stay
together (parkinsons). The sizes are 1, 2, 3, 5, 10, 20 and 50 rules. A single run of Pellucid gives
models of all sizes, which `predict --rules N` uses; the size that it selects itself is a separate row. A
decision tree has one leaf more than Pellucid has rules, for rows to which no rule applies. The rules of
RuleFit are its terms, those of FIGS its splits, and those of BoostedRules its stumps. RIPPER uses fewer
rules than allowed. An EBM has no size and is listed with its terms, as are a random forest of 500 trees
and gradient boosting with their leaves.

Peers use the defaults of their packages. Their times are those of training with data in memory,
separately for each size (BoostedRules: once for all sizes). The times of Pellucid are those of the whole
process on one thread: reading the file, the inner folds that select the size and calibrate
probabilities, and writing the model. Nothing is tuned on the test folds.

--work saves the predictions of each learner, so that an interrupted run can be resumed. A peer that
needs more than --most-seconds of CPU time for a table is skipped there. The result is written to
bench/results/ as text, JSON and SVG.

--tables compares the models that learners select themselves on many tables, those that tables.py writes to
FOLDER, with two and more classes. The peers are FIGS with 12 and 50 splits, an EBM, FasterRisk (two
classes), a decision tree of a selected size, logistic regression, a random forest of 300 trees, LightGBM and
gradient boosting of scikit-learn. The report has mean scores, mean ranks with the critical difference of
Nemenyi's test, the number of tables near the best black box, and the numbers of rules and conditions. The
scores of each table, learner and fold are appended to FOLDER/peers.jsonl. An interrupted run is resumed, and
`--only ours` measures a new build of Pellucid and uses the saved scores of the peers. --readme writes the
means to the README.
"""

import csv
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from peers import many_tables, ranks, readme, tidy, whole_learners
from peers.sized import LEARNERS, SIZES, lines_of, summarize
from peers.small_multiples import draw
from setting import BENCH, PEERS, RISK, ROOT, arguments_of, keep, machine, need, spent

# Modules and their names on PyPI. imodels needs six but does not declare it.
PACKAGES = {"sklearn": "scikit-learn", "pandas": "pandas", "six": "six", "imodels": "imodels",
            "interpret.glassbox": "interpret-core", "wittgenstein": "wittgenstein"}
SETS = ["adult", "bank", "pima", "ionosphere", "hepatitis", "breast-cancer", "parkinsons"]
LARGE = 10_000


def inside_venv(quick, packages):
    PEERS.make()
    # Quick runs install nothing.
    for module, package in () if quick else packages.items():
        if not PEERS.has(module) and not PEERS.install([package]):
            print(f"{package}: not installed, skipped", file=sys.stderr)
    # One core for all, without threads that use CPU time while they wait.
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
    PEERS.enter(__file__)


def assign_folds(rows, head, folds):
    """Return the rows of each training and test fold."""
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

    classes = [row[-1] for row in rows]
    if "group" in head:
        groups = [row[head.index("group")] for row in rows]
        splits = StratifiedGroupKFold(folds, shuffle=True, random_state=0).split(rows, classes, groups)
    else:
        splits = StratifiedKFold(folds, shuffle=True, random_state=0).split(rows, classes)
    return [(train.tolist(), test.tolist()) for train, test in splits]


def ours(pellucid, head, rows, splits):
    """Yield a record for each fold and size, in the format of peers/rule_learners.py."""
    positive = max(row[-1] for row in rows)
    grouped = ["--groups", "group"] if "group" in head else []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        model, train_file, test_file = folder / "model.json", folder / "train.csv", folder / "test.csv"

        def run(*words):
            start = spent()
            command = [pellucid, *words, "--threads", "1", "--quiet"]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            return done.stdout.splitlines(), spent() - start

        def learn(*flags):
            lines, seconds = run("learn", "rules", train_file, "--target", "class", *grouped, "--out",
                                 model, "--force", "--json", *flags)
            summary = json.loads(lines[-1])
            return json.loads(model.read_text()), summary["rules"], summary["comparisons"], seconds

        def predict(*flags):
            lines = list(csv.DictReader(run("predict", model, test_file, *flags)[0]))
            return {"chances": [float(line[f"probability of {positive}"]) for line in lines],
                    "said": [int(line["predicted"] == positive) for line in lines]}

        for number, (train, test) in enumerate(splits):
            for file, places in ((train_file, train), (test_file, test)):
                with open(file, "w", newline="") as text:
                    csv.writer(text).writerows([head, *(rows[place] for place in places)])
            known, rules, conditions, seconds = learn()
            yield {"fold": number, "size": None, **predict(), "rules": rules, "conditions": conditions,
                   "seconds": seconds}
            if not known["model"].get("path"):
                # A short rule list was selected, which has a single size. Voting rules have all sizes.
                known, _, _, seconds = learn("--always-vote")
            path = known["model"]["path"]
            for size in SIZES:
                # The largest model with at most this many rules, which `--rules` selects.
                votes = max((stop["votes"] for stop in path["stops"] if len(stop["votes"]) <= size), key=len)
                used = [rule for rule, vote in zip(path["rules"], votes) if vote != 0]
                yield {"fold": number, "size": size, **predict("--rules", str(size)), "rules": len(used),
                       "conditions": sum(rule["when"].count(" and ") + 1 for rule in used),
                       "seconds": seconds}


def theirs(learner, table, folds, most):
    words = [PEERS.python, BENCH / "peers" / "rule_learners.py", learner, table, folds,
             ",".join(map(str, SIZES)), str(most)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        for line in running.stdout:
            yield json.loads(line)
        trouble = running.stderr.read().strip().splitlines()
    if running.returncode:
        beyond = f"stopped by signal {-running.returncode} after more than {most} s of CPU time"
        raise ChildProcessError(trouble[-1] if trouble else beyond)


def figures_of(name, arguments, work):
    """Return the scores of all learners on a table, from saved records or by running them."""
    table = work / f"{name}.csv"
    with open(table, newline="") as file:
        head, *rows = csv.reader(file)
    splits = assign_folds(rows, head, 2 if arguments.quick else 3 if len(rows) > LARGE else 5)
    folds = work / f"{name}.folds.json"
    folds.write_text(json.dumps(splits))
    complete = len(splits) * len(SIZES)
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
            expected = (complete, len(splits), complete + len(splits))
            assert len(found[learner]) in expected, f"{kept} belongs to another run; remove it"
    positive = max(row[-1] for row in rows)
    actual = [int(row[-1] == positive) for row in rows]
    figures = {learner: summarize(records, actual, splits) for learner, records in found.items()}
    about = {"rows": len(rows), "columns": len(head) - 1 - ("group" in head), "folds": len(splits),
             "positive": sum(actual)}
    return about, figures, troubles


def on_many_tables(arguments, folder):
    """Compare learners on all tables in a folder and its subfolders."""
    paths = sorted(folder.glob("**/*.csv"))
    wanted = arguments.sets.split(",") if arguments.sets else [path.stem for path in paths]
    folds = 2 if arguments.quick else many_tables.FOLDS
    tables = [many_tables.Table(path, folds) for path in paths if path.stem in wanted]
    if not tables:
        sys.exit(f"{folder} contains none of the tables")
    learners = arguments.learners.split(",") if arguments.learners else many_tables.LEARNERS
    unknown = [learner for learner in learners if learner not in many_tables.LEARNERS]
    if unknown:
        sys.exit(f"unknown learner {unknown[0]!r}; the learners are {', '.join(many_tables.LEARNERS)}")
    if "FasterRisk" in learners and not RISK.has("fasterrisk"):
        RISK.make()
        if not RISK.install(["fasterrisk"]):
            print("fasterrisk: not installed, skipped", file=sys.stderr)
            learners = [learner for learner in learners if learner != "FasterRisk"]
    packages = [f"{name} {number}" for name, number in versions(whole_learners.PACKAGES).items()]
    setting = "{processor}, {cores} cores; ".format(**machine()) + ", ".join(packages)
    cache = many_tables.Cache(folder / "peers.jsonl", tables, arguments.pellucid, arguments.most_seconds,
                              setting)
    many_tables.run(cache, learners, arguments.pellucid, arguments.jobs,
                    lambda message: print(message, file=sys.stderr))
    if arguments.only_keep:
        return
    found, settings = ranks.means_of(cache), cache.settings()
    troubles = {f"{task.table}: {task.learner}: {record['error']}"
                for task, record in cache.records.items() if "error" in record}
    if arguments.update:
        stored = json.loads((BENCH / "results" / "rules_many_tables.json").read_text())
        ranks.add_stored(found, stored["tables"])
        settings, troubles = stored["settings"] | settings, troubles | set(stored["troubles"])
    record = {"settings": settings, "troubles": sorted(troubles),
              "tables": {table.name: {**table.about(), "learners": found[table.name]} for table in tables}}
    text = "\n".join(line.rstrip() for line in ranks.lines_of(record, found, cache.tables)) + "\n"
    keep("rules_many_tables", text, record, arguments.quick)
    if arguments.readme:
        readme.write(ROOT / "README.md", found, cache.tables)


def versions(packages):
    from importlib.metadata import PackageNotFoundError, version

    found = {}
    for package in packages.values():
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            pass
    return found


def main():
    parser = arguments_of(__doc__)
    parser.add_argument("--data", type=pathlib.Path, help="folder with the published files")
    parser.add_argument("--tables", type=pathlib.Path, help="folder with the tables that tables.py writes")
    parser.add_argument("--sets", help="names of tables, separated by commas [default: all]")
    parser.add_argument("--learners", "--only",
                        help="learners to run, separated by commas; others are used if saved")
    parser.add_argument("--jobs", type=int, default=1, help="number of fits at a time, with --tables")
    parser.add_argument("--work", type=pathlib.Path, help="folder for saved predictions")
    parser.add_argument("--most-seconds", type=int, default=1500,
                        help="CPU time limit of a peer per table, or with --tables of every fit")
    parser.add_argument("--readme", action="store_true", help="with --tables: write the means to README.md")
    parser.add_argument("--update", action="store_true",
                        help="with --tables: keep stored results of learners and tables that were not run")
    parser.add_argument("--only-keep", action="store_true", help="save predictions and write no result")
    arguments = parser.parse_args()
    if not arguments.quick and not arguments.data and not arguments.tables:
        parser.error("--data or --tables is required")
    if not PEERS.is_this():
        inside_venv(arguments.quick, whole_learners.PACKAGES if arguments.tables else PACKAGES)
    if not arguments.learners or "ours" in arguments.learners.split(","):
        need(arguments.pellucid, "cargo build --release")
    if arguments.quick and not PEERS.has("sklearn, pandas"):
        print("scikit-learn or pandas is not installed, so there is nothing to compare with")
        return
    if arguments.tables:
        return on_many_tables(arguments, arguments.tables)
    with tempfile.TemporaryDirectory() as temporary:
        work = arguments.work or pathlib.Path(temporary)
        work.mkdir(parents=True, exist_ok=True)
        if arguments.quick:
            names = ["flats"]
            write_quick(work / "flats.csv")
            arguments.learners = "ours,decision tree"
            on_many_tables(arguments, work)
        else:
            wanted = arguments.sets.split(",") if arguments.sets else SETS
            names = [name for name in wanted if tidy.write(arguments.data, work, [name])]
        if not names:
            print(f"{arguments.data} contains none of the tables")
            return
        record = {"machine": machine(), "versions": versions(PACKAGES), "sets": {}}
        troubles = []
        for name in names:
            about, figures, trouble = figures_of(name, arguments, work)
            record["sets"][name] = {**about, "learners": figures}
            troubles += trouble
    record["troubles"] = troubles
    if arguments.only_keep:
        return
    text = "\n".join(line.rstrip() for line in lines_of(record)) + "\n"
    keep("rules_peers", text, record, arguments.quick)
    picture = draw(record["sets"])
    if not arguments.quick:
        (BENCH / "results" / "rules_peers.svg").write_text(picture)


def write_quick(path):
    """Write a table of the repository with text and missing values, and with classes made from a number."""
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
