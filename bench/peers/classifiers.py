"""Classifier systems from PyPI on the problems of `pellucid bench xcs`. Called by ../xcs_vs_peers.py; prints one JSON object.

    python classifiers.py multiplexer NAME ADDRESS_BITS POPULATION DONT_CARE STEPS SEED
    python classifiers.py table NAME FILE.csv POPULATION ITERATIONS SEED

Times are of the processor, and of learning alone.
"""

import csv
import json
import random
import sys
import time


def multiplexer(address, stream):
    bits = [stream.randrange(2) for _ in range(address + 2**address)]
    place = int("".join(map(str, bits[:address])), 2)
    return bits, bits[address + place]


def xcsf_multiplexer(address, population, dont_care, steps, seed):
    """XCSF with the constants that are published for XCS; explore steps alone are timed, as ours are."""
    import numpy
    import xcsf

    learner = xcsf.XCS(
        x_dim=address + 2**address, y_dim=1, n_actions=2, omp_num_threads=1, random_state=seed, pop_size=population,
        pop_init=False, loss_func="mae", e0=0.01, alpha=0.1, nu=5, beta=0.2, delta=0.1, theta_del=20, theta_sub=20, set_subsumption=True,
        ea={"select_type": "roulette", "theta_ea": 25, "lambda": 2, "p_crossover": 0.8, "err_reduc": 0.25, "fit_reduc": 0.1,
            "subsumption": True, "pred_reset": False},
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
    """Learners that take a table get as many rows as there are steps, each shown once, and 1,000 others for the test."""
    import numpy

    stream = random.Random(seed)
    rows = [multiplexer(address, stream) for _ in range(steps + 1000)]
    x, y = numpy.array([bits for bits, _ in rows]), numpy.array([answer for _, answer in rows])
    begin = time.process_time()
    learner = supervised(name, seed, steps, population)
    learner.fit(x[:steps], y[:steps])
    seconds = time.process_time() - begin
    return {"seconds": seconds, "accuracy": float((learner.predict(x[steps:]) == y[steps:]).mean())}


def table(name, file, population, iterations, seed):
    """Ten stratified folds of a table, the class in its last column."""
    import numpy
    from sklearn.model_selection import StratifiedKFold

    with open(file, newline="") as rows:
        rows = list(csv.reader(rows))[1:]
    x = numpy.array([[float(cell) if cell else numpy.nan for cell in row[:-1]] for row in rows])
    classes = sorted({row[-1] for row in rows})
    y = numpy.array([classes.index(row[-1]) for row in rows])
    scores, seconds = [], 0.0
    for train, test in StratifiedKFold(10, shuffle=True, random_state=seed).split(x, y):
        begin = time.process_time()
        learner = supervised(name, seed, iterations, population)
        learner.fit(x[train], y[train])
        seconds += time.process_time() - begin
        scores.append(float((learner.predict(x[test]) == y[test]).mean()))
    return {"seconds": seconds, "accuracy": sum(scores) / len(scores)}


if __name__ == "__main__":
    kind, name, *rest = sys.argv[1:]
    if kind == "table":
        file, population, iterations, seed = rest[0], int(rest[1]), int(rest[2]), int(rest[3])
        print(json.dumps(table(name, file, population, iterations, seed)))
    else:
        address, population, dont_care, steps, seed = int(rest[0]), int(rest[1]), float(rest[2]), int(rest[3]), int(rest[4])
        if name == "xcsf":
            print(json.dumps(xcsf_multiplexer(address, population, dont_care, steps, seed)))
        else:
            print(json.dumps(offline_multiplexer(name, address, population, steps, seed)))
