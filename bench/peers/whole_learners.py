"""Learners from PyPI at their own size, for two or more classes. Used by many_tables.py.

A learner gets the columns of a training fold, the codes of its classes and the columns of a test fold. It
returns the probabilities (a row for each test row, a column for each class), the predicted codes, the
numbers of rules and conditions (None for learners without rules), and the CPU seconds of training. Everything
is fitted on the training fold. Packages have their default parameters unless stated here.
"""

import importlib
import json
import pathlib
import subprocess
import tempfile

from peers.rule_learners import (SEED, as_categories, as_numbers, leaves_and_steps, numeric, steps_of_figs,
                                 timed)
from setting import RISK

LEAVES = [2, 3, 5, 8, 12, 20, 30, 50, 100, 200]
# FasterRisk: the number of conditions with points, and the cuts of a numeric column.
POINTS = 10
CUTS = 10


def fitted(model, train, y, test):
    spent = timed(model, train, y)
    return model.predict_proba(test), model.predict(test), spent


def decision_tree(train, y, test):
    """A tree whose number of leaves is selected by inner cross-validation. As elsewhere, the last leaf is the
    default and not a rule."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.tree import DecisionTreeClassifier

    train, test = as_numbers(train, test)
    search = GridSearchCV(DecisionTreeClassifier(random_state=SEED), {"max_leaf_nodes": LEAVES}, cv=5)
    chances, predicted, spent = fitted(search, train, y, test)
    leaves, steps = leaves_and_steps(search.best_estimator_.tree_)
    return chances, predicted, leaves - 1, steps, spent


def figs(splits):
    def learn(train, y, test):
        """The rules are the splits of all trees."""
        from imodels import FIGSClassifier

        train, test = as_numbers(train, test)
        model = FIGSClassifier(max_rules=splits, random_state=SEED)
        chances, predicted, spent = fitted(model, train, y, test)
        steps = sum(steps_of_figs(tree) for tree in model.trees_)
        return chances, predicted, int(model.complexity_), steps, spent

    return learn


def ebm(train, y, test):
    """A curve or a map for each term. The rules are the terms, the conditions their steps."""
    from interpret.glassbox import ExplainableBoostingClassifier

    model = ExplainableBoostingClassifier(n_jobs=1, random_state=SEED)
    chances, predicted, spent = fitted(model, train, y, test)
    return chances, predicted, len(model.term_scores_), sum(one.size for one in model.term_scores_), spent


def logistic(train, y, test):
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    train, test = as_numbers(train, test)
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    chances, predicted, spent = fitted(model, train, y, test)
    return chances, predicted, None, None, spent


def conditions(train, test):
    """Return both folds as columns of 0 and 1: `x <= cut` at quantiles, and one column for each category."""
    import numpy

    numbers = numeric(train)
    cuts = numpy.linspace(0, 1, CUTS + 2)[1:-1]
    parts = ([], [])
    for name in train:
        if name in numbers:
            tests = [lambda column, cut=cut: column <= cut for cut in sorted(set(train[name].quantile(cuts)))]
        else:
            known = sorted(train[name].dropna().unique())
            tests = [lambda column, value=value: column == value for value in known]
        for part, fold in zip(parts, (train, test)):
            part.extend(one(fold[name]).to_numpy(dtype=float, na_value=0.0) for one in tests)
    train, test = (numpy.column_stack(part) for part in parts)
    varied = train.min(axis=0) < train.max(axis=0)
    return train[:, varied], test[:, varied]


def faster_risk(train, y, test):
    """Integer points for conditions on one column each; two classes only."""
    import numpy

    train, test = conditions(train, test)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "folds.npz"
        numpy.savez(file, train=train, y=y, test=test)
        words = [RISK.python, pathlib.Path(__file__).with_name("risk_scores.py"), file, str(POINTS)]
        done = subprocess.run(words, check=True, capture_output=True, text=True)
    result = json.loads(done.stdout.splitlines()[-1])
    chances, points = numpy.array(result["chances"]), result["points"]
    return (numpy.column_stack([1 - chances, chances]), (chances > 0.5).astype(int), points, points,
            result["seconds"])


def forest(train, y, test):
    from sklearn.ensemble import RandomForestClassifier

    train, test = as_numbers(train, test)
    model = RandomForestClassifier(300, n_jobs=1, random_state=SEED)
    chances, predicted, spent = fitted(model, train, y, test)
    return chances, predicted, None, None, spent


def light_gbm(train, y, test):
    from lightgbm import LGBMClassifier

    train, test = as_categories(train, test)
    model = LGBMClassifier(n_jobs=1, random_state=SEED, verbose=-1)
    chances, predicted, spent = fitted(model, train, y, test)
    return chances, predicted, None, None, spent


def boosting(train, y, test):
    from sklearn.ensemble import HistGradientBoostingClassifier

    train, test = as_categories(train, test)
    model = HistGradientBoostingClassifier(categorical_features="from_dtype", random_state=SEED)
    chances, predicted, spent = fitted(model, train, y, test)
    return chances, predicted, None, None, spent


LEARNERS = {
    "decision tree": decision_tree, "FIGS 12": figs(12), "FIGS 50": figs(50), "FasterRisk": faster_risk,
    "logistic": logistic, "forest": forest, "LightGBM": light_gbm, "boosting": boosting, "EBM": ebm,
}
# Learners that cannot be read, and learners for two classes.
BLACK_BOXES = ["forest", "LightGBM", "boosting"]
BINARY_ONLY = ["FasterRisk"]
# Modules of the learners and their names on PyPI. FasterRisk has an environment of its own.
PACKAGES = {"sklearn": "scikit-learn", "pandas": "pandas", "six": "six", "imodels": "imodels",
            "interpret.glassbox": "interpret-core", "lightgbm": "lightgbm"}


def preload():
    """Import the packages, so that forked processes need not."""
    for module in [*PACKAGES, "sklearn.ensemble", "sklearn.model_selection", "sklearn.compose",
                   "sklearn.linear_model", "sklearn.metrics"]:
        try:
            importlib.import_module(module)
        except ImportError:
            pass
