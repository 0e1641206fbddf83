"""HEROS on a table: prints one JSON object with the accuracy and the rules of its model in each fold.

    python heros.py FILE.csv FOLDS ITERATIONS MODEL_ITERATIONS SEED

HEROS evolves rules first, then models (sets of rules) on a front of accuracy and size on the training data.
Its default model, the one with the highest training accuracy, predicts the test fold.
"""

import contextlib
import io
import json
import sys
import time
import warnings

from classifiers import read


def main(file, folds, iterations, model_iterations, seed):
    import numpy
    from skheros.heros import HEROS
    from sklearn.model_selection import StratifiedKFold

    warnings.filterwarnings("ignore")
    x, y, _ = read(file)
    # Words are categories.
    categories = [place for place in range(x.shape[1]) if len(numpy.unique(x[:, place])) <= 2]
    found = []
    for train, test in StratifiedKFold(folds, shuffle=True, random_state=seed).split(x, y):
        begin = time.process_time()
        with contextlib.redirect_stdout(io.StringIO()):
            learner = HEROS(iterations=iterations, pop_size=500, model_iterations=model_iterations,
                            model_pop_size=50, random_state=seed)
            learner.fit(x[train], y[train], cat_feat_indexes=categories)
            seconds = time.process_time() - begin
            predicted = learner.predict(x[test])
            rules = len(learner.model_population.target_rule_set)
        found.append({"accuracy": float((predicted == y[test]).mean()), "rules": rules, "seconds": seconds})
        print(json.dumps(found[-1]), file=sys.stderr, flush=True)
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1], *(int(word) for word in sys.argv[2:]))
