"""FasterRisk on one fold. Called by whole_learners.py in an environment of its own.

    python risk_scores.py FOLDS.npz POINTS

FOLDS contains the arrays `train` and `test` of 0 and 1, and `y`, the classes 0 and 1. POINTS is the maximum
number of conditions with points. Prints a JSON object: the probability of class 1 for each test row, the
number of conditions that have points, and the CPU seconds of training.
"""

import json
import sys
import time

import numpy
from fasterrisk.fasterrisk import RiskScoreClassifier, RiskScoreOptimizer


def main():
    folds, most = numpy.load(sys.argv[1]), int(sys.argv[2])
    begin = time.process_time()
    train, y = folds["train"], 2.0 * folds["y"] - 1
    search = RiskScoreOptimizer(X=train, y=y, k=min(most, train.shape[1]))
    search.optimize()
    multiplier, intercept, points = search.get_models(model_index=0)
    seconds = time.process_time() - begin
    chances = RiskScoreClassifier(multiplier, intercept, points).predict_prob(folds["test"])
    print(json.dumps({"chances": [float(chance) for chance in chances],
                      "points": int(numpy.count_nonzero(points)), "seconds": seconds}))


if __name__ == "__main__":
    main()
