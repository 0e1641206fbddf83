"""Threads and devices stay open between calls and belong to one process."""

import multiprocessing

import numpy as np
import pytest

from pellucid import RuleClassifier


def _predict(model, X, sent):
    sent.send(model.predict(X).tolist())


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_forked_process_works_too(jobs):
    X = np.random.default_rng(0).normal(size=(100, 3))
    y = X[:, 0] > 0
    model = RuleClassifier(max_rules=2, inner_folds=0, n_jobs=jobs).fit(X, y)
    came, sent = multiprocessing.Pipe(duplex=False)
    child = multiprocessing.get_context("fork").Process(target=_predict, args=(model, X, sent))
    child.start()
    assert came.poll(60), "the child waits for threads that it does not have"
    assert came.recv() == model.predict(X).tolist()
    child.join(60)
    assert child.exitcode == 0
