"""Classifier systems from PyPI on the rungs of `pellucid-bench ladder`. Prints one JSON object.

    python ladder.py NAME ADDRESS_BITS POPULATION DONT_CARE ROWS SECONDS SEED

XCSF learns random inputs from rewards and is tested after every 1,000 exploring steps, as Pellucid. The
others learn a table of ROWS inputs and are tested on 2,000 others: with 1,000 iterations, then with twice as
many, until 99 % are right or a fit took more than SECONDS. Only the last fit counts. Times are CPU time of
learning alone.
"""

import json
import random
import sys
import time

from classifiers import XCSF_CONSTANTS, XCSF_EVOLUTION, multiplexer

TESTS = 2_000


def run_xcsf(address, population, dont_care, seconds, seed):
    import numpy
    import xcsf

    learner = xcsf.XCS(
        x_dim=address + 2**address, y_dim=1, n_actions=2, pop_size=population, random_state=seed,
        set_subsumption=True, **XCSF_CONSTANTS,
        ea={"select_type": "tournament" if address > 4 else "roulette", "select_size": 0.4, **XCSF_EVOLUTION},
        condition={"type": "ternary", "args": {"bits": 1, "p_dontcare": dont_care}},
        action={"type": "integer"}, prediction={"type": "constant"})
    stream = random.Random(seed)

    def meet(explores):
        bits, answer = multiplexer(address, stream)
        state = numpy.array(bits, dtype=numpy.float64)
        begin = time.process_time()
        learner.init_trial()
        learner.init_step()
        action = learner.decision(state, explores)
        if explores:
            learner.update(1.0 if action == answer else 0.0, True)
        learner.end_step()
        learner.end_trial()
        return action == answer, time.process_time() - begin

    spent, steps, right = 0.0, 0, 0
    while spent < seconds:
        spent += sum(meet(True)[1] for _ in range(1000))
        steps += 1000
        right = sum(meet(False)[0] for _ in range(1000))
        if right >= 990:
            break
    return {"steps": steps, "reached": right >= 990, "accuracy": right / 1000, "seconds": spent,
            "rules": learner.pset_size()}


def fitted(name, iterations, population, seed, x, y):
    """Return a fitted learner, a function that predicts, and the number of its rules."""
    if name == "scikit-ExSTraCS":
        from skExSTraCS import ExSTraCS

        learner = ExSTraCS(learning_iterations=iterations, N=population, nu=10, rule_compaction="QRF",
                           random_state=seed)
        learner.fit(x, y)
        return learner.predict, len(learner.population.popSet)
    from skheros import HEROS

    learner = HEROS(iterations=iterations, pop_size=population, nu=10, model_iterations=100,
                    random_state=seed)
    learner.fit(x, y, cat_feat_indexes=list(range(x.shape[1])))
    return learner.predict, len(learner.get_model_rules())


def run_table(name, address, population, rows, seconds, seed):
    import contextlib
    import io

    import numpy

    stream = random.Random(seed)
    drawn = [multiplexer(address, stream) for _ in range(rows + TESTS)]
    x = numpy.array([bits for bits, _ in drawn])
    y = numpy.array([answer for _, answer in drawn])
    iterations = 1_000
    while True:
        begin = time.process_time()
        with contextlib.redirect_stdout(io.StringIO()):
            predict, rules = fitted(name, iterations, population, seed, x[:rows], y[:rows])
            spent = time.process_time() - begin
            accuracy = float((numpy.asarray(predict(x[rows:])).astype(int) == y[rows:]).mean())
        if accuracy >= 0.99 or spent > seconds / 2:
            return {"steps": iterations, "reached": accuracy >= 0.99, "accuracy": accuracy, "seconds": spent,
                    "rules": rules, "rows": rows}
        iterations *= 2


if __name__ == "__main__":
    name, address, population, dont_care, rows, seconds, seed = sys.argv[1:]
    if name == "xcsf":
        result = run_xcsf(int(address), int(population), float(dont_care), float(seconds), int(seed))
    else:
        result = run_table(name, int(address), int(population), int(rows), float(seconds), int(seed))
    print(json.dumps(result))
