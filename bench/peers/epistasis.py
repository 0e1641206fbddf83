"""scikit-ExSTraCS on a table of genotypes. Prints one JSON object: its columns by importance, the group of
each training row, and accuracy.

    python epistasis.py TRAIN.csv TEST.csv SECONDS SEED MODELS

Groups are as many clusters as there are models, by k-means of the attribute tracking scores of the rows.

The number of iterations is doubled until a fit takes half of the CPU time; the last fit counts.
"""

import csv
import json
import sys
import time


def read(file):
    import numpy

    with open(file, newline="") as rows:
        head, *rows = list(csv.reader(rows))
    table = numpy.array([[int(float(cell)) for cell in row] for row in rows])
    return head[:-1], table[:, :-1], table[:, -1]


def groups(learner, count, seed):
    import numpy
    from sklearn.cluster import KMeans

    rows = learner.get_attribute_tracking_scores(numpy.arange(len(learner.AT.attAccuracySums)))
    scores = numpy.array([scores for _, scores in sorted(rows, key=lambda row: row[0])], dtype=float)
    scores /= numpy.maximum(scores.sum(axis=1, keepdims=True), 1e-12)
    return KMeans(n_clusters=count, n_init=10, random_state=seed).fit_predict(scores).tolist()


def main(train, test, seconds, seed, models):
    from skExSTraCS import ExSTraCS

    names, x, y = read(train)
    _, other, actual = read(test)
    iterations = 1_000
    while True:
        begin = time.process_time()
        learner = ExSTraCS(learning_iterations=iterations, N=2000, do_attribute_tracking=True,
                           do_attribute_feedback=True, random_state=seed)
        learner.fit(x, y)
        spent = time.process_time() - begin
        if spent > seconds / 2:
            break
        iterations *= 2
    sums = learner.get_final_attribute_tracking_sums()
    specified = learner.get_final_attribute_specificity_list()

    def ranked(scores):
        return [names[place] for place in sorted(range(len(names)), key=lambda place: -scores[place])]

    accuracy = float((learner.predict(other) == actual).mean())
    found = groups(learner, models, seed) if models > 1 else []
    print(json.dumps({"groups": found, "tracked": ranked(sums), "specified": ranked(specified),
                      "accuracy": accuracy, "seconds": spent, "iterations": iterations}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]))
