"""Classifier systems from PyPI on the problems of `pellucid-bench xcs`. Prints one JSON object.

    python classifiers.py multiplexer NAME ADDRESS_BITS POPULATION DONT_CARE STEPS SEED
    python classifiers.py folds NAME,… FILE.csv POPULATION ITERATIONS|SECONDSs SEED,…
    python classifiers.py dense xcsf FILE.csv POPULATION ITERATIONS SEED
    python classifiers.py predict NAME FILE.csv ROWS SEED

Called by ../xcs_vs_peers.py. Times are CPU time of training alone, and of prediction alone.
"""

import csv
import json
import random
import sys
import time


XCSF_CONSTANTS = {"omp_num_threads": 1, "pop_init": False, "loss_func": "mae", "e0": 0.01, "alpha": 0.1,
                  "nu": 5, "beta": 0.2, "delta": 0.1, "theta_del": 20, "theta_sub": 20}
XCSF_EVOLUTION = {"theta_ea": 25, "lambda": 2, "p_crossover": 0.8, "err_reduc": 0.25, "fit_reduc": 0.1,
                  "subsumption": True, "pred_reset": False}
XCSF_RECTANGLES = {"type": "hyperrectangle_csr", "args": {"min": 0, "max": 1, "spread_min": 0.1, "eta": 0}}


def multiplexer(address, stream):
    bits = [stream.randrange(2) for _ in range(address + 2**address)]
    place = int("".join(map(str, bits[:address])), 2)
    return bits, bits[address + place]


def xcsf_multiplexer(address, population, dont_care, steps, seed):
    """Run XCSF with the published constants of XCS; only explore steps are timed, as for ours."""
    import numpy
    import xcsf

    learner = xcsf.XCS(
        x_dim=address + 2**address, y_dim=1, n_actions=2, pop_size=population, random_state=seed,
        set_subsumption=True, **XCSF_CONSTANTS,
        ea={"select_type": "roulette", **XCSF_EVOLUTION},
        condition={"type": "ternary", "args": {"bits": 1, "p_dontcare": dont_care}},
        action={"type": "integer"}, prediction={"type": "constant"})
    stream = random.Random(seed)
    spent, known = 0.0, None

    def meet(explores):
        bits, answer = multiplexer(address, stream)
        state = numpy.array(bits, dtype=numpy.float64)
        begin = time.process_time()
        learner.init_trial()
        learner.init_step()
        action = learner.decision(state, explores)
        learner.update(1.0 if action == answer else 0.0, True)
        learner.end_step()
        learner.end_trial()
        return action == answer, time.process_time() - begin

    for step in range(1, steps + 1):
        spent += meet(True)[1]
        if known is None and step % 1000 == 0 and sum(meet(False)[0] for _ in range(1000)) >= 990:
            known = step
    return {"seconds": spent, "explore_steps_to_99": known}


def supervised(name, seed, iterations, population):
    if name == "scikit-ExSTraCS":
        from skExSTraCS import ExSTraCS

        return ExSTraCS(learning_iterations=iterations, N=population, random_state=seed)
    from skXCS import XCS

    return XCS(learning_iterations=iterations, N=population, random_state=seed)


def offline_multiplexer(name, address, population, steps, seed):
    """Give learners of tables as many rows as there are steps, each once, and 1,000 others for the test."""
    import numpy

    stream = random.Random(seed)
    rows = [multiplexer(address, stream) for _ in range(steps + 1000)]
    x, y = numpy.array([bits for bits, _ in rows]), numpy.array([answer for _, answer in rows])
    begin = time.process_time()
    learner = supervised(name, seed, steps, population)
    learner.fit(x[:steps], y[:steps])
    seconds = time.process_time() - begin
    return {"seconds": seconds, "accuracy": float((learner.predict(x[steps:]) == y[steps:]).mean())}


def read(file):
    """Return the columns as numbers (words by their sorted position), the classes, and the groups or None."""
    import numpy

    with open(file, newline="") as rows:
        head, *rows = list(csv.reader(rows))
    group = head.index("group") if "group" in head else None
    kept = [place for place in range(len(head) - 1) if place != group]

    def numbers(place):
        cells = [row[place] for row in rows]
        try:
            return [float(cell) if cell else numpy.nan for cell in cells]
        except ValueError:
            words = sorted(set(cells))
            return [float(words.index(cell)) if cell else numpy.nan for cell in cells]

    x = numpy.array([numbers(place) for place in kept]).T
    classes = sorted({row[-1] for row in rows})
    y = numpy.array([classes.index(row[-1]) for row in rows])
    return x, y, None if group is None else [row[group] for row in rows]


def fit(name, seed, iterations, population, x, y):
    """Return a trained learner and the CPU time of training."""
    import numpy

    begin = time.process_time()
    if name == "tree":
        from sklearn.tree import DecisionTreeClassifier

        learner = DecisionTreeClassifier(random_state=seed).fit(x, y)
    elif name == "majority":
        from sklearn.dummy import DummyClassifier

        learner = DummyClassifier(strategy="most_frequent").fit(x, y)
    else:
        learner = supervised(name, seed, iterations, population)
        learner.fit(x, y.astype(numpy.int64))
    return learner, time.process_time() - begin


def affordable(name, seed, budget, population, x, y):
    """Return the number of iterations that take a given CPU time, estimated from a run of half that time."""
    iterations = 50
    fit(name, seed, iterations, population, x, y)  # Imports and warm-up do not count.
    while True:
        spent = fit(name, seed, iterations, population, x, y)[1]
        if spent >= budget / 2:
            return max(50, int(iterations * budget / spent))
        iterations *= 2


def folds(name, file, population, budget, seed):
    """Validate on ten stratified folds; groups stay whole. A budget in seconds is CPU time per fold."""
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

    x, y, groups = read(file)
    if groups is None:
        splits = StratifiedKFold(10, shuffle=True, random_state=seed).split(x, y)
    else:
        splits = StratifiedGroupKFold(10, shuffle=True, random_state=seed).split(x, y, groups)
    splits = list(splits)
    iterations = None
    if budget.endswith("s"):
        if name not in ("tree", "majority"):
            train = splits[0][0]
            iterations = affordable(name, seed, float(budget[:-1]), population, x[train], y[train])
    else:
        iterations = int(budget)
    right, seconds = 0, 0.0
    scores = []
    for train, test in splits:
        learner, spent = fit(name, seed, iterations, population, x[train], y[train])
        seconds += spent
        same = learner.predict(x[test]) == y[test]
        scores.append(float(same.mean()))
        right += int(same.sum())
    return {"seconds": seconds, "iterations": iterations, "accuracy": sum(scores) / len(scores),
            "right": right / len(y)}


def xcsf_dense(file, population, iterations, seed):
    """Time explore steps of XCSF from an empty population, with hyper-rectangles over all scaled columns."""
    import numpy
    import xcsf

    x, y, _ = read(file)
    low, high = numpy.nanmin(x, axis=0), numpy.nanmax(x, axis=0)
    x = (x - low) / numpy.where(high > low, high - low, 1)
    learner = xcsf.XCS(
        x_dim=x.shape[1], y_dim=1, n_actions=int(y.max()) + 1, pop_size=population, random_state=seed,
        set_subsumption=False, **XCSF_CONSTANTS,
        ea={"select_type": "tournament", "select_size": 0.4, **XCSF_EVOLUTION},
        condition=XCSF_RECTANGLES,
        action={"type": "integer"}, prediction={"type": "constant"})
    stream = random.Random(seed)
    order = []
    spent = 0.0
    for _ in range(iterations):
        if not order:
            order = list(range(len(y)))
            stream.shuffle(order)
        row = order.pop()
        state = numpy.ascontiguousarray(x[row])
        begin = time.process_time()
        learner.init_trial()
        learner.init_step()
        action = learner.decision(state, True)
        learner.update(1.0 if action == y[row] else 0.0, True)
        learner.end_step()
        learner.end_trial()
        spent += time.process_time() - begin
    return {"seconds": spent, "iterations": iterations}


def predicting(name, file, count, seed):
    """Time the prediction of rows drawn from a table, after a short fit."""
    import numpy

    x, y, _ = read(file)
    rows = numpy.random.default_rng(seed).integers(0, len(y), count)
    if name == "xcsf":
        import xcsf

        low, high = x.min(axis=0), x.max(axis=0)
        x = (x - low) / numpy.where(high > low, high - low, 1)
        x, target = numpy.ascontiguousarray(x), numpy.eye(int(y.max()) + 1)[y]
        learner = xcsf.XCS(
            x_dim=x.shape[1], y_dim=target.shape[1], n_actions=1, omp_num_threads=1, random_state=seed,
            pop_size=1000, pop_init=False, max_trials=8000, loss_func="mae", e0=0.01,
            condition=XCSF_RECTANGLES,
            action={"type": "integer"}, prediction={"type": "constant"})
        learner.fit(x, target, verbose=False)
        asked = numpy.ascontiguousarray(x[rows])
        begin = time.process_time()
        learner.predict(asked)
    else:
        learner, _ = fit(name, seed, 2000, 1000, x, y)
        asked = x[rows]
        begin = time.process_time()
        learner.predict(asked)
    return {"seconds": time.process_time() - begin, "rows": count}


if __name__ == "__main__":
    kind, name, *rest = sys.argv[1:]
    if kind == "folds":
        seeds = [int(seed) for seed in rest[3].split(",")]
        every = {each: [folds(each, rest[0], int(rest[1]), rest[2], seed) for seed in seeds]
                 for each in name.split(",")}
        print(json.dumps(every))
    elif kind == "dense":
        print(json.dumps(xcsf_dense(rest[0], int(rest[1]), int(rest[2]), int(rest[3]))))
    elif kind == "predict":
        print(json.dumps(predicting(name, rest[0], int(rest[1]), int(rest[2]))))
    else:
        address, population, steps, seed = (int(rest[place]) for place in (0, 1, 3, 4))
        dont_care = float(rest[2])
        if name == "xcsf":
            print(json.dumps(xcsf_multiplexer(address, population, dont_care, steps, seed)))
        else:
            print(json.dumps(offline_multiplexer(name, address, population, steps, seed)))
