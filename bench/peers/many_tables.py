"""Measure Pellucid and its peers on many tables, fold by fold, with a cache. Used by ../rules_by_size.py.

The cache is a file of JSON lines, one for each table, learner and fold. A record is used again if the file
of the table and, for Pellucid, the program are unchanged. Each fit runs in its own process with one thread
and a limit of CPU time. A learner that fails or exceeds the limit on one fold is skipped on that table, until
the limit is raised.
"""

import collections
import csv
import hashlib
import json
import multiprocessing
import multiprocessing.connection
import pathlib
import resource
import subprocess
import tempfile
import warnings

from peers import whole_learners
from setting import spent

FOLDS = 5
SEED = 7
OURS = "ours"
CARD = "our scorecard"
# Our learners, and the flags of each.
MODES = {OURS: [], CARD: ["--mode", "scorecard"]}
LEARNERS = [*MODES, *whole_learners.LEARNERS]
BINARY_ONLY = [CARD, *whole_learners.BINARY_ONLY]
Task = collections.namedtuple("Task", "table learner fold")


class Table:
    """A table whose class is the last column, with five stratified folds."""

    def __init__(self, path, folds=FOLDS):
        from sklearn.model_selection import StratifiedKFold

        self.path, self.name = path, path.stem
        with open(path, newline="") as file:
            self.head, *self.rows = csv.reader(file)
        self.labels = [row[-1] for row in self.rows]
        self.classes = sorted(set(self.labels))
        self.digest = digest(path)
        folds = StratifiedKFold(folds, shuffle=True, random_state=SEED)
        self.splits = [(train.tolist(), test.tolist()) for train, test in folds.split(self.rows, self.labels)]

    def about(self):
        return {"rows": len(self.rows), "columns": len(self.head) - 1, "classes": len(self.classes)}


def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()[:16]


def scores(table, test, chances, predicted):
    """Return accuracy, AUC (for more classes the mean of each class against the rest) and Brier score. The
    Brier score is half the sum over the classes, which for two classes is the usual one."""
    import numpy
    from sklearn.metrics import roc_auc_score

    actual = numpy.array([table.classes.index(table.labels[row]) for row in test])
    truth = numpy.eye(len(table.classes))[actual]
    chances = numpy.asarray(chances, dtype=float)
    areas = [roc_auc_score(truth[:, place], chances[:, place]) for place in range(len(table.classes))]
    return {"accuracy": float(numpy.mean(numpy.asarray(predicted) == actual)),
            "auc": float(numpy.mean(areas)),
            "brier": float(numpy.mean(((chances - truth) ** 2).sum(axis=1)) / 2)}


def ours(pellucid, flags, table, train, test):
    """Return the result of one fold, in the form of whole_learners. The time is that of the whole process."""
    with tempfile.TemporaryDirectory() as folder:
        model, train_file, test_file = (pathlib.Path(folder) / name
                                        for name in ("model.json", "train.csv", "test.csv"))
        for file, rows in ((train_file, train), (test_file, test)):
            with open(file, "w", newline="") as text:
                csv.writer(text).writerows([table.head, *(table.rows[row] for row in rows)])

        def run(*words):
            command = [pellucid, *words, "--threads", "1", "--quiet"]
            return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()

        begin = spent()
        lines = run("learn", "rules", train_file, "--target", table.head[-1], "--bag", "none", "--out", model,
                    "--json", *flags)
        seconds = spent() - begin
        summary = json.loads(lines[-1])
        predictions = list(csv.DictReader(run("predict", model, test_file)))
    predicted = [table.classes.index(line["predicted"]) for line in predictions]
    chances = [chances_of(line, table.classes) for line in predictions]
    return chances, predicted, summary["rules"], summary["comparisons"], seconds


def chances_of(line, classes):
    """Return the probability of each class. With two classes only that of the positive class is printed."""
    known = [line.get(f"probability of {name}") for name in classes]
    if len(classes) == 2 and None in known:
        other = float(known[1 - known.index(None)])
        return [1 - other if chance is None else other for chance in known]
    return [float(chance) for chance in known]


def theirs(learner, table, train, test):
    import pandas

    # Some learners reject column names with punctuation.
    frame = pandas.read_csv(table.path, keep_default_na=False, na_values=[""])
    frame = frame.iloc[:, :-1].set_axis([f"x{place}" for place in range(1, len(table.head))], axis=1)
    codes = pandas.Series(table.labels).map(table.classes.index).to_numpy()
    return whole_learners.LEARNERS[learner](frame.iloc[train], codes[train], frame.iloc[test])


def measure(table, learner, fold, pellucid):
    """Return the record of one fit."""
    train, test = table.splits[fold]
    if learner in MODES:
        result = ours(pellucid, MODES[learner], table, train, test)
    else:
        result = theirs(learner, table, train, test)
    chances, predicted, rules, conditions, seconds = result
    return {**scores(table, test, chances, predicted), "rules": rules, "conditions": conditions,
            "seconds": seconds}


def in_child(writer, most, *words):
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_CPU, (most, most + 5))
    try:
        writer.send(measure(*words))
    except subprocess.CalledProcessError as error:
        lines = error.stderr.strip().splitlines()
        writer.send({"error": lines[-1] if lines else over(most) if error.returncode < 0 else str(error)})
    except Exception as error:
        writer.send({"error": f"{type(error).__name__}: {error}"[:200]})


def over(most):
    return f"more than {most} s of CPU time"


class Cache:
    """The records of earlier runs, and the file to which new ones are appended."""

    def __init__(self, path, tables, pellucid, most, setting):
        self.path, self.most, self.setting = path, most, setting
        self.tables = {table.name: table for table in tables}
        self.program = digest(pellucid) if pellucid.exists() else None
        self.records = {}
        for line in path.read_text().splitlines() if path.exists() else []:
            self.take(json.loads(line))

    def take(self, record):
        """Use a record if it belongs to these tables and this program."""
        table = self.tables.get(record["table"])
        if table and record["data"] == table.digest and record.get("program") in (None, self.program):
            self.records[Task(record["table"], record["learner"], record["fold"])] = record

    def add(self, task, result):
        record = {**task._asdict(), "data": self.tables[task.table].digest, "setting": self.setting}
        if task.learner in MODES:
            record["program"] = self.program
        record.update({**result, "limit": self.most} if "error" in result else result)
        with open(self.path, "a") as out:
            out.write(json.dumps(record) + "\n")
        self.take(record)

    def settings(self):
        """Return the learners that were measured in each setting: a machine and versions of packages."""
        found = {}
        for task, record in self.records.items():
            found.setdefault(record["setting"], set()).add(task.learner)
        return {setting: sorted(own, key=LEARNERS.index) for setting, own in found.items()}

    def has_failed(self, table, learner):
        """Return whether a fold failed with at least this limit."""
        return any(record.get("limit", 0) >= self.most for task, record in self.records.items()
                   if (task.table, task.learner) == (table, learner))

    def is_open(self, task):
        is_known = "error" not in self.records.get(task, {"error": None})
        return not is_known and not self.has_failed(task.table, task.learner)


def tasks_of(tables, learners):
    """Yield all tasks: learner by learner, small tables first."""
    by_size = sorted(tables, key=lambda table: len(table.rows) * len(table.head) * len(table.classes))
    for learner in learners:
        for table in by_size:
            if len(table.classes) == 2 or learner not in BINARY_ONLY:
                yield from (Task(table.name, learner, fold) for fold in range(len(table.splits)))


def run(cache, learners, pellucid, jobs, report):
    """Measure all that the cache does not contain, in at most `jobs` processes at a time."""
    whole_learners.preload()
    fork = multiprocessing.get_context("fork")
    tasks = (task for task in tasks_of(cache.tables.values(), learners) if cache.is_open(task))
    running = {}
    while True:
        while len(running) < jobs and (task := next(tasks, None)):
            reader, writer = fork.Pipe(duplex=False)
            words = (writer, cache.most, cache.tables[task.table], task.learner, task.fold, pellucid)
            process = fork.Process(target=in_child, args=words)
            process.start()
            # The end of the child closes the pipe only if no other process has it open for writing.
            writer.close()
            running[reader] = task, process
        if not running:
            return
        for reader in multiprocessing.connection.wait(list(running)):
            task, process = running.pop(reader)
            try:
                result = reader.recv()
            except EOFError:
                process.join()
                result = {"error": over(cache.most) if process.exitcode == -24 else
                          f"ended with {process.exitcode}"}
            process.join()
            reader.close()
            cache.add(task, result)
            if "error" in result:
                report(f"{task.table}: {task.learner}: {result['error']}")
